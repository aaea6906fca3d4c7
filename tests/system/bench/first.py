"""A child: `companion` from its start, on hardware that is pretended, until something is shown.

`left FILE` shows the screen that was left in a file, on a bus that takes all; `frame RECORD`
ends at the box's own first frame, `answered RECORD` at the one that answers a press. Each prints
its time (CLOCK_MONOTONIC); a third argument has it print instead what modules were loaded by then.
"""

import gc

gc.disable()  # as `companion.cmd.cli` does

import os
import sys
import time
from types import SimpleNamespace

from companion.cmd import first

JOB, PATH = sys.argv[1:3]


def end() -> None:
    """Print what was asked for, and end everything."""
    found = str(time.monotonic()) if len(sys.argv) == 3 else " ".join(sys.modules)
    os.write(1, found.encode())
    os._exit(0)


if JOB == "left":
    vars(first)["fcntl"] = SimpleNamespace(ioctl=lambda *_: None)  # any address answers
    first.send_saved_display_messages(first.read_checksummed_lines(PATH)[1:])
    end()

from pathlib import Path

from companion.cmd import opening, places
from companion.record.journal import Journal
from hardware.ports import OK, Box, Edge


class Nothing:
    """Buttons and a display in one."""

    def __init__(self) -> None:
        self.ends = JOB == "frame"

    def listen(self, put: object) -> None:
        """Hear nothing."""

    def set_brightness(self, percent: int) -> None:
        """As bright as ever."""

    def close(self, *, keep: bool = False) -> None:
        """Nothing to let go."""

    def show(self, frame: bytes) -> None:
        """End everything at the frame that is waited for."""
        if self.ends and any(frame):
            end()


record, nothing = Path(PATH), Nothing()
journal = Journal(record, places.wall_time())
box = opening.show_first_screen(Box(nothing, (nothing,), ()), journal)

from companion.cmd import start

opener = start.make_door_opener(record.with_name("door.sock"), record)
loop = start.make_box_loop(box, journal, None, None, opener, played=record)
loop.start()
nothing.ends = True
loop.handle_event(Edge(OK, True, time.monotonic() + 1))
loop.handle_event(Edge(OK, False, time.monotonic() + 1.1))
sys.exit("nothing was shown")
