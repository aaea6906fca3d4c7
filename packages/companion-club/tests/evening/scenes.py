"""Frames of a club's evening: its menu, who goes where, and a result that is read by a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.door.callers import House

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.helpers import Drive

FOUND: Final[dict[str, Any]] = {
    "state": "none",
    "found": [{"id": "club-1", "title": "Friday club", "game": "probe", "tables": 3}],
}
SEATS: Final = [
    ["Bob", "Cy", "Zoé", "Maximilien"],
    ["Dora", "Émile", "Flo", "Gus"],
    ["Ada", "Hal", "Ida", "Jo"],
]
PEOPLE: Final = [name for table in SEATS for name in table]
ON: Final[dict[str, Any]] = {
    "state": "on", "title": "Friday club", "game": "probe", "round": 3, "games": 5,
    "table": 2, "tables": 3, "seats": SEATS, "goes": [["Ada", 3], ["Maximilien", 1]],
    "comes": ["Dora", "Gus"], "waiting": [1, 2, 3], "leaders": ["Ada"],
    "places": [[n, name, 500 - 40 * n] for n, name in enumerate(PEOPLE, 1)],
    "signed": PEOPLE, "code": "ABCDEF",
}  # fmt: skip
WAITS: Final = {**ON, "waiting": [1, 3], "goes": []}
OFFLINE: Final = {**WAITS, "slip": "E/3/2/9F2C11AA/120.85.-5.0/A1B2C3D4E5", "trouble": ""}
OVER: Final = {**WAITS, "state": "over", "waiting": [], "seats": []}


def told(language: str, status: dict[str, Any], *pages: str) -> Drive:
    """A box whose evening stands so, after these lines of the menus."""
    house = House(language=language)
    house.caller(owner=True).say(evening=status)
    house.drive.skip()
    house.drive.walk(*pages)
    return house.drive


def news(language: str, status: dict[str, Any]) -> Drive:
    """The moment that a table is told what is new."""
    house = House(language=language)
    house.caller(owner=True).say(evening=status)
    return house.drive


SCENES: Final[dict[str, Callable[[str], Drive]]] = {
    "evening_found": lambda la: told(la, FOUND, "evening"),
    "evening_open": lambda la: turned(told(la, FOUND, "evening"), "open"),
    "evening_table": lambda la: told(la, FOUND, "evening", "at 0"),
    "evening_play": lambda la: told(la, ON, "evening"),
    "evening_seats": lambda la: told(la, ON, "evening", "seats"),
    "evening_standings": lambda la: told(la, ON, "evening", "standings"),
    "evening_invite": lambda la: told(la, ON, "evening", "invite"),
    "evening_sign": lambda la: told(la, ON, "evening", "sign"),
    "evening_waits": lambda la: told(la, WAITS, "evening"),
    "evening_slip": lambda la: told(la, OFFLINE, "evening", "slip"),
    "evening_goes": lambda la: news(la, ON),
    "evening_over": lambda la: news(la, OVER),
    "evening_leave": lambda la: told(la, ON, "evening", "leave"),
}


def turned(drive: Drive, value: str) -> Drive:
    """With the cursor on a line."""
    drive.turn_to(value)
    return drive
