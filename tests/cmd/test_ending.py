"""Tests of ended commands: the terminal is as before, with at most one more line."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Final

import pytest

from companion.cmd.cli import INTERRUPTED_EXIT_STATUS
from companion.record.journal import Journal
from tests.cmd.test_commands import Home
from tests.helpers import long_lane_params
from tests.typed import COMPANION_COMMAND, ROOT

pytestmark = pytest.mark.long  # starts processes and terminals

TERMINALS: Final = int(os.environ.get("TERMINALS", "1"))
"""Number of terminals closed in each way, all but the first after up to half a second."""
SMALL: Final = b"\x1b[?1049h"
"""The sequence that begins a full-screen program. With `l` instead of `h`, it ends it."""
CRASHES: Final = {
    "the box": "from companion.box.loop import Loop; Loop.start = crash",
    "the face": "from hardware.screens import terminal; terminal.TerminalBoxApp._look = crash",
    "the face at its start": "from hardware.screens.terminal import TerminalBoxApp as F\n"
    "F.on_ready = crash",
}
COMMANDS: Final = (
    ("games",),
    ("history",),
    ("stdio", "kojak"),
    ("doctor",),
)
STREAMS: Final = {"no input": (0,), "no output": (1,), "none": (0, 1, 2)}
INTERRUPT: Final = """
import os, signal, sys
class At:
    n = 0
    def find_spec(self, *_):
        At.n += 1
        if At.n == {n}:
            os.write(1, b"^C")
            signal.raise_signal(signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
from companion.cmd.cli import main
sys.meta_path.insert(0, At())
main()
"""
"""Sends Ctrl-C during the search for import `n`, because commands spend most time on imports."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


class Screen:
    """A terminal in which `companion play` runs. `said` is the whole output.

    Without `signals`, the terminal controls no process: keys and hang-up send no signals.
    """

    def __init__(
        self,
        home: Home,
        before: str = "",
        arguments: tuple[str, ...] = ("play",),
        *,
        signals: bool = True,
    ) -> None:
        self.leader, self.follower = pty.openpty()
        termios.tcsetwinsize(self.follower, (24, 80))
        self.before = termios.tcgetattr(self.follower)
        self.said = b""
        code = (
            f"import sys\ndef crash(*_): raise KeyError('nobody')\n{before}\n{COMPANION_COMMAND[2]}"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            stdin=self.follower, stdout=self.follower, stderr=self.follower,
            env={**home.env, "TERM": "xterm-256color"}, cwd=ROOT, start_new_session=True,
            preexec_fn=self._is_its_terminal if signals else None,  # noqa: PLW1509 - no threads yet
        )  # fmt: skip

    def _is_its_terminal(self) -> None:
        """Make Ctrl-C in the terminal a signal for the process, however the tests were started."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        fcntl.ioctl(self.follower, termios.TIOCSCTTY, 0)

    def read_until(self, sign: bytes | None) -> None:
        """Read until `sign`, or to the end of the process if `sign` is None."""
        while sign is None or sign not in self.said:
            there, _, _ = select.select([self.leader], [], [], 0.2)
            if there:
                self.said += os.read(self.leader, 1 << 16)
            elif self.process.poll() is not None:
                assert sign is None, self.said
                return

    def read_for(self, seconds: float) -> None:
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            if select.select([self.leader], [], [], left)[0]:
                self.said += os.read(self.leader, 1 << 16)

    def press_until_it_ends(self, key: bytes) -> None:
        """Press again and again: a signal just before the wait for input does not end the wait."""
        while self.process.poll() is None:
            os.write(self.leader, key)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(0.5)

    def go_away(self) -> None:
        os.close(self.leader)
        self.leader = os.open(os.devnull, os.O_RDONLY)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.leader)
        os.close(self.follower)

    @property
    def is_as_before(self) -> bool:
        given_back = self.said.rfind(SMALL) < self.said.rfind(SMALL[:-1] + b"l")
        cursor = self.said.rfind(b"\x1b[?25l") < self.said.rfind(b"\x1b[?25h")
        return given_back and cursor and termios.tcgetattr(self.follower) == self.before


@pytest.fixture
def screens() -> Iterator[list[Screen]]:
    opened: list[Screen] = []
    yield opened
    for screen in opened:
        screen.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, *long_lane_params([signal.SIGHUP])])
def test_a_signal_gives_the_terminal_back_as_it_was(
    home: Home, screens: list[Screen], number: signal.Signals
) -> None:
    screen = Screen(home)
    screens.append(screen)
    screen.read_until("▲".encode())
    screen.process.send_signal(number)
    screen.read_until(None)
    assert screen.process.returncode == 0
    assert screen.is_as_before
    assert b"Traceback" not in screen.said


@pytest.mark.parametrize("name", ["the box", *long_lane_params([*CRASHES][1:])])
def test_a_crash_gives_the_terminal_back_as_it_was(
    home: Home, screens: list[Screen], name: str
) -> None:
    screen = Screen(home, CRASHES[name])
    screens.append(screen)
    screen.read_until(None)
    assert screen.process.returncode == 1
    assert screen.is_as_before
    assert screen.said.count(b"companion: The terminal cannot show the box") == (name != "the box")


@pytest.mark.parametrize(
    ("signals", "again"),
    [(True, True), *long_lane_params([(True, False), (False, True), (False, False)])],
)
def test_a_terminal_that_is_gone_ends_the_evening(
    home: Home, screens: list[Screen], *, signals: bool, again: bool
) -> None:
    moments = Random(f"{signals} {again}")
    for number in range(TERMINALS):
        screen = Screen(home, signals=signals)
        screens.append(screen)
        screen.read_until("▲".encode())
        screen.read_for(number and moments.uniform(0, 0.5))
        screen.go_away()
        if again:
            screen.process.send_signal(signal.SIGHUP)
        assert screen.process.wait(timeout=60) == 0, f"terminal {number}"
        with closing(Journal(home.record)) as journal:
            assert journal.repair_result is None


def test_a_terminal_that_goes_on_without_having_been_stopped_ends_as_ever(
    home: Home, screens: list[Screen]
) -> None:
    screen = Screen(home)
    screens.append(screen)
    screen.read_until("▲".encode())
    screen.process.send_signal(signal.SIGCONT)  # the kernel sends SIGCONT too when a window closes
    screen.process.send_signal(signal.SIGTERM)
    screen.read_until(None)
    assert screen.process.returncode == 0
    assert screen.is_as_before


@pytest.mark.parametrize(("key", "status"), [(b"\x04", 0), (b"\x03", INTERRUPTED_EXIT_STATUS)])
def test_ctrl_d_and_ctrl_c_decline_what_is_offered(
    home: Home, screens: list[Screen], key: bytes, status: int
) -> None:
    screen = Screen(home, arguments=())
    screens.append(screen)
    screen.read_until(b"[Y/n]")
    screen.press_until_it_ends(key)
    screen.read_until(None)
    assert screen.process.returncode == status
    assert b"Traceback" not in screen.said


@pytest.mark.parametrize("streams", ["none", *long_lane_params(["no input", "no output"])])
@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda given: given[0])
def test_closed_streams_cost_no_traceback_and_at_most_a_line(
    home: Home, arguments: tuple[str, ...], streams: str
) -> None:
    closed = " ".join(f"{number}>&-" for number in STREAMS[streams])
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *COMPANION_COMMAND, *arguments],
        input="", capture_output=True, encoding="utf-8", env=home.env, cwd=ROOT, check=False,
    )  # fmt: skip
    assert done.stderr.count("\n") <= 1, done.stderr
    assert done.returncode in (0, 1)


@pytest.mark.parametrize("n", [1, 10, 100])
@pytest.mark.parametrize("arguments", [("games",), ("history",), ("doctor",), ()], ids=str)
def test_ctrl_c_at_any_moment_costs_no_traceback(
    home: Home, arguments: tuple[str, ...], n: int
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPT.format(n=n), *arguments],
        input="", capture_output=True, encoding="utf-8", env=home.env, cwd=ROOT, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 1 or not arguments
    assert (done.returncode == INTERRUPTED_EXIT_STATUS) == ("^C" in done.stdout)
