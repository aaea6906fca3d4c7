"""`companion`: without arguments it is the box itself; every other call goes to `commands`.

The box must show its first frame soon: before it (`first`) nothing is imported, for `typing` alone
takes as long as a bare Python; behind it the box is, as any program.
Nor is anything imported before `main`, so that Ctrl-C ends that, too, without a traceback.
"""

from __future__ import annotations

import gc
import os
import sys

from companion.cmd import first

INTERRUPTED = 130
"""The exit status after Ctrl-C, as a shell says it."""
COMPLETING = "_COMPANION_COMPLETE"
"""In the environment while a shell asks click what may come next, or for its script."""


def main() -> None:
    """The command. A person sees one line and what to do; `--debug` shows the traceback."""
    status = INTERRUPTED
    try:
        _open_what_is_closed()
        status = _do(sys.argv[1:])
    except KeyboardInterrupt:  # the record is whole, and closed
        pass
    finally:
        import signal  # noqa: PLC0415 - see above

        signal.signal(signal.SIGINT, signal.SIG_DFL)  # from here on Python only cleans up
    sys.exit(status)


def _do(given: list[str]) -> int:
    """Do what the arguments say; the exit status."""
    debug = "--debug" in given
    arguments = [argument for argument in given if argument != "--debug"]
    is_box = not arguments and COMPLETING not in os.environ
    left = None
    if is_box:
        gc.disable()  # of what is imported nothing is garbage; `start.serve` ends that
        left = first.show()
    if is_box or arguments[:1] == ["page"]:  # neither encrypts anything
        from companion.page import lean  # noqa: PLC0415 - see above

        lean.keep_openssl_out()
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

        sys.exit(f"companion: {' '.join(i18n.error_text(error).split())}")
    return 0


def _command(arguments: list[str], *, debug: bool) -> int:
    """Do a command; its exit status. click is as slow as the first frame, and not always needed."""
    match arguments:
        case ["--version"]:
            from companion.core.version import version  # noqa: PLC0415 - only here

            print(f"companion, version {version()}")
            return 0
        case ["page", *given]:  # it carries no box
            from companion.cmd.page import run_alone  # noqa: PLC0415 - likewise

            return run_alone(given, debug=debug)
        case _:
            from companion.cmd.commands import run  # noqa: PLC0415 - likewise

            return run(arguments, debug=debug)


def _open_what_is_closed() -> None:
    """Give a closed standard stream to nobody: no file of ours may get its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115, PTH123 - as long as the process
