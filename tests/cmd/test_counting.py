"""Tests of statistics that another process counts while the box plays with the record."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import NoReturn

import pytest

from companion.box.events import StatisticsReported
from companion.cmd import places, start
from companion.figures.lookup import PeopleAndGroupStatistics, RarestFactFound
from companion.record.journal import Entry, Journal
from companion.say.words import LANGUAGES, Words
from tests.system.bench import pressed


def test_everybody_and_a_remark_are_looked_up_while_the_box_plays(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    inbox: SimpleQueue[StatisticsReported] = SimpleQueue()
    with closing(Journal(path)) as journal:
        with journal.game_adder_with_single_commit() as add:
            add(pressed.over("kojak").read_lines_of_game(1))
        counts = start.make_statistics_job(path)
        counts(None, inbox.put)
        counts(1, inbox.put)
        found = [inbox.get(timeout=60).found for _ in "abc"]
        journal.append_entries_to_game(1, [Entry("seen", None, None, None, 0)])
    left, everybody, remark = sorted(found, key=lambda one: (type(one).__name__ != "int", str(one)))
    assert left == 1
    assert isinstance(everybody, PeopleAndGroupStatistics)
    assert sum(one.all.wins for one in everybody.people) == 1
    assert remark == RarestFactFound(1, None)
    assert places.statistics_file_of_record(path).exists()


def test_a_record_that_can_not_be_read_is_named_to_whoever_asked(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(b"no record" * 1000)
    inbox: SimpleQueue[StatisticsReported] = SimpleQueue()
    start._count(path, threading.Lock(), 1, inbox.put)
    start._count(path, threading.Lock(), None, inbox.put)
    assert isinstance(inbox.get(timeout=60).found, str)
    assert inbox.empty()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(28, "No space left on device"), "figures"),
        (sqlite3.OperationalError("database or disk is full"), "figures"),
        (sqlite3.OperationalError("database is locked"), "busy"),
    ],
)
def test_figures_that_can_not_be_had_are_told_to_whoever_asked(
    error: Exception, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> NoReturn:
        raise error

    monkeypatch.setattr(start, "look_up_people_and_group", broken)
    inbox: SimpleQueue[StatisticsReported] = SimpleQueue()
    path = tmp_path / "games.db"
    Journal(path).close()
    start._count(path, threading.Lock(), None, inbox.put)
    assert inbox.get(timeout=60).found == code
    assert all(Words(language)(f"box.record.{code}") for language in LANGUAGES)
