"""Tests of short speech: a sentence of a game is shorter after the first time."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from companion.catalog.registry import find_game
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.record.journal import Journal
from tests.helpers import Drive, setup_for

WHOLE, NAME = "where do you land?", {"en: Ann.", "en: Bob."}


def table(**settings: Any) -> Drive:
    """Return a game of Kojak with the box's cards and a real die."""
    journal = Journal(None)
    for name, value in settings.items():
        journal.save_setting(name, value, 0)
    options = {option.name: option.values[0] for option in find_game("kojak").options}
    setup = setup_for({**options, "die": "real"}, game="kojak", players=("Ann", "Bob"))
    Session.begin(journal, setup._replace(mixing=False), 0)
    drive = Drive(journal)
    drive.resume()
    return drive


def played(drive: Drive, times: int, seed: int = 1) -> list[list[str]]:
    """Give `times` random answers. Return the sentences after each answer."""
    random, told = Random(seed), []
    for _ in range(times):
        drive.skip()
        drive.speaker.heard.clear()
        assert drive.session.standing.pending_prompt is not None
        drive.choose(random_answer(drive.session.standing.pending_prompt, random))
        told.append(spoken(drive))
    return told


def spoken(drive: Drive) -> list[str]:
    return [text for text in drive.speaker.heard if text.startswith("en:")]


def asked(told: Sequence[Sequence[str]]) -> list[str]:
    return [text for texts in told for text in texts if WHOLE in text or text in NAME]


def test_a_question_is_asked_of_each_player_in_a_whole_sentence_once_and_then_by_name() -> None:
    heard = asked(played(table(), 12))
    first = {text.removeprefix("en: ")[:3] for text in heard if WHOLE in text}
    assert len(heard) > 6
    assert sum(WHOLE in text for text in heard) <= 2
    assert first <= {"Ann", "Bob"}


def test_who_is_taught_hears_every_sentence_whole() -> None:
    heard = asked(played(table(speech="teaching"), 8))
    assert heard
    assert all(WHOLE in text for text in heard)


def test_who_plays_by_ear_hears_a_question_whole_once_whoever_is_asked() -> None:
    told = [text for texts in played(table(ear=True), 8) for text in texts]
    assert sum(WHOLE in text for text in told) == 1


def test_undo_and_resume_say_the_same_again() -> None:
    drive = table()
    told = played(drive, 9)
    drive.session.undo(0)
    drive.session.redo(0)
    drive.session.commit()
    other = Drive(drive.journal)
    other.resume()
    assert spoken(other)[-1] == told[-1][-1]
    while drive.session.standing.snapshot.undoable > 1:
        drive.session.undo(0)
    drive.session.commit()
    fresh = Drive(drive.journal)
    fresh.resume()
    assert spoken(fresh)[-1] not in NAME


@pytest.mark.long
def test_a_fact_is_told_in_a_whole_sentence_once_a_game() -> None:
    told = [text for texts in played(table(), 60) for text in texts]
    whole = [text for text in told if "Advance the" in text and "spaces." in text]
    short = [text for text in told if text.endswith(" spaces.") and "Advance" not in text]
    assert len(whole) <= 2
    assert len(short) > len(whole)


def test_what_is_said_again_when_asked_for_is_said_in_whole_sentences() -> None:
    drive = table()
    told = played(drive, 9)
    assert asked(told)[-1] in NAME
    drive.speaker.heard.clear()
    drive.services.voice.repeat_last_speech()
    assert WHOLE in drive.speaker.heard[-1]
