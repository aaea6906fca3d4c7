"""The first screen as it is left for the next start: what is sent before the box is imported.

It is text, and `companion/cmd/first.py`, which knows no board and no chip, sends it. The lines are

- FORMAT, a space, and the checksum (CRC-32, hexadecimal) of all that follows;
- the devices that this run has used, which the next start waits for;
- the bus's device, and the addresses that may answer;
- what the screen asks: a word that the box tells from other questions;
- how the presses are kept: the GPIO chip's device, its label and a request of its lines; empty if
  they cannot be;
- a message for the display each, like the request in hexadecimal digits.

For a display that needs the box to drive it, the file ends after the devices.
"""

from __future__ import annotations

import os
import sys
from binascii import crc32
from typing import TYPE_CHECKING, Final

from hardware.display.bus import addresses, device, pack_transaction
from hardware.display.oled import Oled
from hardware.wiring import DisplayWiring

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hardware.wiring import Luma

ANY_CHIP: Final = "/dev/gpiochip*"
"""Stands for the buttons' GPIO chip if the pins are polled, so that its number is not known."""
FORMAT: Final = "screen 1"
"""The name and version of these lines. A version of the box that knows another ignores the file."""


def leave(screen: DisplayWiring | Luma, frame: bytes, asks: str, presses: str, file: Path) -> None:
    """Keep a frame for a display in a file; a power cut leaves that as it was, or whole."""
    text = script(screen, frame, asks, presses)
    try:
        if not file.is_file() or file.read_bytes() != text.encode():
            _write(file, text)
    except OSError as error:  # a full or read-only card: what matters is told with the record
        sys.stderr.write(f"companion: no first picture for the next start: {error}\n")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)  # a FIFO there would block
    with new.open("w", encoding="utf-8") as made:
        made.write(text)
        made.flush()
        os.fsync(made.fileno())
    new.replace(file)


class _Written:
    """A wire that keeps what would be sent."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def open(self) -> None:
        """No-op: there is no chip."""

    def send(self, commands: bytes, data: bytes = b"") -> None:
        """Keep a message."""
        self.messages.append(pack_transaction(commands, data))

    def close(self) -> None:
        """Nothing to let go."""


def script(screen: DisplayWiring | Luma, frame: bytes, asks: str, presses: str) -> str:
    """Return the text of the file: without messages if the display is not one of ours on I2C."""
    lines = [" ".join(_awaited_devices(screen, presses))]
    if isinstance(screen, DisplayWiring) and screen.bus == "i2c":
        head = " ".join((str(device(screen)), *(f"{place:x}" for place in addresses(screen))))
        lines += head, asks, presses, *(message.hex() for message in _messages(screen, frame))
    text = "".join(f"{line}\n" for line in lines)
    return f"{FORMAT} {crc32(text.encode()):x}\n{text}"


def _awaited_devices(screen: DisplayWiring | Luma, presses: str) -> Iterator[str]:
    """Yield the devices of a display and of the buttons, as `COMPANION_AWAITS` names them."""
    if bus := device(screen):
        yield str(bus)
    yield presses.partition(" ")[0] or ANY_CHIP


def _messages(screen: DisplayWiring, frame: bytes) -> list[bytes]:
    wire = _Written()
    glass = Oled(screen.chip, wire, upside_down=screen.upside_down)
    glass.open()
    glass.draw(frame, None)
    glass.light(100)
    return wire.messages
