"""The page for phones: how soon it is there, how large, and how far behind the box's display."""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import threading
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final

from tests.bench.outside import status, switches
from tests.bench.row import ROOT, MissingTool, Row, environment, proc
from tests.page.browsers import CHROMIUM, chromium, phones
from tests.page.house import companion, house

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STREAMS: Final = 4
PRESSES: Final = 20
PAINTED: Final = """() => {
  window.painted = [];
  new MutationObserver(() => requestAnimationFrame(() => setTimeout(() =>
    window.painted.push(performance.timeOrigin + performance.now()))))
    .observe(document.getElementById('main'),
      { subtree: true, childList: true, characterData: true });
}"""


def waiting(folder: Path) -> Iterator[Row]:
    """From a cold socket to the first byte; then four phones that only wait."""
    proc()
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        port = listening.getsockname()[1]
        with closing(_ask(port, "/")) as page:
            begun = time.perf_counter()
            child = _activated(folder, listening)
            page.recv(1)
            took = time.perf_counter() - begun
        yield Row("Page: cold socket to first byte", f"{took:.2f} s")
        streams = [_ask(port, "/events") for _ in range(STREAMS)]
        for stream in streams:
            stream.recv(4096)
        time.sleep(1)
        before = switches(child.pid)
        time.sleep(10)
        wakeups = (switches(child.pid) - before) / 10
        memory = status(child.pid, child.pid, "VmRSS") / 1024
        for stream in streams:
            stream.close()
        child.terminate()
        child.wait(10)
    name = f"Page with {STREAMS} phones, nobody playing: wakeups a second"
    yield Row(name, f"{wakeups:.1f}", "0.2", wakeups <= 0.2)
    yield Row("RSS of the page", f"{memory:.1f} MB", "30 MB", memory <= 30)


def _activated(folder: Path, listening: socket.socket) -> subprocess.Popen[bytes]:
    """The page as systemd starts it: with a socket that somebody has come to."""
    os.set_inheritable(listening.fileno(), True)
    program = [*companion(), "page", f"--socket={folder / 'door.sock'}"]
    script = f'export LISTEN_FDS=1 LISTEN_PID=$$; exec "$@" 3<&{listening.fileno()}'
    return subprocess.Popen(
        ["/bin/sh", "-c", script, "sh", *program], cwd=ROOT, env=environment(folder),
        close_fds=False, stdout=subprocess.DEVNULL,
    )  # fmt: skip


def _ask(port: int, path: str) -> socket.socket:
    asking = socket.create_connection(("127.0.0.1", port))
    asking.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    return asking


def painted(folder: Path) -> Iterator[Row]:
    """A press at the box: how long after the box's frame it is painted in a browser."""
    if CHROMIUM is None:
        raise MissingTool("Chromium", "chromium")
    with chromium() as (browser, devices), house(folder, "kojak", "Ann,Bob") as (box, page):
        tab = phones(browser, devices, page, box, ("Ann",))["Ann"].tab
        tab.evaluate(PAINTED)
        behind = []
        with _frames(folder / "door.sock") as shown:
            for _ in range(PRESSES):
                shown.clear()
                tab.evaluate("() => { window.painted = []; }")
                box.press("ok")
                tab.wait_for_timeout(700)
                found = tab.evaluate("() => window.painted")
                if shown and found:
                    behind.append(found[0] - shown[0])
    behind.sort()
    middle, late = statistics.median(behind), behind[int(len(behind) * 0.95) - 1]
    figure = f"p50 {middle:.0f} ms, p95 {late:.0f} ms"
    yield Row("Press: painted in a browser after the box's frame", figure, "50 ms", late <= 50)


@contextmanager
def _frames(door: Path) -> Iterator[list[float]]:
    """When the box has shown a frame, in thousandths of a second since 1970."""
    shown: list[float] = []
    with socket.socket(socket.AF_UNIX) as watching:
        watching.connect(str(door))
        file = watching.makefile("rw")
        file.write('{"watch": true, "frames": true}\n')
        file.flush()

        def read() -> None:
            frames = (line for line in file if json.loads(line)["type"] == "frame")
            shown.extend(time.time() * 1000 for _ in frames)

        threading.Thread(target=read, daemon=True).start()
        yield shown
        watching.shutdown(socket.SHUT_RDWR)
