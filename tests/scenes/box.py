"""Frames of the box in front of any game: two held buttons, the lock, the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hardware.ports import BACK, DOWN, OK, UP, HardwareError
from tests.helpers import OWN_PARTS_OPTIONS, Drive, begin_game, setup_for

TOLD: Final = {"deck": "own", "die": "real", "track": "ask"}


def off() -> None:
    """Do not switch anything off."""


def stuck() -> None:
    raise HardwareError("Not switched off: Access denied", "power")


def playing(language: str, power_off: Callable[[], None] = off) -> Drive:
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS), (6, 1)), language, power_off=power_off)
    drive.resume()
    return drive


def holding(drive: Drive, *buttons: str, seconds: float) -> Drive:
    """Press two buttons and hold them."""
    for button in buttons:
        drive.down(button)
    drive.wait(seconds)
    return drive


def held(drive: Drive, *buttons: str, seconds: float) -> Drive:
    """Hold two buttons for some seconds and release them."""
    holding(drive, *buttons, seconds=seconds)
    for button in buttons:
        drive.up(button)
    return drive


def locked(language: str, power_off: Callable[[], None] = off) -> Drive:
    return held(playing(language, power_off), BACK, UP, seconds=2)


def score(language: str) -> Drive:
    """Return a locked box that shows the score."""
    drive = locked(language)
    drive.press(DOWN)
    return drive


def large(language: str) -> Drive:
    """Return a box with a card and the total in the largest letters."""
    journal = begin_game(setup_for(TOLD), (6, 1, "gang:molls", 4))
    journal.save_setting("large", True, 0)
    drive = Drive(journal, language)
    drive.resume()
    drive.turn_to(7)
    return drive


def large_menu(language: str) -> Drive:
    """Return a box with a menu's line in the largest letters."""
    drive = large(language)
    drive.press(BACK)
    return drive


SCENES: Final[dict[str, Callable[[str], Drive]]] = {
    "large_card": large,
    "large_menu": large_menu,
    "holding_to_switch_off": lambda la: holding(playing(la), BACK, OK, seconds=1.75),
    "holding_to_lock": lambda la: holding(playing(la), BACK, UP, seconds=1),
    "holding_to_unlock": lambda la: holding(locked(la), BACK, UP, seconds=1.5),
    "locked": locked,
    "locked_score": score,
    "unlocked": lambda la: held(locked(la), BACK, UP, seconds=2),
    "safe_to_unplug": lambda la: holding(playing(la), BACK, OK, seconds=3),
    "not_switched_off": lambda la: held(playing(la, stuck), BACK, OK, seconds=3),
}
