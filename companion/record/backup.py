"""Backup of a record file, even while the box uses the file, and restoring of a backup."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from companion.core.disk import sync_to_disk
from companion.record import reading
from companion.record.entry import DAMAGE_ERRORS, GAME_NUMBER_LIMIT, DamagedRecordError
from companion.record.files import (
    copy_to_replacement_file,
    delete_replacement_file,
    delete_sqlite_log,
    rename_file_and_log,
    replacement_file_path,
    unused_dated_path,
)
from companion.record.lock import RecordLock
from companion.record.scan import contains_record_lines
from companion.record.schema import (
    APPLICATION_ID,
    IDENTITY_SETTING,
    JournalError,
    as_journal_error,
    check_record_file_access,
    connect_to_database,
    open_database_read_only,
    renew_record_identity,
)

HEADER_BYTES, APPLICATION_ID_OFFSET = 100, 68
"""The size of an SQLite file's header and the offset of its application_id, both in bytes."""
MAX_SEARCHED_BYTES: Final = 64 * 2**20
"""The maximum size in bytes of an existing file that a backup searches for a record's lines.

A backup replaces an existing file only if the existing file is a record. If the existing file has
no record's header, the backup searches the existing file for a record's lines.
"""
DRAFTS_SETTING: Final = "drafts"
"""The key of the setting with typed but unconfirmed secret words, which backups omit."""
PHONE_TOKENS_SETTING: Final = "phones"
"""The key of the setting with the hashes of phones' tokens, which a restore omits."""
LINES_PER_REPORT: Final = 2_000
"""The number of lines that a restore copies between two progress reports."""


def back_up_record(path: Path, file: Path, tell: Callable[[int], None] | None = None) -> int:
    """Copy the record at `path` to `file`, and return the number of games.

    The function replaces an older copy at `file` only when the new copy is complete and on disk.
    The function never replaces a file that is not a record.

    - `tell`: the callback for the progress in percent. An exception from `tell` cancels the backup.

    Raise JournalError if copying fails, or if another process uses the older copy. Raise
    JournalError if `file` is the record itself, or exists and is not a record. An error
    leaves an older copy unchanged.
    """
    if file.exists() and not (file.is_file() and _is_ours(file)):
        raise JournalError("other_file", file=file)
    if file.exists() and file.samefile(path):
        raise JournalError("itself", file=file)
    lock = RecordLock(file) if Path(f"{file.resolve()}-lock").exists() else None
    at_fault = path
    try:
        with closing(open_database_read_only(path)) as db:
            games = _whole(db)
            at_fault = file  # from here on, errors concern the copy
            copy_to_replacement_file(db, file, tell)
        _forget(replacement_file_path(file))
        sync_to_disk(replacement_file_path(file))
        delete_sqlite_log(file)
        replacement_file_path(file).replace(file)
        sync_to_disk(file.parent)
    except (*DAMAGE_ERRORS, OSError) as error:
        delete_replacement_file(file)
        raise as_journal_error(error, at_fault) from error
    finally:
        if lock is not None:
            lock.release()
    return games


def restore_record(
    file: Path, path: Path, now: int, tell: Callable[[int], None] | None = None
) -> tuple[int, Path | None]:
    """Replace the record at `path` with the copy `file`.

    The result is the number of games in the new record, and the path to which the old record was
    moved (None if there was no old record). The phones' tokens and unconfirmed secret words are not
    restored. The function copies rows instead of the file, because a file from another source could
    contain triggers and views.

    - `now`: the present time in seconds since 1970, which becomes part of the old record's new
      name.
    - `tell`: the callback for the progress in percent. An exception from `tell` cancels the
      restore.

    If restoring fails, raise JournalError and leave the record unchanged.
    """
    if not file.is_file():  # refuse named pipes, because opening one would block
        raise JournalError("no_file", file=file)
    try:
        source = open_database_read_only(file)
    except (*DAMAGE_ERRORS, OSError) as error:
        raise JournalError("not_whole", file=file) from error
    with closing(source):
        try:
            games = _whole(source)
        except DAMAGE_ERRORS as error:
            raise JournalError("damaged_copy", file=file) from error
        place = RecordLock(path)
        try:
            return games, _put(source, place, now, tell)
        except (*DAMAGE_ERRORS, OSError) as error:
            delete_replacement_file(place.path)
            raise as_journal_error(error, place.path) from error
        finally:
            place.release()


def _is_ours(file: Path) -> bool:
    """Return True if a file has a record's header, or contains a line of a record.

    Return False for a large file without the header, because a search would take minutes.
    """
    with file.open("rb") as opened:
        head = opened.read(HEADER_BYTES)
    mark = head[APPLICATION_ID_OFFSET : APPLICATION_ID_OFFSET + 4] == APPLICATION_ID.to_bytes(
        4, "big"
    )
    return mark or (file.stat().st_size <= MAX_SEARCHED_BYTES and contains_record_lines(file))


def _forget(file: Path) -> None:
    """Delete unconfirmed secret words from a copy, and give the copy a new identity.

    Also overwrite the deleted bytes in the file. With the original's identity, the copy would share
    the original's lock.
    """
    with closing(connect_to_database(str(file))) as db:
        db.execute("PRAGMA secure_delete = ON")
        db.execute("DELETE FROM setting WHERE key = ?", (DRAFTS_SETTING,))
        renew_record_identity(db)


def _put(
    source: sqlite3.Connection, place: RecordLock, now: int, tell: Callable[[int], None] | None
) -> Path | None:
    """Replace the record with a new file that contains the rows of `source`.

    Return the path to which the old record was moved; None if there was no record.
    """
    _copy_rows(source, place.path, tell or (lambda _: None))
    aside = unused_dated_path(place.path, now, "before")
    is_there = place.path.exists()
    rename_file_and_log(place.path, aside)
    replacement_file_path(place.path).rename(place.path)
    place.empty_lock_file()
    return aside if is_there else None


def _copy_rows(source: sqlite3.Connection, path: Path, tell: Callable[[int], None]) -> None:
    """Copy all rows except phones' tokens and secret words into the new file beside `path`.

    If copying fails, delete the new file.
    """
    delete_replacement_file(path)
    try:
        with closing(connect_to_database(str(replacement_file_path(path)))) as new:
            check_record_file_access(new, path, new=True)
            with new:
                new.execute("BEGIN IMMEDIATE")
                _copy_lines(source, new, tell)
                new.executemany(
                    "INSERT INTO game VALUES (?, ?, ?, ?)", source.execute("SELECT * FROM game")
                )
                query = "SELECT key, line FROM setting WHERE key NOT IN (?, ?, ?)"
                settings = source.execute(
                    query, (DRAFTS_SETTING, PHONE_TOKENS_SETTING, IDENTITY_SETTING)
                )
                new.executemany("INSERT INTO setting VALUES (?, ?)", settings)
        sync_to_disk(replacement_file_path(path))
    except BaseException:
        delete_replacement_file(path)
        raise


def _copy_lines(
    source: sqlite3.Connection, new: sqlite3.Connection, tell: Callable[[int], None]
) -> None:
    (total,) = source.execute("SELECT count(*) FROM entry").fetchone()
    rows, done = source.execute("SELECT id, line FROM entry ORDER BY id"), 0
    while some := rows.fetchmany(LINES_PER_REPORT):
        new.executemany("INSERT INTO entry VALUES (?, ?)", some)
        done += len(some)
        tell(100 * done // total)


def _whole(db: sqlite3.Connection) -> int:
    """Check every line of a record. Return the number of games.

    Raise one of `DAMAGE_ERRORS` if the record is damaged.
    """
    games = [game for (game,) in db.execute("SELECT id FROM game ORDER BY id")]
    lines_read = sum(len(reading.read_game_entries(db, game)[0]) for game in games)
    (lines,) = db.execute("SELECT count(*) FROM entry").fetchone()
    if lines != lines_read or not all(0 < game < GAME_NUMBER_LIMIT for game in games):
        raise DamagedRecordError
    reading.read_settings(db)
    return len(games)
