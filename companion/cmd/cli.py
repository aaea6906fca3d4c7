"""The entry point of the program `companion`.

Without arguments, the program runs the box. With arguments, the program runs a command.

The first frame must appear quickly. The module `first` therefore shows the first frame before all
other modules are imported. The module `cli` does not import `typing`, because this import takes as
long as starting Python. The function `main` imports the other modules, so that Ctrl-C during an
import prints no traceback.
"""

from __future__ import annotations

import gc
import os
import sys

from companion.cmd import first

INTERRUPTED_EXIT_STATUS = 130
"""Exit status after Ctrl-C: 128 plus the number of the signal SIGINT, as in shells."""
COMPLETION_VARIABLE = "_COMPANION_COMPLETE"
"""Environment variable with which a shell asks click for completions or for the completion script.
"""


def main() -> None:
    """Run the command in `sys.argv` and exit with its status.

    An error is printed as one line, or as one line for each mistake in a file. With `--debug`,
    the traceback is printed.
    """
    status = INTERRUPTED_EXIT_STATUS
    try:
        _open_what_is_closed()
        status = _do(sys.argv[1:])
    except KeyboardInterrupt:  # Ctrl-C: nothing to do, because the record is already closed
        pass
    finally:
        import signal  # noqa: PLC0415 - see above

        # let Ctrl-C end the process at once, because Python now only cleans up
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(status)


def _do(given: list[str]) -> int:
    debug = "--debug" in given
    arguments = [argument for argument in given if argument != "--debug"]
    is_box = not arguments and COMPLETION_VARIABLE not in os.environ
    left = None
    if is_box:
        # imported objects are never garbage; `start.run_box_loop` calls gc.enable() again
        gc.disable()
        left = first.show_saved_screen()
    if is_box or arguments[:1] == ["page"]:  # block the import of OpenSSL, to save memory
        from companion.page import without_ssl  # noqa: PLC0415 - see above

        without_ssl.block_openssl_imports()
    from companion.core.errors import CompanionError  # noqa: PLC0415 - see above

    try:
        if not is_box:
            return _command(arguments, debug=debug)
        from companion.cmd import opening  # noqa: PLC0415 - see above

        opened = opening.open_box(left)
        from companion.cmd import start  # noqa: PLC0415 - after the first screen

        start.run_box(opened)
    except (CompanionError, OSError) as error:  # OSError includes HardwareError
        if debug:
            raise
        from companion.cmd import i18n  # noqa: PLC0415 - only after an error

        lines = i18n.localised_error_text(
            error
        ).splitlines()  # print one line for each mistake in a file
        sys.exit("\n".join(f"companion: {' '.join(line.split())}" for line in lines))
    return 0


def _command(arguments: list[str], *, debug: bool) -> int:
    match arguments:
        case ["--version"]:
            from companion.core.version import installed_version  # noqa: PLC0415 - see above

            print(f"companion, version {installed_version()}")
            return 0
        case ["page", *given]:  # run the web page without importing the box
            from companion.cmd.page import run_page_in_small_process  # noqa: PLC0415 - see above

            return run_page_in_small_process(given, debug=debug)
        case _:
            from companion.cmd.commands import run_companion_command  # noqa: PLC0415 - see above

            return run_companion_command(arguments, debug=debug)


def _open_what_is_closed() -> None:
    """Open closed standard streams on /dev/null.

    Otherwise, a file that is opened later could get the file descriptor of a closed standard
    stream, and receive the output that is meant for this stream.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            # os.open() returns the lowest free number, which is the number of the closed stream
            os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115, PTH123 - open until the process ends
