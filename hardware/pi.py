"""A box on a Raspberry Pi: buttons and lamps through gpiozero, the display through luma.oled.

`WIRING` says what goes where. Inputs are plain edges with a short debounce: holds are measured by
whoever hears them, so nothing here polls.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hardware import BACK, BLANK, DOWN, OK, SEATS, UP, Box, Edge, HardwareError
from hardware.pixels import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WIRING: Final = {
    UP: 5, DOWN: 6, OK: 13, BACK: 19,
    SEATS[0]: 16, SEATS[1]: 20, SEATS[2]: 21, SEATS[3]: 26,
}  # fmt: skip
"""Buttons, each between its GPIO (BCM numbers) and ground."""
KNOB: Final = (24, 25)
"""A rotary knob's two contacts, to ground: clockwise is UP. Its push switch goes where OK goes."""
LAMPS: Final = (17, 27, 22, 23)
"""Lamps of the seats, each from its GPIO through a resistor to ground."""
BUS, ADDRESS = 1, 0x3C
"""The display's I2C bus and address: SDA on GPIO 2, SCL on GPIO 3."""
DEBOUNCE: Final = 0.01
"""Seconds: loses and doubles no press (measured on kernel lines)."""


def wiring() -> str:
    """What to connect, in a few lines."""
    buttons = ", ".join(f"{name.upper()} GPIO {pin}" for name, pin in WIRING.items())
    return (
        f"Display: SSD1306, I2C, SDA to GPIO 2, SCL to GPIO 3 (bus {BUS}, address {ADDRESS:#x}).\n"
        f"Buttons, to ground: {buttons}.\n"
        "The first four are enough. I2C is switched on by: sudo raspi-config nonint do_i2c 0"
    )


def is_pi() -> bool:
    """Whether this machine has the pins of a Raspberry Pi."""
    try:
        return "Raspberry Pi" in Path("/proc/device-tree/model").read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return False


class PinButtons:
    """Buttons on GPIO pins. Raises HardwareError if a pin can not be had."""

    def __init__(self) -> None:
        try:
            from gpiozero import DigitalInputDevice, RotaryEncoder  # noqa: PLC0415 - only on a Pi
            from gpiozero.exc import BadPinFactory, GPIOZeroError  # noqa: PLC0415
        except ImportError as error:
            raise HardwareError("gpiozero is missing: pip install gpiozero", "buttons") from error
        self._pins: dict[str, Any] = {}
        self._knob: Any = None
        try:
            self._knob = RotaryEncoder(*KNOB, max_steps=0)
            for button, pin in WIRING.items():
                self._pins[button] = DigitalInputDevice(pin, pull_up=True, bounce_time=DEBOUNCE)
        except (BadPinFactory, GPIOZeroError, OSError) as error:
            self.close()
            raise HardwareError(f"The buttons' pins do not answer ({error}).", "buttons") from error

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Give every edge to `put`, on gpiozero's threads; a button held already comes first."""
        for button, pin in self._pins.items():
            pin.when_activated = _edge(put, button, down=True)
            pin.when_deactivated = _edge(put, button, down=False)
            if pin.is_active:
                pin.when_activated()
        self._knob.when_rotated_clockwise = _click(put, UP)
        self._knob.when_rotated_counter_clockwise = _click(put, DOWN)

    def close(self) -> None:
        """Give the pins back; safe to call twice."""
        for device in (self._knob, *self._pins.values()):
            if device is not None:
                device.close()
        self._pins, self._knob = {}, None


def _click(put: Callable[[Edge], None], button: str) -> Callable[[], None]:
    """A detent of the knob: a press of no length."""
    down, up = _edge(put, button, down=True), _edge(put, button, down=False)

    def tell() -> None:
        down()
        up()

    return tell


def _edge(put: Callable[[Edge], None], button: str, *, down: bool) -> Callable[[], None]:
    """What gpiozero calls: it counts a handler's parameters, so there are none."""

    def tell() -> None:
        put(Edge(button, down, time.monotonic()))

    return tell


class Oled:
    """An SSD1306 on I2C, or a luma `device` that is there already. Raises HardwareError."""

    def __init__(self, device: Any = None) -> None:
        self._device = device or self._find()

    @staticmethod
    def _find() -> Any:
        try:
            from luma.core.error import DeviceNotFoundError  # noqa: PLC0415 - only on a Pi
            from luma.core.interface.serial import i2c  # noqa: PLC0415
            from luma.oled.device import ssd1306  # noqa: PLC0415
        except ImportError as error:
            raise HardwareError("luma.oled is missing: pip install luma.oled", "display") from error
        try:
            return ssd1306(i2c(port=BUS, address=ADDRESS))
        except (DeviceNotFoundError, OSError) as error:
            raise HardwareError(
                f"No display answers on I2C bus {BUS} at {ADDRESS:#x}: check its four wires.",
                "display",
            ) from error

    def show(self, frame: bytes) -> None:
        """Send a frame. Raises HardwareError."""
        from PIL import Image  # noqa: PLC0415 - only on a Pi

        picture = Image.new("1", (128, 64))
        picture.putdata([255 * pixel for row in rows(frame) for pixel in row])
        try:
            self._device.display(picture)
        except OSError as error:
            raise HardwareError(
                "The display does not answer: check its four wires.", "display"
            ) from error

    def close(self) -> None:
        """Clear the display; safe to call twice."""
        try:
            self.show(BLANK)
        except HardwareError:
            return  # it is unplugged: there is nothing to clear


class PinLamps:
    """Lamps on GPIO pins."""

    def __init__(self) -> None:
        from gpiozero import DigitalOutputDevice  # noqa: PLC0415 - only on a Pi

        self._pins = [DigitalOutputDevice(pin) for pin in LAMPS]

    def show(self, lit: Sequence[bool]) -> None:
        """Light the seats' lamps."""
        for pin, on in zip(self._pins, lit, strict=True):
            pin.value = on

    def close(self) -> None:
        """Put the lamps out; safe to call twice."""
        for pin in self._pins:
            pin.close()
        self._pins = []


def open_box() -> Box:
    """The box on this Pi's pins. Raises HardwareError with what is missing."""
    if not is_pi():
        raise HardwareError("This machine has no Raspberry Pi's pins.")
    display = Oled()
    return Box(PinButtons(), (display,), (), PinLamps())
