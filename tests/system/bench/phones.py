"""Measure the page for phones: its start, its memory, and its delay behind the display."""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Final

from companion.cmd.page import PAGE_NICE_VALUE
from tests.page.browsers import CHROMIUM, chromium, handheld
from tests.page.house import Box, Lines, Page, begin, companion
from tests.page.killing import kill
from tests.page.wire import HERE, asked, join
from tests.system.bench.alive import Alive, alive
from tests.system.bench.outside import status, switches
from tests.system.bench.row import ROOT, MissingTool, Row, has_proc, job_environment

NAMES: Final = ("Ann", "Bob", "Cid", "Dee")
QUIET_SECONDS: Final = 30.0
"""Seconds without actions: longer than the time between two heartbeats."""
KILL_COUNT: Final = 50
REQUESTS_PER_SECOND, SLOW_CONNECTIONS, FLOOD_SECONDS, FLOOD_TURNS = 2000, 500, 10.0, 3
"""A flood: requests a second, slow connections, seconds, and number of repetitions."""
WARM_UP_SECONDS: Final = 3.0
MAX_TIME_RATIO: Final = 1.1
PRESS_COUNT: Final = 60
MAX_SECONDS_BEHIND: Final = 0.05
# The page draws in an animation frame: a timeout that is set there runs after the paint.
PAINTED: Final = """() => {
  window.painted = [];
  new MutationObserver(() => setTimeout(() =>
    window.painted.push(performance.timeOrigin + performance.now())))
    .observe(document.getElementById('main'),
      { subtree: true, childList: true, characterData: true });
}"""


def waiting(folder: Path) -> Iterator[Row]:
    """Yield the time from a cold socket to the first byte, and the cost of idle phones."""
    has_proc()
    begin(folder / "games.db", "kojak", ",".join(NAMES))
    box = Box(folder / "games.db", folder / "door.sock")
    with closing(socket.create_server((HERE, 0))) as listening, _ending(box):
        box.go_on()
        _, page = _begun(folder, listening)  # compiles the modules
        _end(page)
        took, page = _begun(folder, listening)
        yield Row("Page: cold socket to first byte", f"{took:.2f} s")
        yield from _joined(listening.getsockname()[1], box, page.pid)
        _end(page)


def _begun(folder: Path, listening: socket.socket) -> tuple[float, subprocess.Popen[bytes]]:
    """Return the seconds until the first byte of a page with a waiting client."""
    with closing(asked(listening.getsockname()[1], "/")) as first:
        begun = time.perf_counter()
        page = _activated(folder, listening)
        first.recv(1)
        return time.perf_counter() - begun, page


def _joined(port: int, box: Box, page: int) -> Iterator[Row]:
    """Yield the time to join, and the wakeups and memory with joined phones."""
    box.open_phones()
    begun = time.perf_counter()
    cookies = [join(port, box, who) for who in NAMES]
    took = (time.perf_counter() - begun) / len(NAMES)
    yield Row("From the code to a joined seat, 1 press at the box", f"{took:.1f} s")
    box.close_phones()
    streams = [asked(port, "/events?seat=1", cookie) for cookie in cookies]
    for stream in streams:
        stream.recv(4096)
    time.sleep(2)
    before = [switches(pid) for pid in (page, box.process.pid)]
    time.sleep(QUIET_SECONDS)
    pairs = zip(before, (page, box.process.pid), strict=True)
    woken = [(switches(pid) - then) / QUIET_SECONDS for then, pid in pairs]
    memory = status(page, page, "VmRSS") / 1024
    for stream in streams:
        stream.close()
    name = f"{len(NAMES)} phones joined, nobody playing: wakeups a second"
    yield Row(f"{name}, page", f"{woken[0]:.2f}", "0.2", woken[0] <= 0.2)
    yield Row(f"{name}, box", f"{woken[1]:.2f}", "0", woken[1] == 0)
    yield Row("RSS of the page", f"{memory:.1f} MB", "30 MB", memory <= 30)


@contextmanager
def _ending(lines: Lines) -> Iterator[None]:
    try:
        yield
    finally:
        lines.end()


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    child.wait(10)


def _activated(folder: Path, listening: socket.socket) -> subprocess.Popen[bytes]:
    """Start the page as systemd does, with a socket that has a client."""
    os.set_inheritable(listening.fileno(), True)
    program = [*companion(), "page", f"--socket={folder / 'door.sock'}"]
    script = f'export LISTEN_FDS=1 LISTEN_PID=$$; exec "$@" 3<&{listening.fileno()}'
    return subprocess.Popen(
        ["/bin/sh", "-c", script, "sh", *program], cwd=ROOT, env=job_environment(folder),
        close_fds=False, stdout=subprocess.DEVNULL,
    )  # fmt: skip


def painted(folder: Path) -> Iterator[Row]:
    """Yield the times of a press's frame on the display and in a browser."""
    if CHROMIUM is None:
        raise MissingTool("Chromium", "chromium")
    random, epoch = Random(1), time.time() - time.perf_counter()
    frame, pixel, behind = list[float](), list[float](), list[float]()
    with chromium() as (browser, devices), alive(folder) as box, _page(box) as page:
        tab = browser.new_context(**handheld(devices, "Pixel 7")).new_page()
        tab.goto(page.url)
        tab.wait_for_timeout(1500)
        tab.evaluate(PAINTED)
        for _ in range(PRESS_COUNT):
            tab.evaluate("() => { window.painted = []; }")
            begun, shown = box.press_to_frame(random)
            tab.wait_for_timeout(350)
            last = tab.evaluate("() => window.painted")[-1] / 1000 - epoch
            frame.append(shown - begun)
            pixel.append(last - begun)
            behind.append(last - shown)
    yield Row("Press to frame at the box", _spread(frame))
    yield Row("Press to pixel in a browser", _spread(pixel))
    met = _late(behind) <= MAX_SECONDS_BEHIND
    yield Row("Pixel in a browser after the frame", _spread(behind), "50 ms", met)


@contextmanager
def _page(box: Alive) -> Iterator[Page]:
    page = Page(box.door)
    with _ending(page):
        yield page


def _spread(seconds: list[float]) -> str:
    return f"p50 {statistics.median(seconds) * 1000:.1f} ms, p95 {_late(seconds) * 1000:.1f} ms"


def _late(seconds: list[float]) -> float:
    """Return the 95th percentile."""
    return statistics.quantiles(seconds, n=20, method="inclusive")[-1]


def killed(folder: Path) -> Iterator[Row]:
    """Yield the result of a game in which the page is killed repeatedly."""
    with alive(folder) as box:
        kill(box, 20)  # allocates the memory that a game needs only once
        before = status(os.getpid(), os.getpid(), "VmRSS")
        found = kill(box, KILL_COUNT)
        grown = (status(os.getpid(), os.getpid(), "VmRSS") - before) / 1024
    whole = found.problem is None and found.buttons == KILL_COUNT
    figure = f"{found.phone} by phone, {found.buttons} by button"
    yield Row(f"Page killed {KILL_COUNT} times in a game: answers", figure, str(KILL_COUNT), whole)
    yield Row("Likewise: memory of the box", f"{grown:+.1f} MB", "1 MB", grown <= 1)


def flooded(folder: Path) -> Iterator[Row]:
    """Yield the time of a press with the page under a flood, and without, in turns."""
    random = Random(1)
    quiet, loud, came = list[float](), list[float](), Counter[str]()
    with alive(folder) as box, _page(box) as page:
        pressing(box, random, WARM_UP_SECONDS)
        for _ in range(FLOOD_TURNS):
            quiet += pressing(box, random, FLOOD_SECONDS / 2)
            with _flood(page.port, came):
                loud += pressing(box, random, FLOOD_SECONDS)
        before = status(os.getpid(), os.getpid(), "VmRSS")
        with _flood(page.port, Counter()):
            time.sleep(FLOOD_SECONDS)
        grown = (status(os.getpid(), os.getpid(), "VmRSS") - before) / 1024
    told = ", ".join(f"{n} {how}" for how, n in came.most_common())
    yield Row(
        f"Flood of {REQUESTS_PER_SECOND}/s and {SLOW_CONNECTIONS} slow connections",
        f"{came.total() / FLOOD_TURNS / FLOOD_SECONDS:.0f}/s",
    )
    yield Row("Likewise: answered", told)
    times = statistics.median(loud) / statistics.median(quiet)
    late = _late(loud) / _late(quiet)
    figure = f"p50 {times:.2f}, p95 {late:.2f}"
    yield Row("Press to frame under it: times without", figure, "1.1", times <= MAX_TIME_RATIO)
    name = "Another flood, nobody presses: memory of the box"
    yield Row(name, f"{grown:+.2f} MB", "0.1 MB", grown <= 0.1)


def thinking(folder: Path) -> Iterator[Row]:
    """Yield the time of a press while computer players think, and without, in turns."""
    random, quiet, loud = Random(1), list[float](), list[float]()
    with alive(folder) as box:
        pressing(box, random, WARM_UP_SECONDS)
        for _ in range(FLOOD_TURNS):
            quiet += pressing(box, random, FLOOD_SECONDS / 2)
            with _thought() as child:
                loud += pressing(box, random, FLOOD_SECONDS)
                memory = status(child.pid, child.pid, "VmRSS") / 1024
    times = statistics.median(loud) / statistics.median(quiet)
    figure = f"p50 {times:.2f}, p95 {_late(loud) / _late(quiet):.2f}"
    name = "Press to frame while a seat of the box's thinks: times without"
    yield Row(name, figure, "1.1", times <= MAX_TIME_RATIO)
    yield Row("RSS of what thinks", f"{memory:.1f} MB", "60 MB", memory <= 60)


@contextmanager
def _thought() -> Iterator[subprocess.Popen[bytes]]:
    """Let two computer players think in turn, with the priority of the box's computer players."""
    code = f"import os; os.nice({PAGE_NICE_VALUE}); from companion.cmd.cli import main; main()"
    seats = ("arena", "barney-miller", "--seats", "strong,strong", "--games", "100000")
    command = [sys.executable, "-c", code, *seats]
    with subprocess.Popen(command, cwd=ROOT) as child:
        yield child
        child.kill()


def pressing(box: Alive, random: Random, seconds: float) -> list[float]:
    """Press for some seconds; return the seconds of each press to its frame."""
    end, took = time.monotonic() + seconds, list[float]()
    while time.monotonic() < end:
        begun, shown = box.press_to_frame(random)
        took.append(shown - begun)
        time.sleep(0.03)
    return took


@contextmanager
def _flood(port: int, came: Counter[str]) -> Iterator[None]:
    """Flood the page during the block, and count the responses."""
    given = map(str, (port, REQUESTS_PER_SECOND, FLOOD_SECONDS, SLOW_CONNECTIONS))
    command = [sys.executable, "-m", "tests.system.bench.flood", *given]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        yield
        assert child.stdout is not None
        came.update(json.loads(child.stdout.read()))
