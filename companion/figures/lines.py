"""An export, read with suspicion: games, or what is wrong and in which line.

Nothing that stands in a file is believed: `intake` plays each game again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, TypeAlias

from checked_input import strict_json
from checked_input.strict_json import NotJson
from companion.figures import fit
from companion.figures.export import VERSION
from companion.figures.fit import Unfit
from companion.figures.recorded import Recorded
from companion.figures.when import seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.errors import Explained
    from companion.record.entry import Entry

MAX_LINE_BYTES: Final = 1 << 20
"""Bytes of a line; the longest that an export writes, with a board of 32 KB in it, is far below."""
UNKNOWN_COUNT: Final = -1


class LineFault(NamedTuple):
    """What is wrong in a file, and where: "line" or "game" with its number `n`, "end", "file"."""

    where: str
    n: int | None
    why: Explained


class ClaimedGame(NamedTuple):
    """A game, what the file says of how it ended, and the line of the file where it begins."""

    game: Recorded
    line: int
    winners: tuple[str, ...]
    scores: dict[str, int]
    replays: bool | None


Found: TypeAlias = ClaimedGame | LineFault


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
            yield LineFault("line", n, error)
            begun = begun and begun._replace(value=None)
            if n == 1:
                return
    yield from _ended(begun)
    if expected is None:
        yield LineFault("line", 1, Unfit("empty"))
    elif expected not in (games, UNKNOWN_COUNT):
        yield LineFault("end", None, Unfit("count", n=expected, found=games))


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    n = 0
    while text := file.readline(MAX_LINE_BYTES + 1):
        n += 1
        yield n, text
        if len(text) > MAX_LINE_BYTES:
            return


def _value(text: bytes) -> dict[str, Any]:
    """A line as a JSON object. Raises Unfit."""
    if len(text) > MAX_LINE_BYTES:
        raise Unfit("long", n=MAX_LINE_BYTES)
    try:
        value = strict_json.read(text)
    except NotJson as error:
        raise Unfit(error.reason, text=error.found) from error
    if not isinstance(value, dict):
        raise Unfit("object")
    return value


def _export(value: dict[str, Any]) -> int:
    """How many games the first line announces, or UNTOLD. Raises Unfit."""
    if value.get("type") != "export":
        raise Unfit("export")
    if value.get("version") != VERSION:
        raise Unfit("version", n=VERSION)
    games = value.get("games", UNKNOWN_COUNT)
    if type(games) is not int:
        raise Unfit("games")
    return games


def _further(begun: _Begun | None, value: dict[str, Any]) -> _Begun:
    """A game with one line more. Raises Unfit."""
    if value.get("type") not in ("game", "entry"):
        raise Unfit("neither")
    if begun is None:
        raise Unfit("astray")
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
    value, at = begun.value, ("line", begun.line)
    game = Recorded(fit.header(value, begun.entries), seconds(value["begun"]), (*begun.entries,))
    if value.get("entries", len(begun.entries)) != len(begun.entries):
        yield LineFault(*at, Unfit("lines", n=value["entries"], found=len(begun.entries)))
    elif (game.end_time is None) != (value["ended"] is None):
        yield LineFault(*at, Unfit("goes_on"))
    elif game.end_time is not None and value["ended"] != fit.stamp(game.end_time):
        yield LineFault(*at, Unfit("ended"))
    elif game.is_over and game.is_kept_back:
        yield LineFault(*at, Unfit("no_seed"))
    else:
        yield ClaimedGame(game, begun.line, tuple(value["winners"]), value["scores"],
                    value.get("replays", None if game.is_kept_back else True))  # fmt: skip
