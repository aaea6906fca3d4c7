"""Any panel that luma.oled, luma.lcd or luma.emulator has; imported only when chosen.

luma makes the bytes, our own buses carry them, so that no library for pins or SPI must be built.
A frame is drawn at its largest whole multiple, in the middle. A panel on which it does not fit is
squeezed to, in greys, if that can still be read. Colour LCDs that luma sends whole frames to are
only made ready by it: what they show is of `hardware.display.lcd`.
"""

from __future__ import annotations

import inspect
import os
import signal
import time
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from luma.core import cmdline
from luma.core.error import Error
from PIL import Image

from hardware.display import bus, lcd
from hardware.display.pixels import GREY_SIZE, HEIGHT, LEGIBLE
from hardware.ports import PAGES, WIDTH, HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hardware.display.bus import Wire
    from hardware.display.panel import Panel
    from hardware.wiring import Luma

MOST: Final = 4096
"""Bytes that luma sends at once: SPI's buffer in the kernel holds no more."""
FULL: Final = 0xFF
"""The contrast of an emulator that is not dimmed."""
PAINTED: Final = ("st7735", "st7789")
"""The LCDs that we paint by rectangles."""
OFFSETS: Final = ("h_offset", "v_offset")
"""Where such a glass begins in its chip's memory."""
OPTIONAL: Final = {*OFFSETS, "bgr"}
"""What a board may say of a panel, and some of luma's chips ignore."""
LETTERS: Final = {"hd44780", "ht1621"}
"""LCDs of luma's that have letters or segments, but no pixels."""
WAKING: Final = 0.12
"""Seconds that an LCD's chip needs after it was reset, and after it was woken (ST7735S datasheet,
10.1.2 and 10.1.11; an ST7789 is content with 5 ms after it was woken)."""

_RESET, _WAKE = b"\x01", b"\x11"


def installed_panels() -> dict[str, str]:
    """Each panel that luma has here, and the part that has it: "oled", "lcd" or "emulator"."""
    types = cmdline.get_display_types()
    parts = ("oled", "lcd", "emulator")
    return {name: part for part in parts for name in types[part] if name not in LETTERS}


# --- The glass ------------------------------------------------------------------------------------


def panel(screen: Luma, output: Callable[[int], Any]) -> Panel:
    """A board's panel; `output(pin)` gives a line with `on`, `off` and `close`.

    Raises HardwareError if a library is missing, or if a frame cannot be read on such a panel.
    """
    if not screen.bus:
        return EmulatedPanel(screen)
    kind = LcdPanel if screen.chip in PAINTED else LumaPanel
    wire = bus.wire(screen, output, screen.speed or bus.SPI_HERTZ)
    return kind(screen, wire, Backlight(screen.light, output))


class Backlight:
    """The pin that switches the light behind an LCD, taken when it is first needed; or none."""

    def __init__(self, pin: int | None = None, output: Callable[[int], Any] | None = None) -> None:
        self._take = None if pin is None or output is None else partial(output, pin)
        self._line: Any = None

    def switch(self, *, on: bool) -> None:
        """Switch the light. Raises HardwareError if the pin cannot be had."""
        if self._line is None and self._take is not None:
            self._line = self._take()
        if self._line is not None:
            (self._line.on if on else self._line.off)()

    def close(self) -> None:
        """Give the pin back; safe to call twice."""
        line, self._line = self._line, None
        if line is not None:
            line.close()


class LumaPanel:
    """The panel of `panel.py`: a device of luma's on a wire. Raises HardwareError."""

    def __init__(self, screen: Luma, wire: Wire, behind: Backlight | None = None) -> None:
        self._wire, self._serial, self._behind = wire, Serial(), behind or Backlight()
        self._device, self._full = make_device(screen, self._serial)

    def open(self) -> None:
        """Reach the chip and make it ready, dark."""
        self._behind.switch(on=False)
        self._wire.open()
        self._serial.live(self._wire)

    def renew(self) -> None:
        """Make it ready once more: it is dark only while that is sent, without any pixel."""
        self._serial.live(self._wire)
        self._device.show()

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Send the frame if it is another one; some devices send only what differs."""
        if before is None and hasattr(self._device, "framebuffer"):
            self._device.framebuffer.prev_image = None  # it sends all of it
        if frame != before:
            self._device.display(fit_picture(picture(frame), self._device.size, self._device.mode))

    def light(self, percent: int) -> None:
        """Set the contrast (percent), if the panel has one, and switch it on. Raises OSError."""
        if self._full is not None:
            self._device.contrast(self._full * percent // 100)
        self._device.show()
        self._behind.switch(on=True)

    def dark(self) -> None:
        """Switch it off."""
        self._behind.switch(on=False)
        self._device.hide()

    def close(self) -> None:
        """Let the bus and the light's pin go; safe to call twice."""
        self._wire.close()
        self._behind.close()


class LcdPanel(LumaPanel):
    """A colour LCD that luma makes ready, and we paint. `pause` waits for so many seconds.

    It is dimmed by its colours: a light that is switched on and off so fast that it seems dim would
    wake the box hundreds of times a second, and flicker.
    """

    def __init__(
        self,
        screen: Luma,
        wire: Wire,
        behind: Backlight | None = None,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        super().__init__(screen, wire, behind)
        self._pause, self._is_reset = pause, screen.reset is not None
        left, top = (screen.options.get(key, 0) for key in OFFSETS)
        quarters = self._device.rotate
        width, height = self._device.size[:: -1 if quarters % 2 else 1]
        self._place = lcd.GlassArea(width, height, left, top, quarters)
        self._frame, self._percent = b"", 100

    def open(self) -> None:
        """Reach the chip and make it ready; it is seen when its light is on."""
        self._behind.switch(on=False)
        self._wire.open()
        if self._is_reset:
            self._pause(WAKING)
        self._ready()
        self._percent = 100

    def renew(self) -> None:
        """Make the chip ready once more; its light stays as it was. Raises OSError."""
        self._ready()

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Send the rectangles that differ."""
        if before is None:
            self._send(lcd.clear_messages(self._place, self._percent))
        self._send(lcd.paint_messages(self._place, before, frame, self._percent))
        self._frame = frame

    def light(self, percent: int) -> None:
        """Paint the frame in colours of that brightness (percent), and switch the light on."""
        if percent != self._percent:
            self._percent = percent
            self.draw(self._frame, None)
        self._behind.switch(on=True)

    def _ready(self) -> None:
        """What luma sends but for a reset, which would blank it, and pixels of two bytes."""
        for message in self._serial.ready:
            if message[0] != _RESET:
                self._wire.send(*message)
            if message[0] == _WAKE:
                self._pause(WAKING)
        command, argument = lcd.SHORT
        self._wire.send(bytes((command,)), bytes((argument,)))
        self._serial.live(self._wire, again=False)
        self._device.show()

    def _send(self, messages: Iterable[lcd.Message]) -> None:
        for command, data in messages:
            self._wire.send(bytes((command,)), data[:MOST])
            for start in range(MOST, len(data), MOST):
                self._wire.send(b"", data[start : start + MOST])


class EmulatedPanel:
    """One of luma.emulator's, for `hardware.display.panel`. Raises HardwareError."""

    def __init__(self, screen: Luma) -> None:
        self._device, _ = make_device(screen, None)

    def open(self) -> None:
        """Nothing: it is there."""

    def renew(self) -> None:
        """Nothing: it loses no power."""

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Show the frame if it is another one."""
        if frame != before:
            drawn = fit_picture(picture(frame), self._device.size, self._device.mode)
            _pretend(self._device.display, drawn)

    def light(self, percent: int) -> None:
        """Show the frame as bright as `percent`, 0 to 100."""
        _pretend(self._device.contrast, FULL * percent // 100)

    def dark(self) -> None:
        """Show nothing."""
        _pretend(self._device.hide)

    def close(self) -> None:
        """Give the terminal back, if it has it; safe to call twice."""
        self._device.cleanup()


def _pretend(do: Callable[..., object], *given: object) -> None:
    """Do something with an emulator; if its window was closed, end the box too."""
    try:
        do(*given)
    except (SystemExit, RuntimeError) as error:  # luma's way to end; pygame's, when it has ended
        os.kill(os.getpid(), signal.SIGTERM)
        raise HardwareError.of("closed_window", "display") from error


def make_device(screen: Luma, interface: Any) -> tuple[Any, int | None]:
    """A device of luma's, dark, that nothing was drawn on, and its full contrast if it has one.

    While it is made, luma would clear it and switch it on: a blank flash before the first frame.
    Raises HardwareError.
    """
    part = installed_panels().get(screen.chip)
    if part is None:
        raise HardwareError.of("no_lcd", "display")
    kind = getattr(import_module(f"luma.{part}.device"), screen.chip)
    options: dict[str, Any] = dict(screen.options)
    if part == "lcd":
        options["backlight"] = lambda _: None  # the pin is ours: luma's would be RPi.GPIO's
    if screen.chip in PAINTED:  # so that these are ours, too
        options = {key: value for key, value in options.items() if key not in OFFSETS}
    _refuse_ignored(screen.chip, options, kind)
    levels: list[int] = []
    device = kind.__new__(kind)
    device.clear = device.show = lambda: None
    device.contrast = levels.append
    try:
        kind.__init__(device, serial_interface=interface, **options)
    except (Error, RuntimeError, TypeError, ValueError, ImportError) as error:
        # no such size; no pygame, no desktop; an option that this panel has not
        raise HardwareError.of("luma", "display", chip=screen.chip, why=error) from error
    del device.clear, device.show, device.contrast
    if device.height > device.width and "rotate" not in screen.options:
        device.capabilities(device.width, device.height, 1, device.mode)
    if not legible(device.size, device.mode):
        size = "{}x{}".format(*device.size)
        raise HardwareError.of("few_pixels", "display", chip=screen.chip, size=size, **LEGIBLE)
    device.persist = True  # else luma clears it in the end, whatever it is to go on showing
    return device, levels[-1] if levels else None


def _refuse_ignored(chip: str, options: Iterable[str], kind: type) -> None:
    """Raise HardwareError if luma would ignore one of `options`, as a chip's `**kwargs` do."""
    known_options = inspect.signature(kind).parameters
    for option in OPTIONAL & {*options}:
        if option not in known_options:
            raise HardwareError.of("no_option", "display", chip=chip, option=option)


# --- Pixels ---------------------------------------------------------------------------------------


def legible(size: tuple[int, int], mode: str) -> bool:
    """Whether a frame can be read on a glass of that size; squeezed it needs greys."""
    least = (WIDTH, HEIGHT) if mode == "1" else GREY_SIZE
    return all(side >= least_side for side, least_side in zip(size, least, strict=True))


def picture(frame: bytes) -> Any:
    """A frame as Pillow has pictures, of 128x64 pixels in black and white."""
    whole = Image.new("1", (WIDTH, HEIGHT))
    for page in range(PAGES):
        columns = frame[page * WIDTH : (page + 1) * WIDTH]  # each a row of eight, lowest bit first
        rows = Image.frombytes("1", (8, WIDTH), columns, "raw", "1;R")
        whole.paste(rows.transpose(Image.Transpose.TRANSPOSE), (0, 8 * page))
    return whole


def fit_picture(drawn: Any, size: tuple[int, int], mode: str) -> Any:
    """A frame's picture in the middle of a glass, at its largest whole multiple or squeezed."""
    width, height = size
    if times := min(width // WIDTH, height // HEIGHT):
        large = drawn.resize((WIDTH * times, HEIGHT * times))
    else:
        fits = min(width, WIDTH), min(height, HEIGHT)
        large = drawn.convert("L").resize(fits, Image.Resampling.HAMMING)
    glass = Image.new(mode, size)
    glass.paste(large.convert(mode), ((width - large.width) // 2, (height - large.height) // 2))
    return glass


# --- Buses ----------------------------------------------------------------------------------------


class Serial:
    """What luma calls a serial interface: what makes a device ready is kept for every wire."""

    def __init__(self) -> None:
        self.ready: list[tuple[bytes, bytes]] = []
        self._wire: Wire | None = None

    def live(self, wire: Wire, *, again: bool = True) -> None:
        """Send all that follows on a wire that is open, and first what makes the device ready.

        `again` false: that was sent.
        """
        self._wire = wire
        for message in self.ready if again else ():
            wire.send(*message)

    def command(self, *codes: int) -> None:
        """Send commands."""
        self._send(bytes(codes), b"")

    def data(self, data: list[int]) -> None:
        """Send bytes for the memory, or a command's arguments."""
        for start in range(0, len(data), MOST):
            self._send(b"", bytes(data[start : start + MOST]))

    def cleanup(self) -> None:
        """Nothing: the wire is not luma's to close."""

    def _send(self, commands: bytes, data: bytes) -> None:
        if self._wire is None:
            self.ready.append((commands, data))
        else:
            self._wire.send(commands, data)
