"""Wirings: which part is connected to which pin. FOUR_BUTTONS is the default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from checked_input.mistakes import FileMistake
from hardware.ports import BACK, DOWN, OK, SEATS, UP, HardwareError


class DisplayWiring(NamedTuple):
    """A display on a bus that this program drives.

    `address` is the I2C address (None: the first one that answers). `dc` is the GPIO number of the
    D/C pin on SPI.
    """

    chip: str = "ssd1306"
    bus: str = "i2c"
    port: int = 1
    address: int | None = None
    device: int = 0
    dc: int | None = None
    reset: int | None = None
    upside_down: bool = False


class LumaWiring(NamedTuple):
    """A panel that luma drives. `chip` is its name in luma, `bus` is "i2c" or "spi".

    Without a bus, luma.emulator simulates a panel. `options` are passed to luma's device. `light`
    is the GPIO number of the pin that switches an LCD's backlight. None for an address, a pin or a
    speed: luma's default, or no such pin.
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
    """The sound hardware of a board: the kernel's overlay, and pins that must be high for it."""

    overlay: str
    high: tuple[int, ...] = ()


class Board(NamedTuple):
    """The whole wiring of a box.

    - `buttons`: the GPIO numbers of each button; a button may have several.
    - `knob`: the contacts a and b of a rotary encoder, or empty.
    - `sound`: the sound hardware; None for the machine's own sound card or one on USB.
    - `device`: the sound card to play on (`hardware.sound.cards`); "" is ALSA's default.
    - `ear`: the ALSA name of a second sound device, for audio mode; "" for none.
    """

    display: DisplayWiring | LumaWiring
    buttons: Mapping[str, tuple[int, ...]]
    knob: tuple[int, ...] = ()
    lamps: Mapping[str, int] = {}
    sound: SoundWiring | None = None
    ear: str = ""
    device: str = ""


FOUR_BUTTONS: Final = Board(
    DisplayWiring(),
    {UP: (5,), DOWN: (6,), OK: (13,), BACK: (19,)}
    | {seat: (pin,) for seat, pin in zip(SEATS, (16, 20, 21, 26), strict=True)},
    knob=(24, 25),
    lamps=dict(zip(SEATS, (17, 27, 22, 23), strict=True)),
)
"""The wiring of `four-buttons.toml`, for users without a board file."""


class BoardError(HardwareError):
    """A board file has `mistakes`, sorted by line."""

    def __init__(self, mistakes: Iterable[FileMistake]) -> None:
        mistakes = tuple(mistakes)
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes
