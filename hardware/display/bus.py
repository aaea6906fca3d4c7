"""Access to I2C and SPI buses through device files of the kernel.

Error messages explain why a bus failed.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from hardware.ports import HardwareError
from hardware.wiring import LumaDisplayWiring, OledWiring

I2C_ADDRESSES: Final = (0x3C, 0x3D)
"""I2C addresses of small OLED displays; a solder bridge on the display selects the address."""
SPI_HERTZ: Final = 4_000_000
"""Maximum clock rate (Hz) of an SH1106 on SPI (datasheet: 250 ns for each bit)."""

_NOTHING: Final = 0xE3  # command NOP (no operation), sent to test whether a chip answers


class ChipConnection(Protocol):
    """Connection to the controller chip of a display.

    All methods of a connection raise OSError if the bus or the chip fails.
    """

    def open(self) -> None:
        """Open the bus and find the display's chip. Call `open` again after a failure."""

    def send(self, commands: bytes, data: bytes = b"") -> None:
        """Send commands to the chip, followed by data for the chip's memory."""

    def close(self) -> None:
        """Release the bus; safe to call twice."""


def pack_i2c_transaction(commands: bytes, data: bytes = b"") -> bytes:
    """Return the bytes of an I2C transaction that sends commands and data to an OLED chip.

    If the transaction has data, a control byte precedes each command, and one control byte precedes
    all data. If the transaction has no data, one control byte precedes all commands.
    """
    if not data:
        return b"\x00" + commands
    return b"".join(bytes((0x80, command)) for command in commands) + b"\x40" + data


class I2cConnection:
    """Connection to a chip on an I2C bus, through the device file /dev/i2c-<bus>.

    Each write to the bus is one I2C transaction. `addresses`: the I2C addresses at which the chip
    may answer.
    """

    _SLAVE: Final = 0x0703  # ioctl that selects the I2C address for later writes

    def __init__(self, bus: int = 1, addresses: Sequence[int] = I2C_ADDRESSES) -> None:
        self._bus, self._addresses, self._file = bus, addresses, -1

    def open(self) -> None:
        """Connect to the first I2C address at which a chip answers.

        Raise OSError if no chip answers.
        """
        self.close()
        self._file = os.open(f"/dev/i2c-{self._bus}", os.O_RDWR | os.O_CLOEXEC)
        for address in self._addresses:
            try:
                fcntl.ioctl(self._file, self._SLAVE, address)
                self.send(bytes((_NOTHING,)))
            except OSError:
                if address == self._addresses[-1]:
                    raise
            else:
                return

    def send(self, commands: bytes, data: bytes = b"") -> None:
        """Send commands and data in one transaction. Raise OSError if the chip does not answer."""
        os.write(self._file, pack_i2c_transaction(commands, data))

    def close(self) -> None:
        """Release the bus; safe to call twice."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1


class SpiConnection:
    """Connection to a chip on an SPI bus, through the device file /dev/spidev<port>.<device>.

    - `screen`: the display's wiring. The connection also uses the pins D/C and RESET.
    - `output(pin)`: function that returns an output pin with the methods `on`, `off` and `close`,
      such as gpiozero's DigitalOutputDevice.
    - `hertz`: the clock rate of the bus in hertz.
    """

    _MODE, _SPEED = 0x40016B01, 0x40046B04  # ioctls: linux/spi/spidev.h

    def __init__(
        self,
        screen: OledWiring | LumaDisplayWiring,
        output: Callable[[int], Any],
        hertz: int = SPI_HERTZ,
    ) -> None:
        assert screen.dc is not None  # a board file with SPI requires the key `dc`
        self._path, self._hertz = f"/dev/spidev{screen.port}.{screen.device}", hertz
        self._dc, self._reset, self._output = screen.dc, screen.reset, output
        self._lines: list[Any] = []
        self._file = -1

    def open(self) -> None:
        """Configure the bus. If the pin RESET is connected, reset the chip.

        Raise OSError if the bus cannot be used. A missing chip raises no error, because the chip of
        a display sends no answers on SPI.
        """
        self.close()
        self._file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(self._file, self._MODE, b"\x00")
        fcntl.ioctl(self._file, self._SPEED, struct.pack("I", self._hertz))
        self._lines = [self._output(self._dc)]
        if self._reset is not None:
            self._lines.append(self._output(self._reset))  # starts low, and so resets the chip
            self._lines[1].on()

    def send(self, commands: bytes, data: bytes = b"") -> None:
        """Send commands, followed by data. Raise OSError if the bus fails.

        The level of the pin D/C is low for commands and high for data.
        """
        if commands:
            self._lines[0].off()
            os.write(self._file, commands)
        if data:
            self._lines[0].on()
            os.write(self._file, data)

    def close(self) -> None:
        """Release the bus and the pins; safe to call twice."""
        for line in self._lines:
            line.close()
        self._lines = []
        if self._file >= 0:
            os.close(self._file)
        self._file = -1


def possible_display_i2c_addresses(screen: OledWiring | LumaDisplayWiring) -> Sequence[int]:
    """Return the I2C addresses at which the display with the wiring `screen` may answer."""
    return I2C_ADDRESSES if screen.address is None else (screen.address,)


def bus_device_path(screen: OledWiring | LumaDisplayWiring) -> Path | None:
    """Return the path of the kernel's device file for a display's bus.

    Return None if the display has no bus.
    """
    match screen.bus:
        case "i2c":
            return Path(f"/dev/i2c-{screen.port}")
        case "spi":
            return Path(f"/dev/spidev{screen.port}.{screen.device}")
    return None


def make_chip_connection(
    screen: OledWiring | LumaDisplayWiring, output: Callable[[int], Any], hertz: int = SPI_HERTZ
) -> ChipConnection:
    """Return the connection to a display on I2C or SPI.

    - `output(pin)`: function that returns the output pin `pin`; only SPI needs output pins.
    - `hertz`: the clock rate of SPI.
    """
    if screen.bus == "i2c":
        return I2cConnection(screen.port, possible_display_i2c_addresses(screen))
    return SpiConnection(screen, output, hertz)


def hardware_error_for_display(error: OSError) -> HardwareError:
    """Return a HardwareError that explains `error`, an OSError of a display, and names a remedy."""
    if isinstance(error, HardwareError):
        return error
    match error.errno:
        case errno.ENOENT:
            return HardwareError.from_reason("no_bus", "display", file=error.filename)
        case errno.EACCES | errno.EPERM:
            return HardwareError.from_reason("bus_denied", "display")
    return HardwareError.from_reason("no_display", "display")
