"""Racks drawn on the small screen: twelve places with their values, flaps down or up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.draw.canvas import Canvas, font
from companion.games.probe.board import DOT, VALUES
from companion.games.probe.words import MARK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Place = tuple[bool, str | None]
"""Whether a place is covered, and the letter on it if it is known."""
WIDE: Final = 10
"""Columns of a large place: twelve fill the line, with a margin."""
MARGIN: Final = 5
NARROW: Final = 6
"""Columns of a small place: twelve leave room for a name and a score."""
ONE: Final = bytes((0x02, 0x7F, 0x00))
TINY_ONE: Final = bytes((0xF8, 0x00))
TINY: Final = {"0": bytes((0xF8, 0x88, 0xF8)), "5": bytes((0xB8, 0xA8, 0xE8))}
"""Digits of 3x5 pixels, for all the values that there are."""
DOWN: Final = bytes((0xFC, *(0xFE,) * 6, 0xFC)), bytes((0x3F, *(0x7F,) * 6, 0x3F))
"""A flap that is down, on two pages."""
UP: Final = bytes(8), bytes((0x40,) * 8)
SMALL_DOWN: Final = bytes((0x7E,) * 5)
SMALL_UP: Final = bytes((0x40,) * 5)


def places(view: Mapping[str, Any], rack: str) -> tuple[Place, ...]:
    """The places of a rack as everybody sees them."""
    return tuple((place["covered"], place["letter"]) for place in view["racks"][rack])


def word(text: str, used: int = len(VALUES)) -> tuple[Place, ...]:
    """A word as its owner sees it."""
    letters = [(False, letter) for letter in text]
    return (*letters, *((False, None) for _ in range(used - len(text))))


def values(canvas: Canvas, page: int) -> None:
    """What the places are worth (PR-2), above a large rack."""
    for i, value in enumerate(VALUES):
        tens = ONE if value >= WIDE else b""
        drawn = tens + font("small").glyph(str(value % WIDE))[0][:5]
        canvas.fill(page, MARGIN + i * WIDE + (WIDE - 2 - len(drawn)) // 2, drawn)


def small_values(canvas: Canvas, page: int, x: int) -> None:
    """What the places are worth, above small racks."""
    for i, value in enumerate(VALUES):
        drawn = (TINY_ONE if value >= WIDE else b"") + TINY[str(value % WIDE)]
        if i % 2:  # every other one a bit higher: they stand close
            drawn = bytes(column >> 2 for column in drawn)
        canvas.fill(page, x + i * NARROW + (NARROW - 1 - len(drawn)) // 2, drawn)


def large(canvas: Canvas, page: int, rack: Sequence[Place]) -> None:
    """A rack that fills the line, on two pages."""
    for i, (covered, letter) in enumerate(rack):
        x = MARGIN + i * WIDE
        if covered or letter is None:
            for dy, columns in enumerate(DOWN if covered else UP):
                canvas.fill(page + dy, x, columns)
        else:
            canvas.text(page, x, mark(letter), "medium")


def small(canvas: Canvas, page: int, x: int, rack: Sequence[Place]) -> None:
    """A rack of small letters, on one page."""
    for i, (covered, letter) in enumerate(rack):
        if covered or letter is None:
            canvas.fill(page, x + i * NARROW, SMALL_DOWN if covered else SMALL_UP)
        else:
            canvas.text(page, x + i * NARROW, mark(letter))


def column(place: int) -> int:
    """Where the marker of a large place stands; `place` from 1."""
    return MARGIN + (place - 1) * WIDE + 1


def mark(letter: str) -> str:
    """A letter; a dot large enough to be seen."""
    return MARK if letter == DOT else letter
