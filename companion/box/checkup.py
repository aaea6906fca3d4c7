"""The findings of `companion doctor`, for the page that shows them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Final

from companion.box.events import FindingsReady, HardwareTrouble
from companion.core.subcommands import CommandFailed, run_json_command
from companion.menus.page import Diagnosis
from hardware.ports import HardwareError

DOCTOR_TIMEOUT_SECONDS: Final = 120
"""Time limit (s): a record of many years is read completely, also from a slow SD card."""


def start_doctor(language: str, put: Callable[[FindingsReady | HardwareTrouble], None]) -> None:
    """Start to examine all parts of the box in a thread. `put` receives the findings later."""
    Thread(target=run_doctor, args=(language, put), name="doctor", daemon=True).start()


def run_doctor(language: str, put: Callable[[FindingsReady | HardwareTrouble], None]) -> None:
    """Pass the findings to `put`. If the doctor failed, pass the failure first."""
    try:
        findings = doctor_findings(language)
    except HardwareError as error:
        put(HardwareTrouble(error))
        findings = ()
    put(FindingsReady(findings))


def doctor_findings(language: str) -> tuple[Diagnosis, ...]:
    """Return the findings; those that need an action come first. Raise HardwareError."""
    try:
        findings = [
            Diagnosis(**line)
            for line in run_json_command(language, DOCTOR_TIMEOUT_SECONDS, "doctor", "--json")
        ]
    except (CommandFailed, TypeError) as error:
        raise HardwareError(f"companion doctor: {error}") from error
    return tuple(sorted(findings, key=lambda finding: finding.cure is None))
