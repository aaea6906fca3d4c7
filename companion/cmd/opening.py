"""Open hardware and record, and show the first screen before the rest is imported.

Only what that screen needs is imported here, so that it appears in half the time.
"""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from companion.box import first_screen
from companion.box.events import HardwareTrouble
from companion.catalog import registry
from companion.cmd import places, preset
from companion.record.journal import Journal
from hardware.pins import pi
from hardware.ports import Box, HardwareError, ShownScreen

if TYPE_CHECKING:
    from companion.box.events import Inbox


class OpenedBox(NamedTuple):
    """The hardware, the record, and the events that the hardware has reported already."""

    box: Box
    journal: Journal
    inbox: Inbox


def open_box(left: ShownScreen | None = None) -> OpenedBox | HardwareError:
    """Return the opened box after showing its first screen, or the error of missing hardware.

    `left` is the screen on the display already (`first.show_saved_screen`). Raise JournalError.
    """
    inbox: Inbox = SimpleQueue()
    try:
        box = open_hardware(inbox, places.first_screen_file(), left)
    except HardwareError as error:
        return error
    journal = Journal(places.record_file(), places.wall_time(), partial(_tell_of_repair, box))
    preset.apply_preset(journal)
    return OpenedBox(show_first_screen(box, journal), journal, inbox)


def _tell_of_repair(box: Box, percent: int) -> None:
    """Show how far a damaged record is repaired."""
    from companion.cmd import recovery  # noqa: PLC0415 - few records are damaged

    recovery.progress_on_displays(box.displays)(percent)


def open_hardware(inbox: Inbox, first: Path | None, left: ShownScreen | None = None) -> Box:
    """Return a Pi's box as the user's board describes it.

    A failing display is reported in the inbox.

    `first` is the file in which the next start's first screen is saved, or None. Raise
    HardwareError.
    """

    def report(error: HardwareError) -> None:
        inbox.put(HardwareTrouble(error))

    return pi.open_box(report, places.config_folder(), first, left)


def show_first_screen(box: Box, journal: Journal) -> Box:
    """Show the box's first screen, unless the saved screen that is shown asks the same question.

    Presses that were made before it appeared count for it. Earlier reports wait for the loop.
    """
    registry.set_cache_file(places.package_file())
    drawn = first_screen.saved_or_first_frame(
        journal,
        language=places.system_language(),
        now=places.wall_time(),
        hour=places.local_hour(),
        rows=box.seats > 0,
    )
    if drawn is None:
        return box
    frame, asks = drawn
    if box.shown_screen is not None and box.shown_screen[0] == asks:
        return box
    for display in box.displays:
        with suppress(HardwareError):  # the loop's first frame tries again, and reports the error
            display.show(frame)
    return (
        box
        if box.shown_screen is None
        else box._replace(shown_screen=(asks, time.monotonic(), box.shown_screen[2]))
    )
