"""Messages that show a frame on a colour LCD (ST7789, ST7735). Pure: frames in, messages out.

A frame has two colours, and only rectangles that changed are sent. A message is a command with its
bytes (ST7789 datasheet, 9.1.20 to 9.1.22; ST7735S, 10.1.19 to 10.1.21): a window of columns and
rows, then its pixels, two bytes each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from hardware.display.changes import frame_differences
from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH

BACKGROUND_COLOUR: Final = (0x10, 0x14, 0x1C)
"""The colour of unlit pixels as red, green and blue. Nearly black: the backlight shines through."""
FOREGROUND_COLOUR: Final = (0xF5, 0xE6, 0xC8)
"""The colour of lit pixels as red, green and blue: the warm white of a lamp."""
TWO_BYTE_COMMAND: Final = (0x3A, 0x05)
"""The command for two bytes a pixel, and its argument. luma initialises with three bytes."""

_COLUMNS, _ROWS, _WRITE = 0x2A, 0x2B, 0x2C

Message: TypeAlias = tuple[int, bytes]
"""A command, and its arguments or pixels."""


class PixelArea(NamedTuple):
    """A rectangle of pixels: its left and top edge, and the first column and row behind it."""

    left: int
    top: int
    right: int
    bottom: int


class PanelArea(NamedTuple):
    """The visible area of a panel in its chip's memory.

    It has the number of columns and rows in memory, and the offsets of the first column and row.
    `quarters` is the number of clockwise quarter turns of the mounted panel.
    """

    width: int
    height: int
    left: int = 0
    top: int = 0
    quarters: int = 0

    @property
    def visible_size(self) -> tuple[int, int]:
        """Return the columns and rows as the viewer sees them."""
        return (self.height, self.width) if self.quarters % 2 else (self.width, self.height)

    @property
    def scale(self) -> int:
        """Return the scale of a frame: the largest whole multiple that fits the panel."""
        width, height = self.visible_size
        return min(width // DISPLAY_WIDTH, height // (8 * DISPLAY_PAGES))


def pixel_colours(percent: int) -> tuple[bytes, bytes]:
    """Return an unlit and a lit pixel, dimmed to `percent`, as two bytes each (RGB 5-6-5)."""
    dimmed = (
        (value * percent // 100 for value in colour)
        for colour in (BACKGROUND_COLOUR, FOREGROUND_COLOUR)
    )
    return tuple(  # type: ignore[return-value]  # always two numbers
        (red >> 3 << 11 | green >> 2 << 5 | blue >> 3).to_bytes(2) for red, green, blue in dimmed
    )


def clear_messages(place: PanelArea, percent: int) -> Iterator[Message]:
    """Yield the messages that make the whole panel unlit."""
    pixels = pixel_colours(percent)[0] * (place.width * place.height)
    yield from _write_area(place, PixelArea(0, 0, place.width, place.height), pixels)


def paint_messages(
    place: PanelArea, old: bytes | None, new: bytes, percent: int
) -> Iterator[Message]:
    """Yield the messages that change the panel's centre from `old` to `new`; None: unknown content.

    Each message is a rectangle of one page: neighbouring columns that changed, scaled and turned.
    """
    times, (width, height) = place.scale, place.visible_size
    left, top = (width - DISPLAY_WIDTH * times) // 2, (height - 8 * DISPLAY_PAGES * times) // 2
    cells = [colour * times for colour in pixel_colours(percent)]
    for page, begin, end in frame_differences(old, new):
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
    """Return a rectangle after a clockwise quarter turn of a picture `height` pixels high."""
    return PixelArea(height - area.bottom, area.left, height - area.top, area.right)


def _write_area(place: PanelArea, area: PixelArea, pixels: bytes) -> Iterator[Message]:
    """Write a rectangle's pixels."""
    yield _COLUMNS, _span(place.left + area.left, place.left + area.right)
    yield _ROWS, _span(place.top + area.top, place.top + area.bottom)
    yield _WRITE, pixels


def _span(first: int, end: int) -> bytes:
    """Return the first and the last column or row as four bytes."""
    return first.to_bytes(2) + (end - 1).to_bytes(2)
