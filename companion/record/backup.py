"""A record copied while a box plays with it, and such a copy put back in its place."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.record import reading
from companion.record.entry import GAMES, ODD, Damaged
from companion.record.files import (
    aside_of,
    building_of,
    drop,
    drop_log,
    set_aside,
    write_again,
)
from companion.record.place import LockedFile
from companion.record.scan import is_record
from companion.record.store import (
    APPLICATION,
    IDENTITY,
    JournalError,
    connect,
    explained,
    prepare,
    rename,
    to_read,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable


HEAD, MARKED = 100, 68
"""The length of an SQLite file's head, and where its application_id stands in it."""
SEARCHED: Final = 64 * 2**20
"""Bytes of the largest file without such a head in which lines of ours are looked for."""
DRAFTS: Final = "drafts"
"""The setting that holds what players have typed in secret, and not kept: no copy has it."""
PHONES: Final = "phones"
"""The setting that holds the hashes of the tokens with which phones come back to their seats."""
BATCH: Final = 2_000
"""Lines that are copied between two reports of progress."""


def back_up(path: Path, file: Path, tell: Callable[[int], None] | None = None) -> int:
    """Copy the record at `path` into `file`, as it is now; how many games that are.

    An older copy is replaced once the new one is whole and on disk; nothing else is. `tell` hears
    how many percent are copied, and may raise to end it: nothing is left then. Raises JournalError,
    also if a companion plays with the older copy.
    """
    if file.exists() and not (file.is_file() and _is_ours(file)):
        raise JournalError("other_file", file=file)
    if file.exists() and file.samefile(path):
        raise JournalError("itself", file=file)
    lock = LockedFile(file) if Path(f"{file.resolve()}-lock").exists() else None
    at_fault = path
    try:
        with closing(to_read(path)) as db:
            games = _whole(db)
            at_fault = file  # all was read
            write_again(db, file, tell)
        _forget(building_of(file))
        _to_disk(building_of(file))
        drop_log(file)
        building_of(file).replace(file)
        _to_disk(file.parent)
    except (*ODD, OSError) as error:
        drop(file)
        raise explained(error, at_fault) from error
    finally:
        if lock is not None:
            lock.release()
    return games


def restore(
    file: Path, path: Path, now: int, tell: Callable[[int], None] | None = None
) -> tuple[int, Path | None]:
    """Put the copy `file` in the place of the record: its games, and where the old one is now.

    The old record is kept beside it. Rows are copied, not pages: whoever gave the file could have
    hidden more in there. The giver's phones and drafts are left out. `tell` is that of `back_up`.
    Raises JournalError; then nothing has changed.
    """
    if not file.is_file():  # nobody may ever write into a pipe
        raise JournalError("no_file", file=file)
    try:
        source = to_read(file)
    except (*ODD, OSError) as error:
        raise JournalError("not_whole", file=file) from error
    with closing(source):
        try:
            games = _whole(source)
        except ODD as error:
            raise JournalError("damaged_copy", file=file) from error
        place = LockedFile(path)
        try:
            return games, _put(source, place, now, tell)
        except (*ODD, OSError) as error:
            drop(place.path)
            raise explained(error, place.path) from error
        finally:
            place.release()


def _is_ours(file: Path) -> bool:
    """Whether a file is a record, by its head, or by a line of ours where damage has spoilt that.

    A large file that nobody has written as a record is not searched to its end: that takes minutes.
    """
    with file.open("rb") as opened:
        head = opened.read(HEAD)
    mark = head[MARKED : MARKED + 4] == APPLICATION.to_bytes(4, "big")
    return mark or (file.stat().st_size <= SEARCHED and is_record(file))


def _forget(file: Path) -> None:
    """Take the drafts out of a copy, and their letters out of its bytes. Raises sqlite3.Error.

    It gets an identity of its own, so that the lock of another record does not count for it.
    """
    with closing(connect(str(file))) as db:
        db.execute("PRAGMA secure_delete = ON")
        db.execute("DELETE FROM setting WHERE key = ?", (DRAFTS,))
        rename(db)


def _put(
    source: sqlite3.Connection, place: LockedFile, now: int, tell: Callable[[int], None] | None
) -> Path | None:
    """Move a new file with the rows of `source` into place. Return the old record's new path."""
    _copy_rows(source, place.path, tell or (lambda _: None))
    aside = aside_of(place.path, now, "before")
    is_there = place.path.exists()
    set_aside(place.path, aside)
    building_of(place.path).rename(place.path)
    place.clear()
    return aside if is_there else None


def _copy_rows(source: sqlite3.Connection, path: Path, tell: Callable[[int], None]) -> None:
    """Write all rows but the giver's phones and drafts to where a new file is built.

    Raises one of ODD, or what `tell` raises; then nothing is left.
    """
    drop(path)
    try:
        with closing(connect(str(building_of(path)))) as new:
            prepare(new, path, new=True)
            with new:
                new.execute("BEGIN IMMEDIATE")
                _copy_lines(source, new, tell)
                new.executemany(
                    "INSERT INTO game VALUES (?, ?, ?, ?)", source.execute("SELECT * FROM game")
                )
                query = "SELECT key, line FROM setting WHERE key NOT IN (?, ?, ?)"
                kept = source.execute(query, (DRAFTS, PHONES, IDENTITY))
                new.executemany("INSERT INTO setting VALUES (?, ?)", kept)
        _to_disk(building_of(path))
    except BaseException:
        drop(path)
        raise


def _copy_lines(
    source: sqlite3.Connection, new: sqlite3.Connection, tell: Callable[[int], None]
) -> None:
    (total,) = source.execute("SELECT count(*) FROM entry").fetchone()
    rows, done = source.execute("SELECT id, line FROM entry ORDER BY id"), 0
    while some := rows.fetchmany(BATCH):
        new.executemany("INSERT INTO entry VALUES (?, ?)", some)
        done += len(some)
        tell(100 * done // total)


def _whole(db: sqlite3.Connection) -> int:
    """Return the number of games, each read line by line. Raises one of ODD."""
    games = [game for (game,) in db.execute("SELECT id FROM game ORDER BY id")]
    found = sum(len(reading.entries(db, game)[0]) for game in games)
    (lines,) = db.execute("SELECT count(*) FROM entry").fetchone()
    if lines != found or not all(0 < game < GAMES for game in games):
        raise Damaged
    reading.settings(db)
    return len(games)


def _to_disk(file: Path) -> None:
    """Have all that was written of a file, or of a folder, on the disk."""
    opened = os.open(file, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
