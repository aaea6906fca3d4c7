"""Messages that change a display from one frame to another frame.

All functions of this module are pure. `frame_differences` finds the differences between two frames
for any display. `oled_change_messages` makes messages for an OLED with the chip SSD1306, SSD1309 or
SH1106. A page is a strip of eight pixel rows. A message sets a position in a page, and writes
neighbouring columns of this page. On an I2C bus, each message is one transaction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH

_PAGE, _LOW, _HIGH = 0xB0, 0x00, 0x10
_CHANGED: Final = re.compile(rb"[^\0](?:\0{0,8}[^\0])*")
"""Pattern of runs of changed bytes, with gaps of up to eight unchanged bytes (zeros).

Sending eight unchanged bytes costs as much as starting another message. Another message needs an
address byte, a command, a control byte, and 0.1 ms in the kernel. In 0.1 ms the I2C bus sends four
bytes at 400 kHz. A message with two commands costs as much as nine or ten unchanged bytes.
"""


class ColumnRun(NamedTuple):
    """Message to an OLED that writes neighbouring columns of a page.

    - `commands`: the commands that set the page and the first column.
    - `data`: the bytes of the columns, one byte for each column.
    """

    commands: bytes
    data: bytes


def oled_change_messages(old: bytes | None, new: bytes, shift: int = 0) -> Iterator[ColumnRun]:
    """Yield the messages that change an OLED from the frame `old` to the frame `new`.

    - `old` is None if the content of the OLED is unknown.
    - `shift`: the number of the first visible column in the chip's memory.

    Unchanged bytes between two changes are sent if they cost less than another message.
    """
    before, last = -1, None
    for page, begin, end in frame_differences(old, new):
        column = begin + shift
        where = _where(page, column, last if page == before else None)
        yield ColumnRun(where, new[page * DISPLAY_WIDTH + begin : page * DISPLAY_WIDTH + end])
        before, last = page, column


def frame_differences(old: bytes | None, new: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield each run of changed columns as (page, first column, column after the last column).

    If `old` is None, all columns count as changed.
    """
    differ = _differ(old, new)
    for page in range(DISPLAY_PAGES):
        start = page * DISPLAY_WIDTH
        for run in _CHANGED.finditer(differ, start, start + DISPLAY_WIDTH):
            yield page, run.start() - start, run.end() - start


def _differ(old: bytes | None, new: bytes) -> bytes:
    """Return a byte for each byte of the frame: 0 for an unchanged byte."""
    if old is None:
        return b"\1" * len(new)
    return (int.from_bytes(old) ^ int.from_bytes(new)).to_bytes(len(new))


def _where(page: int, column: int, last: int | None) -> bytes:
    """Return the commands that set the position of a message: its page and its first column.

    `last`: first column of the previous message in this page, or None without a previous message.
    If the chip still stores the upper four bits of the column's number, only the lower four bits
    are sent. Some chips keep the upper bits of the last command, and other chips keep the upper
    bits of the last written column. Both kinds of chips have the right upper bits if the previous
    message began at a column with these upper bits.
    """
    low = bytes((_LOW | column & 15,))
    if last is None:
        return bytes((_PAGE | page,)) + low + bytes((_HIGH | column >> 4,))
    return low if last >> 4 == column >> 4 else low + bytes((_HIGH | column >> 4,))
