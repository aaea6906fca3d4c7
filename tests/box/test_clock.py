"""Tests of a machine without a clock: dates are unknown, and a person can set the hour."""

from __future__ import annotations

import csv
import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion.catalog import entered_boards
from companion.cmd import history, places
from companion.core.prompts import Choose
from companion.figures import export_formats, group, people, times
from companion.hear import policy
from companion.menus import game_summaries
from companion.menus.page import unknown_game_state
from companion.menus.settings import DEFAULTS, hour_from_clock_setting, settings_with_defaults
from companion.menus.words import menu_words
from companion.page import page_html
from companion.record.journal import GameSummary, Journal
from companion.say.words import Words
from companion_club.outbox import finished_games
from hardware.mock import FakeBox
from tests.figures.test_figures import a_game
from tests.helpers import Drive

SEVENTIES = 37.0
"""Seconds since 1970 on a Pi without a clock, some time after the start."""
BEFORE = places.RELEASE_TIME - 1.0


def at(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(time, "time", lambda: seconds)


@pytest.mark.parametrize("now", [0.0, SEVENTIES, BEFORE])
def test_a_date_before_the_release_is_unknown(monkeypatch: pytest.MonkeyPatch, now: float) -> None:
    at(monkeypatch, now)
    assert not places.is_clock_set()
    assert (places.wall_time(), places.current_local_hour()) == (0, None)


def test_a_clock_that_is_set_gives_date_and_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, float(places.RELEASE_TIME))
    assert places.is_clock_set()
    assert places.wall_time() == places.RELEASE_TIME
    assert places.current_local_hour() in range(24)
    assert (
        datetime.fromtimestamp(places.RELEASE_TIME, UTC).isoformat() == "2026-11-21T00:00:00+00:00"
    )


QUIET: dict[str, Any] = {**DEFAULTS, "quiet_from": 22, "quiet_to": 21}


def test_an_unknown_hour_is_in_no_quiet_hours() -> None:
    assert policy.audio_settings_at_hour(QUIET, 1).muted == "night"
    assert policy.audio_settings_at_hour(QUIET, None) == policy.audio_settings_at_hour(DEFAULTS, 12)


class Clockless(Drive):
    def __init__(self, journal: Journal | None = None, up: float = 100.0) -> None:
        fake = FakeBox()
        fake.buttons.now = up
        super().__init__(journal, start=False, fake=fake)
        self.hour = None
        self.loop.start()


def lines(drive: Drive) -> tuple[Any, ...]:
    drive.walk("settings")
    prompt = drive.table.menu_or_game_prompt
    assert isinstance(prompt, Choose)
    return prompt.options


def test_the_hour_is_set_on_a_box_without_a_clock_and_goes_on() -> None:
    drive = Clockless()
    drive.services.turn.save_settings({"quiet_from": 22, "quiet_to": 7})
    assert drive.services.voice.mute_reason == ""
    assert "clock" in lines(drive)
    drive.choose("clock")
    drive.choose("21")
    assert drive.page == "settings"
    assert drive.services.basics.settings.local_hour() == 21
    drive.buttons.now += 3600
    assert drive.services.basics.settings.local_hour() == 22
    assert drive.services.voice.mute_reason == "night"


def test_a_machine_with_a_clock_has_no_hour_to_set() -> None:
    drive = Drive()
    assert "clock" not in lines(drive)
    drive.services.turn.save_settings({"clock": {"hour": 3, "up": 0}})
    assert drive.services.basics.settings.local_hour() == 12


def test_an_hour_outlives_the_box_and_not_the_power(tmp_path: Path) -> None:
    first = Clockless(Journal(tmp_path / "games.db"), up=5000.0)
    first.services.turn.save_settings({"clock": {"hour": 21, "up": 5000}})
    first.journal.close()
    again = Clockless(Journal(tmp_path / "games.db"), up=5000.0 + 3600)
    assert again.services.basics.settings.local_hour() == 22
    again.journal.close()
    cut = Clockless(Journal(tmp_path / "games.db"), up=12.0)
    assert cut.services.basics.settings.local_hour() is None
    cut.buttons.now = 9000.0
    assert cut.services.basics.settings.local_hour() is None
    cut.journal.close()


@pytest.mark.parametrize("clock", [{}, {"hour": 3}, {"up": 3}])
def test_half_an_hour_setting_is_no_hour(clock: dict[str, int]) -> None:
    assert hour_from_clock_setting(clock, 10.0) is None


@pytest.mark.parametrize("clock", [{"hour": 24, "up": 0}, {"hour": 1, "up": -1}, 3, {"odd": 1}])
def test_an_hour_that_can_not_be_is_as_none(clock: object) -> None:
    assert settings_with_defaults({"clock": clock}, "en")["clock"] == {}


# --- unknown dates on the display -----------------------------------------------------------------


@pytest.mark.parametrize(("now", "last"), [(0, 1_800_000_000), (1_800_000_000, 0), (0, 0)])
@pytest.mark.parametrize(("language", "undated"), [("en", "undated"), ("fr", "sans date")])
def test_a_game_of_unknown_date_is_undated(
    now: int, last: int, language: str, undated: str
) -> None:
    summary = GameSummary(1, "kojak", ("Ann",), last, last, None)
    facts = (
        Drive().services.home.menu_facts(playing=False)._replace(now=now, told=unknown_game_state)
    )
    words = menu_words(language)
    assert undated in str(game_summaries.describe_recorded_game(words, summary, facts))


def test_pages_commands_and_exports_show_no_1970() -> None:
    words = Words("fr")
    assert page_html.format_date_and_time(None, words) == "sans date"
    assert "1970" not in history._clock(0)
    game = a_game(begun=0)
    assert "playdate" not in export_formats.boardgamegeek_fields(game)
    assert "1970" not in export_formats.bgstats_link(game, "Kojak")
    assert group.group_statistics_after_games({}, [game], day=places.local_date)["years"] == {}


def test_programs_are_told_null_of_a_time_that_nobody_knows() -> None:
    over, goes_on = a_game(begun=0, ended=0), a_game(begun=0, ended=None, winners="")
    told = json.loads(export_formats.game_statistics_as_json([over, goes_on]))
    assert [(one["begun"], one["ended"], one["over"]) for one in told] == [
        (None, None, True),
        (None, None, False),
    ]
    assert (
        export_formats.person_statistics_as_dict(people.people_statistics([over])[0])["last"]
        is None
    )
    rows = [*csv.DictReader(export_formats.game_results_as_csv([over, goes_on]).splitlines())]
    assert {(row["begun"], row["ended"]) for row in rows} == {("", "")}
    assert [row["won"] for row in rows] == ["1", "0", "", ""]


def test_an_evening_counts_the_games_of_a_box_without_a_clock() -> None:
    games = [a_game(1, begun=0, ended=0), a_game(2, begun=0, ended=None, winners="")]
    (found,) = finished_games(map(export_formats.game_statistics_as_dict, games))
    assert (found.number, found.begun, found.ended) == (1, "", "")


def test_what_is_said_of_a_board_without_a_clock_has_no_day(tmp_path: Path) -> None:
    entered_boards.confirm_assumed_board(
        "kojak", tmp_path, ("Ann", "Bob"), times.format_utc_date(0)
    )
    (note,) = [line for line in one_file(tmp_path).splitlines() if line.startswith("# all")]
    assert note == "# all = as assumed: Ann, Bob"
    entered_boards.confirm_assumed_board(
        "kojak", tmp_path, ("Ann",), times.format_utc_date(1_800_000_000)
    )
    assert "# all = as assumed: Ann, 2027-01-15" in one_file(tmp_path)


def one_file(folder: Path) -> str:
    (file,) = folder.rglob("*.toml")
    return file.read_text("utf-8")
