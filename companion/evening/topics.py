"""The topics of an evening, and what may stand in a fact of each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

from companion.core.names import usual
from companion.evening.facts import (
    LONGEST_NAME,
    MOST_PLAYERS,
    MOST_POINTS,
    MOST_ROUNDS,
    RULES,
    SEATS,
    TOTALS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT: Final = "companion"
GUEST: Final = "guest"
"""The user who only looks on: a broker throws out a guest who says something, or has a will."""
BOX: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""What a box is called."""
RESULT: Final = re.compile(r"result/([1-9][0-9]{0,2})/([1-9][0-9]{0,3})")
UNTIL: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}")
"""When the bell rings by itself."""
PROOF: Final = frozenset(("id", "game", "commitment", "seed", "line"))
SLIP: Final = frozenset(("slip", "box"))
NAME: Final = re.compile(r"[a-z0-9-]{1,40}")
"""What an evening is called in its topics."""
ROUND: Final = range(1, MOST_ROUNDS + 1)


def people(name: str) -> str:
    """The topic of a person: the name is quoted as in an address."""
    return f"people/{quote(name, safe='')}"


def result(number: int, table: int) -> str:
    """The topic of a table's result in a round, both from 1."""
    return f"result/{number}/{table}"


def online(box: str) -> str:
    """The topic that says whether a box is there; its last will is here too."""
    return f"box/{box}/online"


def name_in(topic: str) -> str | None:
    """Whose topic it is, of `people/…`; else None."""
    return unquote(topic.removeprefix("people/")) if topic.startswith("people/") else None


def place_in(topic: str) -> tuple[int, int] | None:
    """The round and the table of `result/…`; else None."""
    found = RESULT.fullmatch(topic)
    return (int(found[1]), int(found[2])) if found else None


def box_in(topic: str) -> str | None:
    """The box of `box/…/online`; else None."""
    parts = topic.split("/")
    match parts:
        case ["box", box, "online"] if BOX.fullmatch(box):
            return box
        case _:
            return None


def is_topic(topic: str) -> bool:
    """Whether facts of an evening stand there: the rules, a person, a result."""
    name = name_in(topic)
    if name is not None:
        return is_name(name) and people(name) == topic
    return topic == "rules" or place_in(topic) is not None


def fits(topic: str, fact: Mapping[str, Any]) -> bool:
    """Whether that can be a fact of this topic: it has the fields of one, and no others."""
    if topic == "rules":
        return _rules(fact)
    return _person(fact) if topic.startswith("people/") else _result(fact)


def _rules(fact: Mapping[str, Any]) -> bool:
    match fact:
        case {
            "title": str(),
            "game": str(),
            "rule": rule,
            "games": games,
            "which_total": total,
            "seed": str(seed),
            "seats": int(seats),
            "last": last,
            **more,
        }:
            numbers = all(each is None or _is_round(each) for each in (games, last))
            drawn = re.fullmatch(r"[0-9a-f]{0,256}", seed) is not None
            chosen = rule in RULES and total in TOTALS and seats in SEATS
            return numbers and drawn and chosen and _of_a_box(more)
        case _:
            return False


def _of_a_box(more: Mapping[str, Any]) -> bool:
    """What an evening that was opened at a box has besides: all of it or some."""
    tables, until = more.get("tables", 1), more.get("until")
    return (
        more.keys() <= {"tables", "until"}
        and type(tables) is int
        and 0 < tables <= MOST_PLAYERS
        and (until is None or (isinstance(until, str) and UNTIL.fullmatch(until) is not None))
    )


def _person(fact: Mapping[str, Any]) -> bool:
    """`here` are rounds, each from and to, None being open; `stay` likewise.

    Who `plays_for` somebody takes over with the first of them.
    """
    match fact:
        case {"here": [_, *_] as here, "stay": list(stay), "plays_for": other, **more}:
            named = other is None or (isinstance(other, str) and is_name(other))
            return named and not more and all(map(_span, [*here, *stay]))
        case _:
            return False


def _span(data: Any) -> bool:
    match data:
        case [start, end]:
            return _is_round(start) and (end is None or _is_round(end))
        case _:
            return False


def _result(fact: Mapping[str, Any]) -> bool:
    match fact:
        case {"points": points, **more}:
            before, game = more.pop("before", []), more.pop("game", None)
            known = isinstance(before, list) and all(map(_before, before))
            return not more and _points(points) and known and _game(game)
        case _:
            return False


def _before(data: Any) -> bool:
    match data:
        case {"to": to, "points": dict(points), **more}:
            return not more and _is_round(to) and _points(points)
        case _:
            return False


def _points(data: Any) -> bool:
    if not isinstance(data, dict) or len(data) > SEATS[-1]:
        return False
    return all(
        is_name(name) and type(points) is int and abs(points) <= MOST_POINTS
        for name, points in data.items()
    )


def _game(data: Any) -> bool:
    """None, what can be checked of a recorded game, or the slip by which it came."""
    if data is None:
        return True
    if not isinstance(data, dict) or not all(isinstance(each, str) for each in data.values()):
        return False
    return {"id"} <= data.keys() <= PROOF or data.keys() == SLIP


def _is_round(data: Any) -> bool:
    return type(data) is int and data in ROUND


def shown(text: str) -> str:
    """A title, or what a game is called, as every room shows it: a line of up to 40 letters.

    A space that does not break, as before a French "!", is a space.
    """
    line = "".join(filter(str.isprintable, " ".join(text.split())))
    return line[:LONGEST_NAME].strip()


def rules(fact: Mapping[str, Any]) -> Mapping[str, Any]:
    """The rules of an evening with the texts in them as they are shown."""
    return {**fact, "title": shown(fact["title"]), "game": shown(fact["game"])}


def is_name(name: str) -> bool:
    """Whether somebody can be called so."""
    return bool(name) and len(name) <= LONGEST_NAME and name.isprintable() and usual(name) == name
