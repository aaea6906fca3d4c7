"""What `companion doctor` finds of the box, for the page that shows it without a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Thread
from typing import TYPE_CHECKING, Final

from companion.box.events import Examined, Trouble
from companion.box.menus.page import Diagnosis
from handwritten import strict_json
from hardware import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable

DOCTOR: Final = (
    sys.executable, "-c", "from companion.cmd.cli import main; main()", "doctor", "--json",
)  # fmt: skip
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
    """What is found, what needs a cure first. Raises HardwareError.

    A process of its own looks: what it tries can hang or fail, and the game goes on.
    """
    try:
        done = subprocess.run(  # noqa: S603 - a list of fixed words, no shell's
            DOCTOR, env={**os.environ, "LANGUAGE": language}, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        found = [Diagnosis(**strict_json.read(line)) for line in done.stdout.splitlines()]
    except (OSError, subprocess.TimeoutExpired, ValueError, TypeError) as error:
        raise HardwareError(f"companion doctor: {error}") from error
    if not found:
        told = done.stderr.decode("utf-8", "replace").strip()
        raise HardwareError(f"companion doctor: {told}")
    return tuple(sorted(found, key=lambda finding: finding.cure is None))
