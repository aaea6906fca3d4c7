"""Messages that show a frame on a colour LCD with the chip ST7789 or ST7735.

All functions of this module are pure. A message is a command with its arguments or with pixels
(datasheet of the ST7789, 9.1.20 to 9.1.22; datasheet of the ST7735S, 10.1.19 to 10.1.21). Three
messages draw a rectangle. The first message sets the columns, the second message sets the rows, and
the third message sends the pixels.

Only changed rectangles are drawn. A frame has two colours, and each pixel has two bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from hardware.display.oled_messages import changed_column_runs
from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH

BACKGROUND_COLOUR: Final = (0x10, 0x14, 0x1C)
"""Colour (red, green, blue) of unlit pixels: nearly black."""
FOREGROUND_COLOUR: Final = (0xF5, 0xE6, 0xC8)
"""Colour (red, green, blue) of lit pixels: the warm white of a lamp."""
TWO_BYTE_PIXELS_COMMAND: Final = (0x3A, 0x05)
"""Command, with its argument, that selects two bytes for each pixel of an LCD.

The initialisation by luma selects three bytes for each pixel.
"""

_COLUMNS, _ROWS, _WRITE = 0x2A, 0x2B, 0x2C

Message: TypeAlias = tuple[int, bytes]
"""Command for an LCD, with the command's arguments or with pixels."""


class PixelArea(NamedTuple):
    """Rectangle of pixels on a panel.

    - `left`, `top`: the first column and the first row of the rectangle.
    - `right`, `bottom`: the first column to the right of the rectangle, and the first row below the
      rectangle.
    """

    left: int
    top: int
    right: int
    bottom: int


class VisiblePanelArea(NamedTuple):
    """Visible area of a panel in the memory of the panel's chip.

    - `width`, `height`: the number of visible columns and rows in the memory.
    - `left`, `top`: the first visible column and row in the memory.
    - `quarters`: the number of quarter turns (clockwise) by which the panel is mounted.
    """

    width: int
    height: int
    left: int = 0
    top: int = 0
    quarters: int = 0

    @property
    def visible_size(self) -> tuple[int, int]:
        """Return the number of columns and rows of the panel, as mounted."""
        return (self.height, self.width) if self.quarters % 2 else (self.width, self.height)

    @property
    def largest_frame_scale(self) -> int:
        """Return the largest whole number by which the panel can enlarge a frame."""
        width, height = self.visible_size
        return min(width // DISPLAY_WIDTH, height // (8 * DISPLAY_PAGES))


def unlit_and_lit_pixel_bytes(percent: int) -> tuple[bytes, bytes]:
    """Return the bytes of an unlit pixel and of a lit pixel at a brightness of `percent`.

    Each pixel has two bytes (RGB 5-6-5).
    """
    dimmed = (
        (value * percent // 100 for value in colour)
        for colour in (BACKGROUND_COLOUR, FOREGROUND_COLOUR)
    )
    return tuple(  # type: ignore[return-value]  # the tuple always has two items
        (red >> 3 << 11 | green >> 2 << 5 | blue >> 3).to_bytes(2) for red, green, blue in dimmed
    )


def blank_panel_messages(place: VisiblePanelArea, percent: int) -> Iterator[Message]:
    """Yield the messages that make all pixels of the panel unlit.

    The colour of an unlit pixel depends on the brightness `percent`.
    """
    pixels = unlit_and_lit_pixel_bytes(percent)[0] * (place.width * place.height)
    yield from _write_area(place, PixelArea(0, 0, place.width, place.height), pixels)


def frame_change_messages(
    place: VisiblePanelArea, old: bytes | None, new: bytes, percent: int
) -> Iterator[Message]:
    """Yield the messages that change the frame in the panel's centre from `old` to `new`.

    - `old`: the frame that the panel shows, or None if this frame is unknown.
    - `percent`: the brightness in percent.

    Three messages draw each rectangle. A rectangle has neighbouring columns of a strip of eight
    frame rows, enlarged and turned.
    """
    times, (width, height) = place.largest_frame_scale, place.visible_size
    left, top = (width - DISPLAY_WIDTH * times) // 2, (height - 8 * DISPLAY_PAGES * times) // 2
    cells = [colour * times for colour in unlit_and_lit_pixel_bytes(percent)]
    for page, begin, end in changed_column_runs(old, new):
        columns = new[page * DISPLAY_WIDTH + begin : page * DISPLAY_WIDTH + end]
        rows = [bytes(column >> bit & 1 for column in columns) for bit in range(8)]
        area = PixelArea(
            left + begin * times,
            top + page * 8 * times,
            left + end * times,
            top + (page + 1) * 8 * times,
        )
        for n in range(place.quarters):
            rows = [bytes(row) for row in zip(*rows[::-1], strict=True)]
            area = _turn_area(area, width if n % 2 else height)
        lines = (b"".join(map(cells.__getitem__, row)) * times for row in rows)
        yield from _write_area(place, area, b"".join(lines))


def _turn_area(area: PixelArea, height: int) -> PixelArea:
    """Return `area` after a clockwise quarter turn of a picture that is `height` rows high."""
    return PixelArea(height - area.bottom, area.left, height - area.top, area.right)


def _write_area(place: VisiblePanelArea, area: PixelArea, pixels: bytes) -> Iterator[Message]:
    yield _COLUMNS, _span(place.left + area.left, place.left + area.right)
    yield _ROWS, _span(place.top + area.top, place.top + area.bottom)
    yield _WRITE, pixels


def _span(first: int, end: int) -> bytes:
    return first.to_bytes(2) + (end - 1).to_bytes(2)
