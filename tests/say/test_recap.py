"""Tests that the recap of a resumed game is a whole sentence that fits two rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.catalog import registry
from companion.catalog.registry import find_game
from companion.draw.canvas import wrap_text
from companion.draw.parts import ROW_LETTERS
from companion.play.answer_history import GameSetup
from companion.play.session import Session, resumed_game_fact
from companion.play.simulate import random_answer
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from tests.helpers import OWN_PARTS_OPTIONS, begin_game, session_words, setup_for

KOJAK = {"deck": "own", "die": "none", "short": "no", "beside": "fetched"}
NAMES = ("Ann", "Bob")


def resumed(setup: GameSetup, answers: tuple[Any, ...]) -> Session:
    journal = begin_game(setup, answers)
    return Session.resume(journal, 1, setup, 2)


def played(game: str, seed: int) -> Iterator[Session]:
    """Yield a random game after each of up to 60 answers, with its own or with virtual parts."""
    options = {o.name: o.values[seed % len(o.values)] for o in find_game(game).options}
    random = Random(seed)
    session = Session.begin(Journal(None), setup_for(options, game=game, players=NAMES), 1)
    for _ in range(60):
        standing = session.standing
        if standing.pending_prompt is None:
            return
        question = (
            standing.pending_prompt
            if standing.pending_prompt.name == "mix"
            else standing.pending_question
        )
        assert question is not None
        session.answer(random_answer(question, random), 2)
        session.commit()
        yield session


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_recap_of_a_game_fits_two_rows_and_names_no_list(game: str) -> None:
    texts = set()
    for seed in (0, 1):
        for session in played(game, seed):
            last = resumed_game_fact(session)
            assert last is not None
            texts |= {session_words(session, language).fact_text(last) for language in LANGUAGES}
    assert len(texts) > 4
    for text in texts - {""}:
        assert len(wrap_text(text, ROW_LETTERS)) <= 2, text
        assert text[-1] in ".!?", text
        assert "[" not in text, text
        assert "(" not in text, text


def test_recap_states_an_answer_only_as_what_the_player_did() -> None:
    session = resumed(setup_for(KOJAK, game="kojak", players=NAMES), ("Ann", "nothing"))
    last = resumed_game_fact(session)
    assert last is not None
    assert "nothing" not in session_words(session, "en").fact_text(last)


def test_recap_before_the_first_answer_is_none() -> None:
    assert resumed_game_fact(resumed(setup_for(OWN_PARTS_OPTIONS), ())) is None


def test_recap_shows_no_total_that_is_not_a_number() -> None:
    session = resumed(setup_for(KOJAK, game="kojak", players=NAMES), ("Ann", "nothing"))
    snapshot = session.standing.snapshot
    for total in ({"Ann": 3}, [3], "3", None, 0):
        vars(session.standing)["snapshot"] = replace(
            snapshot, view={**snapshot.view, "total": total}
        )
        last = resumed_game_fact(session)
        assert last is not None
        assert "total" not in last.facts
