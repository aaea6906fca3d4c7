"""A box without display and its page, in two processes."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.typed import run_companion

TIMEOUT_SECONDS: Final = 60.0
"""Seconds to wait for a process before the test fails."""
SOON_SECONDS: Final = 10.0
"""Seconds after which a press counts as too early, and is repeated."""
MAX_ATTEMPTS: Final = 5
"""Maximum number of repetitions."""


def begin(journal: Path, game: str, players: str, **options: str) -> None:
    """Begin a game in a journal that a box will resume."""
    pairs = [f"--set={name}={value}" for name, value in options.items()]
    command = ("stdio", game, f"--players={players}", "--seed=ab", *pairs)
    run_companion(*command, f"--journal={journal}").check_returncode()


def companion() -> tuple[str, ...]:
    """Return the command line of the companion."""
    return sys.executable, "-c", "from companion.cmd.cli import main; main()"


class Lines:
    """A process whose output lines are read as they arrive."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*companion(), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1"},
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self._begun()
        except BaseException:
            self.end()
            raise

    def _begun(self) -> None:
        """Wait for the line that reports the start."""

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def line(self, patience: float = TIMEOUT_SECONDS) -> str:
        """Return the next line. Raise queue.Empty if none arrives in time."""
        return self._lines.get(timeout=patience)

    def end(self) -> None:
        """End the process and wait for its end."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.terminate()
        self.process.wait(TIMEOUT_SECONDS)
        self._reader.join(TIMEOUT_SECONDS)
        self.process.stdin.close()
        self.process.stdout.close()


class Box(Lines):
    """A box whose buttons are pressed by lines of input."""

    def __init__(self, journal: Path, door: Path) -> None:
        self._first = self._used = ""
        super().__init__("play", "--face=headless", f"--journal={journal}", f"--socket={door}")

    def _begun(self) -> None:
        self.until("ready")

    def until(self, kind: str, patience: float = TIMEOUT_SECONDS) -> dict[str, Any]:
        """Return the next line of a type. Raise queue.Empty if none arrives in time."""
        while (said := json.loads(self.line(patience)))["type"] != kind:
            pass
        return dict(said)

    def press(self, *buttons: str) -> None:
        assert self.process.stdin is not None
        for button in buttons:
            self.process.stdin.write(json.dumps({"press": button, "ms": 20}) + "\n")
            self.process.stdin.write(json.dumps({"wait": 400}) + "\n")
        self.process.stdin.flush()

    def open_phones(self) -> None:
        """Open the page with the phones' code.

        OK is ignored just after the menu has opened, so it is pressed again if necessary.
        """
        self.press("back")
        self.until("sound")
        self.press("up", "up", "up", "ok")
        for _ in range(MAX_ATTEMPTS):
            try:
                self._first = str(self.until("code", SOON_SECONDS)["code"])
            except queue.Empty:
                self.press("ok")
            else:
                return

    def code(self) -> str:
        """Return the valid code, which differs from the last one."""
        while (code := self._first or str(self.until("code")["code"])) == self._used:
            self._first = ""
        self._first, self._used = "", code
        return code

    def close_phones(self) -> None:
        self.press("back", "back")

    def go_on(self) -> None:
        """Resume the journal's game up to its question."""
        self.press("ok", "ok")
        self.until("said")


class Page(Lines):
    """The page of a box, at its own address."""

    def __init__(self, door: Path, port: int = 0) -> None:
        super().__init__("page", f"--socket={door}", f"--port={port}", "--host=127.0.0.1")

    def _begun(self) -> None:
        self.port = int(self.line().rstrip().rpartition(":")[2])
        self.url = f"http://127.0.0.1:{self.port}"


@contextmanager
def house(folder: Path, game: str, players: str, **options: str) -> Iterator[tuple[Box, Page]]:
    """Yield a box that plays a game, and its page."""
    begin(folder / "games.db", game, players, **options)
    box = Box(folder / "games.db", folder / "door.sock")
    try:
        box.go_on()
        page = Page(folder / "door.sock")
        try:
            yield box, page
        finally:
            page.end()
    finally:
        box.end()
