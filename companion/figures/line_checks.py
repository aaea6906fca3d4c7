"""Checks of one line in an export file: types, names, numbers and times."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any, Final

from checked_input.checks import (
    OptionalKey,
    anything,
    boolean,
    condition,
    first_mistake,
    list_of,
    mapping_of,
    nullable,
    pattern,
    size_between,
    table,
    text,
    whole_number,
)
from companion.core.errors import TranslatedError
from companion.figures.times import format_utc_time, parse_utc_time
from companion.record.entry import Entry

__all__ = [
    "InvalidExportLine",
    "check_first_line_of_game",
    "format_utc_time",
    "make_checked_record_header",
    "parse_export_entry_line",
]

UUID_PATTERN: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
SHA_256_PATTERN: Final = re.compile(r"[0-9a-f]{64}")
MAX_PLAYERS: Final = 26
MAX_TEXT_LENGTH: Final = 100
"""The maximum number of characters in a name or text of an export line."""
MAX_NUMBER: Final = 1 << 32
"""The maximum absolute value of a number in an export line."""
MAX_EDITION_NUMBER: Final = 10_000
"""The maximum number in an edition.

The limit is low, because some numbers in an edition state how many cards a game has.
"""
MAX_DEPTH: Final = 8
ENTRY_KINDS: Final = ("answer", "box", "press", "seen", "undo", "redo", "program", "cut", "over")
OPTIONAL_HEADER_FIELDS: Final = ("mixing", "package", "version", "programs")
"""Names of the optional header fields that an import copies into the record."""


class InvalidExportLine(TranslatedError):
    """The error for a line of an export file that is not valid."""

    def __init__(self, reason: str, **fields: object) -> None:
        super().__init__(f"unfit.{reason}", **fields)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_TEXT_LENGTH and value.isprintable()


def _is_time(value: Any) -> bool:
    try:
        return isinstance(value, str) and parse_utc_time(value) >= 0
    except ValueError:
        return False


def _is_plain(value: Any, most: int, depth: int = 0) -> bool:
    match value:
        case dict():
            inside = (*value, *value.values())
        case list():
            inside = (*value,)
        case str():
            return len(value) <= MAX_TEXT_LENGTH * MAX_TEXT_LENGTH and not re.search(
                "[\ud800-\udfff]", value
            )
        case bool() | None:
            return True
        case int() | float():
            return abs(value) <= most
        case _:
            return False
    return depth < MAX_DEPTH and all(_is_plain(item, most, depth + 1) for item in inside)


TEXT_CHECK: Final = condition(_is_text, "text_on_one_line")
TIME_CHECK: Final = condition(_is_time, "time")
DISTINCT_NAMES_CHECK: Final = condition(
    lambda found: len(set(map(repr, found))) == len(found), "different names"
)
TEXT_KEYS_CHECK: Final = condition(lambda found: all(map(_is_text, found)), "text_on_one_line")
EDITION_VALUE_CHECK: Final = condition(
    lambda found: _is_plain(found, MAX_EDITION_NUMBER), "numbers and texts"
)
GAME_HEADER_CHECK: Final = table(
    others=True,
    id=text(pattern(UUID_PATTERN)),
    game=TEXT_CHECK,
    begun=TIME_CHECK,
    ended=nullable(TIME_CHECK),
    players=list_of(TEXT_CHECK, size_between(1, MAX_PLAYERS), DISTINCT_NAMES_CHECK),
    options=mapping_of(TEXT_CHECK, TEXT_KEYS_CHECK),
    edition=mapping_of(anything, EDITION_VALUE_CHECK),
    commitment=text(pattern(SHA_256_PATTERN)),
    seed=nullable(TEXT_CHECK),
    winners=list_of(TEXT_CHECK),
    scores=mapping_of(whole_number),
    entries=OptionalKey(whole_number),
    replays=OptionalKey(nullable(boolean)),
    mixing=OptionalKey(boolean),
    package=OptionalKey(TEXT_CHECK),
    version=OptionalKey(TEXT_CHECK),
    programs=OptionalKey(mapping_of(table(level=TEXT_CHECK, version=TEXT_CHECK), TEXT_KEYS_CHECK)),
)
"""The schema of the first line of a game in an export file.

The schema allows unknown fields, because later versions may add fields.
"""


def check_first_line_of_game(value: dict[str, Any]) -> dict[str, Any]:
    """Check and return the first line of a game in an export file.

    Raise InvalidExportLine if the line is not valid.
    """
    if wrong := first_mistake(GAME_HEADER_CHECK, value):
        key = wrong.place[0]
        raise (
            InvalidExportLine("no_key", field=key)
            if wrong.code == "missing"
            else InvalidExportLine(f"must_{key}")
        )
    players = {*value["players"]}
    if not {*value["winners"], *value["scores"], *value.get("programs", ())} <= players:
        raise InvalidExportLine("strangers")
    if ("package" in value) != ("version" in value):
        raise InvalidExportLine("no_version")
    seed = value["seed"]
    if seed is not None and hashlib.sha256(seed.encode()).hexdigest() != value["commitment"]:
        raise InvalidExportLine("seed")
    return value


def make_checked_record_header(value: dict[str, Any], entries: Sequence[Entry]) -> dict[str, Any]:
    """Return the header for the record, made from a game's first export line and its entries."""
    kinds = {entry.kind for entry in entries}
    given = ("id", "game", "players", "options", "edition", "seed", "commitment")
    # a game with rolls but without presses comes from another program, which uses no presses
    mixing = "press" in kinds or "box" not in kinds
    return {"mixing": mixing} | {
        key: value[key] for key in value if key in (*given, *OPTIONAL_HEADER_FIELDS)
    }


def parse_export_entry_line(value: dict[str, Any], game: dict[str, Any], n: int) -> Entry:
    """Return the entry in line number `n` of an exported game.

    - `value`: the line's JSON object.
    - `game`: the game's first line.

    Raise InvalidExportLine if the line is not valid.
    """
    if value.get("game") != game["id"]:
        raise InvalidExportLine("other_game")
    if value.get("n") != n or type(value["n"]) is not int:
        raise InvalidExportLine("other_line", n=n)
    kind, question, who = value.get("kind"), value.get("question"), value.get("who")
    if kind not in ENTRY_KINDS:
        raise InvalidExportLine("kind")
    if question is not None and not _is_text(question):
        raise InvalidExportLine("question")
    if who is not None and who not in game["players"]:
        raise InvalidExportLine("stranger")
    if not _is_time(value.get("at")):
        raise InvalidExportLine("at")
    if not _fits(kind, value.get("value"), n, game):
        raise InvalidExportLine("value")
    return Entry(kind, question, who, value.get("value"), parse_utc_time(value["at"]))


def _fits(kind: str, value: Any, n: int, game: dict[str, Any]) -> bool:
    match kind:
        case "cut":
            return type(value) is int and 0 <= value < n
        case "over":
            return isinstance(value, list) and value == game["winners"]
        case "program":
            return value is None or (type(value) is list and [*map(type, value)] == [str, str])
        case "press":
            return type(value) is int and 0 <= value < MAX_NUMBER
        case _:
            return _is_plain(value, MAX_NUMBER)
