"""What to send to a display so that it shows another frame: two frames in, messages out; pure.

Where two frames differ is said of any display (`differing`); how it is sent, of OLEDs (`changes`):
SSD1306, SSD1309 and SH1106 all take neighbouring columns of one page at a time, after commands that
say where. A message is a transaction of its own.
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
    """Neighbouring columns of a page to be written: where, as commands, and what."""

    commands: bytes
    data: bytes


def changes(old: bytes | None, new: bytes, shift: int = 0) -> Iterator[Run]:
    """What to send to a panel that holds `old` (None: unknown) to make it hold `new`.

    `shift` is the first column of the glass in the chip's memory. Bytes that did not change are
    sent where that is cheaper than to say anew where to write.
    """
    before, last = -1, None
    for page, begin, end in differing(old, new):
        column = begin + shift
        where = _where(page, column, last if page == before else None)
        yield Run(where, new[page * WIDTH + begin : page * WIDTH + end])
        before, last = page, column


def differing(old: bytes | None, new: bytes) -> Iterator[tuple[int, int, int]]:
    """Where two frames differ: a page, its first column that does, and the one after the last."""
    differ = _differ(old, new)
    for page in range(PAGES):
        start = page * WIDTH
        for found in _CHANGED.finditer(differ, start, start + WIDTH):
            yield page, found.start() - start, found.end() - start


def _differ(old: bytes | None, new: bytes) -> bytes:
    """0 where two frames are the same, something else where they are not."""
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
