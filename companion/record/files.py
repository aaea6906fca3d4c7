"""The files of a record: itself and its log, the new one built beside it, those set aside."""

from __future__ import annotations

import time
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.record.store import connect

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

PIECE: Final = 2048
"""Pages of a file that are copied before it is told how far that is: 8 MB."""
TAILS: Final = ("", "-wal")
"""The files of a record: the file itself, and its log."""


def size_of(path: Path | str) -> int:
    """The size of a file, 0 if there is none."""
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def building_of(path: Path) -> Path:
    """Where the new file is built."""
    return Path(f"{path}-new")


def drop(path: Path) -> None:
    """Leave nothing behind of a new file."""
    building_of(path).unlink(missing_ok=True)
    drop_log(building_of(path))


def drop_log(path: Path) -> None:
    """Delete the log of a file."""
    for tail in ("-wal", "-shm", "-journal"):
        Path(f"{path}{tail}").unlink(missing_ok=True)


def let_go(db: sqlite3.Connection, path: Path) -> None:
    """Close a damaged file, but keep its log: SQLite deletes it, with what it could not read."""
    log, kept = Path(f"{path}-wal"), Path(f"{path}-log")
    with suppress(FileNotFoundError):
        log.rename(kept)
    db.close()
    with suppress(FileNotFoundError):
        kept.rename(log)


def aside_of(path: Path, now: int, why: str = "damaged") -> Path:
    """A dated name that nobody has, for a file that is set aside."""
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
    """Rename the log of a file as if the file's name were `aside`."""
    with suppress(FileNotFoundError):
        Path(f"{path}-wal").rename(f"{aside}-wal")
    Path(f"{path}-shm").unlink(missing_ok=True)


def write_again(
    db: sqlite3.Connection, path: Path, tell: Callable[[int], None] | None = None
) -> None:
    """Copy a file that is open, but may be gone, to where a new one is built.

    `tell` hears how many percent are copied, piece by piece, and may raise to end it: nothing is
    left then. Without it the copy is one step. Raises sqlite3.Error.
    """

    def progress(_status: int, remaining: int, total: int) -> None:
        assert tell is not None  # else there is only one piece
        tell(100 * (total - remaining) // max(total, 1))

    drop(path)
    try:
        with closing(connect(str(building_of(path)))) as new:
            db.backup(new, pages=PIECE if tell else -1, progress=progress if tell else None)
    except BaseException:
        drop(path)
        raise


def put_in_place(path: Path) -> None:
    """The new file takes its place; whatever lies there is set aside, by its own date."""
    if path.exists():
        set_aside(path, aside_of(path, int(path.stat().st_mtime)))
    building_of(path).rename(path)
