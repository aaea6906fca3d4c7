"""A TOML file's data, and on which line of it everything stands."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Place: TypeAlias = tuple[str | int, ...]
"""Where something is in a file: ("poster", 1, "suspects", 2), counted from 0; () is the file."""
ENDINGS: Final = ("", "]", "}", "]]", "]}", "}]", "]}]")
"""What can be missing from a file that breaks off at the end of a line."""


class Source(NamedTuple):
    """A file's data; `line_of(place)` is where the thing at a place begins, from 1.

    Of what is not there it is the line of the table where it should be, or 0, the file as a whole.
    """

    data: dict[str, Any]
    line_of: Callable[[Place], int]


class Unreadable(ValueError):  # noqa: N818 - what the file is
    """A file without data: `code` ("unreadable", "syntax") says why, with a `reason` in English."""

    def __init__(self, line: int, code: str, reason: str) -> None:
        super().__init__(f"is not TOML: {reason}" if code == "syntax" else reason)
        self.line, self.code, self.reason = line, code, reason


def read(file: Path) -> Source:
    """What is in a file. Raises Unreadable."""
    try:
        text = file.read_bytes().decode("utf-8-sig")
        data = tomllib.loads(text)
    except OSError as error:
        raise Unreadable(0, "unreadable", error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise Unreadable(line, "unreadable", "not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise _no_toml(text, str(error)) from error
    return Source(data, _lines(text, data))


def _no_toml(text: str, message: str) -> Unreadable:
    """Why tomllib cannot read a text; its message may end with the line."""
    reason, _, where = message.partition(" (at ")
    line = re.match(r"line (\d+)", where)
    end = text.rstrip().count("\n") + 1 if where else 0
    return Unreadable(int(line[1]) if line else end, "syntax", reason)


def _lines(text: str, data: dict[str, Any]) -> Callable[[Place], int]:
    """A function that tells on which line of a TOML text the thing at a place begins.

    tomllib knows no lines, but it can be asked: the first lines of a file, with the open brackets
    closed, are a file too, and the line sought is the last one needed for the thing to be in it.
    """
    lines = text.split("\n")

    @cache
    def first(n: int) -> dict[str, Any] | None:
        """The data of the first `n` lines; None if they break off within a value."""
        for end in ENDINGS:
            with suppress(ValueError, RecursionError):
                return tomllib.loads("\n".join([*lines[:n], end]))
        return None

    def holds(n: int, place: Place) -> bool:
        """Whether the thing is in the first `n` lines, or begins there."""
        files = (file for i in range(n, len(lines)) if (file := first(i)) is not None)
        return _reach(next(files, data), place) == place

    def line_of(place: Place) -> int:
        there = _reach(data, place)
        return bisect_left(range(len(lines) + 1), 1, key=lambda n: holds(n, there))

    return line_of


def _reach(data: Any, place: Place) -> Place:
    """`place` without the steps that cannot be taken in `data`."""
    taken: Place = ()
    for step in place:
        try:
            data = data[step]
        except (LookupError, TypeError):
            continue
        taken += (step,)
    return taken
