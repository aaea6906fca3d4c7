"""A reader of export files, which yields the games and the faults in a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias

from checked_input import strict_json
from checked_input.strict_json import InvalidJson
from companion.core.errors import TranslatedError
from companion.figures import line_checks
from companion.figures.export import EXPORT_VERSION
from companion.figures.line_checks import InvalidExportLine
from companion.figures.recorded import RecordedGame
from companion.figures.times import parse_utc_time
from companion.record.entry import Entry

MAX_LINE_BYTES: Final = 1 << 20
"""The maximum length in bytes of a line in an export file."""
UNKNOWN_GAME_COUNT: Final = -1


class ExportFault(NamedTuple):
    """A fault in an export file, and its place.

    - `where`: the kind of the place: "line", "game", "end" (of the file) or "file" (the whole
      file).
    - `n`: the number of the line or game; None for "end" and "file".
    - `why`: the error that describes the fault.
    """

    where: str
    n: int | None
    why: TranslatedError


class UnverifiedGame(NamedTuple):
    """A game from an export file, with the result that the file states for this game.

    - `line`: the number of the game's first line in the file.
    - `replays`: True if the exporting box could replay the game, False if a replay failed. None
      means that the file or the exporting box lacks the game's secrets.
    """

    game: RecordedGame
    line: int
    winners: tuple[str, ...]
    scores: dict[str, int]
    replays: bool | None


GameOrFault: TypeAlias = UnverifiedGame | ExportFault


class _Begun(NamedTuple):
    """An exported game whose lines are being read.

    `value`: the game's first line; None after an invalid line.
    """

    line: int
    value: dict[str, Any] | None
    entries: list[Entry]


def read_export(file: BinaryIO) -> Iterator[GameOrFault]:
    """Yield the games and faults in an export file, in the order of the file."""
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
        except InvalidExportLine as error:
            yield ExportFault("line", n, error)
            begun = begun and begun._replace(value=None)
            if n == 1:
                return
    yield from _ended(begun)
    if expected is None:
        yield ExportFault("line", 1, InvalidExportLine("empty"))
    elif expected not in (games, UNKNOWN_GAME_COUNT):
        yield ExportFault("end", None, InvalidExportLine("count", n=expected, found=games))


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    n = 0
    while text := file.readline(MAX_LINE_BYTES + 1):
        n += 1
        yield n, text
        if len(text) > MAX_LINE_BYTES:
            return


def _value(text: bytes) -> dict[str, Any]:
    if len(text) > MAX_LINE_BYTES:
        raise InvalidExportLine("long", n=MAX_LINE_BYTES)
    try:
        value = strict_json.parse_json(text)
    except InvalidJson as error:
        raise InvalidExportLine(error.reason, text=error.found) from error
    if not isinstance(value, dict):
        raise InvalidExportLine("object")
    return value


def _export(value: dict[str, Any]) -> int:
    if value.get("type") != "export":
        raise InvalidExportLine("export")
    if value.get("version") != EXPORT_VERSION:
        raise InvalidExportLine("version", n=EXPORT_VERSION)
    games = value.get("games", UNKNOWN_GAME_COUNT)
    if type(games) is not int:
        raise InvalidExportLine("games")
    return games


def _further(begun: _Begun | None, value: dict[str, Any]) -> _Begun:
    if value.get("type") not in ("game", "entry"):
        raise InvalidExportLine("neither")
    if begun is None:
        raise InvalidExportLine("astray")
    if value["type"] == "game":
        return begun._replace(value=line_checks.check_first_line_of_game(value))
    if begun.value is None:  # ignore the line: a fault of its game is already reported
        return begun
    begun.entries.append(
        line_checks.parse_export_entry_line(value, begun.value, len(begun.entries) + 1)
    )
    return begun


def _ended(begun: _Begun | None) -> Iterator[GameOrFault]:
    if begun is None or begun.value is None:
        return
    value, at = begun.value, ("line", begun.line)
    game = RecordedGame(
        line_checks.make_checked_record_header(value, begun.entries),
        parse_utc_time(value["begun"]),
        (*begun.entries,),
    )
    if value.get("entries", len(begun.entries)) != len(begun.entries):
        yield ExportFault(
            *at, InvalidExportLine("lines", n=value["entries"], found=len(begun.entries))
        )
    elif (game.end_time is None) != (value["ended"] is None):
        yield ExportFault(*at, InvalidExportLine("goes_on"))
    elif game.end_time is not None and value["ended"] != line_checks.format_utc_time(game.end_time):
        yield ExportFault(*at, InvalidExportLine("ended"))
    elif game.is_over and game.is_without_seed:
        yield ExportFault(*at, InvalidExportLine("no_seed"))
    else:
        yield UnverifiedGame(game, begun.line, tuple(value["winners"]), value["scores"],
                    value.get("replays", None if game.is_without_seed else True))  # fmt: skip
