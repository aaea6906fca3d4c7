"""A case to print, true to scale: one sheet of A4 as SVG, a unit is a millimetre.

The Pi's holes are those of its mechanical drawings (58 by 49 mm, Zero 58 by 23 mm, 2.7 mm wide).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from xml.sax.saxutils import escape

from book.words import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

PAPER: Final = (297, 210)
THICKNESS: Final = 4
OUTER: Final = (140, 90)
"""Width and depth of the front and of the base."""
HEIGHT: Final = 45
"""Of the sides, which stand between front and base."""
WINDOW: Final = (25, 14)
"""What is cut out for a display of 0.96 inches, which lights 21.7 by 10.9 mm."""
LARGER: Final = (57, 30)
"""The same for one of 2.42 inches, which lights 55 by 27.5 mm."""
BUTTON: Final = 6.1
"""Radius of the hole of a push button with a thread of 12 mm."""
BUTTONS: Final = ("up", "down", "ok", "back")
DOT: Final = 1
"""Radius of the raised dot beside OK, for a thumb that feels its way."""
SPEAKER: Final = 20
"""Radius of the speaker; its sound comes through holes of 3 mm."""
HOLE, SCREW, BAR = 1.5, 1.35, 50
PLUG: Final = 22
"""What the plug of a Pi's power needs beside the board: 20 mm and more, with its cable's bend."""

MIDDLE: Final = ' text-anchor="middle"'
STYLE: Final = """<style>
.cut { fill: none; stroke: #000; stroke-width: .25 }
.fold { fill: none; stroke: #666; stroke-width: .2; stroke-dasharray: 1.5 1 }
</style>"""


class Point(NamedTuple):
    """A place on the sheet, in mm from its top left corner."""

    x: float
    y: float


DISPLAY_AT, SPEAKER_AT = Point(45, 30), Point(111, 30)
BUTTONS_AT: Final = tuple(Point(21 + 24 * n, 70) for n in range(len(BUTTONS)))
"""On the front, from its corner."""


class Pi(NamedTuple):
    """A board: its size, how far apart its four holes are, and the label of its lower ones."""

    width: float
    depth: float
    rows: float
    name: str


CORNER: Final = Point(20, 10)
"""The Pi's first hole on the base: its header lies along the near wall, its plug away from it."""
COLUMNS: Final = 58
EDGE: Final = 3.5
"""From the middle of a hole to the board's edge."""
BOARDS: Final = (Pi(65, 30, 23, "zero"), Pi(85, 56, 49, "pi"))
CABLE: Final = (15, 22)
"""The opening for cables in a short side, and how far it is from that side's end."""
CABLE_AT: Final = (15, 30)
FRONT, BASE = Point(10, 10), Point(10, 110)
LONG, SHORT = Point(162, 10), Point(219, 10)


def _circle(x: float, y: float, radius: float, name: str) -> str:
    return f'<circle class="{name}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


def _rect(at: Point, width: float, height: float, name: str = "cut") -> str:
    x, y = at
    return f'<rect class="{name}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'


def _text(at: Point, text: str, more: str = "") -> str:
    return f'<text x="{at.x:g}" y="{at.y:g}"{more}>{escape(text)}</text>'


def _centred(middle: Point, size: tuple[int, int], name: str) -> str:
    width, height = size
    return _rect(Point(middle.x - width / 2, middle.y - height / 2), width, height, name)


def _front(words: dict[str, str]) -> Iterator[str]:
    yield _rect(FRONT, *OUTER)
    yield _text(Point(FRONT.x + 2, FRONT.y + 5), words["front"])
    middle = Point(FRONT.x + DISPLAY_AT.x, FRONT.y + DISPLAY_AT.y)
    yield _centred(middle, WINDOW, "cut window")
    yield _centred(middle, LARGER, "fold larger")
    yield _text(Point(middle.x, middle.y + 19), words["larger"], MIDDLE)
    for button, (right, down) in zip(BUTTONS, BUTTONS_AT, strict=True):
        x, y = FRONT.x + right, FRONT.y + down
        yield _circle(x, y, BUTTON, "cut button")
        if button == "ok":  # a thumb finds it without looking
            yield _circle(x, y - BUTTON - 3, DOT, "cut dot")
        yield _text(Point(x, y + 11), words[button], MIDDLE)
    yield from _grille(Point(FRONT.x + SPEAKER_AT.x, FRONT.y + SPEAKER_AT.y), words["speaker"])


def _grille(middle: Point, name: str) -> Iterator[str]:
    """Rows of small holes within the speaker's rim."""
    yield _circle(middle.x, middle.y, SPEAKER, "fold speaker")
    for hole in grille(middle):
        yield _circle(*hole, HOLE, "cut")
    yield _text(Point(middle.x, middle.y + SPEAKER + 4), name, MIDDLE)


def grille(middle: Point) -> Iterator[Point]:
    """Where the speaker's small holes are."""
    for row in range(-3, 4):
        for column in range(-3, 4):
            x, y = 5 * column + 2.5 * (row % 2), 4.4 * row
            if x * x + y * y < (SPEAKER - 3) ** 2:
                yield Point(middle.x + x, middle.y + y)


def screws() -> list[Point]:
    """The holes for the boards' screws, from the base's corner."""
    rows = (0, *(board.rows for board in BOARDS))
    return [Point(CORNER.x + right, CORNER.y + down) for down in rows for right in (0, COLUMNS)]


def _base(words: dict[str, str]) -> Iterator[str]:
    yield _rect(BASE, *OUTER)
    yield _text(Point(BASE.x + 2, BASE.y + 5), words["base"])
    for hole in screws():
        yield _circle(BASE.x + hole.x, BASE.y + hole.y, SCREW, "cut screw")
    left, top = BASE.x + CORNER.x - EDGE, BASE.y + CORNER.y - EDGE
    for board in BOARDS:
        yield _rect(Point(left, top), board.width, board.depth, "fold board")
        yield _text(Point(left + 32, top + board.depth - 5), words[board.name], MIDDLE)
    yield _text(Point(left + 32, top + 6), words["header_side"], MIDDLE)
    yield _text(Point(left + 32, top + BOARDS[-1].depth + 12), words["plug"], MIDDLE)


def _sides(words: dict[str, str]) -> Iterator[str]:
    short = OUTER[1] - 2 * THICKNESS
    for at, length, name in ((LONG, OUTER[0], "long_side"), (SHORT, short, "short_side")):
        yield _rect(at, HEIGHT, length)
        turned = f' transform="rotate(90 {at.x + 4:g} {at.y + 4:g})"'
        yield _text(Point(at.x + 4, at.y + 4), words[name], turned)
    yield _rect(Point(SHORT.x + CABLE_AT[0], SHORT.y + CABLE_AT[1]), *CABLE, "fold")
    turned = f' transform="rotate(90 {SHORT.x + 21:g} {SHORT.y + 35:g})"'
    yield _text(Point(SHORT.x + 21, SHORT.y + 35), words["cable"], turned)


def svg(language: str) -> str:
    """The sheet: what is drawn through is cut, what is dashed is only marked."""
    words, (width, height) = WORDS[language], PAPER
    bar = Point(LONG.x, 172)
    notes = (words["scale"], words["thickness"].format(THICKNESS), words["before"])
    lines = (
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"'
            f' viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="3.2">'
        ),
        STYLE,
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *_front(words),
        *_base(words),
        *_sides(words),
        f'<path class="cut bar" d="M{bar.x} {bar.y}v-3v1.5h{BAR}v-1.5v3"/>',
        *(_text(Point(bar.x, bar.y + 6 + 5 * n), text) for n, text in enumerate(notes)),
        "</svg>\n",
    )
    return "\n".join(lines)
