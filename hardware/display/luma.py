"""Displays that the library luma drives: panels of luma.oled, luma.lcd and luma.emulator.

The box imports luma only for a board with a luma display. The library computes the bytes for the
panel, and `hardware.display.bus` sends them. The box therefore needs no other library for pins or
SPI. For colour LCDs, luma sends only the initialisation, and `hardware.display.lcd_messages`
computes the pixels.

A frame is shown in the middle of the panel, enlarged by the largest possible whole number. On a
panel with fewer pixels than a frame, the box reduces the frame and shows greys, if the frame stays
legible.
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

from hardware.display import bus, lcd_messages
from hardware.display.bus import ChipConnection
from hardware.display.frame_conversions import HEIGHT, MIN_GREY_PANEL_SIZE, SMALLEST_PANELS
from hardware.display.panel import Panel
from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH, HardwareError
from hardware.wiring import LumaDisplayWiring

MAX_TRANSFER_BYTES: Final = 4096
"""Maximum number of bytes in one SPI transfer: the size of the kernel's buffer."""
EMULATOR_FULL_CONTRAST: Final = 0xFF
"""Contrast value of an emulator at full brightness."""
LCDS_DRAWN_WITHOUT_LUMA: Final = ("st7735", "st7789")
"""Names of the LCD chips whose pixels `hardware.display.lcd_messages` computes."""
OFFSET_OPTIONS: Final = ("h_offset", "v_offset")
"""Names of the panel options that move the visible area in the chip's memory."""
IGNORED_OPTIONS: Final = {*OFFSET_OPTIONS, "bgr"}
"""Names of panel options that some of luma's classes would ignore without an error.

If a board file sets an option that the panel's class would ignore, the box raises an error.
"""
LETTER_LCDS: Final = {"hd44780", "ht1621"}
"""Names of luma's LCDs that cannot show pixels, but only letters or segments."""
LCD_RESET_WAIT_SECONDS: Final = 0.12
"""Seconds to wait after an LCD's chip was reset, and after the chip was woken from sleep.

The ST7735S datasheet states this time (10.1.2 and 10.1.11). A woken ST7789 needs only 5 ms.
"""

_RESET, _WAKE = b"\x01", b"\x11"


def installed_panel_kinds_by_name() -> dict[str, str]:
    """Return a table from the name of each installed panel to "oled", "lcd" or "emulator"."""
    types = cmdline.get_display_types()
    parts = ("oled", "lcd", "emulator")
    return {name: part for part in parts for name in types[part] if name not in LETTER_LCDS}


# --- Panels ---------------------------------------------------------------------------------------


def make_luma_panel(screen: LumaDisplayWiring, output: Callable[[int], Any]) -> Panel:
    """Return the panel that the wiring `screen` describes.

    `output(pin)` returns an output pin with the methods `on`, `off` and `close`. Raise
    HardwareError if a library is missing, or if a frame is not legible on the panel.
    """
    if not screen.bus:
        return EmulatedPanel(screen)
    kind = LcdPanel if screen.chip in LCDS_DRAWN_WITHOUT_LUMA else LumaPanel
    wire = bus.make_chip_connection(screen, output, screen.speed or bus.SPI_HERTZ)
    return kind(screen, wire, Backlight(screen.light, output))


class Backlight:
    """Output pin that switches an LCD's backlight.

    - `pin`: the pin's GPIO number, or None if the panel has no pin for the backlight.
    - `output`: function that returns the output pin, called when the backlight is first switched.
    """

    def __init__(self, pin: int | None = None, output: Callable[[int], Any] | None = None) -> None:
        self._take = None if pin is None or output is None else partial(output, pin)
        self._line: Any = None

    def switch_on_or_off(self, *, on: bool) -> None:
        """Switch the backlight on or off. Raise HardwareError if the pin is not available."""
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
    """Panel (see `hardware.display.panel.Panel`) whose bytes luma computes.

    All methods of the panel raise HardwareError or OSError if the panel fails.
    """

    def __init__(
        self, screen: LumaDisplayWiring, wire: ChipConnection, behind: Backlight | None = None
    ) -> None:
        self._wire, self._serial, self._behind = (
            wire,
            ReplaySerialInterface(),
            behind or Backlight(),
        )
        self._device, self._full = make_luma_device_and_contrast(screen, self._serial)

    def open(self) -> None:
        """Find and initialise the chip; the panel stays dark."""
        self._behind.switch_on_or_off(on=False)
        self._wire.open()
        self._serial.use_connection(self._wire)

    def reinitialise(self) -> None:
        """Initialise the chip again. The panel goes dark for a moment."""
        self._serial.use_connection(self._wire)
        self._device.show()

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Send `frame` if it differs from `before`, the frame that the panel shows.

        If `before` is None, send the whole frame. Otherwise, luma sends to some panels only the
        parts that differ.
        """
        if before is None and hasattr(self._device, "framebuffer"):
            self._device.framebuffer.prev_image = None  # makes luma send the whole frame
        if frame != before:
            self._device.display(
                fit_frame_picture_to_panel(
                    frame_as_pillow_picture(frame), self._device.size, self._device.mode
                )
            )

    def set_brightness(self, percent: int) -> None:
        """Switch the panel on. If the panel's contrast can be set, set the contrast to `percent`.

        Raise OSError if the panel fails.
        """
        if self._full is not None:
            self._device.contrast(self._full * percent // 100)
        self._device.show()
        self._behind.switch_on_or_off(on=True)

    def switch_off(self) -> None:
        """Switch the panel and its backlight off."""
        self._behind.switch_on_or_off(on=False)
        self._device.hide()

    def close(self) -> None:
        """Release the bus and the backlight's pin; safe to call twice."""
        self._wire.close()
        self._behind.close()


class LcdPanel(LumaPanel):
    """Colour LCD that luma initialises and whose pixels `hardware.display.lcd_messages` computes.

    The backlight is either on or off. The brightness therefore changes the colours of the pixels.
    To dim the backlight, the box would have to switch the backlight hundreds of times a second. The
    backlight would flicker, and the processor would stay awake.

    `pause(seconds)`: function that waits.
    """

    def __init__(
        self,
        screen: LumaDisplayWiring,
        wire: ChipConnection,
        behind: Backlight | None = None,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        super().__init__(screen, wire, behind)
        self._pause, self._is_reset = pause, screen.reset is not None
        left, top = (screen.options.get(key, 0) for key in OFFSET_OPTIONS)
        quarters = self._device.rotate
        width, height = self._device.size[:: -1 if quarters % 2 else 1]
        self._place = lcd_messages.VisiblePanelArea(width, height, left, top, quarters)
        self._frame, self._percent = b"", 100

    def open(self) -> None:
        """Find and initialise the chip; `set_brightness` switches the backlight on later."""
        self._behind.switch_on_or_off(on=False)
        self._wire.open()
        if self._is_reset:
            self._pause(LCD_RESET_WAIT_SECONDS)
        self._ready()
        self._percent = 100

    def reinitialise(self) -> None:
        """Initialise the chip again, without a change of the backlight.

        Raise OSError if the chip fails.
        """
        self._ready()

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Send the rectangles in which `frame` differs from `before`.

        If `before` is None, send all pixels.
        """
        if before is None:
            self._send(lcd_messages.blank_panel_messages(self._place, self._percent))
        self._send(lcd_messages.frame_change_messages(self._place, before, frame, self._percent))
        self._frame = frame

    def set_brightness(self, percent: int) -> None:
        """Show the last frame at `percent` brightness, and switch the backlight on."""
        if percent != self._percent:
            self._percent = percent
            self.draw(self._frame, None)
        self._behind.switch_on_or_off(on=True)

    def _ready(self) -> None:
        """Send luma's initialisation to the chip, and select two bytes for each pixel.

        Omit the reset command of the initialisation, because a reset would blank the panel.
        """
        for message in self._serial.ready:
            if message[0] != _RESET:
                self._wire.send(*message)
            if message[0] == _WAKE:
                self._pause(LCD_RESET_WAIT_SECONDS)
        command, argument = lcd_messages.TWO_BYTE_PIXELS_COMMAND
        self._wire.send(bytes((command,)), bytes((argument,)))
        self._serial.use_connection(self._wire, again=False)
        self._device.show()

    def _send(self, messages: Iterable[lcd_messages.Message]) -> None:
        for command, data in messages:
            self._wire.send(bytes((command,)), data[:MAX_TRANSFER_BYTES])
            for start in range(MAX_TRANSFER_BYTES, len(data), MAX_TRANSFER_BYTES):
                self._wire.send(b"", data[start : start + MAX_TRANSFER_BYTES])


class EmulatedPanel:
    """Panel (see `hardware.display.panel.Panel`) that luma.emulator simulates.

    `draw`, `set_brightness` and `switch_off` raise HardwareError if the user has closed the
    emulator's window.
    """

    def __init__(self, screen: LumaDisplayWiring) -> None:
        self._device, _ = make_luma_device_and_contrast(screen, None)

    def open(self) -> None:
        """Do nothing, because an emulator needs no initialisation."""

    def reinitialise(self) -> None:
        """Do nothing, because an emulator cannot lose its power."""

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Show `frame` if it differs from `before`, the frame that the emulator shows."""
        if frame != before:
            drawn = fit_frame_picture_to_panel(
                frame_as_pillow_picture(frame), self._device.size, self._device.mode
            )
            _pretend(self._device.display, drawn)

    def set_brightness(self, percent: int) -> None:
        """Set the brightness of the emulator in percent."""
        _pretend(self._device.contrast, EMULATOR_FULL_CONTRAST * percent // 100)

    def switch_off(self) -> None:
        """Make the emulator show an empty picture."""
        _pretend(self._device.hide)

    def close(self) -> None:
        """Restore the terminal if the emulator draws in the terminal; safe to call twice."""
        self._device.cleanup()


def _pretend(do: Callable[..., object], *given: object) -> None:
    """Call a function of the emulator.

    If the user has closed the emulator's window, request the end of this program, and raise
    HardwareError.
    """
    try:
        do(*given)
    # for a closed window, luma raises SystemExit, and pygame raises RuntimeError
    except (SystemExit, RuntimeError) as error:
        os.kill(os.getpid(), signal.SIGTERM)
        raise HardwareError.from_reason("closed_window", "display") from error


def make_luma_device_and_contrast(
    screen: LumaDisplayWiring, interface: Any
) -> tuple[Any, int | None]:
    """Return luma's device for a panel, and the device's contrast value at full brightness.

    The contrast value is None for a device whose contrast cannot be set. The returned device is
    dark. While luma makes the device, this function prevents luma from switching on the panel,
    which would be empty before the first frame. Raise HardwareError if luma cannot make the device,
    or if a frame is not legible on the device.
    """
    part = installed_panel_kinds_by_name().get(screen.chip)
    if part is None:
        raise HardwareError.from_reason("no_lcd", "display")
    kind = getattr(import_module(f"luma.{part}.device"), screen.chip)
    options: dict[str, Any] = dict(screen.options)
    if part == "lcd":
        # `Backlight` switches the pin, because luma would need RPi.GPIO
        options["backlight"] = lambda _: None
    if screen.chip in LCDS_DRAWN_WITHOUT_LUMA:  # luma refuses some of these offsets
        options = {key: value for key, value in options.items() if key not in OFFSET_OPTIONS}
    _refuse_ignored(screen.chip, options, kind)
    levels: list[int] = []
    device = kind.__new__(kind)
    device.clear = device.show = lambda: None
    device.contrast = levels.append
    try:
        kind.__init__(device, serial_interface=interface, **options)
    except (Error, RuntimeError, TypeError, ValueError, ImportError) as error:
        # luma refuses a size or an option, or pygame or the desktop is missing
        raise HardwareError.from_reason("luma", "display", chip=screen.chip, why=error) from error
    del device.clear, device.show, device.contrast
    if device.height > device.width and "rotate" not in screen.options:
        device.capabilities(device.width, device.height, 1, device.mode)
    if not can_panel_show_legible_frames(device.size, device.mode):
        size = "{}x{}".format(*device.size)
        raise HardwareError.from_reason(
            "few_pixels", "display", chip=screen.chip, size=size, **SMALLEST_PANELS
        )
    device.persist = True  # prevents luma from clearing the panel at exit
    return device, levels[-1] if levels else None


def _refuse_ignored(chip: str, options: Iterable[str], kind: type) -> None:
    known_options = inspect.signature(kind).parameters
    for option in IGNORED_OPTIONS & {*options}:
        if option not in known_options:
            raise HardwareError.from_reason("no_option", "display", chip=chip, option=option)


# --- Pixels ---------------------------------------------------------------------------------------


def can_panel_show_legible_frames(size: tuple[int, int], mode: str) -> bool:
    """Return True if a frame is legible on a panel with this size (pixels) and colour mode.

    A panel with fewer pixels than a frame must show greys. Every colour mode of Pillow has greys,
    except the mode "1".
    """
    least = (DISPLAY_WIDTH, HEIGHT) if mode == "1" else MIN_GREY_PANEL_SIZE
    return all(side >= least_side for side, least_side in zip(size, least, strict=True))


def frame_as_pillow_picture(frame: bytes) -> Any:
    """Return a frame as a black and white picture of Pillow, with 128x64 pixels."""
    whole = Image.new("1", (DISPLAY_WIDTH, HEIGHT))
    for page in range(DISPLAY_PAGES):
        columns = frame[
            page * DISPLAY_WIDTH : (page + 1) * DISPLAY_WIDTH
        ]  # a byte holds eight pixels of a column; bit 0 is the top pixel
        rows = Image.frombytes("1", (8, DISPLAY_WIDTH), columns, "raw", "1;R")
        whole.paste(rows.transpose(Image.Transpose.TRANSPOSE), (0, 8 * page))
    return whole


def fit_frame_picture_to_panel(drawn: Any, size: tuple[int, int], mode: str) -> Any:
    """Return a picture of `size` pixels that shows the picture `drawn` in its middle.

    The picture `drawn` is enlarged or reduced to fit. `mode`: Pillow's colour mode of the returned
    picture.
    """
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


class ReplaySerialInterface:
    """Serial interface for luma that stores the initialisation of a device.

    The interface sends the stored initialisation to each new connection.
    """

    def __init__(self) -> None:
        self.ready: list[tuple[bytes, bytes]] = []
        self._wire: ChipConnection | None = None

    def use_connection(self, wire: ChipConnection, *, again: bool = True) -> None:
        """Use `wire` for all later bytes. If `again` is True, first send the stored initialisation.

        If `again` is False, the chip must be initialised already.
        """
        self._wire = wire
        for message in self.ready if again else ():
            wire.send(*message)

    def command(self, *codes: int) -> None:
        """Send command bytes to the chip."""
        self._send(bytes(codes), b"")

    def data(self, data: list[int]) -> None:
        """Send bytes for the chip's memory, or arguments of a command."""
        for start in range(0, len(data), MAX_TRANSFER_BYTES):
            self._send(b"", bytes(data[start : start + MAX_TRANSFER_BYTES]))

    def cleanup(self) -> None:
        """Do nothing, because luma must not close the connection."""

    def _send(self, commands: bytes, data: bytes) -> None:
        if self._wire is None:
            self.ready.append((commands, data))
        else:
            self._wire.send(commands, data)
