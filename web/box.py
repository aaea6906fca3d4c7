"""The box in a browser's worker: the loop and record of a Pi, with the page's ports.

The worker (`static/worker.js`) creates a `WebBox`, passes it the page's events, and calls `tick`
when `seconds_to_tick` is over. Nothing here waits: the page decides when time passes.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Final

from companion.box.loop import Loop
from companion.box.system import Machine
from companion.core.version import installed_version
from companion.figures import export, import_games, recorded
from companion.menus.commands import ResumeGame
from companion.play import begin
from companion.record.journal import Journal
from hardware.screens.browser import open_box
from web.record import FILE_COUNT, AlternatingFiles
from web.scenes import begin_scene

RECORD_FILE_NAME: Final = "games.db"
"""The record's name in the folder of the worker's own file system."""
RECORD_FOLDER: Final = "/record"
MIN_CLOCK_STEP_SECONDS: Final = 1e-6
"""Smallest step of a stepped clock (s), so that due actions are in the past."""
FIXED_TIME: Final = 1_767_225_600
"""The time of a repeatable box (s since 1970): the first of January 2026."""


def start_box(
    language: str, seed: str, scene: str, send: Any, kept: Any, *, stepped: bool = False
) -> WebBox:
    """Return the started box of a page.

    seed: hexadecimal digits make shuffles and rolls repeatable, with an empty record. scene: the
    name of a situation to begin in; "" for the first screen. send: a function that takes the list
    of messages. kept: has `read(n)` and `write(n, contents)` of two files; None if the browser has
    none. stepped: the clock advances only with the edges.
    """
    Path(RECORD_FOLDER).mkdir(exist_ok=True)
    store = None
    if kept is not None:
        files = AlternatingFiles(lambda n: bytes(kept.read(n).to_py()), kept.write)
        if files.data:
            restore_record(Path(RECORD_FOLDER), files.data)
        store = files.store
    if seed:
        vars(begin)["fresh_seed"] = repeatable_seeds(seed)  # the only box in this process
    wall = (lambda: FIXED_TIME) if seed else (lambda: int(time.time()))
    if stepped:
        return SteppedBox(RECORD_FOLDER, language, SteppedClock(), wall, send, store, scene)
    return WebBox(RECORD_FOLDER, language, time.monotonic, wall, send, store, scene)


def restore_record(folder: Path, image: bytes) -> None:
    """Write the record's file from its stored bytes, readable by its owner only."""
    file = folder / RECORD_FILE_NAME
    file.touch(0o600)
    file.write_bytes(image)


def repeatable_seeds(seed: str) -> Callable[[], str]:
    """Return a function that returns seeds for one game after another, derived from `seed`."""
    numbers = itertools.count()
    return lambda: hashlib.sha256(f"{seed} {next(numbers)}".encode()).hexdigest()


class WebBox:
    """A box that stores its record before it sends the messages about it.

    send: takes a list of messages, each with its `kind`.
    store: writes the bytes of the record; None if nothing can be stored.
    scene: the situation to begin in; "" for the first screen. Raise UnknownScene without one.
    """

    def __init__(
        self,
        folder: str,
        language: str,
        clock: Callable[[], float],
        wall: Callable[[], int],
        send: Callable[[list[dict[str, Any]]], None],
        store: Callable[[bytes], None] | None,
        scene: str = "",
    ) -> None:
        self._file, self._send, self._store = Path(folder) / RECORD_FILE_NAME, send, store
        self._out: list[dict[str, Any]] = []
        self._stored = -1
        self.journal = Journal(self._file, wall())
        self._ports = open_box(self._queue, clock)
        machine = Machine(clock=clock, wall=wall, language=language, examines=False)
        self.loop = Loop(self._ports.box, self.journal, machine)
        self._clock, self._wall = clock, wall
        number = begin_scene(self.journal, scene, wall()) if scene else None
        self.loop.start()
        if number is not None:
            self.loop.execute_commands(ResumeGame(number, recaps=False))
        self._store_and_send()

    def edge(self, button: str, down: bool) -> None:  # noqa: FBT001 - called from JavaScript
        """Press or release a button."""
        self._ports.buttons.edge(button, down=down)
        self._turn()

    def finish_item(self, number: int) -> None:
        """Start the next item after the page has played item `number`."""
        self._ports.speaker.finish_item(number)
        self._turn()

    def tick(self) -> None:
        """Do what is due now."""
        self.loop.tick(self._clock())
        self._turn()

    @property
    def seconds_to_tick(self) -> float | None:
        """Return the seconds until `tick` is due; None: nothing is due."""
        return self.loop.seconds_until_due

    def export_games(self) -> str:
        """Return all games as JSON Lines, as `companion export` writes them."""
        numbers = sorted(self.journal.games())
        games = (recorded.load_game(self.journal, number) for number in numbers)
        return "".join(
            f"{line}\n"
            for line in export.export_lines(games, len(numbers), installed_version(), whole=True)
        )

    def import_games(self, text: str) -> int:
        """Add the games of an export; return their number. Raise JournalError or ImportRefused."""
        with TemporaryDirectory() as folder:
            file = Path(folder) / "games.jsonl"
            file.write_text(text, "utf-8")
            taken = import_games.import_file(self.journal, file)
        if self.loop.session is None:
            self.loop.go_home()
        self._store_and_send()
        return taken.new

    def erase_games(self) -> None:
        """Delete all games and settings; the page is reloaded afterwards."""
        self.journal.close()
        for file in self._file.parent.iterdir():
            file.unlink()
        self.journal = Journal(self._file, self._wall())
        for _ in range(FILE_COUNT):  # the older file contains games too
            self._stored = -1
            self._store_and_send()

    def _queue(self, kind: str, /, **fields: Any) -> None:
        self._out.append({"kind": kind, **fields})

    def _turn(self) -> None:
        """Handle waiting events, store the changes, then show them."""
        self.loop.handle_waiting_events()
        self.loop.draw_postponed_frame()
        self._store_and_send()

    def _store_and_send(self) -> None:
        if self._store is not None and self.journal.change_count != self._stored:
            self._store(self.journal.sqlite_image())
            self._stored = self.journal.change_count
        out, self._out = self._out, []
        if out:
            self._send(out)


class SteppedClock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Return the seconds of the repeatable clock."""
        return self.now


class SteppedBox(WebBox):
    """A box whose clock advances only with its edges, so that equal presses have equal results.

    A button goes down `READING_SECONDS` seconds after the previous edge, and up `TAP_SECONDS`
    seconds later.
    """

    READING_SECONDS: ClassVar = 0.6
    TAP_SECONDS: ClassVar = 0.08

    def __init__(
        self,
        folder: str,
        language: str,
        clock: SteppedClock,
        wall: Callable[[], int],
        send: Callable[[list[dict[str, Any]]], None],
        store: Callable[[bytes], None] | None = None,
        scene: str = "",
    ) -> None:
        self._steps = clock
        super().__init__(folder, language, clock, wall, send, store, scene)

    def edge(self, button: str, down: bool) -> None:  # noqa: FBT001 - called from JavaScript
        """Advance the stepped clock to the edge, then handle the edge."""
        self.advance(self.READING_SECONDS if down else self.TAP_SECONDS)
        super().edge(button, down)

    def advance(self, seconds: float) -> None:
        """Let time pass, with due actions at their times."""
        end = self._steps.now + seconds
        while (due := self.loop.seconds_until_due) is not None and self._steps.now + due <= end:
            self._steps.now += max(due, MIN_CLOCK_STEP_SECONDS)
            self.tick()
        self._steps.now = max(end, self._steps.now)

    @property
    def seconds_to_tick(self) -> None:
        """Return None: time passes only with edges."""


def message_text(messages: list[dict[str, Any]]) -> str:
    """Return messages as JSON with hexadecimal frames, to compare two runs."""
    return json.dumps(messages, default=bytes.hex)
