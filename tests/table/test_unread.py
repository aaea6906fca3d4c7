"""Tests of early presses: a press answers no question that the player cannot have read yet."""

from __future__ import annotations

import random

import pytest

from companion.catalog import registry
from companion.core.prompts import Prompt
from companion.press.controls import UNREAD_SECONDS
from hardware.ports import DOWN, OK, SEATS, UP
from tests.helpers import Drive, begin_game, long_lane_params, setup_for


def playing(game: str) -> Drive:
    usual = {option.name: option.values[0] for option in registry.find_game(game).options}
    drive = Drive(begin_game(setup_for(usual, game=game, players=("Ann", "Bob", "Cy"))))
    drive.resume()
    return drive


def pass_by_itself(drive: Drive, thumb: random.Random) -> None:
    """Give random answers until an overlay closes by itself. Wait until it has closed."""
    while drive.table.overlays.until is None:
        drive.skip()
        drive.press(thumb.choice((UP, DOWN)), OK)
    while drive.table.overlays.front_overlay is not None and drive.table.overlays.until is not None:
        drive.wait(drive.table.overlays.until - drive.buttons.now + 1e-3)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("button", [OK, SEATS[0], SEATS[1]])
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_a_press_that_was_meant_for_what_stood_there_before_answers_nothing(
    game: str, button: str
) -> None:
    drive, thumb = playing(game), random.Random(game)
    for late in (0.0, 0.05, 0.2, 0.4):
        pass_by_itself(drive, thumb)
        before = drive.session.standing.snapshot.position
        drive.wait(late)
        drive.down(button)
        drive.wait(0.05)
        drive.up(button)
        assert drive.session.standing.snapshot.position == before
        drive.wait(UNREAD_SECONDS)


def test_the_same_press_answers_when_there_was_time_to_read() -> None:
    drive = playing("barney-miller")
    pass_by_itself(drive, random.Random(1))
    before = drive.session.standing.snapshot.position
    drive.wait(UNREAD_SECONDS)
    drive.down(OK)
    drive.wait(0.05)
    drive.up(OK)
    assert drive.session.standing.snapshot.position > before


@pytest.mark.long
@pytest.mark.parametrize(
    "game", ["barney-miller", "baretta", *long_lane_params(["kojak", "probe"])]
)
def test_no_answer_is_ever_younger_than_a_look(game: str) -> None:
    """Press at random times around each change, after a press or by itself."""
    drive, thumb = playing(game), random.Random(f"{game} unread")
    came, answers = _watched(drive), 0
    for _ in range(600):
        front = drive.table.overlays
        if drive.loop.running_session is None or drive.session.standing.pending_prompt is None:
            break
        if front.until is not None and thumb.random() < 0.8:
            drive.wait(front.until - drive.buttons.now + thumb.uniform(-0.2, 0.7))
        drive.wait(thumb.choice((0.0, 0.1, 0.3, 0.5)))
        before, pressed, since = (
            drive.session.standing.snapshot.position,
            drive.buttons.now,
            came[-1][1],
        )
        button = thumb.choice((OK, OK, OK, UP, DOWN, SEATS[0]))
        drive.down(button)
        drive.wait(thumb.choice((0.03, 0.1)))
        drive.up(button)
        if drive.session.standing.snapshot.position > before:
            answers += 1
            assert not since <= pressed < since + UNREAD_SECONDS
    assert len(came) > 3
    assert answers > 3


def _watched(drive: Drive) -> list[tuple[Prompt | None, float]]:
    """Return a list that collects each shown question with the time (s) of its first frame."""
    host, came = drive.services, [(drive.table.menu_or_game_prompt, -1.0)]
    show = host.screen.show_frame

    def watching() -> None:
        asked = None if drive.moments else drive.table.menu_or_game_prompt
        if asked != came[-1][0]:
            came.append((asked, drive.buttons.now))
        show()

    host.screen.show_frame = watching  # type: ignore[method-assign]
    return came
