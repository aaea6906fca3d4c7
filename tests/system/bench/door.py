"""Measure the cost of a press while programs watch, and of watchers without presses."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, thread_time
from typing import Final

from companion.cmd.start import make_door_opener
from tests.system.bench.box import Table
from tests.system.bench.row import Row, has_proc

WATCHERS: Final = 8
WATCHING: Final = {
    f"{WATCHERS} watchers": (b'{"watch": true}\n',) * WATCHERS,
    f"{WATCHERS} watchers in two languages": (
        b'{"watch": true, "lang": "en"}\n',
        b'{"watch": true, "lang": "fr"}\n',
    )
    * (WATCHERS // 2),
}
"""The first lines of the watching programs."""
PRESSES: Final = 300
MAX_RATIO: Final = 1.1
"""Maximum ratio of the time from press to frame with watchers to the time without."""
READ_SECONDS: Final = 0.01
"""Time (s) in which all watchers read their lines; no thumb is faster."""
QUIET_SECONDS: Final = 3.0
"""Duration (s) of the measurement without presses."""


class Watched(Table):
    """A table with watching programs; each program sends one line of `watchers`."""

    def __init__(self, path: Path, watchers: tuple[bytes, ...], stack: ExitStack) -> None:
        super().__init__(path / "games.db", door=make_door_opener(path / "s"))
        stack.callback(self.loop.close)
        for line in watchers:
            wire = stack.enter_context(socket.socket(socket.AF_UNIX))
            wire.connect(str(path / "s"))
            wire.sendall(line)
            threading.Thread(target=_read, args=(wire,), daemon=True).start()
            for _ in range(2):  # the program connects, then watches
                self.loop.handle_event(self.loop.inbox.get(timeout=10))

    def cost(self, random: Random) -> tuple[float, float, float]:
        """Return the seconds of an answer: to its frame, to its end, and of this thread alone."""
        edge = self.aim(random)
        self.screen.clear()
        begun, worked = perf_counter(), thread_time()
        self.loop.handle_event(edge)
        took = self.screen.when - begun, perf_counter() - begun, thread_time() - worked
        threading.Event().wait(READ_SECONDS)  # the watchers must not delay the next table's press
        return took


def _read(wire: socket.socket) -> None:
    try:
        while wire.recv(1 << 16):
            pass
    except OSError:  # the measurement has ended
        return


def watched(folder: Path) -> Iterator[Row]:
    """Yield the time of a press with 8 watchers and without watchers, in turns."""
    has_proc()
    with ExitStack() as stack:
        tables = []
        for n, lines in enumerate(((), *WATCHING.values())):
            own = folder / str(n)
            own.mkdir()
            tables.append(Watched(own, lines, stack))
        randoms = [Random(1) for _ in tables]
        costs = [
            [table.cost(random) for table, random in zip(tables, randoms, strict=True)]
            for _ in range(PRESSES)
        ]
        none, *others = (
            [median(cost[table][n] for cost in costs) for n in range(3)]
            for table in range(len(tables))
        )
        for name, took in zip(WATCHING, others, strict=True):
            first, whole, worked = (some / no for some, no in zip(took, none, strict=True))
            met = first <= MAX_RATIO
            yield Row(f"Press to frame, {name}: times none", f"{first:.2f}", f"{MAX_RATIO}", met)
            yield Row(f"All of a press, {name}: times none", f"{whole:.2f}")
            yield Row("Likewise, in the thread that decides", f"{worked:.2f}")
        woken = _woken(QUIET_SECONDS)
        met = woken == 0
        yield Row(f"Idle, {2 * WATCHERS} watchers: wakeups of the doors", str(woken), "0", met)


def _woken(seconds: float) -> int:
    """Return how often the door's threads wake up in some seconds."""
    before = _switches()
    threading.Event().wait(seconds)
    return _switches() - before


def _switches() -> int:
    found = 0
    for thread in threading.enumerate():
        if thread.name.startswith("door"):
            status = Path(f"/proc/self/task/{thread.native_id}/status").read_text("ascii")
            lines = (line.split() for line in status.splitlines() if "ctxt_switches" in line)
            found += sum(int(n) for _, n in lines)
    return found
