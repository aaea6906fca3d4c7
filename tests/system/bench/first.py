"""A child process: `companion` on simulated hardware, from the start to a frame.

`left FILE` shows the saved screen of a file on a bus that accepts everything. `frame RECORD` ends
at the box's own first frame, `answered RECORD` at the frame that answers a press. Each job prints
its time (CLOCK_MONOTONIC), or with a third argument the names of the loaded modules.
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
    """Print the time or the modules, and end the process."""
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
    """Simulated buttons and display."""

    def __init__(self) -> None:
        self.ends = JOB == "frame"

    def listen(self, put: object) -> None:
        """Ignore the listener."""

    def set_brightness(self, percent: int) -> None:
        """Ignore the brightness."""

    def close(self, *, keep: bool = False) -> None:
        """Do nothing."""

    def show(self, frame: bytes) -> None:
        """End the process if the job waits for this frame."""
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
