"""Panels of luma.oled, luma.lcd and luma.emulator. luma is imported only if a board needs it.

luma computes the bytes, and the buses of this package send them, so that no other library for pins
or SPI is needed. A frame is drawn in the middle, at its largest whole multiple. A panel that is too
small shows a reduced frame in greys, if that is legible. Colour LCDs are only initialised by luma:
`hardware.display.lcd` paints them.
"""

from __future__ import annotations

import inspect
import os
import signal
import time
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import Any, Final

from luma.core import cmdline
from luma.core.error import Error
from PIL import Image

from hardware.display import bus, lcd
from hardware.display.bus import Wire
from hardware.display.panel import Panel
from hardware.display.pixels import GREY_SIZE, HEIGHT, SMALLEST_PANELS
from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH, HardwareError
from hardware.wiring import LumaWiring

MAX_TRANSFER_BYTES: Final = 4096
"""The largest number of bytes that luma sends at once: the size of the kernel's SPI buffer."""
FULL_CONTRAST: Final = 0xFF
"""The contrast of an emulator at full brightness."""
PAINTED_LCDS: Final = ("st7735", "st7789")
"""The LCDs that `hardware.display.lcd` paints by rectangles."""
OFFSET_OPTIONS: Final = ("h_offset", "v_offset")
"""The options for the position of the visible area in the chip's memory."""
IGNORED_OPTIONS: Final = {*OFFSET_OPTIONS, "bgr"}
"""Options of a board that some of luma's chips ignore."""
LETTER_LCDS: Final = {"hd44780", "ht1621"}
"""LCDs of luma that have letters or segments instead of pixels."""
WAKING_SECONDS: Final = 0.12
"""The time in seconds that an LCD's chip needs after a reset and after it was woken (ST7735S
datasheet, 10.1.2 and 10.1.11; an ST7789 needs only 5 ms after it was woken).
"""

_RESET, _WAKE = b"\x01", b"\x11"


def installed_panels() -> dict[str, str]:
    """Return the name of each panel that luma has here, with "oled", "lcd" or "emulator"."""
    types = cmdline.get_display_types()
    parts = ("oled", "lcd", "emulator")
    return {name: part for part in parts for name in types[part] if name not in LETTER_LCDS}


# --- The glass ------------------------------------------------------------------------------------


def make_panel(screen: LumaWiring, output: Callable[[int], Any]) -> Panel:
    """Return the panel of a board. `output(pin)` returns a line with `on`, `off` and `close`.

    Raise HardwareError if a library is missing, or if a frame is not legible on this panel.
    """
    if not screen.bus:
        return EmulatedPanel(screen)
    kind = LcdPanel if screen.chip in PAINTED_LCDS else LumaPanel
    wire = bus.display_bus(screen, output, screen.speed or bus.SPI_HERTZ)
    return kind(screen, wire, Backlight(screen.light, output))


class Backlight:
    """The pin that switches an LCD's backlight.

    It is requested at the first use; it may be absent.
    """

    def __init__(self, pin: int | None = None, output: Callable[[int], Any] | None = None) -> None:
        self._take = None if pin is None or output is None else partial(output, pin)
        self._line: Any = None

    def switch(self, *, on: bool) -> None:
        """Switch the backlight. Raise HardwareError if the pin is not available."""
        if self._line is None and self._take is not None:
            self._line = self._take()
        if self._line is not None:
            (self._line.on if on else self._line.off)()

    def close(self) -> None:
        """Release the pin; safe to call twice."""
        line, self._line = self._line, None
        if line is not None:
            line.close()


class LumaPanel:
    """A panel that luma computes, for `hardware.display.panel`.

    Its methods raise HardwareError or OSError if the panel fails.
    """

    def __init__(self, screen: LumaWiring, wire: Wire, behind: Backlight | None = None) -> None:
        self._wire, self._serial, self._behind = wire, StoredSerial(), behind or Backlight()
        self._device, self._full = make_device(screen, self._serial)

    def open(self) -> None:
        """Find and initialise the chip; the panel stays dark."""
        self._behind.switch(on=False)
        self._wire.open()
        self._serial.use_wire(self._wire)

    def reinitialise(self) -> None:
        """Initialise the chip again. The panel is dark only during that, and no pixel changes."""
        self._serial.use_wire(self._wire)
        self._device.show()

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Send `frame` if it differs from `before`. Some devices send only the difference."""
        if before is None and hasattr(self._device, "framebuffer"):
            self._device.framebuffer.prev_image = None  # then luma sends the whole frame
        if frame != before:
            self._device.display(
                fit_picture(frame_picture(frame), self._device.size, self._device.mode)
            )

    def light(self, percent: int) -> None:
        """Set the contrast in percent, if the panel has one, and switch the panel on.

        Raise OSError.
        """
        if self._full is not None:
            self._device.contrast(self._full * percent // 100)
        self._device.show()
        self._behind.switch(on=True)

    def switch_off(self) -> None:
        """Switch the panel off."""
        self._behind.switch(on=False)
        self._device.hide()

    def close(self) -> None:
        """Release the bus and the backlight's pin; safe to call twice."""
        self._wire.close()
        self._behind.close()


class LcdPanel(LumaPanel):
    """A colour LCD that luma initialises, and `hardware.display.lcd` paints.

    `pause(seconds)` waits. The colours are dimmed instead of the backlight: a backlight that is
    dimmed by fast switching would wake the processor hundreds of times a second, and flicker.
    """

    def __init__(
        self,
        screen: LumaWiring,
        wire: Wire,
        behind: Backlight | None = None,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        super().__init__(screen, wire, behind)
        self._pause, self._is_reset = pause, screen.reset is not None
        left, top = (screen.options.get(key, 0) for key in OFFSET_OPTIONS)
        quarters = self._device.rotate
        width, height = self._device.size[:: -1 if quarters % 2 else 1]
        self._place = lcd.PanelArea(width, height, left, top, quarters)
        self._frame, self._percent = b"", 100

    def open(self) -> None:
        """Find and initialise the chip. The panel is visible only after the backlight is on."""
        self._behind.switch(on=False)
        self._wire.open()
        if self._is_reset:
            self._pause(WAKING_SECONDS)
        self._ready()
        self._percent = 100

    def reinitialise(self) -> None:
        """Initialise the chip again; the backlight is not changed. Raise OSError."""
        self._ready()

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Send the rectangles in which `frame` differs from `before`."""
        if before is None:
            self._send(lcd.clear_messages(self._place, self._percent))
        self._send(lcd.paint_messages(self._place, before, frame, self._percent))
        self._frame = frame

    def light(self, percent: int) -> None:
        """Paint the frame in colours of this brightness (percent), and switch the backlight on."""
        if percent != self._percent:
            self._percent = percent
            self.draw(self._frame, None)
        self._behind.switch(on=True)

    def _ready(self) -> None:
        """Send luma's initialisation without the reset, and select two bytes a pixel.

        The reset would blank the panel.
        """
        for message in self._serial.ready:
            if message[0] != _RESET:
                self._wire.send(*message)
            if message[0] == _WAKE:
                self._pause(WAKING_SECONDS)
        command, argument = lcd.TWO_BYTE_COMMAND
        self._wire.send(bytes((command,)), bytes((argument,)))
        self._serial.use_wire(self._wire, again=False)
        self._device.show()

    def _send(self, messages: Iterable[lcd.Message]) -> None:
        for command, data in messages:
            self._wire.send(bytes((command,)), data[:MAX_TRANSFER_BYTES])
            for start in range(MAX_TRANSFER_BYTES, len(data), MAX_TRANSFER_BYTES):
                self._wire.send(b"", data[start : start + MAX_TRANSFER_BYTES])


class EmulatedPanel:
    """A panel of luma.emulator, for `hardware.display.panel`. Raise HardwareError if it fails."""

    def __init__(self, screen: LumaWiring) -> None:
        self._device, _ = make_device(screen, None)

    def open(self) -> None:
        """Do nothing: an emulator needs no initialisation."""

    def reinitialise(self) -> None:
        """Do nothing: an emulator loses no power."""

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Show `frame` if it differs from `before`."""
        if frame != before:
            drawn = fit_picture(frame_picture(frame), self._device.size, self._device.mode)
            _pretend(self._device.display, drawn)

    def light(self, percent: int) -> None:
        """Show the frame with this brightness in percent."""
        _pretend(self._device.contrast, FULL_CONTRAST * percent // 100)

    def switch_off(self) -> None:
        """Show an empty picture."""
        _pretend(self._device.hide)

    def close(self) -> None:
        """Restore the terminal if the emulator uses it; safe to call twice."""
        self._device.cleanup()


def _pretend(do: Callable[..., object], *given: object) -> None:
    """Call a function of an emulator. If its window was closed, end the box too."""
    try:
        do(*given)
    # luma exits so; pygame raises this after its window was closed
    except (SystemExit, RuntimeError) as error:
        os.kill(os.getpid(), signal.SIGTERM)
        raise HardwareError.from_reason("closed_window", "display") from error


def make_device(screen: LumaWiring, interface: Any) -> tuple[Any, int | None]:
    """Return a dark device of luma, and its full contrast; None if it has no contrast.

    Nothing is sent while the device is made: luma would clear it and switch it on, a blank flash
    before the first frame. Raise HardwareError.
    """
    part = installed_panels().get(screen.chip)
    if part is None:
        raise HardwareError.from_reason("no_lcd", "display")
    kind = getattr(import_module(f"luma.{part}.device"), screen.chip)
    options: dict[str, Any] = dict(screen.options)
    if part == "lcd":
        # this package switches the pin; luma would use RPi.GPIO
        options["backlight"] = lambda _: None
    if screen.chip in PAINTED_LCDS:  # luma accepts only its own values for these chips
        options = {key: value for key, value in options.items() if key not in OFFSET_OPTIONS}
    _refuse_ignored(screen.chip, options, kind)
    levels: list[int] = []
    device = kind.__new__(kind)
    device.clear = device.show = lambda: None
    device.contrast = levels.append
    try:
        kind.__init__(device, serial_interface=interface, **options)
    except (Error, RuntimeError, TypeError, ValueError, ImportError) as error:
        # an unsupported size or option, or pygame or a desktop is missing
        raise HardwareError.from_reason("luma", "display", chip=screen.chip, why=error) from error
    del device.clear, device.show, device.contrast
    if device.height > device.width and "rotate" not in screen.options:
        device.capabilities(device.width, device.height, 1, device.mode)
    if not is_legible(device.size, device.mode):
        size = "{}x{}".format(*device.size)
        raise HardwareError.from_reason(
            "few_pixels", "display", chip=screen.chip, size=size, **SMALLEST_PANELS
        )
    device.persist = True  # otherwise luma would clear the panel at exit
    return device, levels[-1] if levels else None


def _refuse_ignored(chip: str, options: Iterable[str], kind: type) -> None:
    """Raise HardwareError if the chip's class would ignore one of `options` in its `**kwargs`."""
    known_options = inspect.signature(kind).parameters
    for option in IGNORED_OPTIONS & {*options}:
        if option not in known_options:
            raise HardwareError.from_reason("no_option", "display", chip=chip, option=option)


# --- Pixels ---------------------------------------------------------------------------------------


def is_legible(size: tuple[int, int], mode: str) -> bool:
    """Return True if a frame is legible on a panel of this size and mode.

    A reduced frame needs greys.
    """
    least = (DISPLAY_WIDTH, HEIGHT) if mode == "1" else GREY_SIZE
    return all(side >= least_side for side, least_side in zip(size, least, strict=True))


def frame_picture(frame: bytes) -> Any:
    """Return a frame as a picture of Pillow: 128x64 pixels in black and white."""
    whole = Image.new("1", (DISPLAY_WIDTH, HEIGHT))
    for page in range(DISPLAY_PAGES):
        columns = frame[
            page * DISPLAY_WIDTH : (page + 1) * DISPLAY_WIDTH
        ]  # rows of eight pixels, lowest bit first
        rows = Image.frombytes("1", (8, DISPLAY_WIDTH), columns, "raw", "1;R")
        whole.paste(rows.transpose(Image.Transpose.TRANSPOSE), (0, 8 * page))
    return whole


def fit_picture(drawn: Any, size: tuple[int, int], mode: str) -> Any:
    """Return a frame's picture in the middle of a panel, enlarged or reduced to fit."""
    width, height = size
    if times := min(width // DISPLAY_WIDTH, height // HEIGHT):
        large = drawn.resize((DISPLAY_WIDTH * times, HEIGHT * times))
    else:
        fits = min(width, DISPLAY_WIDTH), min(height, HEIGHT)
        large = drawn.convert("L").resize(fits, Image.Resampling.HAMMING)
    glass = Image.new(mode, size)
    glass.paste(large.convert(mode), ((width - large.width) // 2, (height - large.height) // 2))
    return glass


# --- Buses ----------------------------------------------------------------------------------------


class StoredSerial:
    """A serial interface for luma. It stores the initialisation of a device for every new wire."""

    def __init__(self) -> None:
        self.ready: list[tuple[bytes, bytes]] = []
        self._wire: Wire | None = None

    def use_wire(self, wire: Wire, *, again: bool = True) -> None:
        """Send everything from now on to an open wire, beginning with the initialisation.

        `again` false: the wire has had the initialisation already.
        """
        self._wire = wire
        for message in self.ready if again else ():
            wire.send(*message)

    def command(self, *codes: int) -> None:
        """Send commands."""
        self._send(bytes(codes), b"")

    def data(self, data: list[int]) -> None:
        """Send bytes for the memory, or a command's arguments."""
        for start in range(0, len(data), MAX_TRANSFER_BYTES):
            self._send(b"", bytes(data[start : start + MAX_TRANSFER_BYTES]))

    def cleanup(self) -> None:
        """Do nothing: luma must not close the wire."""

    def _send(self, commands: bytes, data: bytes) -> None:
        if self._wire is None:
            self.ready.append((commands, data))
        else:
            self._wire.send(commands, data)
