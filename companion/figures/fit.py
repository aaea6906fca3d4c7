"""Whether what a line of an export says can be: its types, names, numbers and times."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, Final

from companion.core.chance import NAMED, NUMBERED
from companion.core.errors import CompanionError
from companion.figures.when import seconds, stamp
from companion.record.entry import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Unfit", "entry", "head", "header", "stamp"]

UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
SHA: Final = re.compile(r"[0-9a-f]{64}")
SEATS: Final = 26
LONGEST: Final = 100
"""Letters of a name, or of a word that stands for something."""
MOST: Final = 1 << 32
"""No number of a game is as large: a press that is mixed in is below."""
PRINTED: Final = 10_000
"""No number on a printed board is larger: a deck of millions would be laid out card by card."""
DEEPEST: Final = 8
KINDS: Final = ("answer", "box", "press", "seen", "undo", "redo", "cut", "over")
KEPT: Final = ("mixing", "chance", "package", "version")
"""What a record says of how a game was begun besides; anything else is not taken over."""


class Unfit(CompanionError):  # noqa: N818 - the fact
    """A line that can not be what an export wrote; the text says why."""


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST and value.isprintable()


def _is_time(value: Any) -> bool:
    try:
        return isinstance(value, str) and seconds(value) >= 0
    except ValueError:
        return False


def _are_players(value: Any) -> bool:
    return (
        isinstance(value, list)
        and 0 < len(value) <= SEATS
        and all(map(_is_text, value))
        and len(set(value)) == len(value)
    )


def _is_plain(value: Any, most: int, depth: int = 0) -> bool:
    """Whether a value is made of texts, flags and numbers up to `most`, and not too deep."""
    match value:
        case dict():
            inside = (*value, *value.values())
        case list():
            inside = (*value,)
        case str():
            return len(value) <= LONGEST * LONGEST and not re.search("[\ud800-\udfff]", value)
        case bool() | None:
            return True
        case int() | float():
            return abs(value) <= most
        case _:
            return False
    return depth < DEEPEST and all(_is_plain(one, most, depth + 1) for one in inside)


HEAD: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "id": (lambda v: isinstance(v, str) and bool(UUID.fullmatch(v)), "a UUID"),
    "game": (_is_text, "a game's name"),
    "begun": (_is_time, "a time in UTC"),
    "ended": (lambda v: v is None or _is_time(v), "a time in UTC, or null"),
    "players": (_are_players, "a list of different names"),
    "options": (
        lambda v: isinstance(v, dict) and all(map(_is_text, (*v, *v.values()))),
        "words for words",
    ),
    "edition": (lambda v: isinstance(v, dict) and _is_plain(v, PRINTED), "what is printed"),
    "commitment": (lambda v: isinstance(v, str) and bool(SHA.fullmatch(v)), "SHA-256"),
    "seed": (lambda v: v is None or _is_text(v), "a text, or null"),
    "winners": (lambda v: isinstance(v, list) and all(map(_is_text, v)), "a list of names"),
    "scores": (
        lambda v: isinstance(v, dict) and all(type(n) is int for n in v.values()),
        "a number for each name",
    ),
}
MORE: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "entries": (lambda v: type(v) is int, "a number"),
    "replays": (lambda v: v is None or isinstance(v, bool), "true, false or null"),
    "mixing": (lambda v: isinstance(v, bool), "true or false"),
    "chance": (lambda v: type(v) is int and v in (NUMBERED, NAMED), "1 or 2"),
    "package": (_is_text, "the name of a package"),
    "version": (_is_text, "the version of a package"),
}


def head(value: dict[str, Any]) -> dict[str, Any]:
    """The line of a game, if it can be one. Raises Unfit."""
    for key, (fits, what) in (HEAD | MORE).items():
        if key in HEAD and key not in value:
            raise Unfit(f"its game has no {key}")
        if key in value and not fits(value[key]):
            raise Unfit(f"{key} must be {what}")
    players = {*value["players"]}
    if not {*value["winners"]} | {*value["scores"]} <= players:
        raise Unfit("somebody won or scored who did not play")
    if ("package" in value) != ("version" in value):
        raise Unfit("a package needs a version")
    seed = value["seed"]
    if seed is not None and hashlib.sha256(seed.encode()).hexdigest() != value["commitment"]:
        raise Unfit("the seed is not the one that was promised before the game")
    return value


def header(value: dict[str, Any], entries: Sequence[Entry]) -> dict[str, Any]:
    """The first line of the record of a game that is taken in."""
    kinds = {entry.kind for entry in entries}
    usual = {"mixing": "press" in kinds or "box" not in kinds, "chance": NAMED}
    given = ("id", "game", "players", "options", "edition", "seed", "commitment")
    kept = {key: value[key] for key in value if key in KEPT}
    return {**{key: value[key] for key in given}, **kept, **_lacking(usual, kept)}


def _lacking(usual: dict[str, Any], kept: dict[str, Any]) -> dict[str, Any]:
    """What a file by others, which follows the contract alone, does not say."""
    return {key: value for key, value in usual.items() if key not in kept}


def entry(value: dict[str, Any], game: dict[str, Any], n: int) -> Entry:
    """The `n`th line of a game. Raises Unfit."""
    if value.get("game") != game["id"]:
        raise Unfit("it is of another game than the lines before it")
    if value.get("n") != n or type(value["n"]) is not int:
        raise Unfit(f"it is not the {n}. line of its game")
    kind, question, who = value.get("kind"), value.get("question"), value.get("who")
    if kind not in KINDS:
        raise Unfit("there is no such kind of line")
    if question is not None and not _is_text(question):
        raise Unfit("question must be a question's name")
    if who is not None and who not in game["players"]:
        raise Unfit("somebody who did not play is in it")
    if not _is_time(value.get("at")):
        raise Unfit("at must be a time in UTC")
    if not _fits(kind, value.get("value"), n, game):
        raise Unfit("its value can not be")
    return Entry(kind, question, who, value.get("value"), seconds(value["at"]))


def _fits(kind: str, value: Any, n: int, game: dict[str, Any]) -> bool:
    match kind:
        case "cut":
            return type(value) is int and 0 <= value < n
        case "over":
            return isinstance(value, list) and value == game["winners"]
        case "press":
            return type(value) is int and 0 <= value < MOST
        case _:
            return _is_plain(value, MOST)
