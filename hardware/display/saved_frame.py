"""Save the screen that the next start of the box shows first.

`companion/cmd/first.py` sends the saved screen to the display before it imports the box.
`companion/cmd/first.py` knows no boards and no chips. The file is text with these lines:

- FILE_FORMAT, a space, and the checksum of the following lines (CRC-32, hexadecimal);
- the device files that this run has used; the next start waits until they exist;
- the device file of the display's bus, and the addresses at which the display may answer;
- an identifier of the screen's question, by which the box recognises the question;
- the request to record button presses: the GPIO chip's device file, its label, and the request's
  bytes; empty if presses cannot be recorded;
- one line for each message to the display, in hexadecimal digits.

If only the box itself can drive the display, the file ends after the line with the device files.
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
"""Pattern of the GPIO chip's device file, for a box that polls its pins and does not know the
chip's number.
"""
FILE_FORMAT: Final = "screen 1"
"""Name and version of the file's format. A box with another version ignores the file."""


def save_screen(
    screen: DisplayWiring | LumaWiring, frame: bytes, asks: str, presses: str, file: Path
) -> None:
    """Save the frame `frame` for the display `screen` in `file`, in one step.

    `asks` is the identifier of the screen's question. `presses` is the line with the request to
    record button presses, or "" if presses cannot be recorded. If the file cannot be written, print
    the reason.
    """
    text = saved_screen_text(screen, frame, asks, presses)
    try:
        if not file.is_file() or file.read_bytes() != text.encode():
            _write(file, text)
    except OSError as error:  # the record of the games shows the user the problem with the disk
        sys.stderr.write(f"companion: no first picture for the next start: {error}\n")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)  # if the path were a FIFO, opening it would block
    with new.open("w", encoding="utf-8") as made:
        made.write(text)
        made.flush()
        os.fsync(made.fileno())
    new.replace(file)


class _Written:
    """A connection that collects the messages in `messages` instead of sending them."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def open(self) -> None:
        """Do nothing: there is no chip to find."""

    def send(self, commands: bytes, data: bytes = b"") -> None:
        self.messages.append(pack_transaction(commands, data))

    def close(self) -> None:
        """Do nothing: there is no bus."""


def saved_screen_text(
    screen: DisplayWiring | LumaWiring, frame: bytes, asks: str, presses: str
) -> str:
    """Return the text of the file that `save_screen` writes.

    Only an OLED on I2C that this program drives without luma has lines with messages.
    """
    lines = [" ".join(_awaited_devices(screen, presses))]
    if isinstance(screen, DisplayWiring) and screen.bus == "i2c":
        head = " ".join(
            (str(bus_device(screen)), *(f"{place:x}" for place in i2c_addresses(screen)))
        )
        lines += head, asks, presses, *(message.hex() for message in _messages(screen, frame))
    text = "".join(f"{line}\n" for line in lines)
    return f"{FILE_FORMAT} {crc32(text.encode()):x}\n{text}"


def _awaited_devices(screen: DisplayWiring | LumaWiring, presses: str) -> Iterator[str]:
    """Yield the device files of a display and of the buttons, in the form of `COMPANION_AWAITS`."""
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
