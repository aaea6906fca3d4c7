"""What is drawn of Kojak, pixel by pixel: circles, criminals, dice, cars, cards, bars.

Every function gives points, columns and rows from the top left; `face` puts them on the sheet.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, hypot, sin, tau
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Points: TypeAlias = frozenset[tuple[int, int]]

MAN: Final = (
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
"""A criminal, seen from the front: a hat, a face, shoulders."""
FACE: Final = (
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
"""The same from near by."""
QUERY: Final = (".####.", "##..##", "....##", "...##.", "..##..", "......", "..##..")
CAR: Final = (
    "....###.....",
    "..#######...",
    ".##..#..##..",
    "############",
    "############",
    ".##......##.",
)
FLAG: Final = (
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
LOLLIPOP: Final = (
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


def sprite(rows: tuple[str, ...], x: int, y: int, scale: int = 1) -> Points:
    """A little drawing with its top left corner at (x, y), each of its dots `scale` wide."""
    return frozenset(
        (x + column * scale + dx, y + line * scale + dy)
        for line, dots in enumerate(rows)
        for column, dot in enumerate(dots)
        if dot == "#"
        for dx in range(scale)
        for dy in range(scale)
    )


def box(x: int, y: int, width: int, height: int) -> Points:
    """A filled rectangle."""
    return frozenset((x + dx, y + dy) for dx in range(width) for dy in range(height))


def rim(x: int, y: int, width: int, height: int, depth: int = 1) -> Points:
    """The edge of a rectangle, `depth` pixels of it."""
    sides = (
        box(x, y, width, depth),
        box(x, y + height - depth, width, depth),
        box(x, y, depth, height),
        box(x + width - depth, y, depth, height),
    )
    return frozenset[tuple[int, int]]().union(*sides)


WEAVE: Final = bytes((0x33, 0x99, 0xCC, 0x66))
"""The back of a card, as columns of eight pixels."""


def unknown(x: int, y: int) -> Points:
    """The question mark on the back of a card, with (x, y) in its middle."""
    return sprite(QUERY, x - 9, y - 10, 3)


# --- circles --------------------------------------------------------------------------------------


class Circle(NamedTuple):
    """A criminal's circle (KO-4): where it lies, its fields, those that are red.

    Field 0, the dot's, is on top; the others follow clockwise.
    """

    x: int
    y: int
    radius: int
    fields: int
    red: tuple[int, ...]


@lru_cache(maxsize=64)
def circle(of: Circle, at: int | None = None) -> Points:
    """The ring with its fields; the red ones are grey, and white when `at`, the criminal's, is one.

    The dot is drawn where nobody stands on it.
    """
    lit = set()
    for y in range(-of.radius, of.radius + 1):
        for x in range(-of.radius, of.radius + 1):
            if _is_lit(of, at, x, y):
                lit.add((of.x + x, of.y + y))
    if at != 0:
        x, y = middle(of, 0)
        lit |= box(x - 1, y - 1, 2, 2)
    return frozenset(lit)


def _is_lit(of: Circle, at: int | None, x: int, y: int) -> bool:
    far, hole = hypot(x, y), of.radius * HOLE
    if not hole - 0.5 <= far <= of.radius + 0.3:
        return False
    if far > of.radius - 0.7 or far < hole + 0.5:
        return True
    turn = (atan2(x, -y) / tau + 0.5 / of.fields) % 1 * of.fields
    if abs(turn - round(turn)) / of.fields * tau * far < HALF_A_LINE:
        return True
    field = int(turn)
    if field not in of.red:
        return False
    return field == at or (x + y) % 2 == 0


@lru_cache(maxsize=64)
def dial(of: Circle, at: int) -> Points:
    """A circle that is read from far: red fields are white, the criminal is a disc.

    The whole circle is white, and the disc is dark, while the criminal stands on red.
    """
    is_red = at in of.red
    lit = {
        (of.x + x, of.y + y)
        for x in range(-of.radius, of.radius + 1)
        for y in range(-of.radius, of.radius + 1)
        if hypot(x, y) <= of.radius + 0.3 and (is_red or _is_bright(of, x, y))
    }
    who = blob(of, at, of.radius // 3)
    if is_red:
        return frozenset(lit) - who - disc(of.x, of.y, of.radius // 5)
    return (frozenset(lit) - halo(who)) | who


def _is_bright(of: Circle, x: int, y: int) -> bool:
    """Return True for the rim and for the red fields of a circle, from its middle."""
    return hypot(x, y) > of.radius - 0.7 or _field(of, x, y) in of.red


def _field(of: Circle, x: int, y: int) -> int:
    """Return the field in which a point lies, from the middle of the circle."""
    return int((atan2(x, -y) / tau + 0.5 / of.fields) % 1 * of.fields)


HOLE: Final = 0.32
"""The hole's radius, to that of the circle."""
HALF_A_LINE: Final = 0.55


def middle(of: Circle, field: int) -> tuple[int, int]:
    """The middle of a field."""
    far = of.radius * (1 + HOLE) / 2
    angle = field / of.fields * tau
    return round(of.x + far * sin(angle)), round(of.y - far * cos(angle))


def blob(of: Circle, field: int, size: int) -> Points:
    """A criminal as a disc of that radius on a field."""
    x, y = middle(of, field)
    return disc(x, y, size)


def disc(x: int, y: int, radius: int) -> Points:
    """A filled disc around a point."""
    around = range(-radius, radius + 1)
    return frozenset((x + i, y + j) for i in around for j in around if hypot(i, j) <= radius + 0.3)


def man(of: Circle, field: int) -> Points:
    """A criminal standing on a field of a large circle."""
    x, y = middle(of, field)
    return sprite(MAN, x - 4, y - 4)


def halo(points: Points) -> Points:
    """What lies just around some points, so that they stand out from a pattern."""
    near = (-1, 0, 1)
    return frozenset((x + i, y + j) for x, y in points for i in near for j in near) - points


# --- bars -----------------------------------------------------------------------------------------


def bars(x: int, y: int, width: int, height: int, every: int) -> Points:
    """The bars of a cell, let down to `height`, with a rail below."""
    rods: Iterable[int] = range(x, x + width, every)
    rail = box(x, y + height - 2, width, 2) if height > 1 else frozenset()
    return frozenset().union(*(box(rod, y, 2, height) for rod in rods)) | rail
