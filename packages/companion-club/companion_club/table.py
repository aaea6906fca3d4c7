"""Messages about an evening for one table's box and page, at the door. Pure; JSON in the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from companion.door.lines import Message
from companion_club import telling
from companion_club.seating.plan import list_moves

if TYPE_CHECKING:
    from companion_club.fold import Evening
    from companion_club.known import KnownClaims

Request: TypeAlias = "Mapping[str, Any]"
"""A request to the process of an evening: `do`, and its values."""
DISPLAYED_PLACES: Final = 60
"""Places of the standings that a display shows; the page has all."""
MAX_PEOPLE_WITH_SEATS: Final = 800
"""Most people whose seats are sent to a box; with more, it receives its own table's only."""
FIRST_PLACES: Final = 6
"""Places and leaders that a display shows first."""
MAX_REPLY_BYTES: Final = 50_000
"""Most bytes of rows that are sent at once; the door takes 64 KiB a line."""
MAX_TEXT_LENGTH: Final = 1000
"""Longest text that is sent to a page (characters)."""
SHOWN_RULES: Final = (
    "title", "game", "rule", "games", "which_total", "seed", "seats", "last", "tables", "until",
)  # fmt: skip
"""Fields of the rules that are sent to a page; their author may have added others."""


def table_status(evening: Evening, table: int) -> Message:
    """Return the evening's state for the box at a table, as docs/evening.md describes it."""
    rules = evening.rules
    if rules is None:
        return {"state": "looking"}
    goes, comes = table_moves(evening, table)
    return {
        "state": "over" if evening.over else "on",
        "title": rules["title"],
        "game": rules["game"],
        "round": len(evening.rounds),
        "games": rules["games"],
        "table": table,
        "tables": len(evening.tables) or rules.get("tables", 0),
        "seats": _seats(evening, table),
        "goes": goes,
        "comes": comes,
        "places": [list(row) for row in telling.list_standings(evening)[:DISPLAYED_PLACES]],
        "leaders": list(evening.leaders)[:DISPLAYED_PLACES],
        "waiting": list(evening.waiting),
        "signed": list(evening.totals)[:MAX_PEOPLE_WITH_SEATS],
        "conflicts": len(evening.conflicts),
    }


def shorten_status(status: Message, longest: int) -> Message:
    """Return the status shortened to `longest` bytes of JSON.

    This table's data always remains.
    """
    mine = status.get("table")
    seats = [names if n == mine else [] for n, names in enumerate(status.get("seats", ()), start=1)]
    few = {key: status.get(key, [])[:FIRST_PLACES] for key in ("places", "leaders")}
    steps: tuple[Message, ...] = ({"seats": seats}, {"signed": []}, few)
    for less in steps:
        if len(json.dumps(status)) > longest:
            status = {**status, **less}
    return status


def _seats(evening: Evening, table: int) -> list[list[str]]:
    few = sum(map(len, evening.tables)) <= MAX_PEOPLE_WITH_SEATS
    return [
        [*names] if few or n == table else [] for n, names in enumerate(evening.tables, start=1)
    ]


def table_moves(evening: Evening, table: int) -> tuple[list[list[Any]], list[str]]:
    """Return the players who leave this table with their next tables, and the arriving ones."""
    if len(evening.rounds) < 2 or evening.over:  # noqa: PLR2004 - from one to the next
        return [], []
    before, now = (each.tables for each in evening.rounds[-2:])
    every = list_moves(before, now)
    goes = [[move.who, move.to] for move in every if move.origin == table]
    here = now[table - 1] if table <= len(now) else ()
    was = before[table - 1] if table <= len(before) else ()
    return goes, [name for name in here if name not in was]


def answer_request(evening: Evening, claims: KnownClaims, wish: Request) -> Message:
    """Return the reply to a page's request: the state, or rows of one of LIST_READERS.

    The rows begin at number `from` of the request.

    A reply has as many `rows` as fit into a line of the door, and their total number.
    """
    name, start = wish.get("do"), wish.get("from", 0)
    if not isinstance(name, str) or name not in LIST_READERS:
        return _stands(evening)
    rows = LIST_READERS[name](evening, claims, wish)
    return {"rows": _fitting(rows[start:] if type(start) is int else []), "of": len(rows)}


def _stands(evening: Evening) -> Message:
    rules = evening.rules
    return {
        "rules": None if rules is None else {key: _short(rules.get(key)) for key in SHOWN_RULES},
        "round": len(evening.rounds),
        "waiting": [*evening.waiting],
        "over": evening.over,
        "problem": _short(telling.problem_text(evening)),
    }


def _short(value: Any) -> Any:
    """Truncate every string in a value to MAX_TEXT_LENGTH characters, recursively."""
    match value:
        case str():
            return value[:MAX_TEXT_LENGTH]
        case dict():
            return {key: _short(inner) for key, inner in value.items()}
        case list():
            return [*map(_short, value)]
        case _:
            return value


def _fitting(rows: Sequence[Any]) -> list[Any]:
    sizes = accumulate(len(json.dumps(row)) + 2 for row in rows)
    fits = takewhile(lambda size: size <= MAX_REPLY_BYTES, sizes)
    return [row for row, _ in zip(rows, fits, strict=False)]


def _results(evening: Evening, claims: KnownClaims, wish: Request) -> list[Message]:
    number = wish.get("n")
    return [row for row in telling.result_rows(evening, claims) if row["round"] == number]


LIST_READERS: Final[Mapping[str, Callable[[Evening, KnownClaims, Request], list[Any]]]] = {
    "tables": lambda evening, *_: [*evening.tables],
    "totals": lambda evening, *_: [*evening.totals.items()],
    "leaders": lambda evening, *_: [*evening.leaders],
    "conflicts": lambda evening, *_: [
        _short(telling.describe_conflict(c)) for c in evening.conflicts
    ],
    "round": _results,
}
"""Lists that a page can request in rows."""
