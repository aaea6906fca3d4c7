"""An OLED of 128x64 pixels on a Pi's bus: SSD1306, SSD1309 or SH1106, over I2C or SPI.

Only what changed is sent, from a thread of its own: nobody waits for the bus, and the newest frame
wins. A display that does not answer is told once, tried again, and made ready anew when it is back.
One that was pulled out and put back unseen is made ready by the next press after a while.

The chips are made ready with the bytes that luma.oled sends, but for the way the memory is
addressed, and hold the bytes that luma's `display` would leave there (both are tested). Importing
luma takes longer than all that comes before the first frame, so that it is not needed here.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import time
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from hardware import HardwareError
from hardware.changes import changes
from hardware.pixels import whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RETRY: Final = 2.0
"""Seconds between two tries to reach a display that does not answer."""
UNSEEN: Final = 30.0
"""Seconds without a frame in which a display may have lost its power, and nobody has noticed."""
PATIENCE: Final = 1.0
"""Seconds that closing waits for a bus that is stuck."""
ADDRESSES: Final = (0x3C, 0x3D)
"""Where such displays answer on I2C: which of the two is a solder bridge on their back."""
SPI_HERTZ: Final = 4_000_000
"""As fast as an SH1106 may be clocked (datasheet: 250 ns a bit)."""


class Chip(NamedTuple):
    """What distinguishes a controller: how it is made ready, and where its first column is."""

    ready: bytes
    contrast: int
    shift: int


_SSD1306: Final = Chip(
    bytes.fromhex(
        "AE"  # off, until the memory holds a frame
        "D5 80"  # clock
        "A8 3F"  # 64 rows
        "D3 00"  # no offset
        "40"  # the memory begins at row 0
        "8D 14"  # charge pump on; the SSD1309 has none, and ignores it
        "20 02"  # memory addressed page by page: an address costs half of what luma's windows cost
        "A1 C8"  # left to right, top to bottom
        "DA 12"  # how the rows are wired
        "D9 F1"  # precharge
        "DB 40"  # deselect level
        "A4 A6"  # show the memory, lit where it holds 1
    ),
    contrast=0xCF,
    shift=0,
)
_SH1106: Final = Chip(
    bytes.fromhex("AE 20 10 B0 C8 00 10 40 A1 A6 A8 3F A4 D3 00 D5 F0 D9 22 DA 12 DB 20 8D 14"),
    contrast=0x7F,
    shift=2,  # its memory is 132 columns wide, the glass 128
)
CHIPS: Final = {"ssd1306": _SSD1306, "ssd1309": _SSD1306, "sh1106": _SH1106}
"""The controllers by name. Modules can not be asked which one they have."""

_CONTRAST, _OFF, _ON, _NOTHING = 0x81, 0xAE, 0xAF, 0xE3
_REVERSED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def turned(frame: bytes) -> bytes:
    """A frame for a display that is mounted upside down."""
    return frame[::-1].translate(_REVERSED)


# --- The bus --------------------------------------------------------------------------------------


class Wire(Protocol):
    """How bytes reach a chip. Everything may raise OSError."""

    def open(self) -> None:
        """Find the chip; called again after a failure."""

    def send(self, commands: bytes, data: bytes = b"") -> None:
        """Send commands, then bytes for the memory."""

    def close(self) -> None:
        """Let the bus go; safe to call twice."""


class I2c:
    """A chip on an I2C bus, through the kernel's /dev/i2c-<bus>: a write is a transaction."""

    _SLAVE: Final = 0x0703  # ioctl: the address that is meant from now on

    def __init__(self, bus: int = 1, addresses: Sequence[int] = ADDRESSES) -> None:
        self._bus, self._addresses, self._file = bus, addresses, -1

    def open(self) -> None:
        """Take the first of the addresses that answers."""
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
        """One transaction for both: a control byte before each command, one before all data."""
        if data:
            marked = b"".join(bytes((0x80, command)) for command in commands)
            os.write(self._file, marked + b"\x40" + data)
        else:
            os.write(self._file, b"\x00" + commands)

    def close(self) -> None:
        """Let the bus go; safe to call twice."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1


class Spi:
    """A chip on an SPI bus, through the kernel's /dev/spidev<port>.<device>, and two pins.

    `output(pin)` gives a line with `on`, `off` and `close`, such as a DigitalOutputDevice.
    """

    _MODE, _SPEED = 0x40016B01, 0x40046B04  # ioctls: linux/spi/spidev.h

    def __init__(
        self, port: int, device: int, dc: int, reset: int | None, output: Callable[[int], Any]
    ) -> None:
        self._path = f"/dev/spidev{port}.{device}"
        self._dc, self._reset, self._output = dc, reset, output
        self._lines: list[Any] = []
        self._file = -1

    def open(self) -> None:
        """Set the bus up and reset the chip; whether one is there can not be seen."""
        self.close()
        self._file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(self._file, self._MODE, b"\x00")
        fcntl.ioctl(self._file, self._SPEED, struct.pack("I", SPI_HERTZ))
        self._lines = [self._output(self._dc)]
        if self._reset is not None:
            self._lines.append(self._output(self._reset))  # low: the chip forgets all
            self._lines[1].on()

    def send(self, commands: bytes, data: bytes = b"") -> None:
        """Two transactions: the DC line says which is which."""
        self._lines[0].off()
        os.write(self._file, commands)
        if data:
            self._lines[0].on()
            os.write(self._file, data)

    def close(self) -> None:
        """Let the bus and the pins go; safe to call twice."""
        for line in self._lines:
            line.close()
        self._lines = []
        if self._file >= 0:
            os.close(self._file)
        self._file = -1


def explained(error: OSError) -> HardwareError:
    """What is wrong with the display, and what to do."""
    match error.errno:
        case errno.ENOENT:
            text = (
                f"There is no {error.filename}: switch the display's bus on "
                "(sudo raspi-config nonint do_i2c 0, or do_spi 0)."
            )
        case errno.EACCES | errno.EPERM:
            text = "The display's bus may not be used: add this user to the groups i2c and spi."
        case _:
            text = "The display does not answer: check its four wires."
    return HardwareError(text, "display")


# --- The display ----------------------------------------------------------------------------------


class Oled:
    """A display that is sent what changed, by a thread that sleeps while nothing does.

    `report` hears, from that thread, of a display that stops answering: once, until it is back.
    """

    def __init__(
        self,
        chip: str,
        wire: Wire,
        report: Callable[[HardwareError], None],
        *,
        upside_down: bool = False,
    ) -> None:
        self._chip, self._wire, self._report = CHIPS[chip], wire, report
        self._upside_down = upside_down
        self._news = Condition()
        self._frame: bytes | None = None
        self._percent = 100
        self._closing = self._missed = self._broken = self._keep = False
        self._tried: tuple[bytes, int] | None = None
        self._holds: bytes | None = None  # what the chip's memory is known to hold
        self._lit = 100
        self._sent = 0.0
        self._thread = Thread(target=self._serve, name="display", daemon=True)
        self._thread.start()

    def show(self, frame: bytes) -> None:
        """Have a frame sent, unless a newer one comes first; never waits. Raises ValueError."""
        frame = bytes(whole(frame))
        with self._news:
            self._frame = turned(frame) if self._upside_down else frame
            self._news.notify()

    def light(self, percent: int) -> None:
        """Dim the display: 100 is as bright as it gets, 0 is off; never waits."""
        with self._news:
            self._percent = percent
            self._news.notify()

    def close(self, *, keep: bool = False) -> None:
        """Send what waits, then switch the display off unless told to `keep` it; safe to repeat."""
        with self._news:
            self._closing, self._keep = True, keep
            self._news.notify()
        self._thread.join(PATIENCE)

    def _serve(self) -> None:
        """The thread: send the newest frame, whenever there is one."""
        while True:
            with self._news:
                self._news.wait_for(self._is_due, RETRY if self._broken else None)
                frame, percent, closing = self._frame, self._percent, self._closing
                self._tried = None if frame is None else (frame, percent)
            try:
                if frame is not None:
                    self._send(frame, percent)
                if closing and not self._keep and self._holds is not None:
                    self._wire.send(bytes((_OFF,)))
            except OSError as error:
                self._lost(error, closing=closing)
            else:
                self._missed = self._broken = False
            if closing:
                self._wire.close()
                return

    def _is_due(self) -> bool:
        wanted = None if self._frame is None else (self._frame, self._percent)
        return self._closing or wanted != self._tried

    def _send(self, frame: bytes, percent: int) -> None:
        """Make the display show a frame: whatever that takes after all that has happened to it."""
        if percent == 0:
            if self._holds is not None:
                self._wire.send(bytes((_OFF,)))
            self._holds = None  # it is made ready anew when it wakes: it may have lost its power
            return
        anew = self._holds is None
        unseen = not anew and time.monotonic() - self._sent > UNSEEN
        if anew:
            self._wire.open()
            self._wire.send(self._chip.ready)
        self._write(self._holds, frame)
        if unseen:  # what was pressed shows first; then all of it, without going dark
            self._wire.send(self._chip.ready[1:])
            self._write(None, frame)
        if anew or unseen or percent != self._lit:
            level = self._chip.contrast * percent // 100
            self._wire.send(bytes((_CONTRAST, level, _ON)))
            self._lit = percent
        self._sent = time.monotonic()

    def _write(self, old: bytes | None, new: bytes) -> None:
        for run in changes(old, new, self._chip.shift):
            self._wire.send(*run)
        self._holds = new

    def _lost(self, error: OSError, *, closing: bool) -> None:
        """It does not answer: once may be noise on the wires, and is tried again at once."""
        self._holds = None
        if not self._missed:
            self._missed, self._tried = True, None
            return
        if not self._broken and not closing:
            self._report(explained(error))
        self._broken = True
