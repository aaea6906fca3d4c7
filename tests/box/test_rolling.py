"""Tests of rolling dice: a press shows them for half a second, and no press is lost."""

from __future__ import annotations

import pytest

from companion.catalog import registry
from companion.core.prompts import PRESSED_ROLL_QUESTION
from companion.draw import dice
from companion.draw.canvas import Canvas
from companion.record.journal import Journal
from hardware.ports import DISPLAY_WIDTH
from tests.helpers import PLAYER_NAMES, Drive, begin_game, setup_for

ROLLING = [game for game in registry.BUILT_IN_GAMES if game != "probe"]
every_game_with_dice = pytest.mark.parametrize("game", ROLLING)


def pressing(game: str) -> Drive:
    """Return a game of two before the first press for a roll."""
    options = {option.name: option.proposed_value for option in registry.find_game(game).options}
    drive = Drive(begin_game(setup_for(options, game=game)))
    drive.resume()
    while drive.table.menu_or_game_prompt.name != PRESSED_ROLL_QUESTION:  # type: ignore[union-attr]
        drive.press("ok")
        drive.skip()
    return drive


def rolled(drive: Drive) -> list[list[int]]:
    """Return the recorded rolls."""
    journal: Journal = drive.journal
    lines = journal.read_game_header_and_lines(1)[1]
    return [line.value for line in lines if line.kind == "box" and line.question == "roll"]


@every_game_with_dice
def test_the_players_roll_for_who_begins_by_pressing(game: str) -> None:
    drive = pressing(game)
    whose = []
    while len(rolled(drive)) < 2:
        prompt = drive.table.menu_or_game_prompt
        assert prompt is not None
        assert prompt.name == PRESSED_ROLL_QUESTION
        whose.append(prompt.who)
        drive.press("ok")
        assert len(rolled(drive)) == len(whose)
        drive.skip()
    assert whose == list(PLAYER_NAMES[:2])


@every_game_with_dice
def test_the_dice_turn_for_half_a_second_and_then_nothing_wakes_the_box(game: str) -> None:
    drive = pressing(game)
    before = len(drive.frames)
    drive.press("ok")
    assert len(rolled(drive)) == 1
    throw = drive.moments[0].throw
    assert throw is not None
    assert throw.faces == tuple(rolled(drive)[0])
    drive.wait(0.5)
    assert drive.table.overlays.picture in (0, dice.ROLL_PICTURE_COUNT - 1)
    turning = drive.frames[before:]
    assert len(set(turning)) >= dice.ROLL_PICTURE_COUNT
    drive.wait(10)
    assert not drive.moments
    shown = len(drive.frames)
    drive.wait(10)
    assert len(drive.frames) == shown


def test_any_press_ends_the_turning_and_answers_nothing() -> None:
    for button in ("ok", "up", "down", "back", "seat1"):
        drive = pressing("baretta")
        drive.press("ok")
        assert drive.moments[0].throw
        drive.press(button, gap=0.0)
        assert drive.table.overlays.picture == drive.moments[0].pictures - 1
        assert len(rolled(drive)) == 1
        drive.press(button, gap=0.0)
        assert not any(moment.throw for moment in drive.moments)
        assert len(rolled(drive)) == 1


def test_a_roll_that_no_other_frame_shows_stays_to_be_read() -> None:
    drive = pressing("kojak")
    drive.press("ok")
    drive.wait(0.6)
    assert drive.moments[0].throw
    drive.skip()
    drive.press("ok")
    drive.wait(0.6)
    assert not drive.moments[0].throw


def test_the_press_starts_the_rattle_once() -> None:
    for game in ROLLING:
        drive = pressing(game)
        for _ in range(2):
            drive.speaker.heard.clear()
            drive.press("ok")
            assert drive.speaker.heard.count("♪ rolled") == 1
            assert "♪ accepted" not in drive.speaker.heard
            drive.skip()


def test_the_pictures_of_a_roll_change_only_where_the_dice_are() -> None:
    drive = pressing("baretta")
    drive.press("ok")
    first = drive.frames[-1]
    drive.wait(0.45)
    last = drive.frames[-1]
    changed = [n for n, (a, b) in enumerate(zip(first, last, strict=True)) if a != b]
    assert changed
    assert {n // 128 for n in changed} <= {0, 1, 2, 3, 4, 5}
    assert len(changed) < 256


@pytest.mark.parametrize("n", range(1, 7))
def test_a_die_never_shows_its_face_before_it_lies(n: int) -> None:
    shown = []
    for step in range(dice.ROLL_PICTURE_COUNT):
        canvas = Canvas()
        dice.draw_rolling_dice(canvas, (n,), step)
        shown.append(canvas.frame)
    assert len(set(shown)) == dice.ROLL_PICTURE_COUNT


@pytest.mark.parametrize(("sides", "n"), [(2, 1), (4, 4), (8, 7), (10, 10), (20, 20), (100, 100)])
def test_a_die_of_other_sides_turns_too_and_shows_a_number(sides: int, n: int) -> None:
    shown = []
    for step in range(dice.ROLL_PICTURE_COUNT):
        canvas = Canvas()
        dice.draw_rolling_dice(canvas, (n,), step, sides)
        shown.append(canvas.frame)
    assert shown[-1] not in shown[:-1]
    lying = Canvas()
    lying.draw_sprite(
        (DISPLAY_WIDTH - dice.LARGE_SIDE) // 2,
        dice.TOP_GAP,
        dice.die_sprite(n, dice.LARGE_SIDE, sides),
    )
    assert shown[-1] == lying.frame
    assert dice.die_sprite(n, dice.LARGE_SIDE, sides) != dice.die_sprite(
        n % sides + 1, dice.LARGE_SIDE, sides
    )


def test_a_number_that_a_die_has_no_room_for_is_left_out() -> None:
    assert dice.die_sprite(100, 8, 100) == dice.die_sprite(99, 8, 100)
    assert dice.die_sprite(7, 12, 10) != dice.die_sprite(8, 12, 10)
