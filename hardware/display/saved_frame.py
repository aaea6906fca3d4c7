"""The screen that is saved for the next start, and sent before the box is imported.

The file is text. `companion/cmd/first.py` sends it without knowing boards or chips. Its lines:

- FORMAT, a space, and the checksum (CRC-32, hexadecimal) of all that follows;
- the devices that this run has used, which the next start waits for;
- the bus's device, and the addresses that may answer;
- an identifier of the screen's question, by which the box recognises the question;
- how button presses are recorded: the GPIO chip's device, its label and a request of its lines;
  empty if presses cannot be recorded;
- one line for each message to the display, in hexadecimal digits like the request.

For a display that the box must drive itself, the file ends after the devices.
"""

from __future__ import annotations

import os
import sys
from binascii import crc32
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hardware.display.bus import bus_device, i2c_addresses, pack_transaction
from hardware.display.oled import Oled
from hardware.wiring import DisplayWiring, LumaWiring

ANY_CHIP: Final = "/dev/gpiochip*"
"""A placeholder for the buttons' GPIO chip if the pins are polled and its number is unknown."""
FILE_FORMAT: Final = "screen 1"
"""The name and version of this format. A box with another version ignores the file."""


def save_screen(
    screen: DisplayWiring | LumaWiring, frame: bytes, asks: str, presses: str, file: Path
) -> None:
    """Save a frame for a display in `file`, atomically. `asks` identifies the screen's question.

    `presses` is the line that describes how button presses are recorded, "" if they cannot be.
    """
    text = saved_screen_text(screen, frame, asks, presses)
    try:
        if not file.is_file() or file.read_bytes() != text.encode():
            _write(file, text)
    except OSError as error:  # on a full or read-only card the record reports the problem
        sys.stderr.write(f"companion: no first picture for the next start: {error}\n")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)  # opening a FIFO there would block
    with new.open("w", encoding="utf-8") as made:
        made.write(text)
        made.flush()
        os.fsync(made.fileno())
    new.replace(file)


class _Written:
    """A wire that collects the messages instead of sending them."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def open(self) -> None:
        """No-op: there is no chip."""

    def send(self, commands: bytes, data: bytes = b"") -> None:
        self.messages.append(pack_transaction(commands, data))

    def close(self) -> None:
        """Do nothing: there is no bus."""


def saved_screen_text(
    screen: DisplayWiring | LumaWiring, frame: bytes, asks: str, presses: str
) -> str:
    """Return the text of the file. It has messages only for a display of ours on I2C."""
    lines = [" ".join(_awaited_devices(screen, presses))]
    if isinstance(screen, DisplayWiring) and screen.bus == "i2c":
        head = " ".join(
            (str(bus_device(screen)), *(f"{place:x}" for place in i2c_addresses(screen)))
        )
        lines += head, asks, presses, *(message.hex() for message in _messages(screen, frame))
    text = "".join(f"{line}\n" for line in lines)
    return f"{FILE_FORMAT} {crc32(text.encode()):x}\n{text}"


def _awaited_devices(screen: DisplayWiring | LumaWiring, presses: str) -> Iterator[str]:
    """Yield the devices of a display and of the buttons, in the form of `COMPANION_AWAITS`."""
    if bus := bus_device(screen):
        yield str(bus)
    yield presses.partition(" ")[0] or ANY_CHIP


def _messages(screen: DisplayWiring, frame: bytes) -> list[bytes]:
    wire = _Written()
    glass = Oled(screen.chip, wire, upside_down=screen.upside_down)
    glass.open()
    glass.draw(frame, None)
    glass.light(100)
    return wire.messages
