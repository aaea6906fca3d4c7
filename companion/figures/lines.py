"""Reader for exports, which yields the exported games and reports invalid lines.

The result that an export claims is not trusted: `import_games` replays each game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias

from checked_input import strict_json
from checked_input.strict_json import InvalidJson
from companion.core.errors import ExplainedError
from companion.figures import line_checks
from companion.figures.export import EXPORT_VERSION
from companion.figures.line_checks import InvalidLine
from companion.figures.recorded import RecordedGame
from companion.figures.times import parse_time
from companion.record.entry import Entry

MAX_LINE_BYTES: Final = 1 << 20
"""Maximum length of an accepted line in bytes; a line with a board of 32 KB is much shorter."""
UNKNOWN_COUNT: Final = -1


class LineFault(NamedTuple):
    """A fault in an export and its place: "line" or "game" with the number `n`, "end" or "file"."""

    where: str
    n: int | None
    why: ExplainedError


class ClaimedGame(NamedTuple):
    """An exported game, the result that the file claims, and the game's first line number."""

    game: RecordedGame
    line: int
    winners: tuple[str, ...]
    scores: dict[str, int]
    replays: bool | None


GameOrFault: TypeAlias = ClaimedGame | LineFault


class _Begun(NamedTuple):
    """A game whose lines are still being read; `value` is None if one of its lines was invalid."""

    line: int
    value: dict[str, Any] | None
    entries: list[Entry]


def read_export(file: BinaryIO) -> Iterator[GameOrFault]:
    """Yield the games in an export in order, and a LineFault for every fault."""
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
        except InvalidLine as error:
            yield LineFault("line", n, error)
            begun = begun and begun._replace(value=None)
            if n == 1:
                return
    yield from _ended(begun)
    if expected is None:
        yield LineFault("line", 1, InvalidLine("empty"))
    elif expected not in (games, UNKNOWN_COUNT):
        yield LineFault("end", None, InvalidLine("count", n=expected, found=games))


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    n = 0
    while text := file.readline(MAX_LINE_BYTES + 1):
        n += 1
        yield n, text
        if len(text) > MAX_LINE_BYTES:
            return


def _value(text: bytes) -> dict[str, Any]:
    """Return a line as a JSON object. Raise InvalidLine if the line is not a JSON object."""
    if len(text) > MAX_LINE_BYTES:
        raise InvalidLine("long", n=MAX_LINE_BYTES)
    try:
        value = strict_json.parse_json(text)
    except InvalidJson as error:
        raise InvalidLine(error.reason, text=error.found) from error
    if not isinstance(value, dict):
        raise InvalidLine("object")
    return value


def _export(value: dict[str, Any]) -> int:
    """Return the number of games in the first line, or UNKNOWN_COUNT. Raise InvalidLine."""
    if value.get("type") != "export":
        raise InvalidLine("export")
    if value.get("version") != EXPORT_VERSION:
        raise InvalidLine("version", n=EXPORT_VERSION)
    games = value.get("games", UNKNOWN_COUNT)
    if type(games) is not int:
        raise InvalidLine("games")
    return games


def _further(begun: _Begun | None, value: dict[str, Any]) -> _Begun:
    """Return the game `begun` with one more line.

    Raise InvalidLine if the line belongs to another game.
    """
    if value.get("type") not in ("game", "entry"):
        raise InvalidLine("neither")
    if begun is None:
        raise InvalidLine("astray")
    if value["type"] == "game":
        return begun._replace(value=line_checks.check_head(value))
    if begun.value is None:  # the game's fault was reported already
        return begun
    begun.entries.append(line_checks.check_entry(value, begun.value, len(begun.entries) + 1))
    return begun


def _ended(begun: _Begun | None) -> Iterator[GameOrFault]:
    """Yield a game whose last line was read, or the game's fault."""
    if begun is None or begun.value is None:
        return
    value, at = begun.value, ("line", begun.line)
    game = RecordedGame(
        line_checks.check_header(value, begun.entries),
        parse_time(value["begun"]),
        (*begun.entries,),
    )
    if value.get("entries", len(begun.entries)) != len(begun.entries):
        yield LineFault(*at, InvalidLine("lines", n=value["entries"], found=len(begun.entries)))
    elif (game.end_time is None) != (value["ended"] is None):
        yield LineFault(*at, InvalidLine("goes_on"))
    elif game.end_time is not None and value["ended"] != line_checks.format_time(game.end_time):
        yield LineFault(*at, InvalidLine("ended"))
    elif game.is_over and game.is_kept_back:
        yield LineFault(*at, InvalidLine("no_seed"))
    else:
        yield ClaimedGame(game, begun.line, tuple(value["winners"]), value["scores"],
                    value.get("replays", None if game.is_kept_back else True))  # fmt: skip
