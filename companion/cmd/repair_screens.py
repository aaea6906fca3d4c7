"""Screens for a box that cannot play: the repair of a record, and the notice of a stopped service.

The box shows its first frame only after the record is repaired. During a repair the service must
send messages to systemd, because systemd ends a silent service. After companion.service has failed
too often in a row, systemd runs `python -m companion.cmd.repair_screens`
(companion-stopped.service). The process `companion.cmd.repair_screens` shows the notice until a
signal ends the process.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.box import system
from companion.cmd import places, preset
from companion.cmd.i18n import localised_error_text
from companion.draw import box_frames
from companion.draw.canvas import Canvas
from companion.record.journal import Journal
from companion.record.scan import scan_file_for_settings
from companion.say.words import LANGUAGES, Words
from hardware.pins import pi
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from hardware.ports import Display


SERVICE_MESSAGE_TIMEOUT_SECONDS: Final = 120
"""Seconds that systemd waits for the next message of the service."""


def open_or_repair_record(displays: tuple[Display, ...] = (), path: Path | None = None) -> Journal:
    """Return the record of this box, or the record at `path`.

    If the record of this box is new, the settings in `settings.toml` are written into the record. A
    repair is shown on the displays, or in the terminal if `displays` is empty. Raise JournalError
    if the record cannot be opened.
    """
    tell = repair_reporter_for_displays(displays) if displays else repair_reporter_for_terminal()
    journal = Journal(
        path or places.record_file(), places.wall_time(), tell, named=path is not None
    )
    if path is None:
        preset.apply_settings_to_new_record(journal)
    return journal


def repair_reporter_for_displays(displays: tuple[Display, ...]) -> Callable[[int], None]:
    """Return a function that shows the percentage of a repair, and notifies systemd's watchdog."""
    words = Words(places.system_language())

    def tell(percent: int) -> None:
        patience = f"EXTEND_TIMEOUT_USEC={SERVICE_MESSAGE_TIMEOUT_SECONDS * 1_000_000}"
        system.notify_systemd(f"{patience}\nWATCHDOG=1\nSTATUS=Repairing the record: {percent} %")
        for display in displays:
            with suppress(HardwareError):  # the event loop reports a broken display
                display.show(box_frames.repair_progress_frame(percent, words))

    return tell


def repair_reporter_for_terminal() -> Callable[[int], None]:
    """Return a function that reports the repair of a record on standard error.

    The returned function prints the percentage only if standard error is a terminal.
    """
    words, printed = Words(places.system_language()), set[int]()

    def tell(percent: int) -> None:
        if not printed:
            sys.stderr.write(f"companion: {words('box.mending.text').replace('|', ' ')}\n")
        if percent not in printed and sys.stderr.isatty():
            sys.stderr.write(f"\r{words('box.mending.percent', percent=percent)} ")
            sys.stderr.flush()
        printed.add(percent)

    return tell


def make_box_stopped_frame(words: Words) -> bytes:
    """Return the frame that explains why the box has stopped, and how to start the box again."""
    canvas = Canvas()
    canvas.draw_text(0, 0, words("box.title"))
    canvas.draw_centred_text(1, words("box.stopped.title"), "medium")
    canvas.draw_wrapped_text(3, words("box.stopped.text"), 2)
    canvas.draw_wrapped_text(5, words("box.stopped.hint"), 3)
    return canvas.frame


def box_language() -> str:
    """Return the language in the box's settings, else the machine's language.

    The function neither repairs nor changes the record, because a damaged record can be the reason
    why the box has stopped.
    """
    with suppress(OSError):
        stored = {
            entry.question: entry.value for entry in scan_file_for_settings(places.record_file())
        }
        if stored.get("language") in LANGUAGES:
            return str(stored["language"])
    return places.system_language()


def main() -> None:
    """Show the notice that the box has stopped, until the process receives SIGTERM or SIGINT.

    The exit status is 1 if there is no display.
    """

    def report(error: HardwareError) -> None:
        sys.stderr.write(f"companion: {localised_error_text(error)}\n")

    try:
        box = pi.open_box_on_pins(report, places.config_folder())
    except HardwareError as error:
        sys.exit(f"companion: {localised_error_text(error)}")
    try:
        for display in box.displays:
            display.show(make_box_stopped_frame(Words(box_language())))
        signal.sigwait({signal.SIGTERM, signal.SIGINT})
    finally:
        box.close()


if __name__ == "__main__":
    main()
