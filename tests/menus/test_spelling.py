"""Tests of spelling on the wheel: number of presses for names and words."""

from __future__ import annotations

import pytest

from companion.core.prompts import Spell
from companion.draw import screens
from companion.menus import menu_stack
from companion.menus.new_game import suggested_names_for_next_game
from companion.press.cursor import HOLD_SECONDS, Cursor
from companion.say.words import LANGUAGES, Words
from tests.helpers import Drive
from tests.system.bench import pressed

every_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.mark.long
@every_language
def test_a_name_with_an_accent_takes_25_presses_at_most(language: str) -> None:
    assert pressed.named("Zoé", language) <= 25


@pytest.mark.sampled(1)
@every_language
def test_an_awkward_secret_word_takes_35_presses_at_most(language: str) -> None:
    assert pressed.secret("JOURNEY", language) <= 35


@pytest.mark.sampled(2)
@every_language
@pytest.mark.parametrize("name", ["Zoé", "Anne-Marie", "O'Neil", "Noël", "François"])
def test_every_name_can_be_spelt_as_it_is_written(name: str, language: str) -> None:
    assert pressed.named(name, language) > len(name)


def test_ok_held_ends_a_name_from_the_last_letter() -> None:
    drive = Drive()
    drive.walk("new", 2, "spell", "Z", "o")
    drive.press("ok", seconds=HOLD_SECONDS + 0.1)
    assert drive.state.players == ("Zo",)


def test_a_full_name_asks_only_for_its_end() -> None:
    drive = Drive()
    drive.walk("new", 2, "spell", *"Maximilian")
    drive.press("ok")
    assert drive.state.players == ("Maximilian",)


def test_a_name_of_a_past_game_takes_two_letters_and_a_press() -> None:
    drive = Drive(pressed.over("barney-miller"))
    who = drive.state.facts.past[0].players[0]
    drive.walk("new", 2, "spell", *who[:2], who)
    assert drive.state.players == (who,)


def test_a_name_in_a_past_game_is_seen_before_though_it_is_no_longer_offered() -> None:
    drive = Drive(pressed.over("barney-miller"))
    past = drive.state.facts.past[0]._replace(players=("Bartleby", "Zoé"))
    drive.walk("new", 2, "spell")
    state = drive.state._replace(facts=drive.state.facts._replace(past=(past,)), players=("Zoé",))
    known = menu_stack.page_question(state).known  # type: ignore[union-attr]
    assert "Bartleby" in known
    assert "Zoé" not in known


def test_names_that_were_typed_are_offered_first_next_time() -> None:
    drive = Drive()
    drive.walk("new", 2, "spell", "Z", "✓", "spell", "Y", "✓", "start")
    again = Drive(drive.journal)
    again.walk("new", 2)
    assert again.table.menu_or_game_prompt is not None
    assert again.table.menu_or_game_prompt.options[:2] == ("Z", "Y")  # type: ignore[union-attr]


@pytest.mark.parametrize(("text", "moves"), [("", False), ("D", True)])
def test_back_moves_left_in_a_word_only_behind_its_first_letter(
    text: str,
    moves: bool,  # noqa: FBT001
) -> None:
    prompt = Spell("guess", "Ann", 4, ("DOTS",), open="DO__")
    legend = screens._spelling_legend(prompt, Cursor(text=text), Words("en"))
    assert ("BACK ◂" in legend) == moves


def test_who_plays_now_is_offered_before_who_played_once() -> None:
    assert suggested_names_for_next_game(["Zoé", "Ann"], ("Bob", "Ann")) == ["Bob", "Ann", "Zoé"]
