"""A frame on a colour LCD (ST7789, ST7735): two calm colours, and only the rectangles that changed.

Pure: frames in, messages out. A message is a command and the bytes after it, as both chips take
them (ST7789 datasheet, 9.1.20 to 9.1.22; ST7735S, 10.1.19 to 10.1.21): a window of columns and
rows, then its pixels, two bytes each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from hardware.display.changes import differing
from hardware.ports import PAGES, WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator

PAPER: Final = (0x10, 0x14, 0x1C)
"""Red, green and blue of what is not lit: nearly black, for the light behind it shines through."""
INK: Final = (0xF5, 0xE6, 0xC8)
"""Red, green and blue of what is lit: warm, as an old lamp."""
SHORT: Final = (0x3A, 0x05)
"""The command for pixels of two bytes, and its argument; luma has them in three."""

_COLUMNS, _ROWS, _WRITE = 0x2A, 0x2B, 0x2C

Message: TypeAlias = tuple[int, bytes]
"""A command, and its arguments or pixels."""


class Area(NamedTuple):
    """A rectangle: its left and top, and the first column and row that are not of it any more."""

    left: int
    top: int
    right: int
    bottom: int


class GlassArea(NamedTuple):
    """A glass in its chip's memory: columns and rows there, and where the first of each is.

    `quarters`: how often it is turned clockwise by a quarter, for who looks at it.
    """

    width: int
    height: int
    left: int = 0
    top: int = 0
    quarters: int = 0

    @property
    def visible_size(self) -> tuple[int, int]:
        """Columns and rows for who looks at it."""
        return (self.height, self.width) if self.quarters % 2 else (self.width, self.height)

    @property
    def times(self) -> int:
        """How many times its own size a frame is drawn: the largest whole multiple that fits."""
        width, height = self.visible_size
        return min(width // WIDTH, height // (8 * PAGES))


def colours(percent: int) -> tuple[bytes, bytes]:
    """A pixel that is not lit and one that is, dimmed to so many percent: five, six, five bits."""
    dimmed = ((value * percent // 100 for value in colour) for colour in (PAPER, INK))
    return tuple(  # type: ignore[return-value]  # two of them
        (red >> 3 << 11 | green >> 2 << 5 | blue >> 3).to_bytes(2) for red, green, blue in dimmed
    )


def clear_messages(place: GlassArea, percent: int) -> Iterator[Message]:
    """What makes all of a glass unlit."""
    pixels = colours(percent)[0] * (place.width * place.height)
    yield from _write_area(place, Area(0, 0, place.width, place.height), pixels)


def paint_messages(
    place: GlassArea, old: bytes | None, new: bytes, percent: int
) -> Iterator[Message]:
    """What makes a glass show `new` in its middle where it shows `old` (None: unknown).

    A rectangle is a page high: neighbouring columns that changed, at their multiple, turned.
    """
    times, (width, height) = place.times, place.visible_size
    left, top = (width - WIDTH * times) // 2, (height - 8 * PAGES * times) // 2
    cells = [colour * times for colour in colours(percent)]
    for page, begin, end in differing(old, new):
        columns = new[page * WIDTH + begin : page * WIDTH + end]
        rows = [bytes(column >> bit & 1 for column in columns) for bit in range(8)]
        area = Area(
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


def _turn_area(area: Area, height: int) -> Area:
    """Where a rectangle is after a quarter turn clockwise of a picture of that height."""
    return Area(height - area.bottom, area.left, height - area.top, area.right)


def _write_area(place: GlassArea, area: Area, pixels: bytes) -> Iterator[Message]:
    """Write a rectangle's pixels."""
    yield _COLUMNS, _span(place.left + area.left, place.left + area.right)
    yield _ROWS, _span(place.top + area.top, place.top + area.bottom)
    yield _WRITE, pixels


def _span(first: int, end: int) -> bytes:
    """The first and the last of columns or rows."""
    return first.to_bytes(2) + (end - 1).to_bytes(2)
