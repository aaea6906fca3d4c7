"""The findings of `companion doctor`, for the page that shows them on the display."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Final

from companion.box.events import Examined, Trouble
from companion.core.subcommands import CommandFailed, run_json_command
from companion.menus.page import Diagnosis
from hardware.ports import HardwareError

PATIENCE: Final = 120
"""Time limit (s): a record of many years is read completely, also from a slow SD card."""


def examine(language: str, put: Callable[[Examined | Trouble], None]) -> None:
    """Start to examine all parts of the box in a thread; `put` receives the findings later."""
    Thread(target=look, args=(language, put), name="doctor", daemon=True).start()


def look(language: str, put: Callable[[Examined | Trouble], None]) -> None:
    """Pass the findings to `put`; if the doctor failed, pass Trouble first."""
    try:
        found = findings(language)
    except HardwareError as error:
        put(Trouble(error))
        found = ()
    put(Examined(found))


def findings(language: str) -> tuple[Diagnosis, ...]:
    """Return the findings, those that need an action first. Raise HardwareError."""
    try:
        found = [
            Diagnosis(**line) for line in run_json_command(language, PATIENCE, "doctor", "--json")
        ]
    except (CommandFailed, TypeError) as error:
        raise HardwareError(f"companion doctor: {error}") from error
    return tuple(sorted(found, key=lambda finding: finding.cure is None))
