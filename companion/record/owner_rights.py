"""Reading of a path with the rights of the user who owns the path.

With the rights of root, SQLite would follow the owner's links and could create files at any target.
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
"""The maximum length in bytes of the reply from a child process with the user's rights."""
REPLY_OK, REPLY_DENIED = b"+", b"-"
"""The first byte of the child process's reply.

- REPLY_OK: the child process has succeeded.
- REPLY_DENIED: the child process lacked a permission.
"""


def run_as_path_owner(
    path: Path, look: Callable[[], str], seconds: float, clock: Callable[[], float]
) -> str:
    """Call `look` with the rights of the user who owns `path`, and return the result.

    If this process does not run as root, call `look` in this process.

    - `seconds`: the time limit in seconds for the child process, which calls `look`.
    - `clock`: the function that returns the monotonic time in seconds.

    Raise PermissionError, TimeoutError or another OSError if the path cannot be read.
    """
    if os.geteuid() != 0:
        return look()
    user, group = find_non_root_path_owner(path)
    ours, theirs = os.pipe()
    with warnings.catch_warnings():  # fork is safe here: the child uses no locks
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


def find_non_root_path_owner(path: Path) -> tuple[int, int]:
    """Return the user id and the group id of a path's owner; (0, 0) for root.

    The owner is the first user other than root who owns the path, or a folder or link on the way to
    `path`. Raise OSError if the path cannot be examined.
    """
    hands = next(_others(path.absolute()), None) or next(
        _others(Path(os.path.realpath(path))), None
    )
    return hands or (0, 0)


def _others(path: Path) -> Iterator[tuple[int, int]]:
    with suppress(FileNotFoundError):
        for status in (each.lstat() for each in (*reversed(path.parents), path)):
            if status.st_uid:
                yield status.st_uid, status.st_gid


def _tell_as(user: int, group: int, look: Callable[[], str], to: int) -> NoReturn:
    """In the child process, take a user's rights, send the result of `look`, and exit.

    `to`: the file descriptor to which the result is written.
    """
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
    """Yield the bytes that the child process writes to the pipe `wire`, until the pipe is closed.

    Raise TimeoutError if the child process has not ended after `seconds`.
    """
    end = clock() + seconds
    while True:
        there, _, _ = select.select([wire], [], [], max(0.0, end - clock()))
        if not there:
            raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        data = os.read(wire, MAX_REPLY_BYTES)
        if not data:
            return
        yield data


def escape_and_shorten_for_terminal(text: str) -> str:
    """Return the first 200 characters of a text, with unprintable characters escaped."""
    shown = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:200])
    return "".join(shown)
