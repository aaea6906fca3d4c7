"""Examine a path of another user with the rights of that user only.

Run as root, SQLite would follow that user's links, and create files wherever they lead.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn

MAX_REPLY_BYTES: Final = 4096
"""The number of bytes that are read from another user's process."""
REPLY_OK, REPLY_DENIED = b"+", b"-"
"""The first byte of the reply: done, or permission denied."""


def look_as_owner(
    path: Path, look: Callable[[], str], seconds: float, clock: Callable[[], float]
) -> str:
    """Return what `look` returns for a path. Root examines a user's path as that user.

    - `seconds`: the time limit of the user's process.

    Raise PermissionError, TimeoutError or another OSError.
    """
    if os.geteuid() != 0:
        return look()
    user, group = owner_of(path)
    ours, theirs = os.pipe()
    with warnings.catch_warnings():  # the child needs no lock of another thread
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _tell_as(user, group, look, theirs)
    os.close(theirs)
    try:
        reply = b"".join(_heard(ours, seconds, clock))
    finally:
        os.close(ours)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if reply[:1] != REPLY_OK:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return reply[1:].decode("utf-8", "replace")


def owner_of(path: Path) -> tuple[int, int]:
    """Return user and group of a path's owner; (0, 0) for root.

    The owner is the first user other than root on the way to the path, because only root can change
    what comes before. Raise OSError.
    """
    hands = next(_others(path.absolute()), None) or next(
        _others(Path(os.path.realpath(path))), None
    )
    return hands or (0, 0)


def _others(path: Path) -> Iterator[tuple[int, int]]:
    """Yield user and group of each folder, link and file on the way to a path, but not root's."""
    with suppress(FileNotFoundError):
        for status in (each.lstat() for each in (*reversed(path.parents), path)):
            if status.st_uid:
                yield status.st_uid, status.st_gid


def _tell_as(user: int, group: int, look: Callable[[], str], to: int) -> NoReturn:
    """Become that user in this process, call `look`, send the result and exit."""
    try:
        if user:
            os.setgroups([])
            os.setgid(group)
            os.setuid(user)
        os.write(to, REPLY_OK + look().encode("utf-8", "replace")[: MAX_REPLY_BYTES - 1])
    except PermissionError:
        os.write(to, REPLY_DENIED)
    finally:
        os._exit(0)


def _heard(wire: int, seconds: float, clock: Callable[[], float]) -> Iterator[bytes]:
    """Yield the bytes of the child until its end. Raise TimeoutError after `seconds`."""
    end = clock() + seconds
    while True:
        there, _, _ = select.select([wire], [], [], max(0.0, end - clock()))
        if not there:
            raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        data = os.read(wire, MAX_REPLY_BYTES)
        if not data:
            return
        yield data


def escape_text(text: str) -> str:
    """Return another user's text made harmless for a terminal: one line, at most 200 characters."""
    shown = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:200])
    return "".join(shown)
