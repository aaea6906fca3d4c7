"""Drawings of racks: twelve places with their values, and flaps that are down or up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.core.snapshot import View
from companion.draw.canvas import Canvas, Sprite, parse_sprite
from companion.games.probe.rules.board import DOT, PLACE_VALUES
from companion.games.probe.shown.words import DOT_SIGN

PlaceContent = str | None
"""Content of a place: COVERED, an open letter, or None for a place after the end of the word.

An open letter that the box does not know is "".
"""
COVERED: Final = "covered"
PLACE_WIDTH: Final = 10
"""Width (pixels) of a large place; twelve large places and two margins fill the width of the
display.
"""
MARGIN: Final = 6
GAP: Final = 2
"""Additional distance (pixels) between the sixth and the seventh place."""
PLACES_BEFORE_GAP: Final = 6
"""Number of places to the left of the gap."""
SMALL_PLACE_WIDTH: Final = 6
"""Width (pixels) of a small place, which leaves room for a name and a total in the row."""
PLACE_VALUE_DIGITS: Final = {
    digit: parse_sprite(art)
    for digit, art in {
        "0": "### #.# #.# #.# #.# ###",
        "1": ".#. ##. .#. .#. .#. ###",
        "5": "### #.. ### ..# ..# ###",
    }.items()
}
"""Pictures of the digits in the values of places; two digits fit above a large place."""
FLAP_HEIGHTS: Final = {5: 6, 10: 10, 15: 14}
"""Table from a place's value to the height (pixels) of a large closed flap (PR-2)."""
SMALL_FLAP_HEIGHTS: Final = {5: 3, 10: 5, 15: 7}
"""Table from a place's value to the height (pixels) of a small closed flap (PR-2)."""
UNKNOWN_FLAP: Final = (
    bytes((0xFC, *(0x02,) * 6, 0xFC)),
    bytes((0x3F, *(0x40,) * 6, 0x3F)),
)
"""Picture of an open flap whose letter the box does not know."""
NO_PLACE_PICTURE: Final = bytes(8), bytes((0, 0, 0, 0x20, 0x20, 0, 0, 0))
SMALL_UNKNOWN_FLAP: Final = bytes((0x7E, 0x42, 0x42, 0x42, 0x7E))
SMALL_NO_PLACE_PICTURE: Final = bytes((0, 0, 0x20, 0, 0))


def rack_contents_seen_by_public(view: View, rack: str) -> tuple[PlaceContent, ...]:
    """Return the contents of a rack's places, as all players see them."""
    return tuple(
        None if not place["used"] else COVERED if place["covered"] else place["letter"] or ""
        for place in view["racks"][rack]
    )


def rack_contents_seen_by_owner(
    text: str, used: int = len(PLACE_VALUES)
) -> tuple[PlaceContent, ...]:
    """Return the contents of a rack's places, as the rack's owner sees them.

    `used`: the number of places in the result. Places after the end of `text` are None.
    """
    return (*text, *(None,) * (used - len(text)))


def draw_place_values(canvas: Canvas, page: int) -> None:
    """Draw the values of the twelve places (PR-2) in the display row `page`, above a large rack."""
    for i, value in enumerate(PLACE_VALUES):
        drawn = small_digits_sprite(str(value))
        canvas.draw_sprite(
            place_marker_column(i + 1) - 1 + (PLACE_WIDTH - 2 - len(drawn)) // 2,
            8 * page + 1,
            drawn,
        )


def small_digits_sprite(text: str) -> Sprite:
    """Return the picture of the number `text` in small digits."""
    return tuple(bits for digit in text for bits in (*PLACE_VALUE_DIGITS[digit], 0))[:-1]


def draw_large_rack(
    canvas: Canvas, page: int, rack: Sequence[PlaceContent], side: str = ""
) -> None:
    """Draw a large rack in two display rows of 8 pixels, the row `page` and the next row.

    `side`: a letter at the left edge, or "".
    """
    canvas.draw_text(page + 1, 0, side)
    for i, place in enumerate(rack):
        x = place_marker_column(i + 1) - 1
        if place and place != COVERED:
            canvas.draw_text(page, x, letter_for_drawing(place), "medium")
        else:
            flap = (
                NO_PLACE_PICTURE
                if place is None
                else closed_flap_sprite(PLACE_VALUES[i])
                if place
                else UNKNOWN_FLAP
            )
            for dy, columns in enumerate(flap):
                canvas.copy_columns(page + dy, x, columns)


def draw_small_rack(canvas: Canvas, page: int, x: int, rack: Sequence[PlaceContent]) -> None:
    """Draw a rack in small letters in the display row `page`; its left edge is `x` (pixels)."""
    for i, place in enumerate(rack):
        if place and place != COVERED:
            canvas.draw_text(page, x + i * SMALL_PLACE_WIDTH, letter_for_drawing(place))
        else:
            covered = bytes((0x80 - (0x80 >> SMALL_FLAP_HEIGHTS[PLACE_VALUES[i]]),) * 5)
            flap = (
                SMALL_NO_PLACE_PICTURE
                if place is None
                else covered
                if place
                else SMALL_UNKNOWN_FLAP
            )
            canvas.copy_columns(page, x + i * SMALL_PLACE_WIDTH, flap)


def closed_flap_sprite(value: int) -> tuple[bytes, bytes]:
    """Return the picture of a large closed flap, whose height depends on the place's value."""
    column = (1 << 15) - (1 << 15 - FLAP_HEIGHTS[value])
    return bytes((column & 0xFF,) * 8), bytes((column >> 8,) * 8)


def place_marker_column(place: int) -> int:
    """Return the column (pixels) of the marker below a large place.

    `place`: the number of the place, from 1.
    """
    return MARGIN + (place - 1) * PLACE_WIDTH + GAP * (place > PLACES_BEFORE_GAP) + 1


def letter_for_drawing(letter: str) -> str:
    """Return the text for a letter on a drawn rack; a dot becomes DOT_SIGN."""
    return DOT_SIGN if letter == DOT else letter
