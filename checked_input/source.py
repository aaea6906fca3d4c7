"""A TOML file's data, and on which line of it everything stands."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from checked_input.files import Unreadable, text_of
from checked_input.lines import Place, beginnings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["Place", "Source", "Unreadable", "read"]


class Source(NamedTuple):
    """A file's data; `line_of(place)` is where the thing at a place begins, from 1.

    Of what is not there it is the line of the table where it should be, or 0, the file as a whole.
    """

    data: dict[str, Any]
    line_of: Callable[[Place], int]


def read(file: Path) -> Source:
    """What is in a file. Raises Unreadable."""
    text = text_of(file)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _no_toml(text, str(error)) from error
    line_of: dict[Place, int] = {}

    def line(place: Place) -> int:
        if not line_of:  # most files have no mistakes
            line_of.update(beginnings(text))
        return line_of[_reach(data, place)]

    return Source(data, line)


def _no_toml(text: str, message: str) -> Unreadable:
    """Why tomllib cannot read a text; its message may end with the line."""
    reason, _, where = message.partition(" (at ")
    line = re.match(r"line (\d+)", where)
    end = text.rstrip().count("\n") + 1 if where else 0
    return Unreadable(int(line[1]) if line else end, "syntax", reason=reason)


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
