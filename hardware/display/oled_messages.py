"""Messages that change a display from one frame to another frame. All functions are pure.

`changed_column_runs` finds the differences between two frames for any display.
`oled_change_messages` makes messages for an OLED with the chip SSD1306, SSD1309 or SH1106.

In this module, a page is a strip of eight pixel rows. A message sets a position in a page, and
writes neighbouring columns of this page. On an I2C bus, each message is one transaction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH

_PAGE, _LOW, _HIGH = 0xB0, 0x00, 0x10
_CHANGED: Final = re.compile(rb"[^\0](?:\0{0,8}[^\0])*")
"""Pattern of a run of changed bytes in the result of `_differ`.

A run can contain gaps of up to eight unchanged bytes (zeros), because the start of another message
takes at least as much time as eight bytes.
"""


class OledColumnMessage(NamedTuple):
    """Message to an OLED that writes neighbouring columns of a page (a strip of eight pixel rows).

    - `commands`: the commands that set the page and the first column.
    - `data`: the bytes of the columns, one byte for each column.
    """

    commands: bytes
    data: bytes


def oled_change_messages(
    old: bytes | None, new: bytes, shift: int = 0
) -> Iterator[OledColumnMessage]:
    """Yield the messages that change an OLED from the frame `old` to the frame `new`.

    - `old`: the frame that the OLED shows, or None if this frame is unknown.
    - `shift`: the number of the first visible column in the chip's memory.

    A message also contains unchanged bytes between two changes, if the start of another message
    would take more time.
    """
    before, last = -1, None
    for page, begin, end in changed_column_runs(old, new):
        column = begin + shift
        where = _where(page, column, last if page == before else None)
        yield OledColumnMessage(
            where, new[page * DISPLAY_WIDTH + begin : page * DISPLAY_WIDTH + end]
        )
        before, last = page, column


def changed_column_runs(old: bytes | None, new: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield each run of changed columns as (page, first column, column after the last column).

    A page is a strip of eight pixel rows. If `old` is None, all columns count as changed.
    """
    differ = _differ(old, new)
    for page in range(DISPLAY_PAGES):
        start = page * DISPLAY_WIDTH
        for run in _CHANGED.finditer(differ, start, start + DISPLAY_WIDTH):
            yield page, run.start() - start, run.end() - start


def _differ(old: bytes | None, new: bytes) -> bytes:
    """Return one byte for each byte of a frame: 0 if `old` and `new` have the same byte."""
    if old is None:
        return b"\1" * len(new)
    return (int.from_bytes(old) ^ int.from_bytes(new)).to_bytes(len(new))


def _where(page: int, column: int, last: int | None) -> bytes:
    """Return the commands that set the page and the first column of a message.

    `last`: the first column of the previous message in this page, or None if there is no such
    message. The chip stores the upper four bits and the lower four bits of a column's number
    separately. If the upper bits of `column` and `last` are equal, only the lower bits are sent.
    """
    low = bytes((_LOW | column & 15,))
    if last is None:
        return bytes((_PAGE | page,)) + low + bytes((_HIGH | column >> 4,))
    return low if last >> 4 == column >> 4 else low + bytes((_HIGH | column >> 4,))
