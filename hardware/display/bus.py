"""I2C and SPI through the kernel's devices, and explanations of their failures."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from hardware.ports import HardwareError
from hardware.wiring import DisplayWiring, LumaWiring

I2C_ADDRESSES: Final = (0x3C, 0x3D)
"""The I2C addresses of such displays; a solder bridge on the back selects one."""
SPI_HERTZ: Final = 4_000_000
"""The maximum clock rate of an SH1106 (datasheet: 250 ns for each bit)."""

_NOTHING: Final = 0xE3  # the NOP command


class Wire(Protocol):
    """The connection to a chip. All methods may raise OSError."""

    def open(self) -> None:
        """Find the chip; called again after a failure."""

    def send(self, commands: bytes, data: bytes = b"") -> None:
        """Send commands, then bytes for the memory."""

    def close(self) -> None:
        """Release the bus; safe to call twice."""


def pack_transaction(commands: bytes, data: bytes = b"") -> bytes:
    """Return an I2C transaction: a control byte before each command, one before all data."""
    if not data:
        return b"\x00" + commands
    return b"".join(bytes((0x80, command)) for command in commands) + b"\x40" + data


class I2c:
    """A chip on an I2C bus, through /dev/i2c-<bus>: each write is a transaction."""

    _SLAVE: Final = 0x0703  # ioctl: select the address of the following writes

    def __init__(self, bus: int = 1, addresses: Sequence[int] = I2C_ADDRESSES) -> None:
        self._bus, self._addresses, self._file = bus, addresses, -1

    def open(self) -> None:
        """Use the first address that answers. Raise OSError if none does."""
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
        """Send commands and data in one transaction. Raise OSError."""
        os.write(self._file, pack_transaction(commands, data))

    def close(self) -> None:
        """Release the bus; safe to call twice."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1


class Spi:
    """A chip on an SPI bus, through /dev/spidev<port>.<device>, and two pins of `screen`.

    `output(pin)` returns a line with `on`, `off` and `close`, such as a DigitalOutputDevice.
    """

    _MODE, _SPEED = 0x40016B01, 0x40046B04  # ioctls: linux/spi/spidev.h

    def __init__(
        self,
        screen: DisplayWiring | LumaWiring,
        output: Callable[[int], Any],
        hertz: int = SPI_HERTZ,
    ) -> None:
        assert screen.dc is not None  # a board with SPI requires this pin
        self._path, self._hertz = f"/dev/spidev{screen.port}.{screen.device}", hertz
        self._dc, self._reset, self._output = screen.dc, screen.reset, output
        self._lines: list[Any] = []
        self._file = -1

    def open(self) -> None:
        """Configure the bus and reset the chip, which cannot answer on SPI. Raise OSError."""
        self.close()
        self._file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(self._file, self._MODE, b"\x00")
        fcntl.ioctl(self._file, self._SPEED, struct.pack("I", self._hertz))
        self._lines = [self._output(self._dc)]
        if self._reset is not None:
            self._lines.append(self._output(self._reset))  # low: reset
            self._lines[1].on()

    def send(self, commands: bytes, data: bytes = b"") -> None:
        """Send commands, then data; the DC line tells them apart. Raise OSError."""
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


def i2c_addresses(screen: DisplayWiring | LumaWiring) -> Sequence[int]:
    """Return the I2C addresses at which a display may answer."""
    return I2C_ADDRESSES if screen.address is None else (screen.address,)


def bus_device(screen: DisplayWiring | LumaWiring) -> Path | None:
    """Return the kernel's device for a display's bus; None if there is none."""
    match screen.bus:
        case "i2c":
            return Path(f"/dev/i2c-{screen.port}")
        case "spi":
            return Path(f"/dev/spidev{screen.port}.{screen.device}")
    return None


def display_bus(
    screen: DisplayWiring | LumaWiring, output: Callable[[int], Any], hertz: int = SPI_HERTZ
) -> Wire:
    """Return the connection to a display on I2C or SPI. `output` and `hertz` are for SPI."""
    if screen.bus == "i2c":
        return I2c(screen.port, i2c_addresses(screen))
    return Spi(screen, output, hertz)


def explain_error(error: OSError) -> HardwareError:
    """Return the HardwareError for an OSError of a display: what is wrong, and what to do."""
    if isinstance(error, HardwareError):
        return error
    match error.errno:
        case errno.ENOENT:
            return HardwareError.from_reason("no_bus", "display", file=error.filename)
        case errno.EACCES | errno.EPERM:
            return HardwareError.from_reason("bus_denied", "display")
    return HardwareError.from_reason("no_display", "display")
