"""The state of an evening.

The attendant sends the state to the box, and the menus show the state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

T = TypeVar("T")
EVENING_STATES: Final = ("looking", "none", "on", "over")
FAILURE_CODES: Final = ("no_broker", "unreachable", "refused", "wrong_code", "folder")
"""Codes of the failures that the attendant reports; the box shows a sentence for each code."""
MAX_NAME_LENGTH, MAX_LIST_LENGTH, MAX_NUMBER = 40, 10_000, 1 << 32
"""Limits of a received state.

MAX_NAME_LENGTH: characters in a text. MAX_LIST_LENGTH: values in a list. MAX_NUMBER: every number
must be smaller.
"""
MAX_SLIP_LENGTH: Final = 120
"""Maximum length of the text in a result's QR code (characters)."""


class JoinableEvening(NamedTuple):
    """An evening that the attendant has found and that this box can join."""

    id: str
    title: str
    game: str
    tables: int


class EveningStatus(NamedTuple):
    """The state of the evening that this box has joined, or the evenings that the box can join.

    - `state`: one of EVENING_STATES, or `away` if the attendant is not running.
    - `found`: the evenings that this box can join.
    - `title`, `game`: title of the evening, and name of its game.
    - `round`: number of the current round, counted from 1, or 0 before the first seating.
    - `table`: number of this box's table, from 1.
    - `seats`: names of the players at each table.
    - `goes`: players who leave this table, each with the number of the next table.
    - `places`: rows of the standings: place, name and total.
    - `leaders`: names of the players with the highest total.
    - `waiting`: numbers of the tables without a result.
    - `signed`: names of all players who signed up.
    - `code`: address code by which other boxes find the broker.
    - `slip`: text for the QR code of this table's result if the broker is away, otherwise "".
    - `trouble`: one of FAILURE_CODES, or "".
    - `conflicts`: number of contradictions that people must resolve.
    """

    state: str = "away"
    found: tuple[JoinableEvening, ...] = ()
    title: str = ""
    game: str = ""
    round: int = 0
    table: int = 0
    seats: tuple[tuple[str, ...], ...] = ()
    goes: tuple[tuple[str, int], ...] = ()
    places: tuple[tuple[int, str, int], ...] = ()
    leaders: tuple[str, ...] = ()
    waiting: tuple[int, ...] = ()
    signed: tuple[str, ...] = ()
    code: str = ""
    slip: str = ""
    trouble: str = ""
    conflicts: int = 0

    @property
    def should_show_in_game_menu(self) -> bool:
        """Return True if this box has joined an evening that runs or is over."""
        return self.state in ("on", "over")

    @property
    def players_at_own_table(self) -> tuple[str, ...]:
        """Return the names of the players at this box's table."""
        return self.seats[self.table - 1] if 0 < self.table <= len(self.seats) else ()

    @property
    def has_game_to_play(self) -> bool:
        """Return True if this table has players and no result yet in the current round."""
        return self.state == "on" and self.table in self.waiting and bool(self.players_at_own_table)


AWAY_STATUS: Final = EveningStatus()


def parse_evening_status(data: object) -> EveningStatus:
    """Return the evening's state in a message from the attendant.

    Raise ValueError if the message is not valid.
    """
    if not isinstance(data, dict) or data.get("state") not in EVENING_STATES:
        raise ValueError("state")
    if data.get("trouble", "") not in ("", *FAILURE_CODES):
        raise ValueError("trouble")
    return EveningStatus(
        state=data["state"],
        found=tuple(filter(None, _list(data, "found", _found))),
        title=_text(data.get("title", "")),
        game=_text(data.get("game", "")),
        round=_number(data.get("round", 0)),
        table=_number(data.get("table", 0)),
        seats=_list(data, "seats", _names),
        goes=_list(data, "goes", _goes),
        places=_list(data, "places", _place),
        leaders=_names(data.get("leaders", [])),
        waiting=_list(data, "waiting", _number),
        signed=_names(data.get("signed", [])),
        code=_text(data.get("code", "")),
        slip=_text(data.get("slip", ""), MAX_SLIP_LENGTH),
        trouble=data.get("trouble", ""),
        conflicts=_number(data.get("conflicts", 0)),
    )


def _list(data: dict[str, Any], key: str, convert: Callable[[object], T]) -> tuple[T, ...]:
    items = data.get(key, [])
    if not isinstance(items, list) or len(items) > MAX_LIST_LENGTH:
        raise ValueError(key)
    return tuple(map(convert, items))


def _text(value: object, longest: int = MAX_NAME_LENGTH) -> str:
    if not isinstance(value, str) or len(value) > longest or not (value.isprintable()):
        raise ValueError("text")
    return value


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value < MAX_NUMBER:
        raise ValueError("number")
    return value


def _name(value: object) -> str:
    if not _text(value).strip():
        raise ValueError("name")
    return str(value)


def _names(value: object) -> tuple[str, ...]:
    return _list({"names": value}, "names", _name)


def _goes(value: object) -> tuple[str, int]:
    match value:
        case [who, to]:
            return _name(who), _number(to)
        case _:
            raise ValueError("goes")


def _place(value: object) -> tuple[int, str, int]:
    match value:
        case [place, who, int(total)] if (
            type(total) is int and abs(total) < MAX_NUMBER * MAX_LIST_LENGTH
        ):
            return _number(place), _name(who), total
        case _:
            raise ValueError("places")


def _found(value: object) -> JoinableEvening | None:
    match value:
        case {"id": ident, "title": title, "game": game, "tables": tables}:
            try:
                return JoinableEvening(_name(ident), _name(title), _name(game), _number(tables))
            except ValueError:
                return None
        case _:
            return None
