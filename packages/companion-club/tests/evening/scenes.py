"""Frames of a club's evening: its menu, the next tables, and a result as a code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tests.door.callers import House
from tests.helpers import Drive

FOUND_STATE: Final[dict[str, Any]] = {
    "state": "none",
    "found": [{"id": "club-1", "title": "Friday club", "game": "probe", "tables": 3}],
}
SEATED_NAMES: Final = [
    ["Bob", "Cy", "Zoé", "Maximilien"],
    ["Dora", "Émile", "Flo", "Gus"],
    ["Ada", "Hal", "Ida", "Jo"],
]
PEOPLE_NAMES: Final = [name for table in SEATED_NAMES for name in table]
RUNNING_STATE: Final[dict[str, Any]] = {
    "state": "on", "title": "Friday club", "game": "probe", "round": 3,
    "table": 2, "seats": SEATED_NAMES, "goes": [["Ada", 3], ["Maximilien", 1]],
    "waiting": [1, 2, 3], "leaders": ["Ada"],
    "places": [[n, name, 500 - 40 * n] for n, name in enumerate(PEOPLE_NAMES, 1)],
    "signed": PEOPLE_NAMES, "code": "ABCDEF",
}  # fmt: skip
WAITING_STATE: Final = {**RUNNING_STATE, "waiting": [1, 3], "goes": []}
OFFLINE_STATE: Final = {
    **WAITING_STATE,
    "slip": "E/3/2/9F2C11AA/120.85.-5.0/A1B2C3D4E5",
    "trouble": "",
}
FINISHED_STATE: Final = {**WAITING_STATE, "state": "over", "waiting": [], "seats": []}


def drive_with_status(language: str, status: dict[str, Any], *pages: str) -> Drive:
    """Return a box that knows the evening's `status`, after it chose the menu lines `pages`."""
    house = House(language=language)
    house.caller(owner=True).say(evening=status)
    house.drive.skip()
    house.drive.walk(*pages)
    return house.drive


def announce_status(language: str, status: dict[str, Any]) -> Drive:
    """Return a box that announces a new `status` of the evening."""
    house = House(language=language)
    house.caller(owner=True).say(evening=status)
    return house.drive


SCENES: Final[dict[str, Callable[[str], Drive]]] = {
    "evening_found": lambda la: drive_with_status(la, FOUND_STATE, "evening"),
    "evening_open": lambda la: turn_to_value(drive_with_status(la, FOUND_STATE, "evening"), "open"),
    "evening_table": lambda la: drive_with_status(la, FOUND_STATE, "evening", "at 0"),
    "evening_play": lambda la: drive_with_status(la, RUNNING_STATE, "evening"),
    "evening_seats": lambda la: drive_with_status(la, RUNNING_STATE, "evening", "seats"),
    "evening_standings": lambda la: drive_with_status(la, RUNNING_STATE, "evening", "standings"),
    "evening_invite": lambda la: drive_with_status(la, RUNNING_STATE, "evening", "invite"),
    "evening_sign": lambda la: drive_with_status(la, RUNNING_STATE, "evening", "sign"),
    "evening_waits": lambda la: drive_with_status(la, WAITING_STATE, "evening"),
    "evening_slip": lambda la: drive_with_status(la, OFFLINE_STATE, "evening", "slip"),
    "evening_goes": lambda la: announce_status(la, RUNNING_STATE),
    "evening_over": lambda la: announce_status(la, FINISHED_STATE),
    "evening_leave": lambda la: drive_with_status(la, RUNNING_STATE, "evening", "leave"),
}


def turn_to_value(drive: Drive, value: str) -> Drive:
    """Turn the cursor to the line `value`; return the box."""
    drive.turn_to(value)
    return drive
