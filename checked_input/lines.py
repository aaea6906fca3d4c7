"""Find the line on which each value of a TOML text begins, in one pass.

The library tomllib does not report line numbers. This module is used after tomllib has parsed the
text, so this module does not check the text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

Place: TypeAlias = tuple[str | int, ...]
"""Type of the path of a value in TOML data.

A path has keys, and list indices from 0, as in ("poster", 1, "suspects", 2). () is the whole file.
"""

_TOKEN: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?"""(?:"{0,2})|\'\'\'.*?\'\'\'(?:'{0,2})'''  # multi-line strings
    r"""|"(?:\\.|[^"\\])*"|'[^']*'|\n|[\[\]{}=,.]|\#[^\n]*|[ \t\r]+|[^\s\[\]{}=,."'\#]+""",
    re.DOTALL,
)
_BLANK: Final = ("#", " ", "\t", "\r")


class Token(NamedTuple):
    """A piece of TOML text, and the number of the line on which the piece begins."""

    text: str
    line: int


def line_numbers(text: str) -> dict[Place, int]:
    """Return the number of the line (from 1) on which each value of a valid TOML text begins.

    The whole file has the line number 0.
    """
    return _Walk(text).found


def _tokens(text: str) -> Iterator[Token]:
    line = 1
    for match in _TOKEN.finditer(text):
        token = match[0]
        if not token.startswith(_BLANK):
            yield Token(token, line)
        line += token.count("\n")
    yield Token("", line)


class _Walk:
    """One pass through a TOML text; `found` has the line number of each value."""

    def __init__(self, text: str) -> None:
        self.found: dict[Place, int] = {(): 0}
        self._count: dict[Place, int] = {}
        self._tokens = _tokens(text)
        self._now = next(self._tokens)
        table: Place = ()
        while self._now.text:
            if self._now.text == "[":
                table = self._header()
            elif self._now.text == "\n":
                self._take()
            else:
                self._pair(table)

    def _take(self) -> Token:
        token, self._now = self._now, next(self._tokens, self._now)
        return token

    def _note(self, place: Place, line: int) -> Place:
        self.found.setdefault(place, line)
        return place

    def _keys(self) -> list[Token]:
        """Read a dotted key, and return the tokens of the key."""
        keys = [self._take()]
        while self._now.text == ".":
            self._take()
            keys.append(self._take())
        return keys

    def _header(self) -> Place:
        """Read the header of a table, `[a.b]` or `[[a.b]]`, and return the place of the table."""
        line = self._take().line
        is_list = self._now.text == "["
        if is_list:
            self._take()
        place: Place = ()
        *_, last = keys = self._keys()
        for key in keys:
            place = self._note((*place, _name(key)), line)
            if key is last and is_list:
                self._count[place] = self._count.get(place, 0) + 1
            if n := self._count.get(place):
                place = self._note((*place, n - 1), line)
        while self._now.text == "]":
            self._take()
        return place

    def _pair(self, table: Place) -> None:
        """Read a key with its value: `a.b = value`."""
        for key in self._keys():
            table = self._note((*table, _name(key)), key.line)
        self._take()
        self._value(table)

    def _value(self, place: Place) -> None:
        """Read the value at `place`, and all values inside this value."""
        match self._take().text:
            case "[":
                n = 0
                while self._now.text != "]":
                    if self._now.text in (",", "\n"):
                        self._take()
                        continue
                    self._value(self._note((*place, n), self._now.line))
                    n += 1
                self._take()
            case "{":
                while self._now.text != "}":
                    if self._now.text in (",", "\n"):
                        self._take()
                    else:
                        self._pair(place)
                self._take()
            case _:
                while self._now.text not in (",", "]", "}", "\n", ""):
                    self._take()


def _name(key: Token) -> str:
    """Return the key of a token as tomllib returns it, without quotation marks."""
    if key.text.startswith(('"', "'")):
        return str(tomllib.loads(f"key = {key.text}")["key"])
    return key.text
