"""The board as a sheet to print and lay beside the real one: which number is which space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import escape

from companion.games.baretta.board import HIDEOUT_ID, SIDE, board_of

if TYPE_CHECKING:
    from collections.abc import Mapping

STEP: Final = 24
"""Millimetres from one space to the next; the whole fits on A4 and on Letter."""
EDGE: Final = STEP + 4
PAGE: Final = round(STEP * SIDE) + EDGE
SIZES: Final = {"outside": 20, "corner": 22, "hideout": 24, "shortcut": 9}
"""The side of a space, or its diameter."""
LETTERS: Final = {"outside": 8.0, "corner": 3.6, "hideout": 4.2, "shortcut": 3.6}
"""How high what stands on a space is."""


def draw(edition: Mapping[str, Any]) -> str:
    """The sheet of an edition, as SVG: the path with its numbers, corners, Hideout, shortcuts."""
    board = board_of(edition)
    names = {corner["id"]: str(corner["name"]) for corner in edition["corner"]}
    names[HIDEOUT_ID] = "Hideout"
    spots = [(round(EDGE / 2 + STEP * x, 1), round(EDGE / 2 + STEP * y, 1)) for x, y in board.at]
    lines = [
        f'<line x1="{spots[one][0]}" y1="{spots[one][1]}" x2="{spots[other][0]}" '
        f'y2="{spots[other][1]}" stroke="black" stroke-width="0.6"/>'
        for one, links in enumerate(board.links)
        for other in links
        if one < other
    ]
    spaces = [
        _space(*spot, board.kind(space), names.get(ident, ident.upper()))
        for space, (ident, spot) in enumerate(zip(board.ids, spots, strict=True))
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{PAGE}mm" height="{PAGE}mm" '
        f'viewBox="0 0 {PAGE} {PAGE}" font-family="sans-serif" text-anchor="middle">'
    )
    ground = f'<rect width="{PAGE}" height="{PAGE}" fill="white"/>'
    return "\n".join((head, ground, *lines, *spaces, "</svg>\n"))


def _space(x: float, y: float, kind: str, name: str) -> str:
    """One space with what stands on it."""
    size, height = SIZES[kind], LETTERS[kind]
    look = 'fill="white" stroke="black" stroke-width="0.6"'
    if kind in ("outside", "corner"):
        corner = 2 if kind == "outside" else size / 2
        shape = (
            f'<rect x="{x - size / 2:.1f}" y="{y - size / 2:.1f}" width="{size}" '
            f'height="{size}" rx="{corner}" {look}/>'
        )
    else:
        shape = f'<circle cx="{x}" cy="{y}" r="{size / 2}" {look}/>'
    text = f'<text x="{x}" y="{y + height * 0.36:.1f}" font-size="{height}">{escape(name)}</text>'
    return f"{shape}\n{text}"
