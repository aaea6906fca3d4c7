"""The command `companion`. Without arguments it runs the box; other calls go to `commands`.

The first frame must appear soon, so nothing is imported before it (`first`): `typing` alone takes
as long as a bare Python. Nothing is imported before `main` either, so that Ctrl-C then shows no
traceback.
"""

from __future__ import annotations

import gc
import os
import sys

from companion.cmd import first

INTERRUPTED_EXIT_STATUS = 130
"""The exit status after Ctrl-C, as shells define it."""
COMPLETION_VARIABLE = "_COMPANION_COMPLETE"
"""The environment variable that a shell sets to ask click for completions, or for its script."""


def main() -> None:
    """Run the command.

    Print an error as one line that says what to do, a traceback with `--debug`.
    """
    status = INTERRUPTED_EXIT_STATUS
    try:
        _open_what_is_closed()
        status = _do(sys.argv[1:])
    except KeyboardInterrupt:  # the record is complete and closed
        pass
    finally:
        import signal  # noqa: PLC0415 - see above

        signal.signal(signal.SIGINT, signal.SIG_DFL)  # from here on Python only cleans up
    sys.exit(status)


def _do(given: list[str]) -> int:
    """Run the command that the arguments name; return the exit status."""
    debug = "--debug" in given
    arguments = [argument for argument in given if argument != "--debug"]
    is_box = not arguments and COMPLETION_VARIABLE not in os.environ
    left = None
    if is_box:
        gc.disable()  # nothing that is imported can be garbage; `start.serve_events` ends that
        left = first.show_saved_screen()
    if is_box or arguments[:1] == ["page"]:  # neither uses encryption
        from companion.page import without_ssl  # noqa: PLC0415 - see above

        without_ssl.keep_openssl_out()
    from companion.core.errors import CompanionError  # noqa: PLC0415 - likewise

    try:
        if not is_box:
            return _command(arguments, debug=debug)
        from companion.cmd import opening  # noqa: PLC0415 - likewise

        opened = opening.open_box(left)
        from companion.cmd import start  # noqa: PLC0415 - behind the first screen

        start.run_box(opened)
    except (CompanionError, OSError) as error:  # HardwareError is an OSError
        if debug:
            raise
        from companion.cmd import i18n  # noqa: PLC0415 - only for what fails

        lines = i18n.error_text(error).splitlines()  # a file with several mistakes has several
        sys.exit("\n".join(f"companion: {' '.join(line.split())}" for line in lines))
    return 0


def _command(arguments: list[str], *, debug: bool) -> int:
    """Run a command with click; return the exit status. click is imported only now: it is slow."""
    match arguments:
        case ["--version"]:
            from companion.core.version import installed_version  # noqa: PLC0415 - only here

            print(f"companion, version {installed_version()}")
            return 0
        case ["page", *given]:  # a process without the box
            from companion.cmd.page import run_alone  # noqa: PLC0415 - likewise

            return run_alone(given, debug=debug)
        case _:
            from companion.cmd.commands import run_command  # noqa: PLC0415 - likewise

            return run_command(arguments, debug=debug)


def _open_what_is_closed() -> None:
    """Open closed standard streams on /dev/null, so that no file of ours gets their number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115, PTH123 - as long as the process
