"""Tests of the record's file: who owns it, if it still exists, and if it is writable."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.record import backup, lock, reading, schema
from companion.record.journal import MAX_NEWEST_GAMES, Entry, Journal, JournalError
from companion.record.schema import lock_record
from tests.english import raises_english
from tests.helpers import OWN_PARTS_OPTIONS, Drive, begin_game, setup_for

HEADER = {"game": "toy", "players": ["Ann", "Bob"], "seed": "s"}
LINE = Entry("answer", "move", "Ann", "roll", 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def drive(path: Path) -> Iterator[Drive]:
    """Return a box in the middle of a game that is recorded in a file."""
    journal = Journal(path)
    journal.save_setting("language", "fr", 0)
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS), journal=journal))
    drive.resume()
    yield drive
    journal.close()


@contextmanager
def copied(path: Path) -> Iterator[Journal]:
    """Open a copy of the record while the box has the record open."""
    copy = path.with_name("copy")
    copy.mkdir()
    for tail in ("", "-wal"):
        if path.with_name(path.name + tail).exists():
            shutil.copy(f"{path}{tail}", copy)
    with closing(Journal(copy / path.name)) as journal:
        yield journal


# --- deleted or moved while the record is open ----------------------------------------------------


def gone(path: Path, how: str) -> None:
    away = path.with_name("away")
    away.mkdir()
    tails = ("", "-wal", "-shm", "-lock") if how.endswith("all") else ("",)
    for tail in tails:
        file = path.with_name(path.name + tail)
        if how.startswith("moved"):
            file.rename(away / file.name)
        else:
            file.unlink()
    if how == "replaced":
        path.write_text("a shopping list")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "how", ["deleted", "deleted with all", "moved", "moved with all", "replaced"]
)
def test_a_record_that_is_gone_is_told_and_written_anew_with_the_answer(
    drive: Drive, path: Path, how: str
) -> None:
    before = drive.session.standing.snapshot.position
    gone(path, how)
    drive.press("ok")
    assert drive.front.name == "record_moved"
    assert drive.session.standing.snapshot.position == before + 1
    drive.skip()
    drive.press("ok")
    with copied(path) as journal:
        assert journal.repair_result is None
        assert journal.all_settings()["language"] == "fr"
        assert [e.kind for e in journal.read_game_header_and_lines(1)[1]].count("answer") >= 2
    drive.skip()
    assert drive.journal.take_file_event_codes() == ()
    if how == "replaced":
        (aside,) = path.parent.glob("games-damaged-*")
        assert aside.read_text() == "a shopping list"
    with raises_english(JournalError, match="Another companion"):
        lock_record(path)


def test_a_record_that_is_gone_and_can_not_be_written_refuses_the_answer(
    drive: Drive, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> Any:
        raise sqlite3.OperationalError("database or disk is full")

    before = drive.session.standing.snapshot
    path.unlink()
    with monkeypatch.context() as patch:
        patch.setattr("companion.record.record_file.copy_to_replacement_file", full)
        for _ in range(2):
            drive.press("ok")
            assert drive.front.name == "refused"
            assert drive.session.standing.snapshot == before
            drive.skip()
    drive.press("ok")
    assert drive.front.name == "record_moved"
    with copied(path) as journal:
        assert journal.read_game_header_and_lines(1)[1]


# --- replaced while no program has the record open ------------------------------------------------


def played(path: Path, lines: int, *, cut: bool = False) -> Path:
    """Write a record with one game. With `cut`, leave the log, as a killed box does."""
    path.parent.mkdir(exist_ok=True)
    journal = Journal(path)
    journal.save_new_game(HEADER, [LINE] * lines, 1)
    left = {tail: Path(f"{path}{tail}").read_bytes() for tail in ("", "-wal")}
    journal.close()
    for tail, content in left.items() if cut else ():
        Path(f"{path}{tail}").write_bytes(content)
    return path


def by_backup(new: Path, path: Path) -> None:
    backup.back_up_record(new, path)


def by_restore(new: Path, path: Path) -> None:
    backup.restore_record(new, path, 1)


def by_moving(new: Path, path: Path) -> None:
    shutil.move(new, path)


def by_copying(new: Path, path: Path) -> None:
    shutil.copyfile(new, path)


def by_copying_a_backup(new: Path, path: Path) -> None:
    copy = new.with_name("copy.db")
    backup.back_up_record(new, copy)
    shutil.copyfile(copy, path)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize(
    "replace", [by_backup, by_restore, by_moving, by_copying, by_copying_a_backup]
)
def test_a_record_that_was_replaced_does_without_lock_and_log_of_the_one_before(
    path: Path, replace: Callable[[Path, Path], None], *, cut: bool
) -> None:
    played(path, 74, cut=cut)
    new = played(path.parent / "new" / "games.db", 3)
    replace(new, path)
    with closing(Journal(path)) as journal:
        assert journal.repair_result is None
        assert len(journal.read_lines_of_game(1)) == 4
        journal.append_entries_to_game(1, [LINE])
    with closing(Journal(path)) as journal:
        assert len(journal.read_lines_of_game(1)) == 5


def test_a_log_of_the_record_before_is_kept_beside_it(path: Path) -> None:
    played(path, 74, cut=True)
    log = Path(f"{path}-wal").read_bytes()
    by_copying(played(path.parent / "new" / "games.db", 3), path)
    assert backup.back_up_record(path, path.with_name("copy.db")) == 1
    with closing(Journal(path.with_name("copy.db"))) as journal:
        assert len(journal.read_lines_of_game(1)) == 4, "the old log must not be in the copy"
    Journal(path).close()
    (aside,) = path.parent.glob("games-before-*-wal")
    assert aside.read_bytes() == log


def test_a_backup_is_not_made_into_a_record_that_somebody_plays_with(path: Path) -> None:
    other = played(path.with_name("other.db"), 3)
    with (
        closing(Journal(played(path, 74))) as journal,
        raises_english(JournalError, match="is using"),
    ):
        backup.back_up_record(other, path)
    assert len(Journal(path, beside=True).read_lines_of_game(1)) == 75
    assert journal.repair_result is None


# --- another program's lock -----------------------------------------------------------------------


def test_a_lock_of_another_program_refuses_the_answer_with_a_sentence(
    drive: Drive, path: Path
) -> None:
    before = drive.session.standing.snapshot
    (patience,) = drive.journal._db.execute("PRAGMA busy_timeout").fetchone()
    assert patience <= 500
    drive.journal._db.execute("PRAGMA busy_timeout = 0")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    drive.press("ok")
    assert drive.front.facts["message"] == drive.loop.shown_screen_words()("box.record.busy")
    assert drive.session.standing.snapshot == before
    drive.skip()
    other.execute("ROLLBACK")
    other.close()
    drive.press("ok")
    assert drive.session.standing.snapshot.position == before.position + 1


# --- the owner of the file ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["text", "database", "zeros"])
def test_a_named_file_that_is_no_record_is_refused_and_left_as_it_is(path: Path, kind: str) -> None:
    if kind == "database":
        database = sqlite3.connect(path)
        database.execute("CREATE TABLE recipe(name TEXT)")
        database.close()
    else:
        path.write_bytes(b"Dear diary\n" * 5000 if kind == "text" else bytes(70_000))
    before = path.read_bytes()
    with raises_english(JournalError, match="is not a record of a companion: name another file"):
        Journal(path, named=True)
    assert [file.name for file in path.parent.iterdir()] == ["games.db"]
    assert path.read_bytes() == before


def test_a_named_record_that_is_damaged_is_repaired(path: Path) -> None:
    journal = Journal(path)
    journal.save_new_game(HEADER, [LINE], 1)
    journal.close()
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    journal = Journal(path, named=True)
    assert journal.repair_result is not None
    assert journal.game_numbers() == [1]
    journal.close()


def test_a_device_in_the_place_of_a_file_is_refused(path: Path) -> None:
    os.mkfifo(path)
    with raises_english(JournalError, match="is not a file: name another"):
        Journal(path)


@pytest.mark.long
@pytest.mark.parametrize("named", [":memory:", "diary.txt"])
def test_the_command_refuses_what_is_no_record(tmp_path: Path, named: str) -> None:
    (tmp_path / "diary.txt").write_text("Dear diary\n")
    call = "from companion.cmd.cli import main; main()"
    command = [sys.executable, "-c", call, "stdio", "kojak", "--journal", named]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["diary.txt"]
    assert (tmp_path / "diary.txt").read_text() == "Dear diary\n"


def test_rights_of_others_are_taken_away_and_told_once(path: Path) -> None:
    journal = Journal(path)
    journal.save_new_game(HEADER, [LINE], 1)
    journal.close()
    path.chmod(0o644)
    journal = Journal(path)
    assert path.stat().st_mode & 0o777 == 0o600
    drive = Drive(journal)
    assert drive.front.name == "record_narrowed"
    journal.close()
    assert not Drive(Journal(path)).moments


def test_a_link_and_what_it_points_to_are_one_record_with_one_lock(path: Path) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path)
    journal = Journal(link)
    journal.save_new_game(HEADER, [LINE], 1)
    with raises_english(JournalError, match="is using"):
        Journal(path)
    journal.close()
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    journal = Journal(link)
    assert journal.repair_result is not None
    assert journal.game_numbers() == [1]
    journal.close()
    assert link.is_symlink()
    assert not path.with_name("link.db-lock").exists()


# --- a read-only memory card ----------------------------------------------------------------------


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the record read-only."""

    def fixed(path: Path) -> int:
        assert path
        raise JournalError("fixed_disk", file=path, why="Read-only file system")

    monkeypatch.setattr(lock, "lock_record", fixed)


def test_a_read_only_card_is_told_by_its_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fixed(*_: object) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr("companion.record.schema.os.open", fixed)
        with pytest.raises(JournalError) as caught:
            lock_record(path)
    assert caught.value.code == "read_only"


@pytest.mark.parametrize("kept", ["whole", "nothing", "harmed"])
def test_a_box_whose_card_can_only_be_read_opens_says_so_and_keeps_nothing(
    path: Path, kept: str, request: pytest.FixtureRequest
) -> None:
    if kept != "nothing":
        journal = begin_game(setup_for(OWN_PARTS_OPTIONS), journal=Journal(path))
        journal.append_entries_to_game(1, [Entry("over", value=["Fish"])])
        begin_game(setup_for(OWN_PARTS_OPTIONS), journal=journal)
        journal.close()
    if kept == "harmed":
        path.write_bytes(bytes(100) + path.read_bytes()[100:])
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    request.getfixturevalue("card")
    journal = Journal(path)
    assert journal.read_only
    drive = Drive(journal)
    words = drive.loop.shown_screen_words()
    assert drive.front.facts["message"] == words("box.record.read_only")
    drive.skip()
    if kept == "whole":
        drive.walk("games", "1")
        assert drive.front.name == "past"
        drive.skip()
        drive.press("back")
        drive.resume()
        stands = drive.session.standing.snapshot
        drive.press("ok")
        assert drive.front.facts["message"] == words("box.record.read_only")
        assert drive.session.standing.snapshot == stands
    else:
        assert drive.page == "home"
        assert journal.game_numbers() == []
    journal.close()
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


# --- many unfinished games ------------------------------------------------------------------------


def test_of_many_games_that_can_go_on_few_are_read_line_by_line_before_the_first_frame(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(path)
    for n in range(MAX_NEWEST_GAMES):
        journal.save_new_game(HEADER, [LINE] * 5, n)
    journal.append_entries_to_game(7, [LINE])
    journal.close()
    read: list[int] = []
    entries = reading.read_game_entries

    def noted(db: sqlite3.Connection, game: int) -> Any:
        read.append(game)
        return entries(db, game)

    monkeypatch.setattr(reading, "read_game_entries", noted)
    journal = Journal(path)
    assert sorted(read) == [7, 248, 249, 250]
    assert len(journal.recent_unfinished_game_numbers()) == MAX_NEWEST_GAMES
    journal._db.execute("UPDATE entry SET line = 'x' WHERE id = (20 << 24) + 3")
    with raises_english(JournalError, match="Game 20 is damaged: start again to repair it"):
        journal.read_game_header_and_lines(20)
    journal.close()
    journal = Journal(path)
    assert journal.repair_result is not None
    assert (
        len(journal.read_game_header_and_lines(20)[1]) == 5
    )  # the damaged line still has all its bytes
    journal.close()


def test_one_thread_at_a_time_changes_the_umask() -> None:
    """All threads share the umask: two threads that change it at once could leave it changed."""
    mask, free = os.umask(0o022), []
    with schema.create_files_privately():
        other = threading.Thread(
            target=lambda: free.append(schema.UMASK_LOCK.acquire(blocking=False))
        )
        other.start()
        other.join()
    assert free == [False]
    assert os.umask(mask) == 0o022


def test_a_record_that_was_closed_is_free_though_a_program_that_starts_has_a_copy_of_its_lock(
    path: Path,
) -> None:
    journal = Journal(path)
    lock = f"{path}-lock"
    opened = [*Path("/proc/self/fd").iterdir()]
    (own,) = (int(file.name) for file in opened if file.exists() and file.samefile(lock))
    copy = os.dup(own)
    journal.close()
    Journal(path).close()
    os.close(copy)


def test_who_has_the_record_is_named_by_its_number_where_that_is_known(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Journal(path)):
        with raises_english(JournalError, match=rf"\(process {os.getpid()}\) is using") as known:
            Journal(path)
        monkeypatch.setattr("companion.record.schema.KERNEL_LOCKS_FILE", path / "nowhere")
        with raises_english(JournalError, match="Another companion is using") as unknown:
            Journal(path)
    assert known.value.code == unknown.value.code == "in_use"
