"""What `companion doctor` finds of the box, for the page that shows it without a terminal."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Final

from companion.box.events import Examined, Trouble
from companion.core.subcommands import CommandFailed, json_lines
from companion.menus.page import Diagnosis
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE: Final = 120
"""Seconds: a record of years is read through, on a slow card."""


def examine(language: str, put: Callable[[Examined | Trouble], None]) -> None:
    """Begin to look at all parts of the box; what is found, in that language, is put later."""
    Thread(target=look, args=(language, put), name="doctor", daemon=True).start()


def look(language: str, put: Callable[[Examined | Trouble], None]) -> None:
    """Put what was found; nothing was, if the doctor itself could not look, which is told."""
    try:
        found = findings(language)
    except HardwareError as error:
        put(Trouble(error))
        found = ()
    put(Examined(found))


def findings(language: str) -> tuple[Diagnosis, ...]:
    """What is found, what needs a cure first. Raises HardwareError."""
    try:
        found = [Diagnosis(**line) for line in json_lines(language, PATIENCE, "doctor", "--json")]
    except (CommandFailed, TypeError) as error:
        raise HardwareError(f"companion doctor: {error}") from error
    return tuple(sorted(found, key=lambda finding: finding.cure is None))
