"""Recording of button edges by the kernel, before the box listens to its buttons.

`companion/cmd/first.py` sends the kernel a request to record edges. An earlier run of the box
has prepared this request with `make_edge_recording_request`. The file linux/gpio.h defines the
structures (version 2 of the interface).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from hardware.wiring import Board

_REQUEST: Final = struct.Struct("=64I32sQI20xIIQQ216xII20xi")
"""Format of the structure gpio_v2_line_request.

The first fields are the GPIO lines, the consumer's name, the flags, and the number of attributes.
The next field is the first attribute (kind, value, lines). The last fields are the number of GPIO
lines, the number of stored edges, and the file descriptor.
"""
_EVENT: Final = struct.Struct("=QII32x")
"""Format of the structure gpio_v2_line_event: time (ns, monotonic clock), edge, GPIO line."""
_FLAGS: Final = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5 | 1 << 8
"""Flags of the requested GPIO lines: active low, input, rising edges, falling edges, pull-up."""
_DEBOUNCE, _ACTIVE = 3, 1
_KEPT: Final = 64
"""Number of edges that the kernel stores for each line, as in `gpiozero_gpiod.MAX_STORED_EDGES`."""


def make_edge_recording_request(board: Board, debounce: float) -> bytes:
    """Return the bytes of the kernel request that records the edges of a board's buttons.

    `debounce`: the debounce time in seconds.
    """
    pins = sorted({pin for pins in board.buttons.values() for pin in pins})
    lines = *pins, *(0,) * (64 - len(pins))
    for_all = (1 << len(pins)) - 1
    debounced = _DEBOUNCE, 0, int(debounce * 1e6), for_all
    return _REQUEST.pack(
        *lines, b"companion", _FLAGS, 1, *debounced, len(pins), _KEPT * len(pins), 0
    )


def read_recorded_edges(file: int) -> Iterator[tuple[int, bool, float]]:
    """Yield the edges that the kernel recorded, oldest first.

    An edge is a tuple: GPIO line, True for a press or False for a release, monotonic time (s).
    After the last edge, close the file descriptor `file`, which releases the GPIO lines. Raise
    OSError if `file` cannot be read.
    """
    os.set_blocking(file, False)
    try:
        with suppress(BlockingIOError):
            while events := os.read(file, _EVENT.size * _KEPT):
                for nanoseconds, edge_kind, line in _EVENT.iter_unpack(events):
                    yield line, edge_kind == _ACTIVE, nanoseconds / 1e9
    finally:
        os.close(file)
