"""Tests of backups to USB sticks: only a marked stick gets the newest backup."""

from __future__ import annotations

import json
import os
import socket
import threading
from contextlib import closing
from pathlib import Path

import pytest

from companion.cmd.transfer import BACKUP_FILE_NAME, BACKUP_STICK_MARK_FILE, NOTHING_TO_DO_STATUS
from companion.record.journal import Journal
from tests.cmd.test_commands import Home
from tests.figures.test_export import play


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a box with a game and with backups to sticks turned on."""
    home = Home(tmp_path)
    home.record.parent.mkdir(parents=True)
    with closing(Journal(home.record)) as journal:
        play(journal, "kojak", "open", 10)
        journal.save_setting("stick", True, 0)
    return home


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a stick that is marked for backups."""
    folder = tmp_path / "usb"
    folder.mkdir()
    (folder / BACKUP_STICK_MARK_FILE).touch()
    return folder


def test_a_stick_for_backups_gets_every_game_each_time(home: Home, folder: Path) -> None:
    for n in (1, 2):
        assert home.run("stick", str(folder)).returncode == 0
        with closing(Journal(folder / BACKUP_FILE_NAME)) as kept:
            assert len(kept.game_numbers()) == n
        with closing(Journal(home.record)) as journal:
            play(journal, "kojak", f"more {n}", 10)
        for beside in folder.glob(f"{BACKUP_FILE_NAME}-*"):
            beside.unlink()
    assert {path.name for path in folder.iterdir()} == {BACKUP_STICK_MARK_FILE, BACKUP_FILE_NAME}


def test_another_stick_is_left_alone(home: Home, folder: Path) -> None:
    (folder / BACKUP_STICK_MARK_FILE).unlink()
    assert home.run("stick", str(folder)).returncode == NOTHING_TO_DO_STATUS
    assert [*folder.iterdir()] == []


def test_a_box_that_makes_no_backups_leaves_the_stick_alone(home: Home, folder: Path) -> None:
    with closing(Journal(home.record)) as journal:
        journal.save_setting("stick", False, 0)
    assert home.run("stick", str(folder)).returncode == NOTHING_TO_DO_STATUS
    assert [path.name for path in folder.iterdir()] == [BACKUP_STICK_MARK_FILE]


def test_a_file_of_somebodys_that_has_the_name_of_the_backup_stays(
    home: Home, folder: Path
) -> None:
    (folder / BACKUP_FILE_NAME).write_text("mine", "utf-8")
    done = home.run("stick", str(folder))
    assert done.returncode == 1
    assert "is not a record" in done.stderr
    assert (folder / BACKUP_FILE_NAME).read_text("utf-8") == "mine"


def test_a_huge_file_of_somebodys_that_has_that_name_is_not_read_to_its_end(
    home: Home, folder: Path
) -> None:
    (folder / BACKUP_FILE_NAME).touch()
    os.truncate(folder / BACKUP_FILE_NAME, 2 * 2**40)  # a sparse file of two terabytes
    assert "is not a record" in home.run("stick", str(folder)).stderr
    (folder / BACKUP_FILE_NAME).unlink()
    assert home.run("stick", str(folder)).returncode == 0
    os.truncate(folder / BACKUP_FILE_NAME, 2 * 2**40)
    assert home.run("stick", str(folder)).returncode == 0
    assert (folder / BACKUP_FILE_NAME).stat().st_size < 2**20


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("status", "told"), [("0", "kept"), ("1", "failed"), ("3", None), ("32", None)]
)
def test_the_box_hears_how_it_ended(home: Home, status: str, told: str | None) -> None:
    heard: list[str] = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(home.record.with_suffix(".sock")))
        listener.listen()
        listener.settimeout(60 if told else 0)

        def hear() -> None:
            wire, _ = listener.accept()
            with wire, wire.makefile("r") as lines:
                heard.extend(lines.readline() for _ in "ab")

        ear = threading.Thread(target=hear) if told else None
        if ear is not None:
            ear.start()
        assert home.run("stick", "--told", status).returncode == 0
        if ear is not None:
            ear.join()
        else:
            with pytest.raises(BlockingIOError):
                listener.accept()
    assert [json.loads(line) for line in heard] == (
        [{"stick": told}, {"quit": True}] if told else []
    )


def test_nobody_is_told_where_no_box_runs(home: Home) -> None:
    assert home.run("stick", "--told", "0").returncode == 0
