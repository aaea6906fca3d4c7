"""The lock of a record: a file beside it that also holds a bookmark.

The bookmark names the record and its last committed line, since another file may have replaced the
record. It is written after each commit without a sync, so it is never ahead of the disk. A mark
after it asks for a repair at the next opening.
"""

from __future__ import annotations

import fcntl
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.record.schema import (
    IDENTITY_LENGTH,
    JournalError,
    lock_identity,
    take_lock,
)

BOOKMARK_BYTES: Final = IDENTITY_LENGTH + 23
"""The length of a bookmark in bytes."""
REPAIR_MARK: Final = b"repair"
OTHER_USERS_MODE: Final = 0o077
"""The permission bits of everybody but the owner."""


class LockedFile:
    """The file at `path`, or at the target of that link, locked until `release`.

    `narrowed` is True if other users had access to the file. They lose it, because the hands of a
    running game are secret. Raise JournalError if another companion has the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        if self.path.exists() and not (self.path.is_file() or self.path.is_dir()):
            raise JournalError("no_file", file=path)
        self._lock = take_lock(self.path)
        self._file = self._log = _identity(self.path)
        self.narrowed = self._narrow()
        self._name = lock_identity(self.path)

    def _narrow(self) -> bool:
        narrowed = False
        for tail in ("", "-wal", "-shm", "-lock"):
            file = Path(f"{self.path}{tail}")
            with suppress(OSError):
                if file.is_file() and (mode := file.stat().st_mode) & OTHER_USERS_MODE:
                    file.chmod(mode & 0o700)
                    narrowed = True
        return narrowed

    # --- the file's identity ---

    def remember_identity(self) -> None:
        """Note the identity of the present file and its log."""
        self._file, self._log = _identity(self.path), _identity(f"{self.path}-wal")

    def clear_log(self) -> None:
        """Delete the log of a file that is gone. The log of another file stays."""
        if _identity(f"{self.path}-wal") == self._log:
            for tail in ("-wal", "-shm"):
                Path(f"{self.path}{tail}").unlink(missing_ok=True)

    def lock_again(self) -> None:
        """Take the lock again if its file is gone.

        Raise JournalError if another companion has it.
        """
        if _identity(f"{self.path}-lock") != _identity(self._lock):
            lock = take_lock(self.path)
            os.close(self._lock)
            self._lock = lock

    @property
    def is_replaced(self) -> bool:
        """Return True if the file was deleted, moved or replaced."""
        return _identity(self.path) != self._file

    # --- the bookmark ---

    def lock_for_record(self, name: str) -> None:
        """Take the lock for the record of that identity. Drop the bookmark of another record."""
        if name != self._name:
            self.clear_bookmark()
            self._name = name
            with suppress(OSError):
                os.pwrite(self._lock, name.encode(), 0)

    @property
    def has_name(self) -> bool:
        """Return True if a record with an identity has taken the lock."""
        return self._name is not None

    def mark_commit(self, game: int, n: int) -> None:
        """Store the number of the last committed line."""
        with suppress(OSError):  # an old bookmark does no harm
            os.pwrite(self._lock, f"{self._name} {game:10d} {n:10d}\n".encode(), 0)

    @property
    def last_commit(self) -> tuple[int, int] | None:
        """Return game and line number of the last commit known; None if there is none."""
        bookmark = re.fullmatch(rb"\w+ +(\d+) +(\d+)\n", os.pread(self._lock, BOOKMARK_BYTES, 0))
        return (int(bookmark[1]), int(bookmark[2])) if bookmark else None

    def request_repair(self) -> None:
        """Ask for a repair at the next opening."""
        with suppress(OSError):
            os.pwrite(self._lock, REPAIR_MARK, BOOKMARK_BYTES)

    @property
    def is_repair_requested(self) -> bool:
        """Return True if this opening must repair the file."""
        return os.pread(self._lock, len(REPAIR_MARK), BOOKMARK_BYTES) == REPAIR_MARK

    def clear_bookmark(self) -> None:
        """Delete the bookmark and the request for a repair: the file is a new one."""
        os.ftruncate(self._lock, 0)
        self._name = None

    # --- the end ---

    def release(self, *, leave_nothing: bool = False) -> None:
        """Release the lock; safe to call twice. `leave_nothing`: delete the lock's file too."""
        if self._lock >= 0:
            if leave_nothing and not os.fstat(self._lock).st_size:
                Path(f"{self.path}-lock").unlink(missing_ok=True)
            # a process that another thread is starting holds a copy until it runs
            fcntl.flock(self._lock, fcntl.LOCK_UN)
            os.close(self._lock)
            self._lock = -1


def _identity(file: Path | str | int) -> tuple[int, int] | None:
    """Return device and inode of a file; None if it does not exist."""
    try:
        status = os.stat(file)  # noqa: PTH116 - a descriptor, too
    except OSError:
        return None
    return status.st_dev, status.st_ino
