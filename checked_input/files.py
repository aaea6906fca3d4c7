"""A file that somebody wrote: whether there is one, and its text, which is never too much.

Nothing is imported that would be in the way of the first frame.
"""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

LARGEST: Final = 1 << 15
"""Bytes of the largest file that is read: nine times as many as any of ours has."""
LONGEST: Final = 1000
"""Characters of its longest line: tomllib takes seconds for a key with thousands of dots."""


class Unreadable(ValueError):
    """A file without data: `code` ("unreadable", "syntax") says why, with `facts`.

    Of them `reason` is what the system or tomllib says; where it is neither of them that refuses
    the file, `why` is "no_file", "too_large" (n, in KB), "no_utf8" or "long_line" (n, characters).
    """

    def __init__(self, line: int, code: str, **facts: object) -> None:
        super().__init__(", ".join((code, *(f"{name}: {fact}" for name, fact in facts.items()))))
        self.line, self.code, self.facts = line, code, facts


def _refused(why: str, line: int = 0, **facts: object) -> Unreadable:
    """The error for what is no file to read, though the system would let it be read."""
    return Unreadable(line, "unreadable", why=why, **facts)


def text_of(file: Path) -> str:
    """The text of a file, which is an ordinary one and not too large. Raises Unreadable."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # a device has no end, a pipe may wait for ever
            raise _refused("no_file")
        with file.open("rb") as opened:
            content = opened.read(LARGEST + 1)
    except OSError as error:
        raise Unreadable(0, "unreadable", reason=error.strerror or str(error)) from error
    if len(content) > LARGEST:
        raise _refused("too_large", n=LARGEST >> 10)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object.count(b"\n", 0, error.start)
        raise _refused("no_utf8", before + 1) from error
    for n, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST:
            raise _refused("long_line", n, n=LONGEST)
    return text


def is_there(file: Path) -> bool:
    """Whether there is something of that name; also if nobody may look, so that it is told."""
    try:
        file.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True
