"""The topics of an evening, and what may stand in a fact of each."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

from companion.evening.claims import BOX, NotAClaim
from companion.evening.facts import LONGEST_NAME, MOST_POINTS, MOST_ROUNDS, RULES, SEATS, TOTALS

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT: Final = "companion"
RESULT: Final = re.compile(r"result/([1-9]\d{0,2})/([1-9]\d{0,3})")
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


def check(topic: str, fact: Mapping[str, Any]) -> None:
    """Raises NotAClaim if that can not be a fact of this topic."""
    name = name_in(topic)
    if topic == "rules":
        fits = _rules(fact)
    elif name is not None:
        fits = is_name(name) and people(name) == topic and _person(fact)
    elif place_in(topic):
        fits = _points(fact.get("points")) and all(map(_before, _list(fact.get("before", []))))
    else:
        raise NotAClaim("no_topic", topic)
    if not fits:
        raise NotAClaim("unfit", topic)


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
        }:
            numbers = all(each is None or _is_round(each) for each in (games, last))
            drawn = re.fullmatch(r"[0-9a-f]{0,256}", seed) is not None
            return rule in RULES and total in TOTALS and seats in SEATS and numbers and drawn
        case _:
            return False


def _person(fact: Mapping[str, Any]) -> bool:
    """`here` are rounds, each from and to, None being open; `stay` likewise.

    Who `plays_for` somebody takes over with the first of them.
    """
    match fact:
        case {"here": [_, *_] as here, "stay": list(stay), "plays_for": None | str()}:
            return all(map(_span, [*here, *stay]))
        case _:
            return False


def _span(data: Any) -> bool:
    match data:
        case [start, end]:
            return _is_round(start) and (end is None or _is_round(end))
        case _:
            return False


def _before(data: Any) -> bool:
    match data:
        case {"to": to, "points": dict(points)}:
            return _is_round(to) and _points(points)
        case _:
            return False


def _points(data: Any) -> bool:
    if not isinstance(data, dict) or len(data) > SEATS[-1]:
        return False
    return all(
        is_name(name) and type(points) is int and abs(points) <= MOST_POINTS
        for name, points in data.items()
    )


def _is_round(data: Any) -> bool:
    return type(data) is int and data in ROUND


def is_name(name: str) -> bool:
    """Whether somebody can be called so."""
    usual = unicodedata.normalize("NFC", name) == name
    return bool(name.strip()) and len(name) <= LONGEST_NAME and name.isprintable() and usual


def _list(data: Any) -> list[Any]:
    return data if isinstance(data, list) else [None]
