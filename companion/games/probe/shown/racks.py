"""Racks drawn on the small screen: twelve places with their values, flaps down or up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.draw.canvas import Canvas, font
from companion.games.probe.rules.board import DOT, VALUES
from companion.games.probe.shown.words import MARK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Place = str | None
"""COVERED, or the letter that can be seen, "" if nobody told it; None where a word has no place."""
COVERED: Final = "covered"
WIDE: Final = 10
"""Columns of a large place: twelve fill the line, with a margin."""
MARGIN: Final = 7
NARROW: Final = 6
"""Columns of a small place: twelve leave room for a name and a score."""
ONE: Final = bytes((0x02, 0x7F, 0x00))
TINY_ONE: Final = bytes((0xF8, 0x00))
TINY: Final = {"0": bytes((0xF8, 0x88, 0xF8)), "5": bytes((0xB8, 0xA8, 0xE8))}
"""Digits of 3x5 pixels, for all the values that there are."""
DOWN: Final = bytes((0xFC, *(0xFE,) * 6, 0xFC)), bytes((0x3F, *(0x7F,) * 6, 0x3F))
"""A flap that is down, on two pages."""
UP: Final = (
    bytes((0xFC, *(0x02,) * 6, 0xFC)),
    bytes((0x3F, *(0x40,) * 6, 0x3F)),
)
"""A flap that is up, and nobody told what is under it."""
NO_PLACE: Final = bytes(8), bytes((0, 0, 0, 0x20, 0x20, 0, 0, 0))
SMALL_DOWN: Final = bytes((0x7E,) * 5)
SMALL_UP: Final = bytes((0x7E, 0x42, 0x42, 0x42, 0x7E))
SMALL_NO_PLACE: Final = bytes((0, 0, 0x20, 0, 0))


def places(view: Mapping[str, Any], rack: str) -> tuple[Place, ...]:
    """The places of a rack as everybody sees them."""
    return tuple(
        None if not place["used"] else COVERED if place["covered"] else place["letter"] or ""
        for place in view["racks"][rack]
    )


def word(text: str, used: int = len(VALUES)) -> tuple[Place, ...]:
    """A word as its owner sees it."""
    return (*text, *(None,) * (used - len(text)))


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


def large(canvas: Canvas, page: int, rack: Sequence[Place], side: str = "") -> None:
    """A rack that fills the line, on two pages; `side` is the letter of its side, if it has one."""
    canvas.text(page + 1, 0, side)
    for i, place in enumerate(rack):
        x = MARGIN + i * WIDE
        if place and place != COVERED:
            canvas.text(page, x, mark(place), "medium")
        else:
            flap = NO_PLACE if place is None else DOWN if place else UP
            for dy, columns in enumerate(flap):
                canvas.fill(page + dy, x, columns)


def small(canvas: Canvas, page: int, x: int, rack: Sequence[Place]) -> None:
    """A rack of small letters, on one page."""
    for i, place in enumerate(rack):
        if place and place != COVERED:
            canvas.text(page, x + i * NARROW, mark(place))
        else:
            flap = SMALL_NO_PLACE if place is None else SMALL_DOWN if place else SMALL_UP
            canvas.fill(page, x + i * NARROW, flap)


def column(place: int) -> int:
    """Where the marker of a large place stands; `place` from 1."""
    return MARGIN + (place - 1) * WIDE + 1


def mark(letter: str) -> str:
    """A letter; a dot large enough to be seen."""
    return MARK if letter == DOT else letter
