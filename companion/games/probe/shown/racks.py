"""Racks drawn on the small screen: twelve places with their values, flaps down or up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.draw.canvas import Canvas, Sprite, sprite
from companion.games.probe.rules.board import DOT, VALUES
from companion.games.probe.shown.words import MARK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.snapshot import View

Place = str | None
"""COVERED, or the letter that can be seen, "" if nobody told it; None where a word has no place."""
COVERED: Final = "covered"
WIDE: Final = 10
"""Columns of a large place: twelve fill the line, with a margin."""
MARGIN: Final = 6
GAP: Final = 2
"""Columns that are free behind the sixth place."""
HALF: Final = 6
"""Places before the gap."""
NARROW: Final = 6
"""Columns of a small place: twelve leave room for a name and a score."""
SMALL_DIGITS: Final = {
    digit: sprite(art)
    for digit, art in {
        "0": "### #.# #.# #.# #.# ###",
        "1": ".#. ##. .#. .#. .#. ###",
        "5": "### #.. ### ..# ..# ###",
    }.items()
}
"""The digits of what a place may be worth, narrow enough for two of them above it."""
HIGH: Final = {5: 6, 10: 10, 15: 14}
"""Rows of a large flap that is down, by what its place is worth (PR-2)."""
LOW: Final = {5: 3, 10: 5, 15: 7}
"""Rows of a small one."""
UP: Final = (
    bytes((0xFC, *(0x02,) * 6, 0xFC)),
    bytes((0x3F, *(0x40,) * 6, 0x3F)),
)
"""A flap that is up, and nobody told what is under it."""
NO_PLACE: Final = bytes(8), bytes((0, 0, 0, 0x20, 0x20, 0, 0, 0))
SMALL_UP: Final = bytes((0x7E, 0x42, 0x42, 0x42, 0x7E))
SMALL_NO_PLACE: Final = bytes((0, 0, 0x20, 0, 0))


def places(view: View, rack: str) -> tuple[Place, ...]:
    """The places of a rack as everybody sees them."""
    return tuple(
        None if not place["used"] else COVERED if place["covered"] else place["letter"] or ""
        for place in view["racks"][rack]
    )


def word(text: str, used: int = len(VALUES)) -> tuple[Place, ...]:
    """A word as its owner sees it."""
    return (*text, *(None,) * (used - len(text)))


def values(canvas: Canvas, page: int) -> None:
    """What the places are worth (PR-2), above a large rack, in digits of one height."""
    for i, value in enumerate(VALUES):
        drawn = digits(str(value))
        canvas.draw(column(i + 1) - 1 + (WIDE - 2 - len(drawn)) // 2, 8 * page + 1, drawn)


def digits(text: str) -> Sprite:
    """A number in small digits, with a column between two of them."""
    return tuple(bits for digit in text for bits in (*SMALL_DIGITS[digit], 0))[:-1]


def large(canvas: Canvas, page: int, rack: Sequence[Place], side: str = "") -> None:
    """A rack that fills the line, on two pages; `side` is the letter of its side, if it has one."""
    canvas.text(page + 1, 0, side)
    for i, place in enumerate(rack):
        x = column(i + 1) - 1
        if place and place != COVERED:
            canvas.text(page, x, mark(place), "medium")
        else:
            flap = NO_PLACE if place is None else down(VALUES[i]) if place else UP
            for dy, columns in enumerate(flap):
                canvas.fill(page + dy, x, columns)


def small(canvas: Canvas, page: int, x: int, rack: Sequence[Place]) -> None:
    """A rack of small letters, on one page."""
    for i, place in enumerate(rack):
        if place and place != COVERED:
            canvas.text(page, x + i * NARROW, mark(place))
        else:
            covered = bytes((0x80 - (0x80 >> LOW[VALUES[i]]),) * 5)
            flap = SMALL_NO_PLACE if place is None else covered if place else SMALL_UP
            canvas.fill(page, x + i * NARROW, flap)


def down(value: int) -> tuple[bytes, bytes]:
    """Return a large flap that is down, on two pages: it is the higher the more it is worth."""
    column = (1 << 15) - (1 << 15 - HIGH[value])
    return bytes((column & 0xFF,) * 8), bytes((column >> 8,) * 8)


def column(place: int) -> int:
    """Where the marker of a large place stands; `place` from 1."""
    return MARGIN + (place - 1) * WIDE + GAP * (place > HALF) + 1


def mark(letter: str) -> str:
    """A letter; a dot large enough to be seen."""
    return MARK if letter == DOT else letter
