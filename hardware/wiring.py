"""Wirings: which part is connected to which pin. FOUR_BUTTONS is the default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hardware.ports import BACK, DOWN, OK, SEATS, UP, HardwareError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from checked_input.mistakes import FileMistake


class DisplayWiring(NamedTuple):
    """A display on a bus. `address` on I2C (None: whichever answers); `dc` is a pin on SPI."""

    chip: str = "ssd1306"
    bus: str = "i2c"
    port: int = 1
    address: int | None = None
    device: int = 0
    dc: int | None = None
    reset: int | None = None
    upside_down: bool = False


class Luma(NamedTuple):
    """A panel that luma drives: `chip` is its name there, `bus` "i2c" or "spi".

    No bus at all: luma.emulator pretends that there is a panel. `options` are luma's own, of the
    panel. `light` is the pin that switches an LCD's backlight. An address, a pin or a speed that is
    None is luma's to choose, or not there.
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
    """A whole wiring. A button may have several pins; `knob` is contacts a and b, or nothing.

    `sound` is None where the machine's own sound card, or one on USB, is heard.
    `device` is the sound card that is heard (`hardware.sound.cards`); "" is ALSA's default.
    `ear` is a second sound device, for who plays by ear: its name in ALSA, "" for none.
    """

    display: DisplayWiring | Luma
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
