"""A path of another user, looked at with that user's rights and no others.

As root SQLite makes its files wherever a link of that user leads, and gives them to that user.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LIMIT: Final = 4096
"""Bytes that are heard of what another user tells, by a file or at a socket."""
WELL, DENIED = b"+", b"-"
"""The first byte of what is told: it was looked, or that may not be."""


def looked(path: Path, look: Callable[[], str], seconds: float, clock: Callable[[], float]) -> str:
    """What `look` tells of a path: of root's own as root, of a user's as that user.

    Raises OSError: PermissionError, or TimeoutError if root waits for so many seconds in vain.
    """
    if os.geteuid() != 0:
        return look()
    user, group = owner_of(path)
    ours, theirs = os.pipe()
    with warnings.catch_warnings():  # the child needs nothing that another thread could hold
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _tell_as(user, group, look, theirs)
    os.close(theirs)
    try:
        told = b"".join(_heard(ours, seconds, clock))
    finally:
        os.close(ours)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if told[:1] != WELL:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return told[1:].decode("utf-8", "replace")


def owner_of(path: Path) -> tuple[int, int]:
    """The user and the group in whose hands a path is, by their numbers; root's are 0 and 0.

    That is the first on the way to it who is not root: nobody but root can change what lies before.
    Raises OSError.
    """
    hands = next(_others(path.absolute()), None) or next(
        _others(Path(os.path.realpath(path))), None
    )
    return hands or (0, 0)


def _others(path: Path) -> Iterator[tuple[int, int]]:
    """Whose, if not root's, is each folder on the way to a path, link or file."""
    with suppress(FileNotFoundError):
        for found in (each.lstat() for each in (*reversed(path.parents), path)):
            if found.st_uid:
                yield found.st_uid, found.st_gid


def _tell_as(user: int, group: int, look: Callable[[], str], to: int) -> NoReturn:
    """Be that user in this process, look, tell it, and end."""
    try:
        if user:
            os.setgroups([])
            os.setgid(group)
            os.setuid(user)
        os.write(to, WELL + look().encode("utf-8", "replace")[: LIMIT - 1])
    except PermissionError:
        os.write(to, DENIED)
    finally:
        os._exit(0)


def _heard(wire: int, seconds: float, clock: Callable[[], float]) -> Iterator[bytes]:
    """What comes until the child has told all. Raises TimeoutError after so many seconds."""
    end = clock() + seconds
    while True:
        there, _, _ = select.select([wire], [], [], max(0.0, end - clock()))
        if not there:
            raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        data = os.read(wire, LIMIT)
        if not data:
            return
        yield data


def escaped(text: str) -> str:
    """What another user tells, so that no terminal obeys it: on one line, 200 letters at most."""
    shown = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:200])
    return "".join(shown)
