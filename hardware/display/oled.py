"""An OLED of 128x64 pixels on a Pi's bus: SSD1306, SSD1309 or SH1106.

The chips are initialised with the bytes of luma.oled except for the addressing mode, and hold the
bytes that luma's `display` would leave there (both are tested). Importing luma takes longer than
everything else that a display needs, so it is not used here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from hardware.display.bus import Wire
from hardware.display.changes import change_messages


class OledChip(NamedTuple):
    """A controller: its initialisation, and its first visible column.

    The initialisation does not switch the panel off. The panel is dark after power-up; a picture of
    an earlier run stays until it is overwritten.
    """

    initialisation: bytes
    contrast: int
    first_column: int


_SSD1306: Final = OledChip(
    bytes.fromhex(
        "D5 80"  # clock divider
        "A8 3F"  # multiplex: 64 rows
        "D3 00"  # no row offset
        "40"  # memory starts at row 0
        "8D 14"  # charge pump on (the SSD1309 ignores it)
        "20 02"  # page addressing: an address costs half of a window's bytes
        "A1 C8"  # left to right, top to bottom
        "DA 12"  # COM pin configuration
        "D9 F1"  # precharge period
        "DB 40"  # deselect level
        "A4 A6"  # show the memory; a bit 1 is lit
    ),
    contrast=0xCF,
    first_column=0,
)
_SH1106: Final = OledChip(
    bytes.fromhex("20 10 B0 C8 00 10 40 A1 A6 A8 3F A4 D3 00 D5 F0 D9 22 DA 12 DB 20 8D 14"),
    contrast=0x7F,
    first_column=2,  # its memory has 132 columns, the panel 128
)
OLED_CHIPS: Final = {"ssd1306": _SSD1306, "ssd1309": _SSD1306, "sh1106": _SH1106}
"""The controllers by name. The chip of a module cannot be read, so the board names it."""

_CONTRAST, _OFF, _ON = 0x81, 0xAE, 0xAF
_REVERSED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def turn_frame(frame: bytes) -> bytes:
    """Return a frame for a display that is mounted upside down."""
    return frame[::-1].translate(_REVERSED)


class Oled:
    """An OLED for `hardware.display.panel`: a chip on a bus, possibly upside down."""

    def __init__(self, chip: str, wire: Wire, *, upside_down: bool = False) -> None:
        self._chip, self._wire, self._upside_down = OLED_CHIPS[chip], wire, upside_down

    def open(self) -> None:
        """Find and initialise the chip; brightness is not changed. Raise OSError."""
        self._wire.open()
        self.reinitialise()

    def reinitialise(self) -> None:
        """Initialise the chip again. Raise OSError."""
        self._wire.send(self._chip.initialisation)

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Send the bytes of `frame` that differ from `before`. Raise OSError."""
        if self._upside_down:
            frame, before = turn_frame(frame), None if before is None else turn_frame(before)
        for run in change_messages(before, frame, self._chip.first_column):
            self._wire.send(*run)

    def light(self, percent: int) -> None:
        """Set the contrast in percent, and switch the panel on. Raise OSError."""
        level = self._chip.contrast * percent // 100
        self._wire.send(bytes((_CONTRAST, level, _ON)))

    def switch_off(self) -> None:
        """Switch the panel off. Raise OSError."""
        self._wire.send(bytes((_OFF,)))

    def close(self) -> None:
        """Release the bus; safe to call twice."""
        self._wire.close()
