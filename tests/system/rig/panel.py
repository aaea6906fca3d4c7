"""The visible display: the log of I2C messages, replayed on a model of the chip."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

from tests.hardware.chip import Chip

ADDRESS: Final = 0x3C
HEADER: Final = struct.Struct("<QIHHII")
"""The header of each message in the module's log: ns, us, address, flags, length, padding."""
UPRIGHT: Final = {0xA1, 0xC8, 0xA4, 0xA6}
"""Commands for an upright picture in which 1 is lit: datasheet, table 9-1."""
PUMP: Final = (0x14,)
READING: Final = 1


class Message(NamedTuple):
    """A message on the bus. `begun` and `ended` are nanoseconds since the guest's start."""

    begun: int
    ended: int
    address: int
    acknowledged: bool
    reading: bool
    data: bytes

    @property
    def bytes(self) -> int:
        """Return the bytes on the bus, with the address byte."""
        return 1 + (len(self.data) if self.acknowledged else 0)


def messages(raw: bytes) -> Iterator[Message]:
    """Yield the messages of the module's log."""
    at = 0
    while at < len(raw):
        ended, us, address, flags, length, _ = HEADER.unpack_from(raw, at)
        at += HEADER.size
        yield Message(
            begun=ended - us * 1000,
            ended=ended,
            address=address & 0x7FFF,
            acknowledged=not address & 0x8000,
            reading=bool(flags & READING),
            data=raw[at : at + length],
        )
        at += length


class Panel:
    """A display that receives messages. `changed` counts the changed bytes of its memory."""

    def __init__(self) -> None:
        self.chip = Chip()
        self.changed = 0

    def take(self, message: Message) -> None:
        """Execute a message if it is for this display."""
        if message.address != ADDRESS or not message.acknowledged or message.reading:
            return
        before = self.chip.frame
        self.chip.transaction(message.data)
        self.changed += sum(a != b for a, b in zip(before, self.chip.frame, strict=True))

    @property
    def frame(self) -> bytes | None:
        """Return the visible frame; None if the display is dark or not initialised."""
        chip = self.chip
        ready = chip.on and chip.flags >= UPRIGHT and chip.settings.get(0x8D) == PUMP
        return chip.frame if ready else None
