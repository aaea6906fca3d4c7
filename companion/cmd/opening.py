"""Functions that open the hardware and the record, and show the first screen.

This module imports only the modules that the first screen needs. Other modules are imported after
the screen is shown, so that the screen appears in half the time.
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
    """The opened hardware, the opened record, and the events that the hardware has reported."""

    box: Box
    journal: Journal
    inbox: Inbox


def open_box(left: ShownScreen | None = None) -> OpenedBox | HardwareError:
    """Open the hardware and the record, and show the first screen.

    If hardware is missing, return the error instead of the opened box. Raise JournalError if the
    record cannot be opened.

    `left`: the saved screen that is already on the display (`first.show_saved_screen`), or None.
    """
    inbox: Inbox = SimpleQueue()
    try:
        box = open_hardware(inbox, places.saved_first_screen_file(), left)
    except HardwareError as error:
        return error
    journal = Journal(places.record_file(), places.wall_time(), partial(_tell_of_repair, box))
    preset.apply_settings_to_new_record(journal)
    return OpenedBox(show_first_screen(box, journal), journal, inbox)


def _tell_of_repair(box: Box, percent: int) -> None:
    from companion.cmd import repair_screens  # noqa: PLC0415 - few records are damaged

    repair_screens.repair_reporter_for_displays(box.displays)(percent)


def open_hardware(inbox: Inbox, first: Path | None, left: ShownScreen | None = None) -> Box:
    """Return the box of a Raspberry Pi, wired as in the user's board file.

    - `first`: the file in which the next start's first screen is saved, or None.
    - `left`: the saved screen that is already on the display, or None.

    The inbox receives the errors of a display that fails later. Raise HardwareError if hardware is
    missing.
    """

    def report(error: HardwareError) -> None:
        inbox.put(HardwareTrouble(error))

    return pi.open_box_on_pins(report, places.config_folder(), first, left)


def show_first_screen(box: Box, journal: Journal) -> Box:
    """Show the first screen, unless the saved screen on the display asks the same question.

    Return the box. If this screen replaced a saved screen, the returned box contains the question
    and the time of the new screen. The event loop ignores button presses from before the first
    screen appeared.
    """
    registry.set_packaged_games_cache_file(places.packaged_games_cache_file())
    drawn = first_screen.first_frame_and_question_id(
        journal,
        language=places.system_language(),
        now=places.wall_time(),
        hour=places.current_local_hour(),
        rows=box.seats > 0,
    )
    if drawn is None:
        return box
    frame, asks = drawn
    if box.shown_screen is not None and box.shown_screen[0] == asks:
        return box
    for display in box.displays:
        # ignore a broken display here: the event loop reports the fault
        with suppress(HardwareError):
            display.show(frame)
    return (
        box
        if box.shown_screen is None
        else box._replace(shown_screen=(asks, time.monotonic(), box.shown_screen[2]))
    )
