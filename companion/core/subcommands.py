"""Companion commands that run in a separate process, because they can hang, fail or be slow."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, Final

from checked_input import strict_json

COMMAND_PREFIX: Final = (sys.executable, "-P", "-c", "from companion.cmd.cli import main; main()")
"""The first arguments of the process that runs a Companion command.

With the argument -P, Python does not import modules from the current folder.
"""


class NoJsonFromCommandError(Exception):
    """The error for a command that did not run to its end, or printed no JSON.

    The text of the exception states the reason.
    """


def run_json_command(language: str, patience: float, *arguments: str) -> list[Any]:
    """Run a Companion command in a separate process.

    Return the JSON values that the command prints, one on each line.

    - `language`: value of the environment variable LANGUAGE for the command.
    - `patience`: time limit in seconds, after which the command is stopped.

    Raise NoJsonFromCommandError if the command cannot start, exceeds the time limit, or prints
    nothing or invalid JSON.
    """
    try:
        done = subprocess.run(  # noqa: S603 - runs no shell
            (*COMMAND_PREFIX, *arguments), env={**os.environ, "LANGUAGE": language},
            stdin=subprocess.DEVNULL, capture_output=True, timeout=patience, check=False,
        )  # fmt: skip
        values = [strict_json.parse_json(line) for line in done.stdout.splitlines()]
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        raise NoJsonFromCommandError(str(error)) from error
    if not values:
        raise NoJsonFromCommandError(done.stderr.decode("utf-8", "replace").strip())
    return values
