"""Kojak's pictures as sets of pixels: circles, criminals, dice, cars, cards, bars.

A pixel is a pair (column, row), counted from the top left corner of the display.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import atan2, cos, hypot, sin, tau
from typing import Final, NamedTuple, TypeAlias

Points: TypeAlias = frozenset[tuple[int, int]]

MAN_DRAWING: Final = (
    "...###...",
    "..#####..",
    "#########",
    "..#####..",
    "..#####..",
    "...###...",
    ".#######.",
    "#########",
    "#########",
)
"""Small picture of a criminal: a hat, a face and shoulders; `#` is a bright pixel."""
CRIMINAL_FACE_DRAWING: Final = (
    ".......########.......",
    "......##########......",
    ".....############.....",
    ".....############.....",
    "######################",
    ".....#..........#.....",
    ".....#..........#.....",
    ".....#.##....##.#.....",
    ".....#.##....##.#.....",
    ".....#..........#.....",
    ".....#....##....#.....",
    ".....#..........#.....",
    ".....#..######..#.....",
    ".....##........##.....",
    "......##......##......",
    ".......########.......",
    ".......##....##.......",
    "....####......####....",
    "..####..########..##..",
    ".######..####..######.",
    "########..##..########",
    "#########....#########",
    "##########..##########",
    "##########..##########",
)
"""Large picture of a criminal's face and shoulders; `#` is a bright pixel."""
QUESTION_MARK_DRAWING: Final = (
    ".####.",
    "##..##",
    "....##",
    "...##.",
    "..##..",
    "......",
    "..##..",
)
CAR_DRAWING: Final = (
    "....###.....",
    "..#######...",
    ".##..#..##..",
    "############",
    "############",
    ".##......##.",
)
FLAG_DRAWING: Final = (
    "############",
    "##..##..##.#",
    "##..##..##.#",
    "#.##..##..##",
    "#.##..##..##",
    "##..##..##.#",
    "##..##..##.#",
    "############",
    "##..........",
    "##..........",
    "##..........",
    "##..........",
    "##..........",
    "##..........",
)
LOLLIPOP_DRAWING: Final = (
    "....######....",
    "..##......##..",
    ".#..#####...#.",
    ".#.#.....#..#.",
    "#.#..###..#..#",
    "#.#.#...#.#..#",
    "#.#.#.#.#.#..#",
    "#.#.#.##..#..#",
    "#..#.....#...#",
    ".#..#####...#.",
    ".#..........#.",
    "..##......##..",
    "....######....",
    "......##......",
    "......##......",
    "......##......",
    "......##......",
    "......##......",
    "......##......",
    "......##......",
    "......##......",
    "......##......",
    "......##......",
)


def scaled_drawing_pixels(rows: tuple[str, ...], x: int, y: int, scale: int = 1) -> Points:
    """Return the bright pixels of the drawing `rows`, with its top left corner at (x, y).

    `scale`: side of the square (pixels) that is drawn for each `#`.
    """
    return frozenset(
        (x + column * scale + dx, y + line * scale + dy)
        for line, dots in enumerate(rows)
        for column, dot in enumerate(dots)
        if dot == "#"
        for dx in range(scale)
        for dy in range(scale)
    )


def rectangle_pixels(x: int, y: int, width: int, height: int) -> Points:
    """Return the pixels of a filled rectangle."""
    return frozenset((x + dx, y + dy) for dx in range(width) for dy in range(height))


def rectangle_edge_pixels(x: int, y: int, width: int, height: int, depth: int = 1) -> Points:
    """Return the pixels of a rectangle's border, which is `depth` pixels thick."""
    sides = (
        rectangle_pixels(x, y, width, depth),
        rectangle_pixels(x, y + height - depth, width, depth),
        rectangle_pixels(x, y, depth, height),
        rectangle_pixels(x + width - depth, y, depth, height),
    )
    return frozenset[tuple[int, int]]().union(*sides)


CARD_BACK_PATTERN: Final = bytes((0x33, 0x99, 0xCC, 0x66))
"""Pattern of a card's back: columns of eight pixels, one byte each."""


def question_mark_pixels(x: int, y: int) -> Points:
    """Return the pixels of the question mark on a card's back, with its centre at (x, y)."""
    return scaled_drawing_pixels(QUESTION_MARK_DRAWING, x - 9, y - 10, 3)


# --- circles --------------------------------------------------------------------------------------


class CriminalCircle(NamedTuple):
    """A case file's circle in a frame (KO-4): centre, radius, number of fields, and red fields.

    Field 0, where the criminal starts, is at the top, and field numbers increase clockwise.
    """

    x: int
    y: int
    radius: int
    fields: int
    red: tuple[int, ...]


@lru_cache(maxsize=64)
def criminal_circle_pixels(of: CriminalCircle, at: int | None = None) -> Points:
    """Return the pixels of a circle with a hole in its centre.

    `at`: number of the criminal's field, or None for a circle without a criminal. A red field is
    grey, or white if the criminal stands on the field. Field 0 shows a dot unless the criminal
    stands on field 0.
    """
    lit = set()
    for y in range(-of.radius, of.radius + 1):
        for x in range(-of.radius, of.radius + 1):
            if _is_lit(of, at, x, y):
                lit.add((of.x + x, of.y + y))
    if at != 0:
        x, y = field_centre(of, 0)
        lit |= rectangle_pixels(x - 1, y - 1, 2, 2)
    return frozenset(lit)


def _is_lit(of: CriminalCircle, at: int | None, x: int, y: int) -> bool:
    far, hole = hypot(x, y), of.radius * HOLE_RATIO
    if not hole - 0.5 <= far <= of.radius + 0.3:
        return False
    if far > of.radius - 0.7 or far < hole + 0.5:
        return True
    turn = (atan2(x, -y) / tau + 0.5 / of.fields) % 1 * of.fields
    if abs(turn - round(turn)) / of.fields * tau * far < HALF_LINE_WIDTH:
        return True
    field = int(turn)
    if field not in of.red:
        return False
    return field == at or (x + y) % 2 == 0


@lru_cache(maxsize=64)
def filled_criminal_circle_pixels(of: CriminalCircle, at: int) -> Points:
    """Return the pixels of a circle that is easy to see from afar, with the criminal as a disc.

    Only the red fields are white. If the criminal stands on a red field, all fields are white.
    """
    is_red = at in of.red
    lit = {
        (of.x + x, of.y + y)
        for x in range(-of.radius, of.radius + 1)
        for y in range(-of.radius, of.radius + 1)
        if hypot(x, y) <= of.radius + 0.3 and (is_red or _is_bright(of, x, y))
    }
    who = criminal_disc_pixels(of, at, of.radius // 3)
    if is_red:
        return frozenset(lit) - who - disc_pixels(of.x, of.y, of.radius // 5)
    return (frozenset(lit) - halo_pixels(who)) | who


def _is_bright(of: CriminalCircle, x: int, y: int) -> bool:
    return hypot(x, y) > of.radius - 0.7 or _field(of, x, y) in of.red


def _field(of: CriminalCircle, x: int, y: int) -> int:
    """Return the number of the field at the point (x, y), relative to the circle's centre."""
    return int((atan2(x, -y) / tau + 0.5 / of.fields) % 1 * of.fields)


HOLE_RATIO: Final = 0.32
"""Ratio of the radius of a circle's hole to the circle's radius."""
HALF_LINE_WIDTH: Final = 0.55


def field_centre(of: CriminalCircle, field: int) -> tuple[int, int]:
    """Return the pixel (x, y) at the centre of a field of a circle."""
    far = of.radius * (1 + HOLE_RATIO) / 2
    angle = field / of.fields * tau
    return round(of.x + far * sin(angle)), round(of.y - far * cos(angle))


def criminal_disc_pixels(of: CriminalCircle, field: int, size: int) -> Points:
    """Return the pixels of a criminal, drawn as a disc on a field of a circle.

    `size`: radius of the disc in pixels.
    """
    x, y = field_centre(of, field)
    return disc_pixels(x, y, size)


def disc_pixels(x: int, y: int, radius: int) -> Points:
    """Return the pixels of a filled disc whose centre is (x, y)."""
    around = range(-radius, radius + 1)
    return frozenset((x + i, y + j) for i in around for j in around if hypot(i, j) <= radius + 0.3)


def criminal_man_pixels(of: CriminalCircle, field: int) -> Points:
    """Return the pixels of a criminal, drawn as a man on a field of a circle."""
    x, y = field_centre(of, field)
    return scaled_drawing_pixels(MAN_DRAWING, x - 4, y - 4)


def halo_pixels(points: Points) -> Points:
    """Return the pixels that touch `points` but do not belong to `points`."""
    near = (-1, 0, 1)
    return frozenset((x + i, y + j) for x, y in points for i in near for j in near) - points


# --- bars -----------------------------------------------------------------------------------------


def cell_bar_pixels(x: int, y: int, width: int, height: int, every: int) -> Points:
    """Return the pixels of a prison cell's vertical bars, and of a horizontal rail at the bottom.

    `every`: distance (pixels) between the left edges of two neighbouring bars.
    """
    rods: Iterable[int] = range(x, x + width, every)
    rail = rectangle_pixels(x, y + height - 2, width, 2) if height > 1 else frozenset()
    return frozenset().union(*(rectangle_pixels(rod, y, 2, height) for rod in rods)) | rail
