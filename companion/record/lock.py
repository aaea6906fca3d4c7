"""The lock file beside a record file. The lock file also contains a bookmark.

The bookmark contains the record's identity, and the game number and line number of the last commit.
After the bookmark, the lock file may contain a request to repair the record at the next start.
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
    lock_record,
    read_record_identity_from_lock,
)

BOOKMARK_BYTES: Final = IDENTITY_LENGTH + 23
"""The length in bytes of the bookmark in a lock file."""
REPAIR_MARK: Final = b"repair"
OTHER_USERS_MODE: Final = 0o077
"""The file permission bits of the group and of other users."""


class RecordLock:
    """The lock on the record file at `path`, or on the file to which `path` links.

    The constructor takes the lock. The constructor raises JournalError if another process has the
    lock, or if the lock file cannot be created. JournalError also means that `path` is a device or
    a pipe. The constructor also removes the permissions of other users from the record's files,
    because a record contains secrets. The attribute `has_removed_permissions` is True if the
    constructor removed permissions.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        if self.path.exists() and not (self.path.is_file() or self.path.is_dir()):
            raise JournalError("no_file", file=path)
        self._lock = lock_record(self.path)
        self._file = self._log = _identity(self.path)
        self.has_removed_permissions = self._narrow()
        self._name = read_record_identity_from_lock(self.path)

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

    def remember_file_identity(self) -> None:
        """Store the device and inode of the present record file and of its write-ahead log."""
        self._file, self._log = _identity(self.path), _identity(f"{self.path}-wal")

    def delete_log_of_deleted_record(self) -> None:
        """Delete the write-ahead log of a deleted record file, unless the log was replaced."""
        if _identity(f"{self.path}-wal") == self._log:
            for tail in ("-wal", "-shm"):
                Path(f"{self.path}{tail}").unlink(missing_ok=True)

    def relock_if_lost(self) -> None:
        """Take the lock again if the lock file was deleted.

        Raise JournalError if another process has taken the lock in the meantime.
        """
        if _identity(f"{self.path}-lock") != _identity(self._lock):
            lock = lock_record(self.path)
            os.close(self._lock)
            self._lock = lock

    @property
    def is_file_replaced(self) -> bool:
        """Return True if the record file was deleted, moved or replaced while it was open."""
        return _identity(self.path) != self._file

    # --- the bookmark ---

    def store_record_identity(self, name: str) -> None:
        """Store the record's identity `name` in the lock file.

        If the bookmark belongs to another record, delete the bookmark.
        """
        if name != self._name:
            self.empty_lock_file()
            self._name = name
            with suppress(OSError):
                os.pwrite(self._lock, name.encode(), 0)

    @property
    def has_record_identity(self) -> bool:
        """Return True if the lock file contains the identity of a record."""
        return self._name is not None

    def store_last_commit(self, game: int, n: int) -> None:
        """Write a game's number and the number `n` of its last committed line into the bookmark.

        The file is not synced to disk.
        """
        with suppress(OSError):  # ignore the error: the record works with an outdated bookmark too
            os.pwrite(self._lock, f"{self._name} {game:10d} {n:10d}\n".encode(), 0)

    @property
    def last_committed_game_and_line(self) -> tuple[int, int] | None:
        """Return the game number and line number in the bookmark; None without a bookmark."""
        bookmark = re.fullmatch(rb"\w+ +(\d+) +(\d+)\n", os.pread(self._lock, BOOKMARK_BYTES, 0))
        return (int(bookmark[1]), int(bookmark[2])) if bookmark else None

    def request_repair(self) -> None:
        """Save in the lock file that the record must be repaired at the next start."""
        with suppress(OSError):
            os.pwrite(self._lock, REPAIR_MARK, BOOKMARK_BYTES)

    @property
    def is_repair_requested(self) -> bool:
        """Return True if the lock file requests a repair of the record."""
        return os.pread(self._lock, len(REPAIR_MARK), BOOKMARK_BYTES) == REPAIR_MARK

    def empty_lock_file(self) -> None:
        """Empty the lock file: delete the identity, the bookmark and the request for a repair."""
        os.ftruncate(self._lock, 0)
        self._name = None

    # --- the end ---

    def release(self, *, leave_nothing: bool = False) -> None:
        """Release the lock, unless the lock is already released.

        leave_nothing: whether to delete an empty lock file too.
        """
        if self._lock >= 0:
            if leave_nothing and not os.fstat(self._lock).st_size:
                Path(f"{self.path}-lock").unlink(missing_ok=True)
            # unlock explicitly, because a starting child process may have a copy of the descriptor
            fcntl.flock(self._lock, fcntl.LOCK_UN)
            os.close(self._lock)
            self._lock = -1


def _identity(file: Path | str | int) -> tuple[int, int] | None:
    """Return the device and the inode of a file; None if the file does not exist."""
    try:
        status = os.stat(file)  # noqa: PTH116 - `file` can be a descriptor
    except OSError:
        return None
    return status.st_dev, status.st_ino
