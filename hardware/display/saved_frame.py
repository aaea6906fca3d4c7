"""The file with the screen that the next start of the box shows first.

`companion/cmd/first.py` sends the saved screen to the display before the import of the rest of the
program. The file contains the bytes to send, so `first.py` needs no knowledge of boards and chips.
The file is a text with these lines:

- FILE_FORMAT, a space, and the checksum of the following lines (CRC-32, hexadecimal);
- the device files that this run has used, and for which the next start waits (or
  GPIO_CHIP_PATTERN);
- the device file of the display's bus, and the I2C addresses at which the display may answer;
- an identifier of the screen's question, by which the box recognises the question;
- the request to record button presses (device file and label of the GPIO chip, and the request's
  bytes), or an empty line if the kernel cannot record presses;
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

from hardware.display.bus import (
    bus_device_path,
    pack_i2c_transaction,
    possible_display_i2c_addresses,
)
from hardware.display.oled import OledPanel
from hardware.wiring import LumaDisplayWiring, OledWiring

GPIO_CHIP_PATTERN: Final = "/dev/gpiochip*"
"""Pattern for the device files of all GPIO chips, used until the box knows its GPIO chip."""
FILE_FORMAT: Final = "screen 1"
"""Name and version of the file's format; the next start ignores a file of another format."""


def save_frame_for_display(
    screen: OledWiring | LumaDisplayWiring, frame: bytes, asks: str, presses: str, file: Path
) -> None:
    """Save a frame for the display `screen` in `file`, in one atomic step.

    - `asks`: the identifier of the screen's question.
    - `presses`: the line with the request to record button presses, or "" if the kernel cannot
      record presses.

    If the file cannot be written, print the reason on standard error.
    """
    text = saved_frame_file_text(screen, frame, asks, presses)
    try:
        if not file.is_file() or file.read_bytes() != text.encode():
            _write(file, text)
    except OSError as error:  # print only: a full disk is also reported when a game is saved
        sys.stderr.write(f"companion: no first picture for the next start: {error}\n")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)  # remove an old file first: opening a FIFO would block
    with new.open("w", encoding="utf-8") as made:
        made.write(text)
        made.flush()
        os.fsync(made.fileno())
    new.replace(file)


class _MessageCollector:
    """Connection that collects messages in `messages` and sends no message."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def open(self) -> None:
        """Do nothing, because no chip is connected."""

    def send(self, commands: bytes, data: bytes = b"") -> None:
        self.messages.append(pack_i2c_transaction(commands, data))

    def close(self) -> None:
        """Do nothing, because no bus is open."""


def saved_frame_file_text(
    screen: OledWiring | LumaDisplayWiring, frame: bytes, asks: str, presses: str
) -> str:
    """Return the text of the file that `save_frame_for_display` writes.

    The text contains messages to the display only for an OLED on I2C without luma.
    """
    lines = [" ".join(_awaited_devices(screen, presses))]
    if isinstance(screen, OledWiring) and screen.bus == "i2c":
        head = " ".join(
            (
                str(bus_device_path(screen)),
                *(f"{place:x}" for place in possible_display_i2c_addresses(screen)),
            )
        )
        lines += head, asks, presses, *(message.hex() for message in _messages(screen, frame))
    text = "".join(f"{line}\n" for line in lines)
    return f"{FILE_FORMAT} {crc32(text.encode()):x}\n{text}"


def _awaited_devices(screen: OledWiring | LumaDisplayWiring, presses: str) -> Iterator[str]:
    """Yield the device files for which the next start waits."""
    if bus := bus_device_path(screen):
        yield str(bus)
    yield presses.partition(" ")[0] or GPIO_CHIP_PATTERN


def _messages(screen: OledWiring, frame: bytes) -> list[bytes]:
    wire = _MessageCollector()
    glass = OledPanel(screen.chip, wire, upside_down=screen.upside_down)
    glass.open()
    glass.draw(frame, None)
    glass.set_brightness(100)
    return wire.messages
