"""Models of display controllers after their datasheets: bus bytes in, memory and light out.

A model is strict: a command that its datasheet does not document fails the test. `Kernel` replaces
the kernel for `hardware.display.bus`. `Stock` drives a chip with luma.oled.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Condition, Event
from typing import Any, Final
from unittest.mock import patch

from luma.oled import device
from PIL import Image

from hardware.display import bus
from hardware.display.frame_conversions import frame_as_pixel_rows
from hardware.display.oled import turn_frame_upside_down
from hardware.display.panel import Panel, ThreadedDisplay
from hardware.ports import HardwareError

I2C_ADDRESS: Final = 0x3C
"""I2C address of a rig's chip."""

SSD1306_ARGUMENTS: Final = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1,
    0xDB: 1,
}  # fmt: skip
"""Number of arguments of each used command (SSD1306 datasheet, table 9-1)."""
SH1106_ARGUMENTS: Final = {0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}
"""Number of arguments of each used command (SH1106 datasheet, table of commands)."""
SH1106_IGNORED: Final = {0x20, 0x8D}
"""Commands that luma sends to an SH1106 although this chip does not have them."""
COMMANDS_WITHOUT_EFFECT: Final = {0xA0, 0xA1, 0xA4, 0xA5, 0xA6, 0xA7, 0xAE, 0xAF, 0xC0, 0xC8}


class Chip:
    """A model of an SSD1306, SSD1309 or SH1106. `ram` is its memory, page by page."""

    def __init__(self, kind: str = "ssd1306") -> None:
        self.kind = kind
        self.width = 132 if kind == "sh1106" else 128
        self.arguments = SH1106_ARGUMENTS if kind == "sh1106" else SSD1306_ARGUMENTS
        self.lose_power()

    def lose_power(self) -> None:
        """Reset the settings and fill the memory with noise, as a loss of power does."""
        self.ram = bytearray(i * 37 % 251 for i in range(self.width * 8))
        self.on, self.contrast, self.mode = False, 0x7F, "page"
        self.went_dark = 0
        self.settings: dict[int, tuple[int, ...]] = {}
        self.flags: set[int] = set()
        self.page = self.column = self.begun = 0
        self.aimed = False
        self.window, self.pages = (0, 127), (0, 7)
        self.pending: list[int] = []

    @property
    def frame(self) -> bytes:
        """Return the visible frame: eight pages of 128 columns."""
        shift = 2 if self.kind == "sh1106" else 0
        starts = range(shift, self.width * 8, self.width)
        return b"".join(bytes(self.ram[start : start + 128]) for start in starts)

    def command(self, byte: int) -> None:
        """Receive a byte while D/C is low."""
        self.pending.append(byte)
        code, *rest = self.pending
        if self.kind == "sh1106" and code in SH1106_IGNORED:
            self.pending = []
        elif len(rest) == self.arguments.get(code, 0):
            self.pending = []
            self._obey(code, rest)

    def _obey(self, code: int, rest: list[int]) -> None:
        if code < 0x20 or 0xB0 <= code < 0xB8:
            self._go(code)
        elif code == 0x20:
            self.mode = {0: "horizontal", 2: "page"}[rest[0]]
        elif code == 0x21:
            self.window, self.column = (rest[0], rest[1]), rest[0]
        elif code == 0x22:
            self.pages, self.page = (rest[0], rest[1]), rest[0]
        elif code == 0x81:
            self.contrast = rest[0]
        elif code in (0xAE, 0xAF):
            self.went_dark += self.on and code == 0xAE
            self.on = code == 0xAF
        elif code in self.arguments:
            self.settings[code] = tuple(rest)
        elif code != 0xE3:  # NOP
            assert code in COMMANDS_WITHOUT_EFFECT or 0x40 <= code < 0x80, f"no command {code:#04x}"
            self.flags.add(code)

    def _go(self, code: int) -> None:
        """Set the page, or one half of the column. The other half depends on the kind of chip."""
        if code >= 0xB0:
            self.page = code & 7
            return
        kept, half = (0x0F, (code & 15) << 4) if code >= 0x10 else (0xF0, code)
        self.begun = self.begun & kept | half
        self.column = self.column & kept | half
        self.aimed = True

    def data(self, byte: int) -> None:
        """Receive a byte while D/C is high."""
        assert not self.pending, "a command lacks its arguments"
        if self.mode == "page":
            assert not self.aimed or self.begun == self.column, (
                "an address that depends on the chip"
            )
            assert self.column < self.width, "beyond the last column"
        self.aimed = False
        self.ram[self.page * self.width + self.column] = byte
        self.column += 1
        if self.mode == "horizontal" and self.column > self.window[1]:
            self.column = self.window[0]
            self.page = self.pages[0] if self.page == self.pages[1] else self.page + 1

    def transaction(self, payload: bytes) -> None:
        """Receive an I2C write without its address byte."""
        left = iter(payload)
        for control in left:
            assert control in (0x00, 0x40, 0x80, 0xC0), f"no control byte {control:#04x}"
            take = self.data if control & 0x40 else self.command
            if control & 0x80:
                take(next(left))
            else:
                for byte in left:
                    take(byte)


class Kernel:
    """A fake of `os` and `fcntl` for `hardware.display.bus`, with chips on its buses.

    It has chips on /dev/i2c-1 and one on /dev/spidev0.0. It counts every byte on the wire, with
    I2C's address bytes, and every transaction.
    """

    O_RDWR, O_CLOEXEC = os.O_RDWR, os.O_CLOEXEC

    def __init__(self, chips: dict[int, Chip] | None = None, spi: Chip | None = None) -> None:
        self.chips, self.spi = chips or {}, spi
        self.dc = False
        self.bytes = self.transactions = 0
        self.plugged = True
        self.noise = 0  # messages that will be lost
        self.let_go = Event()  # cleared while the bus is stuck
        self.let_go.set()
        self.changed = Condition()
        self._files: dict[int, str] = {}
        self._address: dict[int, int] = {}

    def patched(self) -> AbstractContextManager[object]:
        """Replace the kernel of `hardware.display.bus` during the block."""
        return patch.multiple(bus, os=self, fcntl=self)

    def open(self, path: str, flags: int) -> int:
        assert flags == self.O_RDWR | self.O_CLOEXEC
        if path not in ("/dev/i2c-1", "/dev/spidev0.0") or (self.spi is None) == ("spi" in path):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        file = 1000 + len(self._files)
        self._files[file] = path
        return file

    def ioctl(self, file: int, code: int, argument: int | bytes) -> None:
        if "i2c" in self._path(file):
            assert code == 0x0703
            assert isinstance(argument, int)
            self._address[file] = argument
        else:
            assert (code, argument) in {(0x40016B01, b"\0"), (0x40046B04, b"\x00\x09\x3d\x00")}

    def write(self, file: int, payload: bytes) -> int:
        path = self._path(file)
        assert self.let_go.wait(60)
        with self.changed:
            self.transactions += 1
            if "spi" in path:
                self._clock(payload)
            else:
                self._send(self._address[file], payload)
            self.changed.notify_all()
        return len(payload)

    def _clock(self, payload: bytes) -> None:
        assert self.spi is not None
        self.bytes += len(payload)
        for byte in payload:
            (self.spi.data if self.dc else self.spi.command)(byte)

    def _send(self, address: int, payload: bytes) -> None:
        self.bytes += 1
        if not self.plugged or address not in self.chips or self.noise:
            self.noise = max(0, self.noise - 1)
            self.changed.notify_all()
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self.bytes += len(payload)
        self.chips[address].transaction(payload)

    def close(self, file: int) -> None:
        self._path(file)
        self._files[file] = ""

    def _path(self, file: int) -> str:
        path = self._files.get(file, "")
        if not path:
            raise OSError(errno.EBADF, "Bad file descriptor")
        return path

    @property
    def open_files(self) -> int:
        return sum(bool(path) for path in self._files.values())

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait up to ten seconds until a condition holds. Raise AssertionError if it does not."""
        with self.changed:
            assert self.changed.wait_for(condition, 10)


class Rig:
    """A display on I2C with its chip, and its error reports."""

    def __init__(self, panel: Panel, chip: Chip, *, upside_down: bool = False) -> None:
        self.panel, self.chip, self._upside_down = panel, chip, upside_down
        self.kernel = Kernel({I2C_ADDRESS: chip})
        self.reports: list[HardwareError] = []
        self.reported = Event()
        self.display = ThreadedDisplay(panel, self._report)

    def _report(self, error: HardwareError) -> None:
        self.reports.append(error)
        self.reported.set()

    @contextmanager
    def plugged_in(self) -> Iterator[Rig]:
        """Replace the kernel during the block, then close the display."""
        with self.kernel.patched():
            yield self
            self.kernel.plugged = True
            self.kernel.let_go.set()
            self.display.close()

    def show(self, frame: bytes) -> tuple[int, int]:
        """Show a frame. Return the number of bytes and of transactions for it."""
        before = self.kernel.bytes, self.kernel.transactions
        self.display.show(frame)
        shown = turn_frame_upside_down(frame) if self._upside_down else frame
        self.kernel.until(lambda: self.chip.on and self.chip.frame == shown)
        return self.kernel.bytes - before[0], self.kernel.transactions - before[1]


class Stock:
    """luma.oled with its own driver on a chip, for comparison."""

    def __init__(self, kind: str = "ssd1306", rotate: int = 0) -> None:
        self.chip = Chip("sh1106" if kind == "sh1106" else "ssd1306")
        self.commands: list[int] = []
        self.bytes = self.transactions = 0
        self.device: Any = getattr(device, kind)(self, rotate=rotate)
        self.device.persist = True  # else luma clears the panel when the tests end

    def command(self, *codes: int) -> None:
        self.commands += codes
        self._send(b"\x00" + bytes(codes))

    def data(self, data: list[int]) -> None:
        self._send(b"\x40" + bytes(data))

    def cleanup(self) -> None:
        pass

    def _send(self, payload: bytes) -> None:
        self.bytes += 1 + len(payload)
        self.transactions += 1
        self.chip.transaction(payload)

    def show(self, frame: bytes) -> None:
        """Show a frame. Return the number of bytes and of transactions for it."""
        picture = Image.new("1", (128, 64))
        picture.putdata([255 * pixel for row in frame_as_pixel_rows(frame) for pixel in row])
        self.device.display(picture)
