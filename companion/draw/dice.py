"""Sprites of dice, and the animation of a roll."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import hypot
from typing import Final, NamedTuple

from companion.core.prompts import DIE_SIDES
from companion.draw.canvas import Canvas, Sprite, load_font
from hardware.ports import DISPLAY_WIDTH

PIP_POSITIONS: Final = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
"""Table from the number on a die to the columns and rows (0 to 2) of its pips."""
PIP_RADIUS: Final = 2.3
"""Radius of a pip in pixels."""
LARGE_SIDE, DIE_GAP, TOP_GAP = 40, 4, 4
"""LARGE_SIDE: maximum side of a die (pixels).

DIE_GAP: gap between two dice (pixels). TOP_GAP: gap above the dice (pixels).
"""
SHOWN_NUMBER_OFFSETS: Final = (4, 1, 5, 2, 0)
"""Difference between the shown and the rolled number of a die, for each picture of a roll."""
ROLL_PICTURE_COUNT: Final = len(SHOWN_NUMBER_OFFSETS)
"""Number of pictures in the animation of a roll; the last picture shows the result."""
PICTURE_SECONDS: Final = 0.1
"""Seconds between two pictures of a roll."""


NUMBER_FONTS: Final = ("double", "medium", "small")
"""Names of the fonts for a die with numbers instead of pips, the largest font first."""


@cache
def die_sprite(n: int, size: int, sides: int = DIE_SIDES) -> Sprite:
    """Return the sprite of a lit die that is `size` pixels wide and high and shows the number `n`.

    A die with six sides has dark pips. Any other die has a dark number. If the number is wider than
    the die, the die is blank.
    """
    if sides != DIE_SIDES:
        return _numbered(str(n), size)
    middle, step = size // 2, (size - 4) // 3
    pips = [(middle + (x - 1) * step, middle + (y - 1) * step) for x, y in PIP_POSITIONS[n]]
    edges = (0, size - 1)
    return tuple(
        sum(
            1 << y
            for y in range(size)
            if not (x in edges and y in edges)
            and all(hypot(x - column, y - row) > PIP_RADIUS for column, row in pips)
        )
        for x in range(size)
    )


def _numbered(text: str, size: int) -> Sprite:
    whole = (1 << size) - 1
    columns = [whole & ~(1 | 1 << size - 1), *[whole] * (size - 2), whole & ~(1 | 1 << size - 1)]
    room = size - 2
    fits = (
        f
        for f in map(load_font, NUMBER_FONTS)
        if f.width * len(text) <= room and 8 * f.pages <= room + 2
    )
    if (letters := next(fits, None)) is None:
        return tuple(columns)
    left = (size - letters.width * len(text)) // 2
    top = (size - 8 * letters.pages) // 2
    for at, letter in enumerate(text):
        for x, pages in enumerate(zip(*letters.glyph_columns(letter), strict=True)):
            columns[left + at * letters.width + x] &= ~(int.from_bytes(pages, "little") << top)
    return tuple(columns)


class RolledDice(NamedTuple):
    """The dice that a player rolled: the numbers on top (`faces`), and the `sides` of each die."""

    who: str
    faces: tuple[int, ...]
    sides: int = DIE_SIDES


def draw_rolling_dice(
    canvas: Canvas, faces: Sequence[int], step: int, sides: int = DIE_SIDES
) -> None:
    """Draw picture number `step` (from 0) of the animation of a roll, on display rows 0 to 5.

    A die shows its rolled number only in the last picture. If a die has at least six sides, the
    die shows a different number in each picture.
    """
    size = min(LARGE_SIDE, DISPLAY_WIDTH // len(faces) - DIE_GAP)
    x = (DISPLAY_WIDTH - len(faces) * (size + DIE_GAP) + DIE_GAP) // 2
    left = SHOWN_NUMBER_OFFSETS[step] if step < ROLL_PICTURE_COUNT - 1 else 0
    if left:  # fewer than six sides: do not show the rolled number too early
        left = (left - 1) % (sides - 1) + 1
    for at, face in enumerate(faces):
        shown = (face - 1 + (-left if at % 2 else left)) % sides + 1
        canvas.draw_sprite(
            x + at * (size + DIE_GAP),
            TOP_GAP + (LARGE_SIDE - size) // 2,
            die_sprite(shown, size, sides),
        )
