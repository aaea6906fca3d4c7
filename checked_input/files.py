"""Read a text file of limited size that a person wrote.

This module imports no slow module, because slow imports would delay the first frame.
"""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

MAX_FILE_BYTES: Final = 1 << 15
"""Maximum size of a file in bytes. All board files and editions in this repository are smaller."""
MAX_LINE_LENGTH: Final = 1000
"""Maximum length of a line in characters.

The library tomllib takes seconds for a key with thousands of dots.
"""


class UnreadableFile(ValueError):
    """A file that cannot be read or parsed, with the `code` and `facts` of a `FileMistake`.

    `code` is "unreadable" or "syntax". The fact `reason` is the message of the operating system or
    of tomllib. If this program refused the file, the fact `why` is "no_file", "too_large" (with
    `n`, the limit in KB), "no_utf8" or "long_line" (with `n`, the limit in characters).
    """

    def __init__(self, line: int, code: str, **facts: object) -> None:
        super().__init__(", ".join((code, *(f"{name}: {fact}" for name, fact in facts.items()))))
        self.line, self.code, self.facts = line, code, facts


def _refused(why: str, line: int = 0, **facts: object) -> UnreadableFile:
    """Return the error for a file that the system can read but that this program refuses."""
    return UnreadableFile(line, "unreadable", why=why, **facts)


def read_text(file: Path) -> str:
    """Return the text of a regular file.

    Raise UnreadableFile if the system cannot read the file, if the file or a line is too long, or
    if the file is not UTF-8.
    """
    try:
        # a device has no end, and a pipe may block for ever
        if not stat.S_ISREG(file.stat().st_mode):
            raise _refused("no_file")
        with file.open("rb") as opened:
            content = opened.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise UnreadableFile(0, "unreadable", reason=error.strerror or str(error)) from error
    if len(content) > MAX_FILE_BYTES:
        raise _refused("too_large", n=MAX_FILE_BYTES >> 10)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object.count(b"\n", 0, error.start)
        raise _refused("no_utf8", before + 1) from error
    for n, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE_LENGTH:
            raise _refused("long_line", n, n=MAX_LINE_LENGTH)
    return text


def may_file_exist(file: Path) -> bool:
    """Return False if nothing exists at this path, and True in all other cases.

    If the path is no regular file, or if access is denied, `read_text` reports the error.
    """
    try:
        file.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True
