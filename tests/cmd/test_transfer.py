"""Tests of the commands that export and import games."""

from __future__ import annotations

import json
import os
from contextlib import closing
from pathlib import Path

import pytest

from companion.record.journal import Journal
from tests.cmd.test_commands import Home
from tests.figures.test_export import play


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a record with a finished game 1 and an unfinished game 2."""
    home = Home(tmp_path)
    home.record.parent.mkdir(parents=True)
    with closing(Journal(home.record)) as journal:
        play(journal, "barney-miller", "first", 10**5)
        play(journal, "kojak", "second", 30)
    return home


def test_games_go_along_also_while_a_box_plays(home: Home, tmp_path: Path) -> None:
    with closing(Journal(home.record)):
        said = home.says("export", "--whole")
    source, other = tmp_path / "games.jsonl", str(tmp_path / "other.db")
    source.write_text(said, "utf-8")
    said_twice = ["Imported: 2. Already here: 0.\n", "Imported: 0. Already here: 2.\n"]
    assert [home.says("import", str(source), "--journal", other) for _ in "ab"] == said_twice
    assert home.says("export", "--whole", "--journal", other) == said


def test_some_games_are_exported_by_their_numbers(home: Home) -> None:
    lines = [json.loads(line) for line in home.says("export", "--game", "2").splitlines()]
    assert [line["type"] for line in lines[:3]] == ["export", "game", "entry"]
    assert [line["game"] for line in lines if line["type"] == "game"] == ["kojak"]
    assert lines[1]["seed"] is lines[1]["ended"] is None
    assert home.refuses("export", "--game", "7").startswith("There is no game 7")
    assert home.says("export", "--game", "2", "--game", "1") == home.says("export")


def test_a_box_without_games_exports_none(tmp_path: Path) -> None:
    home = Home(tmp_path)
    (line,) = home.says("export").splitlines()
    assert json.loads(line).items() >= {"type": "export", "version": 1, "games": 0}.items()
    assert not home.record.exists()
    assert home.refuses("export", "--journal", "nowhere.db") == "There is no file nowhere.db."


def test_files_are_named_as_people_do_who_stand_in_their_folder(home: Home) -> None:
    games = home.says("export", "--whole")
    assert home.says("backup", "out.db") == "Games in out.db: 2.\n"
    assert home.says("backup", "twice.db", "--journal", "out.db") == "Games in twice.db: 2.\n"
    assert home.says("export", "--whole", "--journal", "twice.db") == games
    assert home.says("import", "twice.db", "--journal", "new.db").startswith("Imported: 2.")
    assert home.says("restore", "out.db").startswith("Games restored: 2.\n")
    assert home.says("export", "--whole") == games


def test_a_record_behind_a_link_is_copied_with_its_log(home: Home) -> None:
    with closing(Journal(home.record)) as journal:
        (home.folder / "link.db").symlink_to(home.record)
        play(journal, "kojak", "third", 10)
        assert home.says("backup", "out.db", "--journal", "link.db") == "Games in out.db: 3.\n"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", ["import", "restore", "backup"])
def test_what_is_no_file_is_not_waited_for(home: Home, command: str) -> None:
    os.mkfifo(home.folder / "pipe")
    assert home.refuses(command, "pipe").startswith("pipe ")


def test_what_can_not_be_taken_in_is_named_line_by_line(home: Home, tmp_path: Path) -> None:
    source = tmp_path / "games.jsonl"
    source.write_text(home.says("export").replace('"answer"', '"anwser"', 1), "utf-8")
    done = home.run("import", str(source))
    first, *_, last = done.stderr.splitlines()
    assert done.returncode == 1
    assert first.startswith(f"{source}, line ")
    assert first.endswith(": the line has an unknown kind.")
    assert last == "companion: Nothing was imported."


def test_nothing_is_taken_into_a_record_that_a_box_plays_with(home: Home) -> None:
    with closing(Journal(home.record)):
        said = home.refuses("import", str(home.record))
    one = f"Another companion (process {os.getpid()})"
    assert said == f"{one} is using {home.record}: end it first."
