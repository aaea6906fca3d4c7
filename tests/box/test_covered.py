"""Tests of uncovered secrets: a press or a timeout covers them, and unseen answers do not count."""

from __future__ import annotations

import pytest

from companion.press.controls import LOOK_HOLD_SECONDS, UNREAD_SECONDS
from companion.press.cursor import CONFIRM_UNLISTED_WORD_QUESTION, HOLD_SECONDS
from hardware.ports import BACK, DOWN, OK, SEATS
from tests.helpers import Drive
from tests.scenes.barney_miller import hand
from tests.scenes.probe import NORMAL, at, spelling, spelt, unlisted


def look(drive: Drive) -> Drive:
    drive.down(OK)
    drive.wait(LOOK_HOLD_SECONDS)
    return drive


# --- the words on a curtain -----------------------------------------------------------------------


def test_a_mere_look_chooses_nothing_and_ok_asks_to_look() -> None:
    drive = hand("en")
    curtain, before = drive.frame, drive.session.standing.snapshot.position
    look(drive).up(OK)
    assert drive.frame == curtain
    drive.press(OK)
    assert drive.front.facts["code"] == "choose_first"
    assert drive.session.standing.snapshot.position == before


def test_a_choice_that_was_made_while_looking_stands_on_the_curtain_and_is_given() -> None:
    drive = hand("en")
    curtain, before = drive.frame, drive.session.standing.snapshot.position
    look(drive).press(DOWN)
    drive.up(OK)
    assert drive.frame != curtain
    drive.press(OK)
    assert drive.session.standing.snapshot.position > before


def test_holding_and_letting_go_of_a_covered_word_adds_no_letter() -> None:
    drive = spelling("en")
    drive.press(BACK)
    covered = drive.frame
    for _ in range(3):
        drive.press(OK)
        assert drive.front.facts["code"] in ("look_first", "choose_first")
        drive.skip()
        assert (drive.frame, drive.table.cursor.text) == (covered, "")


# --- covering -------------------------------------------------------------------------------------


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("button", "seconds", "text"),
    [
        *((OK, HOLD_SECONDS, text) for text in ("", "PRO")),
        *((seat, 0.08, text) for seat in (SEATS[0], SEATS[2]) for text in ("PRO", "PROBE")),
    ],
)
def test_an_open_word_is_covered_and_its_letters_stay(
    button: str, seconds: float, text: str
) -> None:
    drive = spelling("en")
    curtain = drive.session.standing.snapshot
    spelt(drive, text)
    drive.press(button, seconds=seconds)
    assert drive.table.cursor.looking is None
    assert drive.session.standing.snapshot == curtain
    again = look(drive).table.cursor
    assert (again.looking, again.text) == (curtain.players[0], text)


def test_ok_held_over_a_word_that_will_do_ends_it_instead_of_covering_it() -> None:
    drive = spelt(spelling("en"), "PROBE")
    drive.press(OK, seconds=HOLD_SECONDS)
    drive.skip()
    assert (drive.session.standing.snapshot.position, drive.table.cursor.text) == (1, "")


def test_an_open_word_covers_itself_and_the_next_press_does_nothing_unread() -> None:
    drive = spelt(spelling("en"), "PRO")
    drive.wait(30 - 0.1)
    shown = drive.frame
    drive.wait(0.2)
    assert drive.table.cursor.looking is None
    assert drive.frame != shown
    drive.press(OK, gap=0)
    assert not drive.moments
    drive.wait(UNREAD_SECONDS)
    drive.press(OK)
    assert drive.front.name == "refused"


def test_the_question_whether_a_word_stays_can_be_covered_too() -> None:
    drive = unlisted("en")
    drive.press(SEATS[1])
    assert drive.table.cursor.looking is None
    drive.press(OK)
    assert drive.front.name == "refused"
    drive.skip()
    look(drive).up(OK)
    assert drive.table.menu_or_game_prompt is not None
    assert (drive.table.menu_or_game_prompt.name, drive.table.cursor.looking is None) == (
        CONFIRM_UNLISTED_WORD_QUESTION,
        False,
    )


# --- all letters at once --------------------------------------------------------------------------


def test_back_held_erases_all_letters_says_so_and_takes_nothing_back() -> None:
    drive = spelt(spelling("en"), "PROBE")
    before = drive.session.standing.snapshot
    drive.press(BACK, seconds=HOLD_SECONDS)
    assert drive.table.cursor.text == ""
    assert drive.session.standing.snapshot == before
    assert drive.speaker.heard[-1] == "en: All letters are erased."


def test_while_back_is_held_over_letters_the_bar_says_that_it_erases() -> None:
    drive = spelt(spelling("en"), "PROBE")
    drive.down(BACK)
    drive.wait(HOLD_SECONDS - 0.1)
    assert drive.table.cursor.means == "erase"
    drive.up(BACK)


def test_back_held_again_takes_back_as_everywhere() -> None:
    drive = spelling("en")
    spelt(drive, "PROBE", done=True)
    drive.skip()
    assert drive.session.standing.snapshot.position == 1
    look(drive).up(OK)
    spelt(drive, "FL")
    drive.press(BACK, seconds=HOLD_SECONDS)
    assert drive.session.standing.snapshot.position == 1
    drive.press(BACK, seconds=HOLD_SECONDS)
    assert drive.session.standing.snapshot.position == 0


# --- curtains that follow another player's press --------------------------------------------------


def test_a_second_seats_button_answers_nothing_that_the_first_brought_up() -> None:
    drive = at("en", *NORMAL)
    drive.press(BACK)
    drive.choose("interrupt")
    assert drive.table.menu_or_game_prompt is not None
    assert drive.table.menu_or_game_prompt.name == "who"
    drive.press(SEATS[0])
    asked = drive.table.menu_or_game_prompt
    drive.press(SEATS[1], OK, SEATS[2], gap=0)
    assert drive.table.menu_or_game_prompt == asked
    drive.press(SEATS[1], seconds=0.01, gap=0.1)
    assert drive.table.menu_or_game_prompt == asked
    drive.press(SEATS[1])
    assert drive.table.menu_or_game_prompt != asked
