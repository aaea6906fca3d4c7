"""Tests of the pages about people, and of the remarks after the end of a game."""

from __future__ import annotations

from typing import Any, Final

import pytest

from companion.box.events import StatisticsReported
from companion.core.prompts import Choose
from companion.figures.lookup import RarestFactFound
from companion.figures.rare import RareFact
from companion.record.journal import Journal
from companion.say.words import LANGUAGES, Words
from companion.table.statistics_pages import StatisticsPages, person_or_group_statistics_pages
from hardware.ports import BACK, DOWN, OK, UP
from tests.helpers import Drive, words_for
from tests.scenes.figures import everybody, opened
from tests.system.bench import pressed

RARE: Final = RareFact("streak", 27.0, {"who": "Ann", "n": 3})


def test_people_are_turned_by_the_wheel_and_back_leads_to_the_line_one_came_from() -> None:
    drive = opened("en")
    prompt = drive.table.menu_or_game_prompt
    assert isinstance(prompt, Choose)
    assert prompt.options == ("of Ann", "of Bob", "of Wojehowicz", "together")
    drive.press(DOWN, OK)
    assert drive.front.name == "people"
    shown = {drive.frame}
    pages = drive.moments[0].paged
    assert pages is not None
    for _ in range(pages.page_count):
        drive.press(DOWN)
        shown.add(drive.frame)
    assert len(shown) == pages.page_count
    drive.press(OK)
    assert (drive.page, drive.table.cursor.at) == ("people", 1)
    drive.press(BACK)
    assert drive.page == "home"


def test_nobody_is_looked_for_before_a_game_is_over() -> None:
    drive = Drive()
    assert "people" not in drive.table.menu_or_game_prompt.options  # type: ignore[union-attr]
    without = Drive(pressed.over("kojak"), counts=False)
    assert "people" not in without.table.menu_or_game_prompt.options  # type: ignore[union-attr]


def test_the_page_waits_without_holding_up_a_press_and_shows_people_when_they_are_there() -> None:
    drive = Drive(pressed.over("kojak"))
    asked: list[Any] = []
    drive.services.statistics._counting = lambda *wanted: asked.append(wanted)
    drive.choose("people")
    ((number, put),) = asked
    waiting = drive.frame
    put(StatisticsReported(100))
    drive.pump()
    assert number is None
    assert drive.frame != waiting
    put(StatisticsReported(everybody()))
    drive.pump()
    assert "of Ann" in drive.table.menu_or_game_prompt.options  # type: ignore[union-attr]
    drive.press(UP, OK)
    assert drive.front.name == "people"


def test_ok_leads_back_while_games_are_counted() -> None:
    drive = opened("en", found=7)
    drive.press(OK)
    assert drive.page == "home"


def test_a_record_that_can_not_be_read_is_told() -> None:
    drive = Drive(pressed.over("kojak"))
    drive.services.statistics._counting = lambda _, put: put(StatisticsReported("damaged"))
    drive.choose("people")
    assert drive.front.facts["code"] == "figures"
    assert drive.page == "home"


def test_people_who_are_known_already_are_shown_when_they_can_not_be_counted_again() -> None:
    drive = opened("en")
    drive.services.basics.inbox.put(StatisticsReported("figures"))
    drive.pump()
    assert drive.front.facts["code"] == "figures"
    assert drive.page == "people"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_row_is_cut_but_long_names_beside_a_bar(language: str) -> None:
    words, found = Words(language), everybody()
    for who in (None, *(one.name for one in found.people)):
        for one in person_or_group_statistics_pages(found, who, words).pages:
            for text, figure, share in one.rows:
                room = 10 if share is not None else 21 - len(figure) - bool(figure)
                assert len(text) <= room, (text, figure)


def test_a_player_without_a_rate_has_no_bar() -> None:
    found = everybody()
    one = found.people[0]._replace(by_players={2: found.people[0].all._replace(games=2, wins=1)})
    pages = person_or_group_statistics_pages(
        found._replace(people=(one,)), one.name, Words("en")
    ).pages
    (row,) = (row for page in pages for row in page.rows if row.text == "2 players")
    assert row == ("2 players", "1/2", None)
    assert StatisticsPages(pages).frame_of_page(2, words_for("kojak", "en"))


# --- after a game ---------------------------------------------------------------------------------


def last_press(found: RareFact | None) -> Drive:
    """Return a box with the last answer of a game given. Its statistics find `found`."""
    journal = almost_over()
    drive = Drive(journal)
    drive.services.statistics._counting = lambda number, put: put(
        StatisticsReported(RarestFactFound(number or 0, found))
    )
    drive.resume()
    *_, answer, _ = journal.read_lines_of_game(1)
    drive.choose(answer.value)
    assert drive.session.standing.snapshot.outcome is not None
    return drive


def almost_over() -> Journal:
    """Return a record with a finished game, and a copy of it without the last answer."""
    journal = pressed.over("kojak")
    entries = journal.read_lines_of_game(1)
    cut = max(n for n, entry in enumerate(entries) if entry.kind == "answer")
    first, *lines = entries[:cut]
    journal.save_new_game({**first.value, "id": "open"}, lines, first.at)
    return journal


def to_a_rematch(drive: Drive) -> int:
    """Return the number of presses from the final frame to a rematch with the same people."""
    number = drive.session.number
    drive.skip()
    for presses in range(9):
        if drive.loop.running_session is not None and drive.session.number != number:
            return presses
        home = drive.page == "home" and not drive.moments
        at = drive.table.menu_or_game_prompt.options[drive.table.cursor.at] if home else ""  # type: ignore[union-attr]
        drive.press(OK if at != "new" else DOWN)
    return 9


@pytest.mark.long
def test_what_was_rare_is_a_frame_of_its_own_after_the_end_that_ok_goes_past() -> None:
    assert to_a_rematch(last_press(None)) == 2
    assert to_a_rematch(last_press(RARE)) == 3


def test_again_is_one_press_behind_what_was_rare() -> None:
    drive = last_press(RARE)
    drive.skip()
    assert not drive.moments
    drive.press(OK)
    assert drive.front.name == "rare"
    drive.press(OK)
    prompt = drive.table.menu_or_game_prompt
    assert prompt.options[drive.table.cursor.at] == "rematch"  # type: ignore[union-attr]


def test_a_game_that_was_left_before_it_is_known_is_not_remarked_on() -> None:
    drive = last_press(None)
    drive.skip()
    drive.press(OK)
    drive.loop.inbox.put(StatisticsReported(RarestFactFound(2, RARE)))
    drive.pump()
    assert drive.page == "home"
    assert not drive.moments


def test_a_game_that_goes_on_after_its_end_is_not_remarked_on() -> None:
    drive = last_press(RARE)
    drive.skip()
    assert drive.services.statistics.remark == RARE
    drive.press(BACK)
    drive.choose("undo")
    assert drive.services.statistics.remark is None
