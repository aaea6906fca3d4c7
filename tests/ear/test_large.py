"""Tests of the setting *large*: the choice and the total in the largest letters."""

from __future__ import annotations

from typing import Any

from companion.draw import screens
from companion.menus.words import menu_words
from companion.press.cursor import Cursor
from hardware.ports import DISPLAY_WIDTH, DOWN, OK
from tests.helpers import VIRTUAL_PARTS_OPTIONS, Drive, begin_game, setup_for, words_for

TOLD = {"deck": "own", "die": "real", "track": "ask"}


def box(*answers: Any, options: dict[str, str] = TOLD, large: bool = True) -> Drive:
    """Return a game of Fish and Harris at its question."""
    journal = begin_game(setup_for(options), answers)
    journal.save_setting("large", large, 0)
    drive = Drive(journal)
    drive.resume()
    return drive


def test_a_card_and_the_total_stand_in_the_largest_letters() -> None:
    drive = box(1, 6, "gang:molls", 4)
    drive.turn_to(7)
    words = words_for("barney-miller", "en")
    assert drive.frame == screens.large_answer_frame("Harris", "7", "4", Cursor(), words)


def test_what_is_chosen_lies_on_a_white_ground_that_nothing_else_has() -> None:
    words = menu_words("en")
    for text, total in (("7", "4"), ("New game", ""), ("Put the table right", "12"), ("10", "10")):
        frame = screens.large_answer_frame("Harris", text, total, Cursor(), words)
        lit = [
            sum(byte.bit_count() for byte in frame[page * DISPLAY_WIDTH :][:DISPLAY_WIDTH])
            for page in range(8)
        ]
        assert all(n > DISPLAY_WIDTH * 8 // 4 for n in lit[2:7]), text
        assert lit[7] == 0, text


def test_a_menus_line_stands_large_and_a_page_of_text_as_ever() -> None:
    drive = box(1, 6, "gang:molls", 4)
    drive.press("back")
    words = menu_words("en")
    first = words("box.option.menu.go_on")
    assert drive.frame == screens.large_answer_frame(
        words("box.page.menu"), first, "", Cursor(), words
    )


def test_without_the_setting_every_frame_is_as_before() -> None:
    drive, other = (
        box(1, 6, "gang:molls", 4, large=False),
        Drive(begin_game(setup_for(TOLD), (1, 6, "gang:molls", 4))),
    )
    other.resume()
    for button in (DOWN, OK, OK):
        assert drive.frame == other.frame
        drive.press(button)
        other.press(button)


def test_a_curtain_shows_nothing_of_what_is_chosen_behind_it() -> None:
    drive = box(options=VIRTUAL_PARTS_OPTIONS)
    while drive.table.menu_or_game_prompt is None or not drive.table.menu_or_game_prompt.private:
        drive.press(OK)
    before = drive.frame
    drive.press(DOWN)
    assert drive.frame == before
