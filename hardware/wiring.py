"""Wirings of boxes: the pins of a box's display, buttons, lamps and sound.

DEFAULT_BOARD is the wiring of a box whose owner has no board file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from checked_input.mistakes import FileMistake
from hardware.ports import BACK, DOWN, OK, SEATS, UP, HardwareError


class OledWiring(NamedTuple):
    """Wiring of an OLED that `hardware.display.oled` drives without the library luma.

    - `chip`: the name of the display's controller, a key of `hardware.display.oled.OLED_CHIPS`.
    - `bus`, `port`: the kind of bus ("i2c" or "spi"), and the number of the bus.
    - `address`: the display's I2C address, or None for the first address at which a display
      answers.
    - `device`: the number of the SPI chip select line (0 for CE0).
    - `dc`, `reset`: the GPIO numbers of the pins D/C (SPI only) and RESET, or None if the pin is
      not connected.
    - `upside_down` is True if the display is mounted upside down.
    """

    chip: str = "ssd1306"
    bus: str = "i2c"
    port: int = 1
    address: int | None = None
    device: int = 0
    dc: int | None = None
    reset: int | None = None
    upside_down: bool = False


class LumaDisplayWiring(NamedTuple):
    """Wiring of a display that the library luma drives.

    - `chip`: the name of the display's panel in luma.
    - `bus`: "i2c", "spi", or "" for a panel that luma.emulator simulates.
    - `options`: keyword arguments for the panel's class in luma, such as `width` and `rotate`.
    - `port`: the number of the bus.
    - `address`: the display's I2C address, or None for the first address at which a display
      answers.
    - `device`: the number of the SPI chip select line (0 for CE0).
    - `dc`, `reset`, `light`: the GPIO numbers of the pins D/C, RESET and backlight, or None if the
      pin is not connected.
    - `speed`: the clock rate of the SPI bus in hertz, or None for the default rate.
    """

    chip: str
    bus: str = ""
    options: Mapping[str, int] = {}
    port: int = 0
    address: int | None = None
    device: int = 0
    dc: int | None = None
    reset: int | None = None
    speed: int | None = None
    light: int | None = None


class SoundWiring(NamedTuple):
    """Sound hardware of a board.

    - `overlay`: the name of the kernel's device tree overlay for the sound hardware.
    - `high`: the GPIO numbers of the pins that the firmware sets high for the sound hardware.
    """

    overlay: str
    high: tuple[int, ...] = ()


class Board(NamedTuple):
    """Whole wiring of a box.

    - `display`: the wiring of the display.
    - `buttons`: table from a button's name to the GPIO numbers of its pins.
    - `knob`: the GPIO numbers of a rotary encoder's contacts a and b, or () if the box has no
      encoder.
    - `lamps`: table from a seat with a lamp to the GPIO number of the lamp.
    - `sound`: the board's sound hardware, or None if the box uses another sound card, such as a USB
      card.
    - `device`: the kernel's name of the sound card for all sounds, or "" for ALSA's default card.
    - `ear`: the ALSA name of the second sound device for audio mode, or "" if there is no second
      device.
    """

    display: OledWiring | LumaDisplayWiring
    buttons: Mapping[str, tuple[int, ...]]
    knob: tuple[int, ...] = ()
    lamps: Mapping[str, int] = {}
    sound: SoundWiring | None = None
    ear: str = ""
    device: str = ""


DEFAULT_BOARD: Final = Board(
    OledWiring(),
    {UP: (5,), DOWN: (6,), OK: (13,), BACK: (19,)}
    | {seat: (pin,) for seat, pin in zip(SEATS, (16, 20, 21, 26), strict=True)},
    knob=(24, 25),
    lamps=dict(zip(SEATS, (17, 27, 22, 23), strict=True)),
)
"""Wiring for users without a board file. The file `four-buttons.toml` describes the same wiring."""


class BoardFileError(HardwareError):
    """Error whose attribute `mistakes` has all mistakes of a board file, sorted by line number."""

    def __init__(self, mistakes: Iterable[FileMistake]) -> None:
        mistakes = tuple(mistakes)
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes
