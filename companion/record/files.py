"""Functions for the files of a record: the file, its log, a new file, and renamed old files."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from companion.record.schema import connect_to_database

PAGES_PER_REPORT: Final = 2048
"""The number of copied pages (8 MB) between two progress reports."""
FILE_SUFFIXES: Final = ("", "-wal")
"""Suffixes of a record's files: of the SQLite file and of its write-ahead log."""


def file_size(path: Path | str) -> int:
    """Return the size of a file in bytes; 0 if the file does not exist."""
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def replacement_file_path(path: Path) -> Path:
    """Return the path of the new file, which a copy or repair builds beside the record."""
    return Path(f"{path}-new")


def delete_replacement_file(path: Path) -> None:
    """Delete the new file beside a record, and the new file's log."""
    replacement_file_path(path).unlink(missing_ok=True)
    delete_sqlite_log(replacement_file_path(path))


def delete_sqlite_log(path: Path) -> None:
    """Delete the write-ahead log of an SQLite file."""
    for tail in ("-wal", "-shm", "-journal"):
        Path(f"{path}{tail}").unlink(missing_ok=True)


def close_database_keeping_log(db: sqlite3.Connection, path: Path) -> None:
    """Close a damaged file and keep its log, which SQLite would otherwise delete unread."""
    log, saved_log = Path(f"{path}-wal"), Path(f"{path}-log")
    with suppress(FileNotFoundError):
        log.rename(saved_log)
    db.close()
    with suppress(FileNotFoundError):
        saved_log.rename(log)


def unused_dated_path(path: Path, now: int, why: str = "damaged") -> Path:
    """Return an unused path with a date, to which an old file can be renamed.

    - `now`: the time in the new name, in seconds since 1970.
    - `why`: the reason in the new name, such as "damaged".
    """
    stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(now))
    numbers = ("", *(f"-{n}" for n in range(2, 1000)))
    names = (path.with_name(f"{path.stem}-{why}-{stamp}{n}{path.suffix}") for n in numbers)
    return next(name for name in names if not name.exists())


def rename_file_and_log(path: Path, aside: Path) -> None:
    """Rename the file at `path`, and its log, to `aside`."""
    with suppress(FileNotFoundError):
        path.rename(aside)
    rename_log(path, aside)


def rename_log(path: Path, aside: Path) -> None:
    """Rename the log of the file at `path` to the log of a file at `aside`."""
    with suppress(FileNotFoundError):
        Path(f"{path}-wal").rename(f"{aside}-wal")
    Path(f"{path}-shm").unlink(missing_ok=True)


def copy_to_replacement_file(
    db: sqlite3.Connection, path: Path, tell: Callable[[int], None] | None = None
) -> None:
    """Copy an open SQLite file, even a deleted file, to the new file beside `path`.

    - `tell`: receives the progress in percent. An exception that `tell` raises cancels the copy. If
      `tell` is None, the file is copied in one step.

    If the copy fails, delete the new file and raise sqlite3.Error.
    """

    def progress(_status: int, remaining: int, total: int) -> None:
        assert tell is not None  # SQLite reports no progress if `tell` is None
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


def replace_keeping_old(path: Path) -> None:
    """Move the new file to `path`. Rename a file that already is at `path`."""
    if path.exists():
        rename_file_and_log(path, unused_dated_path(path, int(path.stat().st_mtime)))
    replacement_file_path(path).rename(path)
