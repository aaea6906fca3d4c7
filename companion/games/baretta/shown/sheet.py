"""A printable sheet that shows the numbers of the spaces on Baretta's board."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

from companion.core.game import Edition
from companion.games.baretta.rules.board import SIDE_LENGTH, make_board_from_edition
from companion.games.baretta.shown.spaces import brief_space_effect_text, space_name
from companion.say.words import Words

SPACE_DISTANCE: Final = 24
"""Distance (mm) between neighbouring spaces, small enough for a sheet of A4 or Letter paper."""
BOTH_MARGINS_WIDTH: Final = SPACE_DISTANCE + 4
PAGE_WIDTH: Final = round(SPACE_DISTANCE * SIDE_LENGTH) + BOTH_MARGINS_WIDTH
SPACE_SIZES: Final = {"outside": 20, "corner": 23, "hideout": 34, "shortcut": 9}
"""Table from a kind of space to the side or the diameter (mm) of its picture."""
LETTER_HEIGHTS: Final = {"outside": 8.0, "corner": 3.4, "hideout": 4.2, "shortcut": 3.6}
"""Table from a kind of space to the height (mm) of the letters in the space."""
EFFECT_LETTER_HEIGHT: Final = 2.8
"""Height (mm) of the letters that describe the effect of a space."""


def draw(edition: Edition, words: Words) -> str:
    """Return the sheet of an edition as an SVG text: path, numbers, corners, Hideout, shortcuts."""
    board = make_board_from_edition(edition)
    spots = [
        (
            round(BOTH_MARGINS_WIDTH / 2 + SPACE_DISTANCE * x, 1),
            round(BOTH_MARGINS_WIDTH / 2 + SPACE_DISTANCE * y, 1),
        )
        for x, y in board.at
    ]
    lines = [
        _link(spots[start], spots[other])
        for start, links in enumerate(board.links)
        for other in links
        if start < other
    ]
    spaces = [
        _space(*spot, board.kind_of_space(space), _rows(ident, board.kind_of_space(space), words))
        for space, (ident, spot) in enumerate(zip(board.ids, spots, strict=True))
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{PAGE_WIDTH}mm" height="{PAGE_WIDTH}mm" '
        f'viewBox="0 0 {PAGE_WIDTH} {PAGE_WIDTH}" font-family="sans-serif" text-anchor="middle">'
    )
    ground = f'<rect width="{PAGE_WIDTH}" height="{PAGE_WIDTH}" fill="white"/>'
    return "\n".join((head, ground, *lines, *spaces, "</svg>\n"))


def _link(start: tuple[float, float], other: tuple[float, float]) -> str:
    (x, y), (to_x, to_y) = sorted((start, other), key=((PAGE_WIDTH / 2,) * 2).__eq__)
    if (to_x, to_y) == (PAGE_WIDTH / 2,) * 2:
        to_x = x if abs(x - to_x) < SPACE_DISTANCE else to_x
        to_y = y if abs(y - to_y) < SPACE_DISTANCE else to_y
    return f'<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" stroke="black" stroke-width="0.6"/>'


def _rows(ident: str, kind: str, words: Words) -> list[str]:
    if kind in ("outside", "shortcut"):
        return [ident.upper()]
    return [space_name(words, ident), *brief_space_effect_text(words, ident).split("|")]


def _space(x: float, y: float, kind: str, rows: list[str]) -> str:
    size, height = SPACE_SIZES[kind], LETTER_HEIGHTS[kind]
    look = 'fill="white" stroke="black" stroke-width="0.6"'
    if kind in ("outside", "corner"):
        corner = 2 if kind == "outside" else size / 2
        shape = (
            f'<rect x="{x - size / 2:.1f}" y="{y - size / 2:.1f}" width="{size}" '
            f'height="{size}" rx="{corner}" {look}/>'
        )
    else:
        shape = f'<circle cx="{x}" cy="{y}" r="{size / 2}" {look}/>'
    first = y + height * 0.36 - (EFFECT_LETTER_HEIGHT * 1.2 * (len(rows) - 1)) / 2
    texts = [
        f'<text x="{x}" y="{first + EFFECT_LETTER_HEIGHT * 1.25 * i:.1f}" '
        f'font-size="{EFFECT_LETTER_HEIGHT if i else height}">{escape(row)}</text>'
        for i, row in enumerate(rows)
    ]
    return "\n".join((shape, *texts))
