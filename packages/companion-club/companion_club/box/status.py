"""The state of a club's evening for the menus, as its process reports it at the door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

T = TypeVar("T")
EVENING_STATES: Final = ("looking", "none", "on", "over")
FAILURE_CODES: Final = ("no_broker", "unreachable", "refused", "wrong_code", "folder")
"""The codes of failures, each with a sentence."""
MAX_NAME_LENGTH, MAX_LIST_LENGTH, MAX_NUMBER = 40, 10_000, 1 << 32
"""The maximum length of a name or title, number of things in a list, and number."""
MAX_SLIP_LENGTH: Final = 120
"""The maximum length of a result that is shown as a code."""


class JoinableEvening(NamedTuple):
    """An evening that can be joined."""

    id: str
    title: str
    game: str
    tables: int


class EveningStatus(NamedTuple):
    """The state of an evening.

    `state` is one of EVENING_STATES, or `away` without its process. Tables and rounds count from 1;
    `round` is 0 before the first seating. `games` is None until the bell. `seats` are the names at
    each table, `waiting` the tables without a result. `goes` are players of our `table` with their
    next table, `comes` the arriving ones. `places` are place, name and total; `signed` are all
    players. `code` lets others join. `slip` is our result as a code, if the broker cannot be
    reached.
    """

    state: str = "away"
    found: tuple[JoinableEvening, ...] = ()
    title: str = ""
    game: str = ""
    round: int = 0
    games: int | None = None
    table: int = 0
    tables: int = 0
    seats: tuple[tuple[str, ...], ...] = ()
    goes: tuple[tuple[str, int], ...] = ()
    comes: tuple[str, ...] = ()
    places: tuple[tuple[int, str, int], ...] = ()
    leaders: tuple[str, ...] = ()
    waiting: tuple[int, ...] = ()
    signed: tuple[str, ...] = ()
    code: str = ""
    slip: str = ""
    trouble: str = ""
    conflicts: int = 0

    @property
    def is_busy(self) -> bool:
        """Return True if an evening runs, or is over and still shown."""
        return self.state in ("on", "over")

    @property
    def players_here(self) -> tuple[str, ...]:
        """Return the players at this table."""
        return self.seats[self.table - 1] if 0 < self.table <= len(self.seats) else ()

    @property
    def has_game(self) -> bool:
        """Return True if a game is to be played here."""
        return self.state == "on" and self.table in self.waiting and bool(self.players_here)


AWAY_STATUS: Final = EveningStatus()


def read_status(data: object) -> EveningStatus:
    """Return the state in a message. Raise ValueError if it is not valid."""
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
        games=None if data.get("games") is None else _number(data["games"]),
        table=_number(data.get("table", 0)),
        tables=_number(data.get("tables", 0)),
        seats=_list(data, "seats", _names),
        goes=_list(data, "goes", _goes),
        comes=_names(data.get("comes", [])),
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
    """Return an evening that can be joined; None if it cannot be shown."""
    match value:
        case {"id": ident, "title": title, "game": game, "tables": tables}:
            try:
                return JoinableEvening(_name(ident), _name(title), _name(game), _number(tables))
            except ValueError:
                return None
        case _:
            return None
