"""Tests of Kojak on the buttons: whole games, moving criminals, alarms, the board, the race."""

from __future__ import annotations

import random

import pytest

from companion.core.prompts import is_answered_by_box
from companion.draw import screens
from companion.games.kojak.shown.face import FACE
from companion.play.simulate import random_answer
from companion.table.overlays import SCORE_CUE
from hardware.ports import BACK, DOWN, OK, SEATS, UP
from tests.helpers import Drive, begin_game, session_words, setup_for
from tests.scenes.kojak import FOUR, HUNT, TO_RED, alone, at, board, raced, told


@pytest.mark.long
@pytest.mark.parametrize(
    ("deck", "die"), [("virtual", "companion"), ("own", "real"), ("own", "none")]
)
def test_a_whole_game_of_kojak_is_played_on_the_buttons_alone(deck: str, die: str) -> None:
    rng = random.Random(f"{deck} {die}")
    language = rng.choice(("en", "fr"))
    options = {"deck": deck, "die": die, "short": "yes", "beside": "fetched"}
    drive = Drive(begin_game(setup_for(options, game="kojak", players=FOUR[:3])), language)
    drive.resume()
    while (prompt := drive.session.standing.pending_prompt) is not None:
        assert not is_answered_by_box(prompt)
        drive.skip()
        drive.choose(random_answer(prompt, rng))
    drive.skip()
    snapshot = drive.session.standing.snapshot
    assert snapshot.outcome is not None
    assert drive.frame == screens.standing_frame(
        snapshot, session_words(drive.session, language), drive.table.cursor, FACE
    )


def test_a_trap_card_left_alone_is_turned_walked_and_alarmed_and_then_the_game_goes_on() -> None:
    drive = at("en", *alone(*HUNT), *TO_RED[:-1])
    drive.speaker.heard.clear()
    drive.choose(TO_RED[-1])
    shown = len(drive.frames)
    fronts: list[str | None] = []
    for _ in range(300):
        front = drive.front.name if drive.moments else None
        if [front] != fronts[-1:]:
            fronts.append(front)
        drive.wait(0.1)
    assert fronts == ["trap", "advanced", "on_red", None]
    assert (
        len(drive.frames) - shown == 3 + 4 + 4 + 1
    )  # the card, four fields, two flashes, the question
    heard = drive.speaker.heard
    assert "♪ drum_roll" not in heard  # the player has just read the card
    said = "en: Move red three spaces."
    assert heard[heard.index(said) :] == [
        said,
        "♪ alarm",
        "en: Alarm! The red criminal is on red. Ann may arrest him now!",
        "♪ your_turn",
        "en: Bartholomé.",
    ]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("button", [UP, DOWN, OK, BACK])
def test_any_press_cuts_a_movement_short_and_the_next_one_goes_on(button: str) -> None:
    drive = told("en", *alone(*HUNT), *TO_RED)
    for name in ("trap", "advanced", "on_red"):
        assert drive.front.name == name
        while drive.table.overlays.is_animation_running:
            drive.press(button, gap=0)
            assert drive.front.name == name
        drive.press(button, gap=0)
    assert not drive.moments


def test_the_board_goes_through_the_detectives_and_back_to_the_game() -> None:
    drive = board("en")
    first = drive.frame
    seen = [first]
    for _ in FOUR[1:]:
        drive.press(DOWN)
        seen.append(drive.frame)
    assert len(set(seen)) == len(FOUR)
    drive.press(DOWN)
    assert drive.frame == first
    drive.press(UP)
    assert drive.frame == seen[-1]
    assert drive.front is SCORE_CUE
    drive.press(BACK)
    assert not drive.moments
    assert drive.table.cursor.at == 0


def test_the_board_begins_anew_with_whoever_acts() -> None:
    drive = board("en")
    first = drive.frame
    drive.press(DOWN, OK, BACK)
    drive.choose("standing")
    assert drive.frame == first


def test_in_the_race_a_tap_of_the_seat_says_who_is_home() -> None:
    drive = raced("en")
    drive.press(SEATS[1])
    outcome = drive.session.standing.snapshot.outcome
    assert outcome is not None
    assert outcome.winners == (FOUR[1],)


def test_who_begins_is_told_by_the_seat_where_there_is_no_die() -> None:
    drive = at("en")
    drive.press(SEATS[1])
    assert drive.session.standing.snapshot.view["to_act"] == FOUR[1]


def test_a_press_tells_what_the_car_reached_and_the_likeliest_stands_there() -> None:
    drive = at("en", FOUR[0])
    drive.press(OK)
    assert drive.session.standing.snapshot.view["to_act"] == FOUR[1]
    drive.press(DOWN, OK)
    assert drive.session.standing.pending_prompt is not None
    assert drive.session.standing.pending_prompt.name == "card"
