"""Compute the messages that change a display from one frame to another. Pure.

`frame_differences` finds the differences for any display. `change_messages` makes messages for
OLEDs: SSD1306, SSD1309 and SH1106 take neighbouring columns of one page after commands that set the
position. Each message is one transaction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH

_PAGE, _LOW, _HIGH = 0xB0, 0x00, 0x10
_CHANGED: Final = re.compile(rb"[^\0](?:\0{0,8}[^\0])*")
"""A pattern of changed bytes, with gaps of up to eight unchanged bytes.

Eight bytes cost as much as another message: its address, a command, the control byte of the data,
and 0.1 ms in the kernel, which is the time of four bytes at 400 kHz. Where another message needs
two commands, a gap of nine or ten bytes costs as much.
"""


class ColumnRun(NamedTuple):
    """Neighbouring columns of a page: their position as commands, and their bytes."""

    commands: bytes
    data: bytes


def change_messages(old: bytes | None, new: bytes, shift: int = 0) -> Iterator[ColumnRun]:
    """Return the messages that change a panel from `old` to `new`; None: unknown content.

    `shift` is the first visible column in the chip's memory. Unchanged bytes between two changes
    are sent where that is cheaper than a new position.
    """
    before, last = -1, None
    for page, begin, end in frame_differences(old, new):
        column = begin + shift
        where = _where(page, column, last if page == before else None)
        yield ColumnRun(where, new[page * DISPLAY_WIDTH + begin : page * DISPLAY_WIDTH + end])
        before, last = page, column


def frame_differences(old: bytes | None, new: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the differences of two frames as (page, first different column, end column)."""
    differ = _differ(old, new)
    for page in range(DISPLAY_PAGES):
        start = page * DISPLAY_WIDTH
        for run in _CHANGED.finditer(differ, start, start + DISPLAY_WIDTH):
            yield page, run.start() - start, run.end() - start


def _differ(old: bytes | None, new: bytes) -> bytes:
    """Return bytes that are 0 where two frames are equal."""
    if old is None:
        return b"\1" * len(new)
    return (int.from_bytes(old) ^ int.from_bytes(new)).to_bytes(len(new))


def _where(page: int, column: int, last: int | None) -> bytes:
    """Return the commands that set a column, after a message in this page that began at `last`.

    The upper half of the column's address is sent only if the chip has another one. Some chips
    store the upper half of the last command, others that of the last written column: both are equal
    if the last message began in the half of the new column.
    """
    low = bytes((_LOW | column & 15,))
    if last is None:
        return bytes((_PAGE | page,)) + low + bytes((_HIGH | column >> 4,))
    return low if last >> 4 == column >> 4 else low + bytes((_HIGH | column >> 4,))
