"""Frames for tests of the display's bus, and the minimum of bytes to change them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Final

from hypothesis import strategies as st

from companion.draw.canvas import Canvas
from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH

NOISE: Final = Random(1).randbytes(1024)


def texts(*lines: str) -> bytes:
    sheet = Canvas()
    for page, line in enumerate(lines):
        sheet.draw_text(page, 0, line)
    return sheet.frame


def edits() -> st.SearchStrategy[list[tuple[int, bytes]]]:
    """Return a strategy for edits: a place in a frame, and the bytes there."""
    return st.lists(
        st.tuples(st.integers(0, 1023), st.binary(min_size=1, max_size=200)), max_size=12
    )


def edited(frame: bytes, place: int, data: bytes) -> bytes:
    return (frame[:place] + data + frame[place + len(data) :])[:1024]


def least(old: bytes, new: bytes, message: int = 0) -> int:
    """Return the minimum of bytes over all ways to group changes into messages.

    Chips are addressed as in `hardware.display.oled_messages`. `message`: the overhead of a message
    (bytes).
    """
    differ = bytes(a ^ b for a, b in zip(old, new, strict=True))
    return sum(
        _page(differ[page * DISPLAY_WIDTH : (page + 1) * DISPLAY_WIDTH], message)
        for page in range(DISPLAY_PAGES)
        if any(differ[page * DISPLAY_WIDTH : (page + 1) * DISPLAY_WIDTH])
    )


def _page(differ: bytes, message: int) -> int:
    """Return the minimum for one page."""
    runs = [found.span() for found in re.finditer(rb"[^\0]+", differ)]
    best: list[dict[int | None, int]] = [{None: 0}, *({} for _ in runs)]
    for i, (begin, _) in enumerate(runs):
        for half, cost in best[i].items():
            commands = 1 + (half != begin >> 4) + (half is None)
            for j, (_, end) in enumerate(runs[i:], i + 1):
                total = cost + 2 + 2 * commands + end - begin + message
                best[j][begin >> 4] = min(total, best[j].get(begin >> 4, total))
    return min(best[-1].values())


def frame_from_rows(rows: Sequence[Sequence[object]]) -> bytes:
    """Return a frame from 64 rows of 128 pixels."""
    return bytes(
        sum(bool(rows[top + bit][column]) << bit for bit in range(8))
        for top in range(0, len(rows), 8)
        for column in range(DISPLAY_WIDTH)
    )
