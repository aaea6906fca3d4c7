"""Compute the messages that change a display from one frame to another. Pure.

`differing` finds the differences for any display; `changes` makes messages for OLEDs. SSD1306,
SSD1309 and SH1106 take neighbouring columns of one page, after commands with the position. Each
message is one transaction.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from hardware.ports import PAGES, WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAGE, _LOW, _HIGH = 0xB0, 0x00, 0x10
_CHANGED: Final = re.compile(rb"[^\0](?:\0{0,8}[^\0])*")
"""Where two frames differ, with up to eight bytes between that do not.

So many take what another message takes: its address, a command, the mark of the data, and 0.1 ms
in the kernel, four bytes' time at 400 kHz. Where another message takes two commands nine or ten are
no dearer; with one number for all, this is an expression.
"""


class Run(NamedTuple):
    """Neighbouring columns of a page: their position as commands, and their bytes."""

    commands: bytes
    data: bytes


def changes(old: bytes | None, new: bytes, shift: int = 0) -> Iterator[Run]:
    """Return what to send to a panel that holds `old` (None: unknown) so that it holds `new`.

    - `shift`: the first visible column in the chip's memory.

    Unchanged bytes are sent where that is cheaper than a new position.
    """
    before, last = -1, None
    for page, begin, end in differing(old, new):
        column = begin + shift
        where = _where(page, column, last if page == before else None)
        yield Run(where, new[page * WIDTH + begin : page * WIDTH + end])
        before, last = page, column


def differing(old: bytes | None, new: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield each difference of two frames: a page, its first different column, the end column."""
    differ = _differ(old, new)
    for page in range(PAGES):
        start = page * WIDTH
        for found in _CHANGED.finditer(differ, start, start + WIDTH):
            yield page, found.start() - start, found.end() - start


def _differ(old: bytes | None, new: bytes) -> bytes:
    """Return bytes that are 0 where two frames are equal."""
    if old is None:
        return b"\1" * len(new)
    return (int.from_bytes(old) ^ int.from_bytes(new)).to_bytes(len(new))


def _where(page: int, column: int, last: int | None) -> bytes:
    """The commands for a column, after a message in the same page that began at `last`.

    The upper half of its address is said again unless it stands there already: as it was set for
    that message, or as writing has left it. Chips differ; both are the same if that message began
    in the half where the column is, for it ended between the two.
    """
    low = bytes((_LOW | column & 15,))
    if last is None:
        return bytes((_PAGE | page,)) + low + bytes((_HIGH | column >> 4,))
    return low if last >> 4 == column >> 4 else low + bytes((_HIGH | column >> 4,))
