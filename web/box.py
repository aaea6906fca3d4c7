"""The box in a browser's worker: the same loop and record as on a Pi, on the page's ports.

The worker (`static/worker.js`) makes a `WebBox`, hands it what the page reports, and calls `tick`
when `wait` is over. Nothing here waits: the page decides when time goes by.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from companion.box.loop import Loop
from companion.box.system import Machine
from companion.core.version import version
from companion.figures import export, intake, recorded
from companion.play import begin
from companion.record.journal import Journal
from hardware.screens.browser import open_box
from web.record import TwoFiles

if TYPE_CHECKING:
    from collections.abc import Callable

RECORD: Final = "games.db"
"""The record's name in the folder of the worker's own file system."""
FOLDER: Final = "/record"
EPOCH: Final = 1_767_225_600
"""The time of a repeatable box (s since 1970): the first of January 2026."""


def started(language: str, seed: str, send: Any, kept: Any) -> WebBox:
    """Return the box of a page, started.

    seed: hexadecimal digits make its shuffles and rolls repeatable, and its record empty.
    send: a function that takes the list of messages.
    kept: has `read(n)` and `write(n, contents)` of two files; None if the browser has none.
    """
    Path(FOLDER).mkdir(exist_ok=True)
    store = None
    if kept is not None:
        files = TwoFiles(lambda n: bytes(kept.read(n).to_py()), kept.write)
        if files.data:
            (Path(FOLDER) / RECORD).write_bytes(files.data)
        store = files.store
    if seed:
        vars(begin)["fresh_seed"] = repeatable(seed)  # the only box in this process
    wall = (lambda: EPOCH) if seed else (lambda: int(time.time()))
    return WebBox(FOLDER, language, time.monotonic, wall, send, store)


def repeatable(seed: str) -> Callable[[], str]:
    """Return what gives the seeds of one game after another, all derived from `seed`."""
    numbers = itertools.count()
    return lambda: hashlib.sha256(f"{seed} {next(numbers)}".encode()).hexdigest()


class WebBox:
    """A box whose messages go to `send` once what they tell of is stored.

    send: takes a list of messages, each with its `kind`.
    store: keeps the bytes of the record durably before it returns; None if nothing can be kept.
    """

    def __init__(
        self,
        folder: str,
        language: str,
        clock: Callable[[], float],
        wall: Callable[[], int],
        send: Callable[[list[dict[str, Any]]], None],
        store: Callable[[bytes], None] | None,
    ) -> None:
        self._file, self._send, self._store = Path(folder) / RECORD, send, store
        self._out: list[dict[str, Any]] = []
        self._stored = -1
        self.journal = Journal(self._file, wall())
        self._ports = open_box(self._queue, clock)
        machine = Machine(clock=clock, wall=wall, language=language)
        self.loop = Loop(self._ports.box, self.journal, machine)
        self._clock, self._wall = clock, wall
        self.loop.start()
        self._flush()

    def edge(self, button: str, down: bool) -> None:  # noqa: FBT001 - called from JavaScript
        """Press a button, or let it go."""
        self._ports.buttons.edge(button, down=down)
        self._turn()

    def ended(self, number: int) -> None:
        """Hear that the page has played item `number`."""
        self._ports.speaker.ended(number)
        self._turn()

    def tick(self) -> None:
        """Do what is due."""
        self.loop.tick(self._clock())
        self._turn()

    @property
    def wait(self) -> float | None:
        """Return the seconds until `tick` has something to do; None: nothing is due."""
        return self.loop.wait

    def export(self) -> str:
        """Return all games as JSON Lines, as `companion export` writes them."""
        numbers = sorted(self.journal.games())
        games = (recorded.of(self.journal, number) for number in numbers)
        return "".join(
            f"{line}\n" for line in export.lines(games, len(numbers), version(), whole=True)
        )

    def take_in(self, text: str) -> int:
        """Add the games of an export; return how many. Raise JournalError or NotTaken."""
        with TemporaryDirectory() as folder:
            file = Path(folder) / "games.jsonl"
            file.write_text(text, "utf-8")
            taken = intake.take_in(self.journal, file)
        self._flush()
        return taken.new

    def erase(self) -> None:
        """Forget all games and settings: the page is loaded anew after it."""
        self.journal.close()
        for file in self._file.parent.iterdir():
            file.unlink()
        self.journal, self._stored = Journal(self._file, self._wall()), -1
        self._flush()

    def _queue(self, kind: str, /, **fields: Any) -> None:
        self._out.append({"kind": kind, **fields})

    def _turn(self) -> None:
        """Take the events that wait, store what they changed, then show it."""
        while not self.loop.inbox.empty():
            self.loop.handle(self.loop.inbox.get())
        self.loop.catch_up()
        self._flush()

    def _flush(self) -> None:
        if self._store is not None and self.journal.changes != self._stored:
            self._store(self.journal.image())
            self._stored = self.journal.changes
        out, self._out = self._out, []
        if out:
            self._send(out)


def message_text(messages: list[dict[str, Any]]) -> str:
    """Return messages as JSON, frames as hexadecimal: what two runs are compared by."""
    return json.dumps(messages, default=bytes.hex)
