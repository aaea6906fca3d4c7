"""On which line of a TOML text everything in it begins, found in one walk.

tomllib knows no lines. It has read the text before, so that here nothing needs to be checked.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Place: TypeAlias = tuple[str | int, ...]
"""Where something is in a file: ("poster", 1, "suspects", 2), counted from 0; () is the file."""

_TOKEN: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?"""(?:"{0,2})|\'\'\'.*?\'\'\'(?:'{0,2})'''  # texts of several lines
    r"""|"(?:\\.|[^"\\])*"|'[^']*'|\n|[\[\]{}=,.]|\#[^\n]*|[ \t\r]+|[^\s\[\]{}=,."'\#]+""",
    re.DOTALL,
)
_BLANK: Final = ("#", " ", "\t", "\r")


class Token(NamedTuple):
    """A piece of a text, and the line that it begins on."""

    text: str
    line: int


def beginnings(text: str) -> dict[Place, int]:
    """The line, from 1, on which each thing in a correct TOML text begins; the file's own is 0."""
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
    """One walk through a text; `found` is what it has come to."""

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
        """A key, or several with dots between them, and the token that ends them."""
        keys = [self._take()]
        while self._now.text == ".":
            self._take()
            keys.append(self._take())
        return keys

    def _header(self) -> Place:
        """`[a.b]` or `[[a.b]]`: the table that it begins."""
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
        """`a.b = value`."""
        for key in self._keys():
            table = self._note((*table, _name(key)), key.line)
        self._take()
        self._value(table)

    def _value(self, place: Place) -> None:
        """What stands at a place, with all that is in it."""
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
    """A key as it is in the data."""
    if key.text.startswith(('"', "'")):
        return str(tomllib.loads(f"key = {key.text}")["key"])
    return key.text
