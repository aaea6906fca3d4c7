"""OLEDs of 128x64 pixels with the chip SSD1306, SSD1309 or SH1106.

This module does not use luma, because the import of luma would take longer than all other work for
a display. `OledPanel` initialises the chips with the same bytes as luma.oled, except for the
addressing mode. After each frame, the chip's memory has the same content as with luma. Tests
compare the initialisation and the memory with luma.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from hardware.display.bus import ChipConnection
from hardware.display.oled_messages import oled_change_messages


class OledChip(NamedTuple):
    """Properties of an OLED's controller chip.

    - `initialisation`: the commands that initialise the controller. No command switches the panel
      off, so a frame of an earlier run stays visible until another frame replaces it. After
      power-up the panel is dark.
    - `contrast`: the contrast value at full brightness.
    - `first_column`: the number of the first visible column in the controller's memory.
    """

    initialisation: bytes
    contrast: int
    first_column: int


_SSD1306: Final = OledChip(
    bytes.fromhex(
        "D5 80"  # clock divider
        "A8 3F"  # multiplex ratio: 64 rows
        "D3 00"  # display offset of 0 rows
        "40"  # memory starts at row 0
        "8D 14"  # charge pump on (the SSD1309 ignores this command)
        "20 02"  # page addressing mode, in which the fewest bytes set the position
        "A1 C8"  # column 0 at the left, row 0 at the top
        "DA 12"  # configuration of the COM pins
        "D9 F1"  # precharge period
        "DB 40"  # deselect level
        "A4 A6"  # show the content of the memory; a bit of 1 is a lit pixel
    ),
    contrast=0xCF,
    first_column=0,
)
_SH1106: Final = OledChip(
    bytes.fromhex("20 10 B0 C8 00 10 40 A1 A6 A8 3F A4 D3 00 D5 F0 D9 22 DA 12 DB 20 8D 14"),
    contrast=0x7F,
    first_column=2,  # the memory has 132 columns: two invisible columns at each side
)
OLED_CHIPS: Final = {"ssd1306": _SSD1306, "ssd1309": _SSD1306, "sh1106": _SH1106}
"""Table from a controller's name, which a board file contains, to the controller's properties."""

_CONTRAST, _OFF, _ON = 0x81, 0xAE, 0xAF
_REVERSED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def turn_frame_upside_down(frame: bytes) -> bytes:
    """Return a frame turned by 180 degrees, for a display that is mounted upside down."""
    return frame[::-1].translate(_REVERSED)


class OledPanel:
    """Panel (see `hardware.display.panel.Panel`) of an OLED, which can be mounted upside down."""

    def __init__(self, chip: str, wire: ChipConnection, *, upside_down: bool = False) -> None:
        self._chip, self._wire, self._upside_down = OLED_CHIPS[chip], wire, upside_down

    def open(self) -> None:
        """Find and initialise the chip, without a change of the brightness.

        Raise OSError if no chip answers.
        """
        self._wire.open()
        self.reinitialise()

    def reinitialise(self) -> None:
        """Initialise the chip again. Raise OSError if the chip does not answer."""
        self._wire.send(self._chip.initialisation)

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Send the bytes of `frame` that differ from `before`, or all bytes if `before` is None.

        Raise OSError if the chip does not answer.
        """
        if self._upside_down:
            frame, before = (
                turn_frame_upside_down(frame),
                None if before is None else turn_frame_upside_down(before),
            )
        for run in oled_change_messages(before, frame, self._chip.first_column):
            self._wire.send(*run)

    def set_brightness(self, percent: int) -> None:
        """Switch the panel on, at `percent` of its full contrast.

        Raise OSError if the chip fails.
        """
        level = self._chip.contrast * percent // 100
        self._wire.send(bytes((_CONTRAST, level, _ON)))

    def switch_off(self) -> None:
        """Switch the panel off. Raise OSError if the chip does not answer."""
        self._wire.send(bytes((_OFF,)))

    def close(self) -> None:
        """Release the bus; safe to call twice."""
        self._wire.close()
