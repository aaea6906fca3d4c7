"""An export, read with suspicion: games, or what is wrong and in which line.

Nothing that stands in a file is believed: `intake` plays each game again.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, TypeAlias

from companion.figures import fit
from companion.figures.export import VERSION
from companion.figures.fit import Unfit
from companion.figures.recorded import Recorded
from companion.figures.when import seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.record.entry import Entry

LONGEST: Final = 1 << 20
"""Bytes of a line; the longest that an export writes, with a board of 32 KB in it, is far below."""
UNTOLD: Final = -1


class Fault(NamedTuple):
    """What is wrong with a line, or with a game of another box's record."""

    place: str
    text: str


class Claim(NamedTuple):
    """A game, what the file says of how it ended, and the line of the file where it begins."""

    game: Recorded
    line: int
    winners: tuple[str, ...]
    scores: dict[str, int]
    replays: bool | None


Found: TypeAlias = Claim | Fault


class _Begun(NamedTuple):
    """A game of which lines are still being read; `value` is None if it is faulty."""

    line: int
    value: dict[str, Any] | None
    entries: list[Entry]


def read(file: BinaryIO) -> Iterator[Found]:
    """The games of an export, in order, and every fault in it."""
    begun: _Begun | None = None
    games, expected = 0, None
    for n, text in _lines(file):
        try:
            value = _value(text)
            if n == 1:
                expected = _export(value)
                continue
            if value.get("type") == "game":
                yield from _ended(begun)
                games, begun = games + 1, _Begun(n, None, [])
            begun = _further(begun, value)
        except Unfit as error:
            yield Fault(f"line {n}", str(error))
            begun = begun and begun._replace(value=None)
            if n == 1:
                return
    yield from _ended(begun)
    if expected is None:
        yield Fault("line 1", "the file is empty")
    elif expected not in (games, UNTOLD):
        yield Fault("the end", f"{expected} games were exported, {games} are there")


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    n = 0
    while text := file.readline(LONGEST + 1):
        n += 1
        yield n, text
        if len(text) > LONGEST:
            return


def _value(text: bytes) -> dict[str, Any]:
    """A line as a JSON object. Raises Unfit."""
    if len(text) > LONGEST:
        raise Unfit(f"it is longer than {LONGEST} bytes; nothing behind it was read")
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise Unfit("it is not UTF-8") from error
    except RecursionError as error:
        raise Unfit("it is too deep") from error
    except Unfit:
        raise
    except ValueError as error:
        raise Unfit("it is no JSON") from error
    if not isinstance(value, dict):
        raise Unfit("it is no JSON object")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unfit("it says something twice")
    return found


def _no_number(text: str) -> None:
    raise Unfit(f"{text} is no number")


def _export(value: dict[str, Any]) -> int:
    """How many games the first line announces, or UNTOLD. Raises Unfit."""
    if value.get("type") != "export":
        raise Unfit("it is no export of a companion: that begins with a line of type export")
    if value.get("version") != VERSION:
        raise Unfit(f"its version is not {VERSION}: update this companion")
    games = value.get("games", UNTOLD)
    if type(games) is not int:
        raise Unfit("games is no number")
    return games


def _further(begun: _Begun | None, value: dict[str, Any]) -> _Begun:
    """A game with one line more. Raises Unfit."""
    if value.get("type") not in ("game", "entry"):
        raise Unfit("it is neither a game nor an entry")
    if begun is None:
        raise Unfit("it is of no game")
    if value["type"] == "game":
        return begun._replace(value=fit.head(value))
    if begun.value is None:  # told already
        return begun
    begun.entries.append(fit.entry(value, begun.value, len(begun.entries) + 1))
    return begun


def _ended(begun: _Begun | None) -> Iterator[Found]:
    """A game whose lines were all read."""
    if begun is None or begun.value is None:
        return
    value, place = begun.value, f"line {begun.line}"
    game = Recorded(fit.header(value, begun.entries), seconds(value["begun"]), (*begun.entries,))
    if value.get("entries", len(begun.entries)) != len(begun.entries):
        yield Fault(place, f"its game has {value['entries']} lines, {len(begun.entries)} are there")
    elif (game.ended is None) != (value["ended"] is None):
        yield Fault(place, "its game is over by one line and goes on by another")
    elif game.ended is not None and value["ended"] != fit.stamp(game.ended):
        yield Fault(place, "its game ended at another time by its last line")
    elif game.is_over and game.is_kept_back:
        yield Fault(place, "its game is over, and has no seed")
    else:
        yield Claim(game, begun.line, tuple(value["winners"]), value["scores"],
                    value.get("replays", None if game.is_kept_back else True))  # fmt: skip
