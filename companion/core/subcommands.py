"""Commands of the program's own, each in a process beside the box: it can hang, fail or be slow."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, Final

from checked_input import strict_json

PROGRAM: Final = (sys.executable, "-P", "-c", "from companion.cmd.cli import main; main()")
"""How a command is started; -P: a file of the current folder is never imported."""


class CommandFailed(Exception):
    """A command that said nothing of use, and why."""


def json_lines(language: str, patience: float, *arguments: str) -> list[Any]:
    """The lines of JSON that a command writes within so many seconds. Raises CommandFailed."""
    try:
        done = subprocess.run(  # noqa: S603 - a list of fixed words, no shell's
            (*PROGRAM, *arguments), env={**os.environ, "LANGUAGE": language},
            stdin=subprocess.DEVNULL, capture_output=True, timeout=patience, check=False,
        )  # fmt: skip
        found = [strict_json.read(line) for line in done.stdout.splitlines()]
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        raise CommandFailed(str(error)) from error
    if not found:
        raise CommandFailed(done.stderr.decode("utf-8", "replace").strip())
    return found
