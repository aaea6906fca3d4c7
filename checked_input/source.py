"""Read a TOML file: the data, and the number of the line on which each value begins."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from checked_input.files import UnreadableFile, read_text
from checked_input.lines import Place, line_numbers
from checked_input.mistakes import quote_value

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["Place", "TomlSource", "UnreadableFile", "read_toml"]


BARE_WORD_PATTERN: Final = re.compile(
    r"[ \t]*([\w-]+)[ \t]*=[ \t]*(?!(?:true|false)\b)([a-z][\w-]*)[ \t]*(?:#.*)?", re.IGNORECASE
)
"""Pattern of a line of TOML whose value is a text without quotation marks.

Group 1 is the key. Group 2 is the text.
"""


class TomlSource(NamedTuple):
    """The data of a TOML file.

    `line_of(place)` returns the number of the line on which the value at `place` begins, from 1.
    For a missing value, `line_of` returns the line of the table that should contain the value. For
    the whole file, `line_of` returns 0.
    """

    data: dict[str, Any]
    line_of: Callable[[Place], int]


def read_toml(file: Path) -> TomlSource:
    """Return the data of a TOML file.

    Raise UnreadableFile if the file cannot be read or parsed.
    """
    text = read_text(file)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _no_toml(text, str(error)) from error
    line_of: dict[Place, int] = {}

    def line(place: Place) -> int:
        if not line_of:  # compute lines only after a mistake: most files have none
            line_of.update(line_numbers(text))
        return line_of[_reach(data, place)]

    return TomlSource(data, line)


def _no_toml(text: str, message: str) -> UnreadableFile:
    """Return the error for a text that tomllib cannot parse, with the line that tomllib reports."""
    reason, _, where = message.partition(" (at ")
    line = re.match(r"line (\d+)", where)
    end = text.rstrip().count("\n") + 1 if where else 0
    number = int(line[1]) if line else end
    facts = {"reason": reason}
    lines = text.split("\n")
    if number and (bare := BARE_WORD_PATTERN.fullmatch(lines[number - 1].rstrip("\r"))):
        facts |= {"hint": "quotes", "quoted": f"{bare[1]} = {quote_value(bare[2])}"}
    return UnreadableFile(number, "syntax", **facts)


def _reach(data: Any, place: Place) -> Place:
    """Return the longest beginning of the path `place` that leads to a value in `data`."""
    taken: Place = ()
    for step in place:
        try:
            data = data[step]
        except (LookupError, TypeError):
            continue
        taken += (step,)
    return taken
