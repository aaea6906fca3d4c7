"""Tests of commands run by root: the record that they open, and the user who opens it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from companion.cmd import opening, places, record_owner, start
from companion.cmd.commands import run_companion_command
from companion.record import backup
from companion.record.journal import Journal, JournalError
from hardware.mock import FakeBox
from tests.english import raises_english
from tests.figures.test_export import play

USER: Final = 1234
"""The id of the box's user."""


class Sudo:
    """A root that can become another user. Record which user opened which SQLite file."""

    def __init__(self) -> None:
        self.user = 0
        self.opened: list[tuple[str, int]] = []

    @contextmanager
    def as_user(self, user: int, group: int) -> Iterator[None]:
        assert (self.user, user, group) == (0, USER, USER)
        self.user = user
        yield
        self.user = 0

    def users(self, folder: Path) -> set[int]:
        return {user for file, user in self.opened if str(folder) in file}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "home" / name))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return tmp_path / "home"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return the service's folder, with a finished game."""
    folder = tmp_path / "state"
    folder.mkdir()
    with closing(Journal(folder / "games.db")) as journal:
        play(journal, "barney-miller", "first", 10**5)
    return folder


@pytest.fixture
def sudo(home: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> Sudo:
    """Become root on an installed box."""
    assert home
    sudo, connect = Sudo(), sqlite3.connect

    def seen(name: str, *given: Any, **more: Any) -> sqlite3.Connection:
        sudo.opened.append((name, sudo.user))
        db: sqlite3.Connection = connect(name, *given, **more)
        return db

    def owner_of(path: Path) -> tuple[int, int]:
        return (USER, USER) if path.is_relative_to(state) else (0, 0)

    monkeypatch.setattr(sqlite3, "connect", seen)
    monkeypatch.setattr(os, "geteuid", lambda: sudo.user)
    monkeypatch.setattr(os, "chown", lambda *_: None)
    monkeypatch.setattr(places, "STATE_FOLDER", state)
    monkeypatch.setattr(record_owner, "find_non_root_path_owner", owner_of)
    monkeypatch.setattr(record_owner, "_as_user", sudo.as_user)
    return sudo


@pytest.mark.long
def test_every_command_under_sudo_opens_the_games_of_the_service_as_its_user(
    sudo: Sudo, state: Path, home: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    backup.back_up_record(state / "games.db", copy)
    for command in (
        ["history"], ["history", "--csv"], ["people"], ["people", "Nobody", "--rename", "Ann"],
        ["show", "1"], ["show", "1", "--moves"], ["verify", "1"], ["export"], ["voices"],
        ["import", str(copy)], ["backup", str(tmp_path)], ["backup", str(tmp_path / "b.db")],
        ["evening", "verify", "--folder", str(tmp_path / "evening")], ["restore", str(copy)],
    ):  # fmt: skip
        sudo.opened.clear()
        assert run_companion_command(command, debug=True) == 0, command
        assert sudo.users(state) == ({USER} if command != ["voices"] else set()), command
        assert not sudo.users(home), command
    assert not (home / "DATA").exists()
    assert sudo.user == 0


def test_a_command_under_sudo_with_a_record_of_its_own_acts_as_the_owner_of_that(
    sudo: Sudo, state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Journal(tmp_path / "roots.db")) as journal:
        play(journal, "kojak", "second", 30)
    for file, user in ((tmp_path / "roots.db", 0), (state / "games.db", USER)):
        sudo.opened.clear()
        assert run_companion_command(["export", "--journal", str(file)], debug=True) == 0
        assert {user} == sudo.users(file)
    assert "kojak" in capsys.readouterr().out


def test_a_backup_under_sudo_goes_where_the_boxs_user_can_write_nothing(
    sudo: Sudo, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_owner, "can_record_owner_create_file", lambda *_: False)
    target = tmp_path / "root" / "copy.db"
    target.parent.mkdir()
    assert run_companion_command(["backup", str(target)], debug=True) == 0
    assert sudo.users(state) == {USER}
    assert sudo.users(target.parent) == {0}
    with closing(Journal(target, beside=True)) as journal:
        assert journal.game_numbers() == [1]
    with raises_english(JournalError, match="is the record itself"):
        run_companion_command(["backup", str(state / "games.db")], debug=True)


def test_what_does_not_act_as_the_boxs_user_refuses_the_games_of_the_service(
    sudo: Sudo, state: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "open_hardware", lambda *_: FakeBox().box)
    for play_on in (lambda: start.run_box_on_face("headless"), opening.open_box):
        with raises_english(
            JournalError, match=r"belong to the service, in .*: name another record with --journal"
        ):
            play_on()
    assert not sudo.users(state)
    assert not (home / "DATA").exists()


def test_a_process_of_systemd_is_not_root_on_behalf_of_somebody(
    sudo: Sudo, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(state))
    assert places.record_file() == state / "games.db"
    with record_owner.act_as_record_owner(None) as path:
        assert (path, sudo.user) == (state / "games.db", USER)


def test_a_command_that_only_reads_makes_no_record(home: Path) -> None:
    for command in (
        ["history"], ["history", "--json"], ["people"], ["people", "--json"], ["export"], ["voices"]
    ):  # fmt: skip
        assert run_companion_command(command, debug=True) == 0, command
        assert not (home / "DATA").exists(), command
    for number in (["show", "1"], ["verify", "1"]):
        with raises_english(JournalError, match="There is no game 1"):
            run_companion_command(number, debug=True)
        assert not (home / "DATA").exists(), number
    assert run_companion_command(["backup", str(home / "copy.db")], debug=False) == 1
    assert not (home / "DATA").exists()
