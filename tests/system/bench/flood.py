"""Attack a page of this machine: `python -m tests.system.bench.flood PORT RATE SECONDS SLOW`.

RATE: requests a second. SLOW: connections that never complete a request. The program prints the
number of responses with each status as JSON.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections import Counter
from contextlib import ExitStack, suppress
from typing import Final

HERE: Final = "127.0.0.1"
MAX_CONNECTIONS_AT_ONCE: Final = 40
"""Connections for the requests."""
MAX_SECONDS: Final = 60.0


def flood(port: int, rate: int, seconds: float, slow: int) -> Counter[str]:
    """Send requests at a rate beside slow connections; return the count of each status."""
    request = f"GET /rules HTTP/1.1\r\nHost: {HERE}:{port}\r\n\r\n".encode()
    with ExitStack() as stack:
        wires = [_open(port) for _ in range(MAX_CONNECTIONS_AT_ONCE)]
        for n in range(slow):  # one address for each 100 connections
            stack.enter_context(_slow(port, f"127.0.1.{1 + n // 100}"))
        asked, begun = 0, time.monotonic()
        found: Counter[str] = Counter()
        while (gone := time.monotonic() - begun) < min(seconds, MAX_SECONDS):
            due = min(int(gone * rate) - asked, MAX_CONNECTIONS_AT_ONCE)
            for at in range(due):
                with suppress(OSError):  # counted below
                    wires[at].sendall(request)
            for at in range(due):
                try:
                    found[_answered(wires[at])] += 1
                except OSError:
                    found["closed"] += 1
                    wires[at].close()
                    wires[at] = _open(port)
            asked += max(0, due)
            if due <= 0:
                time.sleep(0.001)
        for wire in wires:
            wire.close()
        return found


def _open(port: int) -> socket.socket:
    return socket.create_connection((HERE, port), timeout=10)


def _slow(port: int, address: str) -> socket.socket:
    wire = socket.create_connection((HERE, port), timeout=10, source_address=(address, 0))
    with suppress(OSError):
        wire.sendall(b"GET / HTTP/1.1\r\nHost:")
    return wire


def _answered(wire: socket.socket) -> str:
    """Read a response; return its status."""
    head = b""
    while b"\r\n\r\n" not in head:
        head += _some(wire)
    top, _, body = head.partition(b"\r\n\r\n")
    lines = dict(line.lower().split(b": ", 1) for line in top.split(b"\r\n")[1:])
    left = int(lines[b"content-length"]) - len(body)
    while left > 0:
        left -= len(_some(wire))
    return top.split()[1].decode()


def _some(wire: socket.socket) -> bytes:
    data = wire.recv(65536)
    if not data:
        raise ConnectionResetError
    return data


if __name__ == "__main__":
    os.nice(19)  # simulates other machines, so it takes no processor time from the box
    port, rate, seconds, slow = sys.argv[1:]
    sys.stdout.write(json.dumps(flood(int(port), int(rate), float(seconds), int(slow))))
