"""Run commands of this program in a process of their own, where they can hang, fail or be slow."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, Final

from checked_input import strict_json

COMMAND_PREFIX: Final = (sys.executable, "-P", "-c", "from companion.cmd.cli import main; main()")
"""The start of a command line of this program. -P: Python never imports files of the current
folder.
"""


class CommandFailed(Exception):
    """A command that printed no JSON, with the reason."""


def run_json_command(language: str, patience: float, *arguments: str) -> list[Any]:
    """Run a command and return the JSON values that it prints, one for each line.

    - `language`: the value of LANGUAGE for the command.
    - `patience`: the time limit in seconds.

    Raise CommandFailed if the command cannot start, exceeds the limit or prints no valid JSON.
    """
    try:
        done = subprocess.run(  # noqa: S603 - a list of fixed words, no shell's
            (*COMMAND_PREFIX, *arguments), env={**os.environ, "LANGUAGE": language},
            stdin=subprocess.DEVNULL, capture_output=True, timeout=patience, check=False,
        )  # fmt: skip
        values = [strict_json.parse_json(line) for line in done.stdout.splitlines()]
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        raise CommandFailed(str(error)) from error
    if not values:
        raise CommandFailed(done.stderr.decode("utf-8", "replace").strip())
    return values
