"""Functions for a record's files: SQLite file, write-ahead log, replacement file, old files."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from companion.record.schema import connect_to_database

PAGES_PER_REPORT: Final = 2048
"""The number of copied SQLite pages (8 MB) between two progress reports."""
FILE_SUFFIXES: Final = ("", "-wal")
"""The suffixes of a record's SQLite file and of its write-ahead log."""


def file_size(path: Path | str) -> int:
    """Return the size of a file in bytes; 0 if the file does not exist."""
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def replacement_file_path(path: Path) -> Path:
    """Return the path of the new file that later replaces the record, after a copy or repair."""
    return Path(f"{path}-new")


def delete_replacement_file(path: Path) -> None:
    """Delete the unfinished file that would replace the record at `path`, and this file's log."""
    replacement_file_path(path).unlink(missing_ok=True)
    delete_sqlite_log(replacement_file_path(path))


def delete_sqlite_log(path: Path) -> None:
    """Delete the write-ahead log and the journal of the SQLite file at `path`."""
    for tail in ("-wal", "-shm", "-journal"):
        Path(f"{path}{tail}").unlink(missing_ok=True)


def close_database_keeping_log(db: sqlite3.Connection, path: Path) -> None:
    """Close a damaged SQLite file without losing its write-ahead log, which SQLite would delete."""
    log, saved_log = Path(f"{path}-wal"), Path(f"{path}-log")
    with suppress(FileNotFoundError):
        log.rename(saved_log)
    db.close()
    with suppress(FileNotFoundError):
        saved_log.rename(log)


def unused_dated_path(path: Path, now: int, why: str = "damaged") -> Path:
    """Return an unused path, with a date and a reason in its name, for an old file.

    - `now`: the time for the date in the name, in seconds since 1970.
    - `why`: the reason in the name, such as "damaged".
    """
    stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(now))
    numbers = ("", *(f"-{n}" for n in range(2, 1000)))
    names = (path.with_name(f"{path.stem}-{why}-{stamp}{n}{path.suffix}") for n in numbers)
    return next(name for name in names if not name.exists())


def rename_file_and_log(path: Path, aside: Path) -> None:
    """Rename the SQLite file at `path` and its write-ahead log.

    `aside`: the new path of the SQLite file.
    """
    with suppress(FileNotFoundError):
        path.rename(aside)
    rename_sqlite_log(path, aside)


def rename_sqlite_log(path: Path, aside: Path) -> None:
    """Rename the write-ahead log of the SQLite file at `path`.

    `aside`: the path of the SQLite file to which the renamed log belongs.
    """
    with suppress(FileNotFoundError):
        Path(f"{path}-wal").rename(f"{aside}-wal")
    Path(f"{path}-shm").unlink(missing_ok=True)


def copy_to_replacement_file(
    db: sqlite3.Connection, path: Path, tell: Callable[[int], None] | None = None
) -> None:
    """Copy an open SQLite database to the replacement file of `path`.

    The database's file may already be deleted.

    - `tell`: the callback for the progress in percent. An exception from `tell` cancels the copy.
      If `tell` is None, the file is copied in one step.

    If the copy fails, delete the replacement file and raise sqlite3.Error.
    """

    def progress(_status: int, remaining: int, total: int) -> None:
        assert tell is not None  # SQLite calls `progress` only if `tell` is given
        tell(100 * (total - remaining) // max(total, 1))

    delete_replacement_file(path)
    try:
        with closing(connect_to_database(str(replacement_file_path(path)))) as new:
            db.backup(
                new, pages=PAGES_PER_REPORT if tell else -1, progress=progress if tell else None
            )
    except BaseException:
        delete_replacement_file(path)
        raise


def replace_file_keeping_old(path: Path) -> None:
    """Rename an old file at `path`, and then move the replacement file to `path`."""
    if path.exists():
        rename_file_and_log(path, unused_dated_path(path, int(path.stat().st_mtime)))
    replacement_file_path(path).rename(path)
