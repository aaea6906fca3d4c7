"""The files of a record: the file and its log, the new file beside it, files set aside."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from companion.record.schema import connect

PAGES_PER_REPORT: Final = 2048
"""The number of pages copied between two progress reports: 8 MB."""
FILE_SUFFIXES: Final = ("", "-wal")
"""The suffixes of a record's files: the file itself, and its log."""


def size_of(path: Path | str) -> int:
    """Return the size of a file in bytes; 0 if it does not exist."""
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def new_file_path(path: Path) -> Path:
    """Return the path at which the new file of a record is built."""
    return Path(f"{path}-new")


def delete_new_file(path: Path) -> None:
    """Delete the new file and its log."""
    new_file_path(path).unlink(missing_ok=True)
    delete_log(new_file_path(path))


def delete_log(path: Path) -> None:
    """Delete the log of a file."""
    for tail in ("-wal", "-shm", "-journal"):
        Path(f"{path}{tail}").unlink(missing_ok=True)


def close_keeping_log(db: sqlite3.Connection, path: Path) -> None:
    """Close a damaged file but keep its log, which SQLite would delete unread."""
    log, saved_log = Path(f"{path}-wal"), Path(f"{path}-log")
    with suppress(FileNotFoundError):
        log.rename(saved_log)
    db.close()
    with suppress(FileNotFoundError):
        saved_log.rename(log)


def unused_aside_path(path: Path, now: int, why: str = "damaged") -> Path:
    """Return an unused dated name for a file that is set aside."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(now))
    numbers = ("", *(f"-{n}" for n in range(2, 1000)))
    names = (path.with_name(f"{path.stem}-{why}-{stamp}{n}{path.suffix}") for n in numbers)
    return next(name for name in names if not name.exists())


def set_aside(path: Path, aside: Path) -> None:
    """Rename the file and its log."""
    with suppress(FileNotFoundError):
        path.rename(aside)
    set_log_aside(path, aside)


def set_log_aside(path: Path, aside: Path) -> None:
    """Rename the log of a file as if the file were named `aside`."""
    with suppress(FileNotFoundError):
        Path(f"{path}-wal").rename(f"{aside}-wal")
    Path(f"{path}-shm").unlink(missing_ok=True)


def copy_to_new_file(
    db: sqlite3.Connection, path: Path, tell: Callable[[int], None] | None = None
) -> None:
    """Copy an open file, even a deleted one, to the path of the new file.

    - `tell`: called with the progress in percent after each piece. An exception from it cancels the
      copy. None: copy in one step.

    Raise sqlite3.Error. Nothing is left behind then.
    """

    def progress(_status: int, remaining: int, total: int) -> None:
        assert tell is not None  # without `tell` there is only one piece
        tell(100 * (total - remaining) // max(total, 1))

    delete_new_file(path)
    try:
        with closing(connect(str(new_file_path(path)))) as new:
            db.backup(
                new, pages=PAGES_PER_REPORT if tell else -1, progress=progress if tell else None
            )
    except BaseException:
        delete_new_file(path)
        raise


def move_new_file_into_place(path: Path) -> None:
    """Move the new file to `path`. A file that is there is set aside under a dated name."""
    if path.exists():
        set_aside(path, unused_aside_path(path, int(path.stat().st_mtime)))
    new_file_path(path).rename(path)
