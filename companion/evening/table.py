"""An evening as one table's box and page are told of it, at the door: pure, JSON in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.evening import telling
from companion.evening.plan import moved

if TYPE_CHECKING:
    from companion.evening.fold import Evening
    from companion.evening.known import Known

SHOWN: Final = 60
"""Places of the standings that a display shows; the page has all."""
SEATED: Final = 800
"""People whose seats are told to a box; of more it is told its own table's."""


def status(evening: Evening, table: int) -> dict[str, Any]:
    """How the evening stands, for the box at that table: docs/evening.md says what is in it."""
    rules = evening.rules
    if rules is None:
        return {"state": "looking"}
    goes, comes = moves(evening, table)
    return {
        "state": "over" if evening.over else "on",
        "title": rules["title"][:40],
        "game": rules["game"][:40],
        "round": len(evening.rounds),
        "games": rules["games"],
        "table": table,
        "tables": len(evening.tables) or rules.get("tables", 0),
        "seats": _seats(evening, table),
        "goes": goes,
        "comes": comes,
        "places": [list(row) for row in telling.standings(evening)[:SHOWN]],
        "leaders": list(evening.leaders)[:SHOWN],
        "waiting": list(evening.waiting),
        "signed": list(evening.totals)[:SEATED],
        "conflicts": len(evening.conflicts),
    }


def shortened(status: dict[str, Any]) -> dict[str, Any]:
    """The same of an evening with very many people, or very long names: only our own table."""
    mine = status.get("table")
    seats = [names if n == mine else [] for n, names in enumerate(status.get("seats", ()), start=1)]
    return {**status, "seats": seats, "signed": [], "places": status.get("places", [])[:6]}


def _seats(evening: Evening, table: int) -> list[list[str]]:
    few = sum(map(len, evening.tables)) <= SEATED
    return [
        [*names] if few or n == table else [] for n, names in enumerate(evening.tables, start=1)
    ]


def moves(evening: Evening, table: int) -> tuple[list[list[Any]], list[str]]:
    """Who goes from this table to which other in the round that is seated, and who comes."""
    if len(evening.rounds) < 2 or evening.over:  # noqa: PLR2004 - from one to the next
        return [], []
    before, now = (each.tables for each in evening.rounds[-2:])
    every = moved(before, now)
    goes = [[move.who, move.to] for move in every if move.origin == table]
    here = now[table - 1] if table <= len(now) else ()
    was = before[table - 1] if table <= len(before) else ()
    return goes, [name for name in here if name not in was]


def told(evening: Evening, known: Known, wish: dict[str, Any]) -> dict[str, Any]:
    """What a page has asked for: `status`, or one round."""
    data = telling.as_data(evening, known)
    data.pop("results")
    if wish.get("do") == "round":
        number = wish.get("n")
        there = type(number) is int and 0 < number <= len(evening.rounds)
        return {"round": number, "results": _rows(evening, known, number) if there else []}
    return {**data, "rounds": len(evening.rounds)}


def _rows(evening: Evening, known: Known, number: Any) -> list[dict[str, Any]]:
    return [row for row in telling.results(evening, known) if row["round"] == number]
