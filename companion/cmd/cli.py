"""`companion`: without arguments it is the box itself; every other call goes to `commands`.

The box must show its first frame soon: nothing that the frame does not need is imported before it.
"""

from __future__ import annotations

import sys

from companion.cmd import start
from companion.core.errors import CompanionError


def main() -> None:
    """The command. A person sees one line and what to do; `--debug` shows the traceback."""
    debug = "--debug" in sys.argv[1:]
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    try:
        if arguments:
            from companion.cmd.commands import run  # noqa: PLC0415 - click is as slow as the first frame

            sys.exit(run(arguments, debug=debug))
        start.the_box()
    except (CompanionError, OSError) as error:  # HardwareError is an OSError
        if debug:
            raise
        sys.exit(f"companion: {' '.join(str(error).split())}")
