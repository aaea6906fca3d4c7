"""The box in a web worker: the box's main loop and its record, connected to a web page.

The worker (`static/worker.js`) creates a `WebBox`, passes the page's events to the `WebBox`, and
calls `tick` after `seconds_to_tick` seconds. All functions of this module return at once.
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
from companion.door.peers import Event
from companion.figures import export, import_games, recorded
from companion.menus.commands import ResumeGame
from companion.play import begin
from companion.record.journal import Journal
from companion.remote.doorway import DoorServerAndCallbacks
from companion.remote.remote_clients import make_clients_opener
from hardware.screens.browser import open_browser_box
from web.door import ComputerPlayersDoor, make_web_page_door_parts
from web.record import FILE_COUNT, AlternatingFiles
from web.scenes import record_game_at_scene

RECORD_FILE_NAME: Final = "games.db"
"""Name of the file with the record of all games, in the worker's own file system."""
RECORD_FOLDER: Final = "/record"
MIN_CLOCK_STEP_SECONDS: Final = 1e-6
"""Smallest step (s) of a `SteppedClock` to the time at which an action is due.

A smaller step could end slightly before this time, because times are rounded.
"""
FIXED_TIME: Final = 1_767_225_600
"""Date that a box with repeatable games shows (seconds since 1970): 1 January 2026."""


def start_box(
    language: str, seed: str, scene: str, send: Any, kept: Any, *, stepped: bool = False
) -> WebBox:
    """Start the box of a web page, and return the box.

    - language: the language code.
    - seed: hexadecimal digits, which make shuffles and rolls repeatable; "" for random shuffles and
      rolls.
    - scene: the name of the scene with which the box begins; "" for the first screen.
    - send: a function that sends a list of messages to the page.
    - kept: an object whose methods `read(n)` and `write(n, contents)` access two files of the
      browser. If `kept` is None, the record is empty at the start and is not stored.
    - stepped: true if the clock advances only when a button goes down or up.
    """
    Path(RECORD_FOLDER).mkdir(exist_ok=True)
    store = None
    if kept is not None:
        files = AlternatingFiles(lambda n: bytes(kept.read(n).to_py()), kept.write)
        if files.data:
            restore_record(Path(RECORD_FOLDER), files.data)
        store = files.replace_older_file
    if seed:
        # changes the seeds of the whole process, which has only one box
        vars(begin)["fresh_seed"] = make_seed_source(seed)
    wall = (lambda: FIXED_TIME) if seed else (lambda: int(time.time()))
    if stepped:
        return SteppedBox(RECORD_FOLDER, language, SteppedClock(), wall, send, store, scene)
    return WebBox(RECORD_FOLDER, language, time.monotonic, wall, send, store, scene)


def restore_record(folder: Path, image: bytes) -> None:
    """Write the stored bytes `image` into the record's file in `folder`.

    Only the owner of the record's file can read this file.
    """
    file = folder / RECORD_FILE_NAME
    file.touch(0o600)
    file.write_bytes(image)


def make_seed_source(seed: str) -> Callable[[], str]:
    """Return a function that returns a new seed for each game.

    All seeds are computed from the hexadecimal digits `seed`.
    """
    numbers = itertools.count()
    return lambda: hashlib.sha256(f"{seed} {next(numbers)}".encode()).hexdigest()


class WebBox:
    """A box in a web page.

    The box stores each change in its record before the box sends messages about this change.

    - send: a function that sends a list of messages to the page; each message has a `kind`.
    - store: a function that stores the bytes of the record; None if the browser cannot store files.
    - scene: the name of the scene with which the box begins; "" for the first screen. Raise
      UnknownScene if the scene does not exist.
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
        self._ports = open_browser_box(self._queue, clock)
        machine = Machine(clock=clock, wall=wall, language=language, examines=False)
        self.loop = Loop(
            self._ports.box, self.journal, machine, connect=make_clients_opener(self._open_door)
        )
        self._clock, self._wall = clock, wall
        number = record_game_at_scene(self.journal, scene, wall()) if scene else None
        self.loop.start()
        if number is not None:
            self.loop.execute_commands(ResumeGame(number, recaps=False))
        self._store_and_send()

    def handle_button_edge(self, button: str, down: bool) -> None:  # noqa: FBT001 - called from JavaScript
        """Handle a button that went down or up."""
        self._ports.buttons.report_edge(button, down=down)
        self._turn()

    def handle_sound_end(self, number: int) -> None:
        """Handle the end of the sound or sentence `number`. The next queued item then starts."""
        self._ports.speaker.send_next_item_after_end(number)
        self._turn()

    def handle_computer_player_line(self, number: int, text: str) -> None:
        """Handle a protocol line that a computer player has sent on the connection `number`."""
        self._door.pass_line_to_box(number, text)
        self._turn()

    def handle_seat_worker_end(self, first: int) -> None:
        """Handle the end of a worker of computer players.

        `first`: the lowest number of the worker's connections to the box.
        """
        self._door.close_connections_of_worker(first)
        self._turn()

    def tick(self) -> None:
        """Do all work of the box that is due now, and send the resulting messages to the page."""
        self.loop.tick(self._clock())
        self._turn()

    @property
    def seconds_to_tick(self) -> float | None:
        """Return the seconds until `tick` must be called; None if no work is due."""
        return self.loop.seconds_until_due

    def export_games(self) -> str:
        """Return all games as JSON Lines, in the format of the command `companion export`."""
        numbers = sorted(self.journal.game_numbers())
        games = (recorded.load_recorded_game(self.journal, number) for number in numbers)
        return "".join(
            f"{line}\n"
            for line in export.export_lines(games, len(numbers), installed_version(), whole=True)
        )

    def import_games(self, text: str) -> int:
        """Add the games of an export to the record; return the number of new games.

        Raise JournalError if the record cannot be written, and ImportRefusedError if the export is
        not valid.
        """
        with TemporaryDirectory() as folder:
            file = Path(folder) / "games.jsonl"
            file.write_text(text, "utf-8")
            taken = import_games.import_games_from_file(self.journal, file)
        if self.loop.running_session is None:
            self.loop.show_first_screen()
        self._store_and_send()
        return taken.new

    def erase_games_and_settings(self) -> None:
        """Delete all games and settings. The page must be reloaded after this call."""
        self.journal.close()
        for file in self._file.parent.iterdir():
            file.unlink()
        self.journal = Journal(self._file, self._wall())
        for _ in range(FILE_COUNT):  # overwrite both files, because both contain erased games
            self._stored = -1
            self._store_and_send()

    def _open_door(self, put: Callable[[Event], None]) -> DoorServerAndCallbacks:
        self._door = ComputerPlayersDoor(put, self._queue)
        return make_web_page_door_parts(self._door)

    def _queue(self, kind: str, /, **fields: Any) -> None:
        self._out.append({"kind": kind, **fields})

    def _turn(self) -> None:
        """Handle all waiting events, store the changes, and then send the messages to the page."""
        self.loop.handle_waiting_events()
        self.loop.draw_postponed_frame()
        self._store_and_send()

    def _store_and_send(self) -> None:
        if self._store is not None and self.journal.changed_row_count != self._stored:
            self._store(self.journal.as_sqlite_bytes())
            self._stored = self.journal.changed_row_count
        out, self._out = self._out, []
        if out:
            self._send(out)


class SteppedClock:
    """A clock whose time advances only when the code sets `now`."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Return the time of this clock in seconds."""
        return self.now


class SteppedBox(WebBox):
    """A box whose clock advances only with button edges.

    The same presses therefore always give the same results.

    Each press happens `READING_SECONDS` seconds after the previous edge, and lasts `TAP_SECONDS`
    seconds.
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

    def handle_button_edge(self, button: str, down: bool) -> None:  # noqa: FBT001 - called from JavaScript
        """Advance the clock to the time of the edge, then handle the edge."""
        self.advance_clock(self.READING_SECONDS if down else self.TAP_SECONDS)
        super().handle_button_edge(button, down)

    def advance_clock(self, seconds: float) -> None:
        """Advance the clock by `seconds`, and do each action at the action's time."""
        end = self._steps.now + seconds
        while (due := self.loop.seconds_until_due) is not None and self._steps.now + due <= end:
            self._steps.now += max(due, MIN_CLOCK_STEP_SECONDS)
            self.tick()
        self._steps.now = max(end, self._steps.now)

    @property
    def seconds_to_tick(self) -> None:
        """Return None, because the clock of this box advances only with edges."""


def messages_as_json(messages: list[dict[str, Any]]) -> str:
    """Return `messages` as JSON text, so that a test can compare two runs of a box.

    Frames are written as hexadecimal digits.
    """
    return json.dumps(messages, default=bytes.hex)
