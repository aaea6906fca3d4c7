"""Tests of the club's sentences on the box: each fits, is spoken, and is used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest

import companion.say.sentences
from companion.catalog import registry, services
from companion.core.game import Cue
from companion.core.prompts import Number, Spell
from companion.menus import menu_stack as menu
from companion.menus.page import MenuPageState, PhoneFacts
from companion.menus.words import menu_words
from companion.press.cursor import Cursor
from companion.press.wheel import wheel_answers_and_symbols
from companion.say.words import LANGUAGES, Words
from companion.table.frames import menu_page_frame as menu_page
from companion_club.box import SERVICE_NAME
from companion_club.box.menu import MENU_PAGES
from companion_club.box.service import SERVICE
from companion_club.box.status import FAILURE_CODES, parse_evening_status
from companion_testing.face_recording import RecordingCanvas, draw_frames_on_recording_canvas
from tests.evening.scenes import FINISHED_STATE, FOUND_STATE, OFFLINE_STATE, RUNNING_STATE
from tests.helpers import words_for
from tests.say.test_words import COLUMNS, drawn, facts, wanted, written

STATUSES: Final[tuple[dict[str, Any], ...]] = (
    {"state": "away"},
    FOUND_STATE,
    OFFLINE_STATE,
    {**RUNNING_STATE, "signed": []},
    {**RUNNING_STATE, "signed": ["Zoë"]},
    {**RUNNING_STATE, "table": 1},
    FINISHED_STATE,
)
"""States of an evening. The box has the first state if no attendant is connected."""
QUIET: Final = ("page.", "stdio.", "box.option.menu.", "box.hint.menu.", "box.cue.refused.")
"""Prefixes of the keys that other tests check."""


@cache
def opened() -> tuple[MenuPageState, ...]:
    """Return every menu page of an evening that answers can reach."""
    waiting: list[MenuPageState] = []
    for status in STATUSES:
        shown = {} if status["state"] == "away" else {SERVICE_NAME: parse_evening_status(status)}
        for playing in (None, "kojak"):
            given = facts(phones=PhoneFacts(), services=shown, playing=playing)
            waiting.append(menu.first_menu_page(given)._replace(page=SERVICE_NAME))
    found: dict[object, MenuPageState] = {}
    while waiting:
        page = waiting.pop()
        about = page.page, page.facts.playing, page.facts.services.get(SERVICE_NAME)
        if services.owning_service_name(page.page) is None or about in found:
            continue
        found[about] = page
        prompt = menu.page_question(page)
        answers = ["Zoë"] if isinstance(prompt, Spell) else wheel_answers_and_symbols(prompt)
        waiting += [menu.page_after_answer(page, answer)[0] for answer in answers]
    return tuple(found.values())


def notices() -> Iterator[Cue]:
    """Yield each cue that an evening announces at the table."""
    yield Cue("evening_goes", {"n": 12, "moves": "Ada goes to table 12, Bob to table 3"})
    yield Cue("evening_here", {"n": 12, "table": 120, "who": "Bob, Cy, Maximilien and Di"})
    yield Cue("evening_over", {"who": "Ada and Maximilien", "n": 1234})
    yield Cue("evening_conflict")
    yield from (Cue(f"evening_{trouble}") for trouble in FAILURE_CODES)


def test_the_walk_comes_to_every_page() -> None:
    assert {page.page for page in opened()} == {*MENU_PAGES}


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_shows_all_its_words(language: str) -> None:
    words = menu_words(language)
    for page in opened():
        prompt, view = menu.page_question(page), menu.page_placeholder_values(page)
        for at in range(len(wheel_answers_and_symbols(prompt))):
            with draw_frames_on_recording_canvas():
                menu_page(page, prompt, Cursor(at=at), words)
            cut = [text for _, _, text, _ in RecordingCanvas.last.texts if text.endswith("…")]
            assert page.page == "evening_name" or not cut, cut
        rows = words.question_row(prompt, view).split("|")
        assert max(map(len, rows)) <= COLUMNS - (4 if isinstance(prompt, Number) else 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_notice_is_shown_whole_and_spoken_beside_any_game(language: str) -> None:
    every = [Words(language), *(words_for(game, language) for game in registry.BUILT_IN_GAMES)]
    for words in every:
        for cue in notices():
            shown = "".join(drawn((cue,), words))
            assert shown == "".join(wanted((cue,), words)), cue
            assert words.fact_speech(cue), cue


@pytest.mark.long
def test_no_sentence_is_there_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    source = (SERVICE.folder / "box" / "menu.py").read_text("utf-8")
    used = {*re.findall(r'"(box\.[a-z_.]+)"', source)}
    look_up = companion.say.sentences.Sentences._sentence

    def spy(words: Words, key: str) -> str:
        used.add(key)
        return look_up(words, key)

    monkeypatch.setattr(companion.say.sentences.Sentences, "_sentence", spy)
    box = menu_words("en")
    for page in (menu.first_menu_page(facts(phones=PhoneFacts())), *opened()):
        prompt = menu.page_question(page)
        box.question_row(prompt, menu.page_placeholder_values(page))
        for at in range(len(wheel_answers_and_symbols(prompt))):
            menu_page(page, prompt, Cursor(at=at), box)
    for cue in notices():
        box.fact_title_and_text(cue)
        for verbosity in ("short", "normal"):
            box.fact_speech(cue, verbosity)
    there = written(SERVICE.folder, "en", "companion")
    assert {key for key in there if key not in used and not key.startswith(QUIET)} == set()
