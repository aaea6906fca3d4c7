"""`python -m companion.cmd.stopped`: the box has given up, and its display says so until it ends.

systemd runs it when companion.service has failed too often in a row (companion-stopped.service).
"""

from __future__ import annotations

import signal
import sys
from contextlib import suppress

from companion.cmd import places
from companion.draw.canvas import Canvas
from companion.record.scan import settings
from companion.say.words import LANGUAGES, Words
from hardware import HardwareError


def frame(words: Words) -> bytes:
    """What has happened, what has not, and what to do."""
    canvas = Canvas()
    canvas.text(0, 0, words("box.title"))
    canvas.centre(1, words("box.stopped.title"), "medium")
    canvas.lines(3, words("box.stopped.text"), 2)
    canvas.lines(5, words("box.stopped.hint"), 3)
    return canvas.frame


def language() -> str:
    """What the box speaks, if its settings can be read; the machine's language otherwise.

    The record is left as it is, whatever is wrong with it: that may be why the box has stopped.
    """
    with suppress(OSError):
        found = {entry.question: entry.value for entry in settings(places.record())}
        if found.get("language") in LANGUAGES:
            return str(found["language"])
    return places.language()


def main() -> None:
    """Show it until SIGTERM. The exit status is 1 if there is no display to show it on."""
    from hardware import pi  # noqa: PLC0415 - only here

    try:
        box = pi.open_box(folder=places.config_folder())
    except HardwareError as error:
        from companion.cmd.tongue import wrong  # noqa: PLC0415 - only here

        sys.exit(f"companion: {wrong(error)}")
    try:
        for display in box.displays:
            display.show(frame(Words(language())))
        signal.sigwait({signal.SIGTERM, signal.SIGINT})
    finally:
        box.close()


if __name__ == "__main__":
    main()
