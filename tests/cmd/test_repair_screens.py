"""Tests of repairs by a command: progress is shown, and command and box report the result."""

from __future__ import annotations

import io
import sqlite3
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cmd import opening, repair_screens
from companion.cmd.commands import cli
from companion.draw import box_frames
from companion.draw.canvas import wrap_text
from companion.record.entry import LINE_NUMBER_BITS, Entry
from companion.record.journal import Journal
from companion.say.words import LANGUAGES, Words
from hardware.mock import FakeBox
from hardware.ports import HardwareError
from tests.helpers import OWN_PARTS_OPTIONS, Drive, begin_game, setup_for


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a box's record with a game that lacks a line in its middle."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    path = tmp_path / "games.db"
    journal = Journal(path)
    begin_game(setup_for(OWN_PARTS_OPTIONS), journal=journal)
    begin_game(setup_for(OWN_PARTS_OPTIONS), journal=journal)
    journal.close()
    spoil(path, 1, 1)
    return path


def spoil(path: Path, game: int, n: int) -> None:
    database = sqlite3.connect(path)
    database.execute("UPDATE entry SET line = 'x' WHERE id = ?", (game << LINE_NUMBER_BITS | n,))
    database.commit()
    database.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_frame_of_a_repair_is_whole_and_its_bar_fills(language: str) -> None:
    words = Words(language)
    assert len(wrap_text(words("box.mending.text"), 21)) <= 3
    frames = [box_frames.repair_progress_frame(percent, words) for percent in range(101)]
    assert len({*frames}) == 101


def test_a_repair_is_shown_on_every_display_and_keeps_systemd_waiting(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr("companion.box.system.notify_systemd", told.append)
    fake = FakeBox()
    journal = repair_screens.open_or_repair_record(fake.box.displays)
    journal.close()
    words = Words("fr")
    assert fake.display.frames
    assert set(fake.display.frames) <= {
        box_frames.repair_progress_frame(n, words) for n in range(101)
    }
    assert all("EXTEND_TIMEOUT_USEC=120000000\nWATCHDOG=1\n" in word for word in told)
    assert len(told) >= 2
    assert record.exists()


def test_a_box_that_starts_shows_a_repair_and_then_leaves_the_screen_to_what_is_told_of_it(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeBox()
    monkeypatch.setattr(opening, "open_hardware", lambda *_: fake.box)
    opened = opening.open_box()
    assert isinstance(opened, opening.OpenedBox)
    opened.journal.close()
    assert opened.journal.unannounced_repair is not None
    words = Words("fr")
    assert fake.display.frames
    assert set(fake.display.frames) <= {
        box_frames.repair_progress_frame(n, words) for n in range(101)
    }
    assert record.exists()


def test_a_box_that_starts_shows_its_first_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    fake = FakeBox()
    monkeypatch.setattr(opening, "open_hardware", lambda *_: fake.box)
    opened = opening.open_box()
    assert isinstance(opened, opening.OpenedBox)
    opened.journal.close()
    assert len(fake.display.frames) == 1


def test_what_hardware_is_missing_is_told_without_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise HardwareError("There are no pins.")

    monkeypatch.setattr(opening, "open_hardware", missing)
    monkeypatch.setattr(opening, "Journal", None)
    assert isinstance(opening.open_box(), HardwareError)


def test_a_display_that_fails_costs_no_repair(record: Path) -> None:
    class Loose:
        def show(self, _: bytes) -> None:
            raise HardwareError("A cable is loose.", "display")

        def set_brightness(self, percent: int) -> None: ...

        def close(self, *, keep: bool = False) -> None: ...

    journal = repair_screens.open_or_repair_record((Loose(),))
    assert journal.repair_result is not None
    journal.close()
    assert record.exists()


@pytest.mark.parametrize("tty", [True, False])
def test_a_repair_in_a_terminal_is_a_line_and_there_only_how_far_it_is(
    record: Path,
    monkeypatch: pytest.MonkeyPatch,
    tty: bool,  # noqa: FBT001
) -> None:
    class Stream(io.StringIO):
        def isatty(self) -> bool:
            return tty

    stream = Stream()
    monkeypatch.setattr(sys, "stderr", stream)
    repair_screens.open_or_repair_record().close()
    text = stream.getvalue()
    assert text.startswith("companion: Le journal était abîmé.")
    assert text.count("\n") == 1
    assert ("%" in text) == tty
    assert record.exists()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", [("history",), ("verify", "1")])
def test_a_command_that_repairs_says_so_and_the_box_says_it_at_its_next_start(
    record: Path, command: tuple[str, ...]
) -> None:
    done = CliRunner().invoke(cli, command)
    repaired = "Le journal a été réparé."
    assert f"{repaired} Au moins 3 lignes perdues." in done.stderr
    assert repaired not in CliRunner().invoke(cli, command).stderr
    journal = Journal(record)
    assert journal.repair_result is None
    drive = Drive(journal)
    assert drive.front.name == "damaged"
    assert drive.front.facts["lost"] == 3
    journal.close()
    journal = Journal(record)
    assert not Drive(journal).moments
    journal.close()


def test_history_goes_on_after_a_game_whose_name_is_damaged(record: Path) -> None:
    journal = Journal(record)
    begin_game(setup_for(OWN_PARTS_OPTIONS), journal=journal)
    journal.append_entries_to_game(3, [Entry("over", value=["Fish"])])
    begin_game(setup_for(OWN_PARTS_OPTIONS), journal=journal)
    journal.close()
    database = sqlite3.connect(record)
    database.execute(
        "UPDATE entry SET line = replace(line, 'Fish', 'Fisk') WHERE id = ?",
        (3 << LINE_NUMBER_BITS,),
    )
    database.commit()
    database.close()
    lines = CliRunner().invoke(cli, ["history"]).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["4", "3", "2", "1"]
    assert lines[1].split(maxsplit=1)[1] == ("La partie 3 est abîmée : relancez pour la réparer.")
    assert "Fisk" not in "".join(lines)


def test_the_menus_show_no_name_of_a_damaged_game() -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    journal._db.execute("UPDATE entry SET line = replace(line, 'Fish', 'Fisk') WHERE id = 1 << 24")
    drive = Drive(journal)
    assert drive.state.facts.unfinished == ()
