"""Functions that run `companion doctor` and collect its findings for a menu page."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Final

from companion.box.events import DoctorFindingsReady, HardwareTrouble
from companion.core.subcommands import NoJsonFromCommandError, run_json_command
from companion.menus.page import BoxPartDiagnosis
from hardware.ports import HardwareError

DOCTOR_TIMEOUT_SECONDS: Final = 120
"""Time limit for `companion doctor` in seconds.

The limit allows for a large record on a slow SD card.
"""


def start_doctor_thread(
    language: str, put: Callable[[DoctorFindingsReady | HardwareTrouble], None]
) -> None:
    """Start `companion doctor` in a separate thread.

    The thread calls `put` with the findings when the doctor has finished.
    """
    Thread(target=run_doctor_and_report, args=(language, put), name="doctor", daemon=True).start()


def run_doctor_and_report(
    language: str, put: Callable[[DoctorFindingsReady | HardwareTrouble], None]
) -> None:
    """Run `companion doctor`, and pass its findings to `put`.

    If the doctor cannot run, pass two events to `put`: the error, and an empty tuple of findings.
    """
    try:
        findings = doctor_findings(language)
    except HardwareError as error:
        put(HardwareTrouble(error))
        findings = ()
    put(DoctorFindingsReady(findings))


def doctor_findings(language: str) -> tuple[BoxPartDiagnosis, ...]:
    """Return the doctor's findings, with faults first.

    Raise HardwareError if the doctor cannot be run.
    """
    try:
        findings = [
            BoxPartDiagnosis(**line)
            for line in run_json_command(language, DOCTOR_TIMEOUT_SECONDS, "doctor", "--json")
        ]
    except (NoJsonFromCommandError, TypeError) as error:
        raise HardwareError(f"companion doctor: {error}") from error
    return tuple(sorted(findings, key=lambda finding: finding.cure is None))
