"""Tests of Probe on the box: interruptions, corrections, and pages at the end."""

from __future__ import annotations

from typing import Any, Final

import pytest

from companion.core.prompts import Choose
from companion.press.controls import LOOK_HOLD_SECONDS
from companion.press.cursor import HOLD_SECONDS, selected_answer
from companion.say.words import LANGUAGES
from tests.helpers import Drive, begin_game, setup_for

RACKS: Final = {"words": "racks", "deck": "own", "remember": "no"}
SECRET: Final = {**RACKS, "words": "secret"}
THREE: Final = ("Ann", "Bob", "Cy")
ASKED: Final = (7, 4, 9, "normal", "Cy")


def at(
    *answers: Any,
    options: dict[str, str] = RACKS,
    players: tuple[str, ...] = THREE,
    language: str = "en",
) -> Drive:
    drive = Drive(begin_game(setup_for(options, game="probe", players=players), answers), language)
    drive.resume()
    return drive


def asked(drive: Drive) -> str | None:
    prompt = drive.table.menu_or_game_prompt
    return prompt and prompt.name


def told(drive: Drive) -> dict[str, Any]:
    return dict(drive.front.facts)


def scores(drive: Drive) -> Any:
    return drive.session.standing.snapshot.view["scores"]


def test_a_seats_button_held_interrupts_and_play_goes_on_where_it_stopped() -> None:
    drive = at(*ASKED)
    assert asked(drive) == "answer"
    drive.press("seat2", seconds=HOLD_SECONDS + 0.1)
    assert asked(drive) == "whom"
    drive.press("seat3")
    assert asked(drive) == "right"
    drive.choose(False)
    assert told(drive) == {"who": "Bob", "whom": "Cy", "rack": "Cy", "right": False}
    drive.skip()
    assert (asked(drive), scores(drive)["Bob"]) == ("answer", -50)


def test_an_interruption_is_refused_with_its_reason_when_too_little_is_covered() -> None:
    drive = at(*ASKED)
    drive.press("seat3", seconds=HOLD_SECONDS + 0.1)
    drive.press("seat2")
    assert told(drive)["code"] == "too_few_covered"
    assert any("Fewer than five" in text for text in drive.speaker.heard)
    drive.skip()
    assert (asked(drive), set(scores(drive).values())) == ("answer", {0})


def test_nobody_spells_a_whole_word_that_may_not_be_guessed() -> None:
    """PR-15: with secret words too, the box refuses before the player spells a letter."""
    drive = at("PROBE", "FLAP", "MANOEUVRE", "normal", options=SECRET)
    drive.press("back")
    for value in ("interrupt", "Ann", "Bob"):
        drive.choose(value)
    assert told(drive)["code"] == "too_few_covered"
    drive.skip()
    assert (asked(drive), set(scores(drive).values())) == ("ask_whom", {0})


def test_with_secret_words_holding_shows_the_own_word_and_ok_guesses() -> None:
    drive = at("PROBE", "FLAP", "MANOEUVRE", "normal", options=SECRET)
    drive.down("seat1")
    drive.wait(LOOK_HOLD_SECONDS)
    assert drive.table.cursor.looking == "Ann"
    drive.press("ok")
    drive.up("seat1")
    assert asked(drive) == "whom"
    drive.press("seat3")
    for letter in ("MANOEUVRE", "✓"):
        for mark in letter:
            drive.choose(mark)
    drive.choose("yes")
    assert told(drive)["right"] is True
    drive.skip()
    assert (asked(drive), scores(drive)["Ann"]) == ("ask_for", 90 + 100)


def test_one_press_takes_a_whole_interruption_back() -> None:
    drive = at(*ASKED, options=RACKS)
    drive.press("seat2", seconds=HOLD_SECONDS + 0.1)
    drive.press("seat3")
    drive.choose(True)
    drive.skip()
    assert scores(drive)["Bob"] > 100
    drive.press("back", seconds=HOLD_SECONDS + 0.1)
    assert told(drive)["who"] is None
    drive.skip()
    assert (asked(drive), scores(drive)["Bob"]) == ("answer", 0)


def test_back_goes_a_question_back_and_then_out_of_an_interruption() -> None:
    drive = at(*ASKED)
    drive.press("back")
    drive.choose("interrupt")
    drive.choose("Bob")
    assert asked(drive) == "whom"
    drive.press("back")
    assert asked(drive) == "who"
    drive.press("back")
    assert asked(drive) == "answer"


@pytest.mark.parametrize("over", [False, True])
def test_a_score_is_corrected_at_any_time_and_the_correction_can_be_taken_back(
    *, over: bool
) -> None:
    drive = at(*ASKED)
    if over:
        drive.press("back")
        drive.choose("stop")
        drive.choose("yes")
        drive.skip()
    drive.press("back")
    drive.choose("correct")
    drive.choose("Cy")
    drive.choose(25)
    drive.skip()
    assert drive.session.standing.snapshot.view["items"]["Cy"] == {"correction": 25}
    if over:
        assert drive.session.standing.snapshot.outcome is not None
        assert drive.session.standing.snapshot.outcome.winners == ("Cy",)
    drive.press("back", seconds=HOLD_SECONDS + 0.1)
    drive.skip()
    assert scores(drive)["Cy"] == 0


def test_a_misspelled_word_costs_its_owner_and_is_not_offered_again() -> None:
    drive = at(*ASKED)
    for wanted in (("Ann", "Bob", "Cy"), ("Bob", "Cy")):
        drive.press("back")
        drive.choose("misspelled")
        prompt = drive.table.menu_or_game_prompt
        assert prompt is not None
        assert prompt.options == wanted  # type: ignore[union-attr]
        drive.choose(wanted[0])
        drive.choose("yes")
        drive.skip()
    assert scores(drive) == {"Ann": -100, "Bob": -100, "Cy": 0}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_and_a_misspelled_word_are_asked_about_with_no_first(language: str) -> None:
    for out_of_turn, whose in (("stop", ()), ("misspelled", ("Ann",))):
        drive = at(*ASKED, language=language)
        stood, position = drive.table.menu_or_game_prompt, drive.session.standing.snapshot.position
        drive.press("back")
        drive.walk(out_of_turn, *whose)
        prompt = drive.table.menu_or_game_prompt
        assert isinstance(prompt, Choose)
        assert selected_answer(prompt, drive.table.cursor) == "no"
        drive.press("ok")
        assert drive.session.standing.snapshot.position == position
        if not whose:
            assert drive.table.menu_or_game_prompt == stood


def test_the_last_frame_has_a_page_for_each_players_points() -> None:
    drive = at(*ASKED, "yes", 1, "Cy", "yes", 2, "Cy", "no")
    drive.press("back")
    drive.choose("stop")
    drive.choose("yes")
    drive.skip()
    table, pages = drive.frame, []
    for _ in range(3):
        drive.press("down")
        pages.append(drive.frame)
    assert len({table, *pages}) == 4
    drive.press("down")
    assert drive.frame == table
    drive.press("ok")
    assert drive.page == "home"


def test_a_total_counts_up_picture_by_picture_and_a_press_ends_it() -> None:
    drive = at(*ASKED, "yes")
    drive.choose(3)
    shown = {drive.frame}
    for _ in range(3):
        drive.wait(0.36)
        shown.add(drive.frame)
    assert len(shown) == 4
    drive.press("ok")
    assert asked(drive) == "ask_whom"
    assert "en: Fifteen for Ann: 15 in all." in drive.speaker.heard


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("letter", "word"), [("L", "FLAP"), ("L", "LULL")])
def test_what_all_see_of_a_hit_does_not_tell_how_many_places_fit(letter: str, word: str) -> None:
    """PR-3: the closed curtain and the speech are those of a single place, for each word."""

    def shown(word: str) -> tuple[list[bytes], list[str]]:
        drive = at("PROBE", word, "MANOEUVRE", "normal", "Bob", options=SECRET)
        before = len(drive.speaker.heard)
        drive.choose(letter)
        frames = [drive.frame]
        drive.skip()
        frames.append(drive.frame)
        return frames, drive.speaker.heard[before:]

    assert shown(word) == shown("CLUB")


def test_the_only_place_that_fits_is_uncovered_behind_the_curtain() -> None:
    drive = at("PROBE", "FLAP", "MANOEUVRE", "normal", "Bob", "A", options=SECRET)
    assert asked(drive) == "uncover"
    drive.down("ok")
    drive.wait(LOOK_HOLD_SECONDS)
    assert drive.table.cursor.looking == "Bob"
    drive.press("up")
    drive.up("ok")
    drive.press("ok")
    drive.skip()
    assert scores(drive)["Ann"] == 15


def test_who_has_no_dot_says_so_behind_the_curtain() -> None:
    drive = at("PROBE", "FLAP", "MANOEUVRE", "own_dot", options=SECRET)
    assert asked(drive) == "uncover"
    drive.down("ok")
    drive.wait(LOOK_HOLD_SECONDS)
    drive.press("up")
    drive.up("ok")
    drive.press("ok")
    drive.skip()
    assert asked(drive) == "ask_whom"
