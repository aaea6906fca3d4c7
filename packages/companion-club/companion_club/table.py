"""Messages about an evening: the state for the display of a box, and replies to the box's web page.

The functions have no side effects and return values that can be written as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, takewhile
from typing import Any, Final, TypeAlias

from companion.door.lines import Message
from companion_club import exporting
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import EveningState
from companion_club.seating.plan import list_table_moves

Request: TypeAlias = "Mapping[str, Any]"
"""Type of a request to the attendant. The request's field `do` names the action."""
MAX_DISPLAYED_PLACES: Final = 60
"""Maximum number of rows of the standings that are sent to a box for its display."""
MAX_PEOPLE_WITH_SEATS: Final = 800
"""Maximum number of people for whom a box receives the seats at all tables.

If there are more people, the box receives only the seats at the box's own table.
"""
SHORT_LIST_ROWS: Final = 6
"""Number of rows of the standings, and number of leaders, in a shortened status."""
MAX_REPLY_BYTES: Final = 50_000
"""Maximum size of the rows in one reply (bytes); the box accepts lines of up to 64 KiB."""
MAX_TEXT_LENGTH: Final = 1000
"""Maximum length of a text that is sent to a web page (characters)."""
PAGE_RULE_FIELDS: Final = (
    "title", "game", "rule", "games", "which_total", "seed", "seats", "last", "tables", "until",
)  # fmt: skip
"""Names of the fields of the rules that are sent to a web page; other fields are omitted."""


def evening_status_for_table(evening: EveningState, table: int) -> Message:
    """Return the evening's state as a message for the box at `table` (docs/evening.md)."""
    rules = evening.rules
    if rules is None:
        return {"state": "looking"}
    return {
        "state": "over" if evening.over else "on",
        "title": rules["title"],
        "game": rules["game"],
        "round": len(evening.rounds),
        "table": table,
        "seats": _seats(evening, table),
        "goes": leaving_players(evening, table),
        "places": [list(row) for row in exporting.list_standings(evening)[:MAX_DISPLAYED_PLACES]],
        "leaders": list(evening.leaders)[:MAX_DISPLAYED_PLACES],
        "waiting": list(evening.tables_without_result),
        "signed": list(evening.totals)[:MAX_PEOPLE_WITH_SEATS],
        "conflicts": len(evening.conflicts),
    }


def shorten_evening_status(status: Message, longest: int) -> Message:
    """Return a status of at most `longest` bytes of JSON, without less important values.

    The shortened status keeps all values of the box's own table.
    """
    mine = status.get("table")
    seats = [names if n == mine else [] for n, names in enumerate(status.get("seats", ()), start=1)]
    few = {key: status.get(key, [])[:SHORT_LIST_ROWS] for key in ("places", "leaders")}
    steps: tuple[Message, ...] = ({"seats": seats}, {"signed": []}, few)
    for less in steps:
        if len(json.dumps(status)) > longest:
            status = {**status, **less}
    return status


def _seats(evening: EveningState, table: int) -> list[list[str]]:
    few = sum(map(len, evening.current_round_tables)) <= MAX_PEOPLE_WITH_SEATS
    return [
        [*names] if few or n == table else []
        for n, names in enumerate(evening.current_round_tables, start=1)
    ]


def leaving_players(evening: EveningState, table: int) -> list[list[Any]]:
    """Return the name and the next table of each player who leaves `table` after a round."""
    if len(evening.rounds) < 2 or evening.over:  # noqa: PLR2004 - from one to the next
        return []
    before, now = (each.tables for each in evening.rounds[-2:])
    moves = list_table_moves(before, now)
    return [[move.who, move.to] for move in moves if move.origin == table]


def answer_page_request(evening: EveningState, claims: CurrentClaims, wish: Request) -> Message:
    """Return the reply to a web page's request: the evening's state, or rows of a list.

    If the request's field `do` names one of LIST_ROW_FUNCTIONS, the reply contains rows of this
    list. Otherwise, the reply contains the evening's state. The number of the first row is in the
    request's field `from`. The reply contains as many rows as fit into one message, and the number
    of all rows of the list in the field `of`.
    """
    name, start = wish.get("do"), wish.get("from", 0)
    if not isinstance(name, str) or name not in LIST_ROW_FUNCTIONS:
        return _stands(evening)
    rows = LIST_ROW_FUNCTIONS[name](evening, claims, wish)
    return {"rows": _fitting(rows[start:] if type(start) is int else []), "of": len(rows)}


def _stands(evening: EveningState) -> Message:
    rules = evening.rules
    return {
        "rules": None
        if rules is None
        else {key: _short(rules.get(key)) for key in PAGE_RULE_FIELDS},
        "round": len(evening.rounds),
        "waiting": [*evening.tables_without_result],
        "over": evening.over,
        "problem": _short(exporting.seating_problem_text(evening)),
    }


def _short(value: Any) -> Any:
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


def _results(evening: EveningState, claims: CurrentClaims, wish: Request) -> list[Message]:
    number = wish.get("n")
    return [
        row for row in exporting.result_rows_of_players(evening, claims) if row["round"] == number
    ]


LIST_ROW_FUNCTIONS: Final[
    Mapping[str, Callable[[EveningState, CurrentClaims, Request], list[Any]]]
] = {
    "tables": lambda evening, *_: [*evening.current_round_tables],
    "totals": lambda evening, *_: [*evening.totals.items()],
    "leaders": lambda evening, *_: [*evening.leaders],
    "conflicts": lambda evening, *_: [
        _short(exporting.conflict_data(c)) for c in evening.conflicts
    ],
    "round": _results,
}
"""Table from a list's name to the function that returns the list's rows for web pages."""
