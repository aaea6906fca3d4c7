"""The case for a 3D printer as `.stl` and OpenSCAD files, with the sizes from `book.case`.

The command `python -m book.solid FOLDER seats lamps knob outside` writes four files: the sheet, two
`.stl` files and the OpenSCAD file of a case. The words `seats`, `lamps` and `knob` add holes; the
word `outside` omits the holes of the speaker.

The case has two parts, the front and the tray, which consist of plates. The triangles of each plate
form a closed surface.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from math import cos, pi, sin
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from book import case

FlatPoint: TypeAlias = tuple[float, float]
SpacePoint: TypeAlias = tuple[float, float, float]
Triangle: TypeAlias = tuple[SpacePoint, SpacePoint, SpacePoint]

FINE_SIDES, COARSE_SIDES = 32, 12
"""Numbers of corners of the polygons that replace round holes.

- FINE_SIDES: for a large hole.
- COARSE_SIDES: for a small hole in front of the speaker.
"""
SPACER_SIZE: Final = (3.0, 1.35, 5)
"""Sizes (mm) of a spacer below the Pi: radius, radius of the hole for an M2.5 screw, height."""

CASE_HOLE_CHOICES: Final = ("seats", "lamps", "knob", "outside")
"""Words that choose the holes of a case. The word "outside" omits the holes of the speaker."""


class CasePlate(NamedTuple):
    """A flat part of the case: outline (counter-clockwise), holes (clockwise), and thickness (mm).

    `place`: function that moves a point of the flat part to its position in the case.
    """

    outline: list[FlatPoint]
    holes: list[list[FlatPoint]]
    thickness: float
    place: Callable[[SpacePoint], SpacePoint] = lambda spot: spot


def round_hole_outline(
    x: float, y: float, radius: float, sides: int = FINE_SIDES
) -> list[FlatPoint]:
    """Return a round hole as a clockwise polygon."""
    turns = (-2 * pi * n / sides for n in range(sides))
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def rectangle_outline(x: float, y: float, width: float, depth: float) -> list[FlatPoint]:
    """Return a rectangle as a counter-clockwise polygon."""
    return [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]


def front_plates(its: case.BoxCase = case.PLAIN_CASE) -> list[CasePlate]:
    """Return the plates of the front, with the raised dot.

    The y axis of the plates points up. The y axis of the sheet points down.
    """
    width, depth = its.outer_size

    def up(spot: case.SheetPoint) -> FlatPoint:
        return spot.x, depth - spot.y

    x, y = up(its.display_centre)
    window = rectangle_outline(
        x - case.WINDOW_SIZE[0] / 2, y - case.WINDOW_SIZE[1] / 2, *case.WINDOW_SIZE
    )[::-1]
    buttons = [
        round_hole_outline(*up(spot), case.BUTTON_RADIUS)
        for spot in (*its.button_centres, *its.seat_button_centres)
    ]
    lamps = [round_hole_outline(*up(spot), case.LAMP_RADIUS) for spot in its.lamp_centres]
    knob = [round_hole_outline(*up(spot), case.KNOB_RADIUS) for spot in its.knob_centres]
    sound = [
        round_hole_outline(*up(spot), case.GRILLE_HOLE_RADIUS, COARSE_SIDES)
        for spot in its.speaker_hole_centres
    ]
    bump = round_hole_outline(*up(_bump(its)), case.BUMP_RADIUS, COARSE_SIDES)[::-1]
    holes = [window, *buttons, *lamps, *knob, *sound]
    return [
        CasePlate(rectangle_outline(0, 0, width, depth), holes, case.WALL_THICKNESS),
        # this plate passes through the front, so that the raised dot protrudes
        CasePlate(bump, [], case.WALL_THICKNESS + case.BUMP_RADIUS),
    ]


def tray_plates(its: case.BoxCase = case.PLAIN_CASE) -> list[CasePlate]:
    """Return the plates of the tray: base, four walls (one with a cable hole), and spacers."""
    (width, depth), thick, high = its.outer_size, case.WALL_THICKNESS, case.CASE_HEIGHT
    spots = [(spot.x, depth - spot.y) for spot in case.screw_hole_centres()]
    holes = [round_hole_outline(x, y, case.SCREW_RADIUS) for x, y in spots]
    short = rectangle_outline(0, 0, depth - 2 * thick, high)
    along, across = case.CABLE_HOLE_PLACE[1], case.CABLE_HOLE_PLACE[0]
    cable = rectangle_outline(along, across, case.CABLE_HOLE_SIZE[1], case.CABLE_HOLE_SIZE[0])[::-1]
    outer, inner, tall = SPACER_SIZE
    return [
        CasePlate(rectangle_outline(0, 0, width, depth), holes, thick),
        _upright(
            rectangle_outline(0, 0, width, high), [], lambda s: (s[0], thick - s[2], thick + s[1])
        ),
        _upright(
            rectangle_outline(0, 0, width, high), [], lambda s: (s[0], depth - s[2], thick + s[1])
        ),
        _upright(short, [cable], lambda s: (s[2], thick + s[0], thick + s[1])),
        _upright(short, [], lambda s: (width - thick + s[2], thick + s[0], thick + s[1])),
        *(
            CasePlate(
                round_hole_outline(x, y, outer)[::-1],
                [round_hole_outline(x, y, inner)],
                tall,
                _lift,
            )
            for x, y in spots
        ),
    ]


def _upright(
    outline: list[FlatPoint],
    holes: list[list[FlatPoint]],
    place: Callable[[SpacePoint], SpacePoint],
) -> CasePlate:
    return CasePlate(outline, holes, case.WALL_THICKNESS, place)


def _lift(spot: SpacePoint) -> SpacePoint:
    return spot[0], spot[1], spot[2] + case.WALL_THICKNESS


# --- triangles ------------------------------------------------------------------------------------


def plate_triangles(plate: CasePlate) -> Iterator[Triangle]:
    """Yield the triangles of a plate as a closed body: floor, lid and walls."""
    floor, lid = 0.0, float(plate.thickness)
    for a, b, c in _flat(plate.outline, plate.holes):
        yield _place(plate, ((*a, lid), (*b, lid), (*c, lid)))
        yield _place(plate, ((*c, floor), (*b, floor), (*a, floor)))
    for line in (plate.outline, *plate.holes):
        for a, b in pairwise((*line, line[0])):
            yield _place(plate, ((*a, floor), (*b, floor), (*b, lid)))
            yield _place(plate, ((*a, floor), (*b, lid), (*a, lid)))


def _place(plate: CasePlate, corners: Triangle) -> Triangle:
    a, b, c = (plate.place(corner) for corner in corners)
    return a, b, c


def _flat(
    outline: list[FlatPoint], holes: list[list[FlatPoint]]
) -> Iterator[tuple[FlatPoint, FlatPoint, FlatPoint]]:
    """Yield triangles that fill an outline without its holes, by hole bridging and ear clipping."""
    line = list(outline)
    for hole in sorted(holes, key=max, reverse=True):
        line = _join_outlines(line, hole)
    while len(line) > 3:  # noqa: PLR2004 - a triangle
        n = next(n for n in range(len(line)) if _is_ear(line, n))
        yield line[n - 1], line[n], line[(n + 1) % len(line)]
        del line[n]
    yield line[0], line[1], line[2]


def _join_outlines(line: list[FlatPoint], hole: list[FlatPoint]) -> list[FlatPoint]:
    """Return an outline and its hole as one closed line, joined at the hole's rightmost corner."""
    start = hole.index(max(hole))
    corner = hole[start]
    seen = [n for n in range(len(line)) if _sees(line, corner, n)]
    n = min(seen, key=lambda n: (line[n][0] - corner[0]) ** 2 + (line[n][1] - corner[1]) ** 2)
    return [*line[: n + 1], *hole[start:], *hole[: start + 1], *line[n:]]


def _sees(line: list[FlatPoint], corner: FlatPoint, n: int) -> bool:
    to = line[n]
    if to[0] < corner[0] or not _in_angle(line, n, corner):
        return False
    sides = pairwise((*line, line[0]))
    return not any(to not in side and _cross(corner, to, *side) for side in sides)


def _in_angle(line: list[FlatPoint], n: int, spot: FlatPoint) -> bool:
    a, b, c = line[n - 1], line[n], line[(n + 1) % len(line)]
    if _turn(a, b, c) > 0:
        return _turn(a, b, spot) > 0 and _turn(b, c, spot) > 0
    return _turn(a, b, spot) > 0 or _turn(b, c, spot) > 0


def _turn(a: FlatPoint, b: FlatPoint, c: FlatPoint) -> float:
    """Return a positive number if the path from point a over point b to point c turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _cross(a: FlatPoint, b: FlatPoint, c: FlatPoint, d: FlatPoint) -> bool:
    return _turn(a, b, c) * _turn(a, b, d) <= 0 and _turn(c, d, a) * _turn(c, d, b) <= 0


def _is_ear(line: list[FlatPoint], n: int) -> bool:
    a, b, c = line[n - 1], line[n], line[(n + 1) % len(line)]
    if _turn(a, b, c) <= 0:
        return False
    corners = (a, b, c)
    return not any(
        spot not in corners
        and _turn(a, b, spot) >= 0
        and _turn(b, c, spot) >= 0
        and _turn(c, a, spot) >= 0
        for spot in line
    )


# --- files ----------------------------------------------------------------------------------------


def encode_plates_as_stl(plates: Iterable[CasePlate]) -> bytes:
    """Return plates as the content of a binary file for 3D printers (`.stl`, in mm)."""
    triangles = [triangle for plate in plates for triangle in plate_triangles(plate)]
    rows = [struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0) for a, b, c in triangles]
    return b"Companion, millimetres".ljust(80) + struct.pack("<I", len(rows)) + b"".join(rows)


def case_as_openscad_text(its: case.BoxCase = case.PLAIN_CASE) -> str:
    """Return the case as OpenSCAD text, whose numbers and lists of holes users can edit."""
    width, depth = its.outer_size
    x, y = its.display_centre.x, depth - its.display_centre.y
    lines = [
        '// The case of Companion, in mm, by book/solid.py. part: "front" or "tray".',
        'part = "front";',
        (
            f"thick = {case.WALL_THICKNESS}; wide = {width}; deep = {depth};"
            f" high = {case.CASE_HEIGHT};"
        ),
        f"window = {list(case.WINDOW_SIZE)}; // {list(case.LARGER_WINDOW_SIZE)} for 2.42 inches",
        f"buttons = {_list(its.button_centres)}; button = {case.BUTTON_RADIUS};",
        f"seats = {_list(its.seat_button_centres)}; // of the buttons' size",
        f"lamps = {_list(its.lamp_centres)}; lamp = {case.LAMP_RADIUS};",
        f"knobs = {_list(its.knob_centres)}; knob = {case.KNOB_RADIUS};",
        f"sound = {_list(its.speaker_hole_centres)}; hole = {case.GRILLE_HOLE_RADIUS};",
        f"screws = {_list(case.screw_hole_centres())}; screw = {case.SCREW_RADIUS};",
        (
            f"cable_at = [{case.CABLE_HOLE_PLACE[1]}, {case.CABLE_HOLE_PLACE[0]}];"
            f" cable = [{case.CABLE_HOLE_SIZE[1]}, {case.CABLE_HOLE_SIZE[0]}];"
        ),
        f"spacer = {SPACER_SIZE[0]}; spacer_high = {SPACER_SIZE[2]};",
        "$fn = 48;",
        "module at(spots) { for (s = spots) translate([s[0], deep - s[1], 0]) children(); }",
        f"bumps = {_list([_bump(its)])};",
        (
            f"module bump() at(bumps) cylinder(r = {case.BUMP_RADIUS},"
            f" h = thick + {case.BUMP_RADIUS});"
        ),
        "module front() difference() {",
        "  cube([wide, deep, thick]);",
        (
            f"  translate([{x:g} - window[0] / 2, {y:g} - window[1] / 2, -1])"
            " cube([window[0], window[1], thick + 2]);"
        ),
        "  at(buttons) translate([0, 0, -1]) cylinder(r = button, h = thick + 2);",
        "  at(seats) translate([0, 0, -1]) cylinder(r = button, h = thick + 2);",
        "  at(lamps) translate([0, 0, -1]) cylinder(r = lamp, h = thick + 2);",
        "  at(knobs) translate([0, 0, -1]) cylinder(r = knob, h = thick + 2);",
        "  at(sound) translate([0, 0, -1]) cylinder(r = hole, h = thick + 2);",
        "}",
        "module tray() difference() {",
        "  union() {",
        "    difference() {",
        "      cube([wide, deep, thick + high]);",
        (
            "      translate([thick, thick, thick])"
            " cube([wide - 2 * thick, deep - 2 * thick, high + 1]);"
        ),
        "    }",
        "    at(screws) cylinder(r = spacer, h = thick + spacer_high);",
        "  }",
        "  at(screws) translate([0, 0, -1]) cylinder(r = screw, h = thick + spacer_high + 2);",
        (
            "  translate([-1, thick + cable_at[0], thick + cable_at[1]])"
            " cube([thick + 2, cable[0], cable[1]]);"
        ),
        "}",
        'if (part == "front") { front(); bump(); } else tray();',
    ]
    return "\n".join(lines) + "\n"


def _bump(its: case.BoxCase) -> case.SheetPoint:
    right, down = its.button_centres[case.BUTTONS.index("ok")]
    return case.SheetPoint(right, down - case.BUTTON_RADIUS - 3)


def _list(spots: Iterable[case.SheetPoint]) -> str:
    return "[" + ", ".join(f"[{spot.x:g}, {spot.y:g}]" for spot in spots) + "]"


def write_case_files(
    folder: Path, its: case.BoxCase = case.PLAIN_CASE, name: str = "companion-case"
) -> None:
    """Write the sheet, two `.stl` files and the OpenSCAD file; file names begin with `name`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-sheet.svg").write_text(case.case_sheet_svg("en", its), "utf-8")
    (folder / f"{name}-front.stl").write_bytes(encode_plates_as_stl(front_plates(its)))
    (folder / f"{name}-tray.stl").write_bytes(encode_plates_as_stl(tray_plates(its)))
    (folder / f"{name}.scad").write_text(case_as_openscad_text(its), "utf-8")


def parse_case_choices(words: Iterable[str]) -> case.BoxCase:
    """Return the case with the holes that `words` choose. Raise ValueError if a word is unknown."""
    given = {*words}
    if strange := given - {*CASE_HOLE_CHOICES}:
        raise ValueError(f"{', '.join(strange)}: expected {', '.join(CASE_HOLE_CHOICES)}")
    return case.BoxCase("seats" in given, "lamps" in given, "knob" in given, "outside" not in given)


if __name__ == "__main__":
    _, place, *words = sys.argv
    write_case_files(Path(place), parse_case_choices(words), "-".join(("companion-case", *words)))
