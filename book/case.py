"""The drawing of a case for the box: one A4 sheet as SVG, true to scale, in millimetres.

The screw holes match the Raspberry Pi's mechanical drawings. The holes form a rectangle of 58 by
49 mm (Raspberry Pi Zero: 58 by 23 mm), and have a diameter of 2.7 mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from book.words import DRAWING_WORDS

PAPER_SIZE: Final = (210, 297)
WALL_THICKNESS: Final = 4
CASE_WIDTH: Final = 140
CASE_DEPTH: Final = 90
SEAT_ROW_DEPTH: Final = 24
"""Depth (mm) that the row with the seats' buttons and lamps adds to the front."""
CASE_HEIGHT: Final = 45
"""Height of the walls between front and base (mm)."""
WINDOW_SIZE: Final = (25, 14)
"""Width and height (mm) of the window for a 0.96-inch display, whose lit area is 21.7 x 10.9 mm."""
LARGER_WINDOW_SIZE: Final = (57, 30)
"""Width and height (mm) of the window for a 2.42-inch display, whose lit area is 55 x 27.5 mm."""
BUTTON_RADIUS: Final = 6.1
"""Radius (mm) of the hole for a push button with a 12 mm thread."""
BUTTONS: Final = ("up", "down", "ok", "back")
LAMP_RADIUS: Final = 2.6
"""Radius (mm) of the hole for a 5 mm LED."""
KNOB_RADIUS: Final = 3.6
"""Radius (mm) of the hole for a rotary encoder (KY-040) with a 7 mm thread."""
BUMP_RADIUS: Final = 1
"""Radius (mm) of the raised dot beside the OK button, which a thumb can feel."""
SPEAKER_RADIUS: Final = 20
"""Radius of the loudspeaker (mm). The case has holes of 3 mm in front of the loudspeaker."""
GRILLE_HOLE_RADIUS, SCREW_RADIUS, SCALE_BAR_LENGTH = 1.5, 1.35, 50
PLUG_SPACE: Final = 22
"""Minimum space (mm) beside the Raspberry Pi for the power plug and the plug's bent cable."""

CENTRED_TEXT: Final = ' text-anchor="middle"'
STYLE: Final = """<style>
.cut { fill: none; stroke: #000; stroke-width: .25 }
.fold { fill: none; stroke: #666; stroke-width: .2; stroke-dasharray: 1.5 1 }
</style>"""


class SheetPoint(NamedTuple):
    """A position on the sheet, in mm from the top left corner of the sheet."""

    x: float
    y: float


class BoxCase(NamedTuple):
    """The optional holes in the front of a case. All cases have a display and four buttons.

    Positions are in mm from the top left corner of the front. Holes for seats or lamps make the
    case deeper by one row.
    """

    seats: bool = False
    lamps: bool = False
    knob: bool = False
    speaker: bool = True

    @property
    def _row(self) -> int:
        return SEAT_ROW_DEPTH if self.seats or self.lamps else 0

    @property
    def outer_size(self) -> tuple[int, int]:
        """Return the width and the depth of the front and of the base (mm)."""
        return CASE_WIDTH, CASE_DEPTH + self._row

    @property
    def display_centre(self) -> SheetPoint:
        """Return the centre of the display's window."""
        return SheetPoint(45, self._row + 30)

    @property
    def speaker_centre(self) -> SheetPoint:
        """Return the centre of the speaker."""
        return SheetPoint(111, self._row + 30)

    @property
    def button_centres(self) -> list[SheetPoint]:
        """Return the centres of the buttons UP, DOWN, OK and BACK."""
        return [SheetPoint(21 + 24 * n, self._row + 70) for n in range(len(BUTTONS))]

    @property
    def knob_centres(self) -> list[SheetPoint]:
        """Return the centre of the knob in a list, or [] if the case has no knob."""
        return [SheetPoint(120, self._row + 70)] if self.knob else []

    @property
    def seat_button_centres(self) -> list[SheetPoint]:
        """Return the centres of the seats' buttons, or [] if the case has no such buttons."""
        return [SheetPoint(20 + 31 * n, 16) for n in range(4)] if self.seats else []

    @property
    def lamp_centres(self) -> list[SheetPoint]:
        """Return the centres of the seats' lamps, or [] if the case has no lamps."""
        return [SheetPoint(33 + 31 * n, 16) for n in range(4)] if self.lamps else []

    @property
    def speaker_hole_centres(self) -> list[SheetPoint]:
        """Return the centres of the speaker's small holes, or [] if the case has no speaker."""
        if not self.speaker:
            return []
        spots = (
            (5 * column + 2.5 * (row % 2), 4.4 * row)
            for row, column in product(range(-3, 4), repeat=2)
        )
        middle = self.speaker_centre
        return [
            SheetPoint(middle.x + x, middle.y + y)
            for x, y in spots
            if x * x + y * y < (SPEAKER_RADIUS - 3) ** 2
        ]


PLAIN_CASE: Final = BoxCase()
FULL_CASE: Final = BoxCase(seats=True, lamps=True, knob=True)
CASES: Final = {"plain": PLAIN_CASE, "full": FULL_CASE}
"""The cases that the book shows, by name."""


class PiBoard(NamedTuple):
    """Sizes of a Raspberry Pi in mm.

    - `width`, `depth`: the size of the board.
    - `screw_row_distance`: the distance between the two rows of screw holes.
    - `name`: the key of the board's label in DRAWING_WORDS.
    """

    width: float
    depth: float
    screw_row_distance: float
    name: str


FIRST_SCREW: Final = SheetPoint(20, 10)
"""Position (mm) of the Pi's first screw hole on the base, beside the header."""
SCREW_COLUMN_DISTANCE: Final = 58
SCREW_EDGE_DISTANCE: Final = 3.5
"""Distance from the centre of a screw hole to the edge of the Raspberry Pi (mm)."""
BOARDS: Final = (PiBoard(65, 30, 23, "zero"), PiBoard(85, 56, 49, "pi"))
CABLE_HOLE_SIZE: Final = (15, 22)
"""Size (mm) of the cable hole in a short wall: along the wall's height, and along its length."""
CABLE_HOLE_PLACE: Final = (15, 30)
FRONT_CORNER, LONG_SIDE_CORNER, SHORT_SIDE_CORNER = (
    SheetPoint(10, 10),
    SheetPoint(155, 10),
    SheetPoint(155, 155),
)


def _circle(x: float, y: float, radius: float, name: str) -> str:
    return f'<circle class="{name}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


def _rect(at: SheetPoint, width: float, height: float, name: str = "cut") -> str:
    x, y = at
    return f'<rect class="{name}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'


def _text(at: SheetPoint, text: str, more: str = "") -> str:
    return f'<text x="{at.x:g}" y="{at.y:g}"{more}>{escape(text)}</text>'


def _centre(middle: SheetPoint, size: tuple[int, int], name: str) -> str:
    width, height = size
    return _rect(SheetPoint(middle.x - width / 2, middle.y - height / 2), width, height, name)


def _front(its: BoxCase, words: dict[str, str]) -> Iterator[str]:
    yield _rect(FRONT_CORNER, *its.outer_size)
    yield _text(SheetPoint(FRONT_CORNER.x + 2, FRONT_CORNER.y + 5), words["front"])
    middle = _on_front(its.display_centre)
    yield _centre(middle, WINDOW_SIZE, "cut window")
    yield _centre(middle, LARGER_WINDOW_SIZE, "fold larger")
    yield _text(SheetPoint(middle.x, middle.y + 19), words["larger"], CENTRED_TEXT)
    for button, (x, y) in zip(BUTTONS, map(_on_front, its.button_centres), strict=True):
        yield _circle(x, y, BUTTON_RADIUS, "cut button")
        if button == "ok":  # a raised dot lets a thumb find OK without looking
            yield _circle(x, y - BUTTON_RADIUS - 3, BUMP_RADIUS, "cut dot")
        yield _text(SheetPoint(x, y + 11), words[button], CENTRED_TEXT)
    yield from _seats(its, words)
    for x, y in map(_on_front, its.knob_centres):
        yield _circle(x, y, KNOB_RADIUS, "cut knob")
        yield _text(SheetPoint(x, y + 11), words["knob_hole"], CENTRED_TEXT)
    if its.speaker:
        yield from _grille(its, words["speaker"])


def _on_front(spot: SheetPoint) -> SheetPoint:
    return SheetPoint(FRONT_CORNER.x + spot.x, FRONT_CORNER.y + spot.y)


def _seats(its: BoxCase, words: dict[str, str]) -> Iterator[str]:
    for x, y in map(_on_front, its.lamp_centres):
        yield _circle(x, y, LAMP_RADIUS, "cut lamp")
    for n, (x, y) in enumerate(map(_on_front, its.seat_button_centres), 1):
        yield _circle(x, y, BUTTON_RADIUS, "cut seat")
        yield _text(SheetPoint(x, y + 11), words["seat_hole"].format(n), CENTRED_TEXT)


def _grille(its: BoxCase, name: str) -> Iterator[str]:
    x, y = _on_front(its.speaker_centre)
    yield _circle(x, y, SPEAKER_RADIUS, "fold speaker")
    for hole in map(_on_front, its.speaker_hole_centres):
        yield _circle(*hole, GRILLE_HOLE_RADIUS, "cut")
    yield _text(SheetPoint(x, y + SPEAKER_RADIUS + 4), name, CENTRED_TEXT)


def screw_hole_centres() -> list[SheetPoint]:
    """Return the positions of the screw holes, in mm from the top left corner of the base."""
    rows = (0, *(board.screw_row_distance for board in BOARDS))
    return [
        SheetPoint(FIRST_SCREW.x + right, FIRST_SCREW.y + down)
        for down in rows
        for right in (0, SCREW_COLUMN_DISTANCE)
    ]


def _base(its: BoxCase, words: dict[str, str]) -> Iterator[str]:
    base = SheetPoint(FRONT_CORNER.x, FRONT_CORNER.y + its.outer_size[1] + 10)
    yield _rect(base, *its.outer_size)
    yield _text(SheetPoint(base.x + 2, base.y + 5), words["base"])
    for hole in screw_hole_centres():
        yield _circle(base.x + hole.x, base.y + hole.y, SCREW_RADIUS, "cut screw")
    left, top = (
        base.x + FIRST_SCREW.x - SCREW_EDGE_DISTANCE,
        base.y + FIRST_SCREW.y - SCREW_EDGE_DISTANCE,
    )
    for board in BOARDS:
        yield _rect(SheetPoint(left, top), board.width, board.depth, "fold board")
        yield _text(SheetPoint(left + 32, top + board.depth - 5), words[board.name], CENTRED_TEXT)
    yield _text(SheetPoint(left + 32, top + 6), words["header_side"], CENTRED_TEXT)
    yield _text(SheetPoint(left + 32, top + BOARDS[-1].depth + 12), words["plug"], CENTRED_TEXT)


def _sides(its: BoxCase, words: dict[str, str]) -> Iterator[str]:
    width, depth = its.outer_size
    sides = (
        (LONG_SIDE_CORNER, width, "long_side"),
        (SHORT_SIDE_CORNER, depth - 2 * WALL_THICKNESS, "short_side"),
    )
    for at, length, name in sides:
        yield _rect(at, CASE_HEIGHT, length)
        turned = f' transform="rotate(90 {at.x + 4:g} {at.y + 4:g})"'
        yield _text(SheetPoint(at.x + 4, at.y + 4), words[name], turned)
    yield _rect(
        SheetPoint(
            SHORT_SIDE_CORNER.x + CABLE_HOLE_PLACE[0], SHORT_SIDE_CORNER.y + CABLE_HOLE_PLACE[1]
        ),
        *CABLE_HOLE_SIZE,
        "fold",
    )
    turned = f' transform="rotate(90 {SHORT_SIDE_CORNER.x + 21:g} {SHORT_SIDE_CORNER.y + 35:g})"'
    yield _text(
        SheetPoint(SHORT_SIDE_CORNER.x + 21, SHORT_SIDE_CORNER.y + 35), words["cable"], turned
    )


def case_sheet_svg(language: str, its: BoxCase = PLAIN_CASE) -> str:
    """Return the SVG sheet of a case. Solid lines show where to cut. Dashed lines are marks."""
    words, (width, height) = DRAWING_WORDS[language], PAPER_SIZE
    bar = SheetPoint(FRONT_CORNER.x, FRONT_CORNER.y + 2 * its.outer_size[1] + 24)
    notes = (words["scale"], words["thickness"].format(WALL_THICKNESS), words["before"])
    lines = (
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"'
            f' viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="3.2">'
        ),
        STYLE,
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *_front(its, words),
        *_base(its, words),
        *_sides(its, words),
        f'<path class="cut bar" d="M{bar.x} {bar.y}v-3v1.5h{SCALE_BAR_LENGTH}v-1.5v3"/>',
        *(_text(SheetPoint(bar.x, bar.y + 6 + 5 * n), text) for n, text in enumerate(notes)),
        "</svg>\n",
    )
    return "\n".join(lines)
