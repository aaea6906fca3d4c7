"""Drawing of Barney Miller's track, as a ring round the name of the player who rolls."""

from __future__ import annotations

from functools import cache
from typing import Final

from companion.core.snapshot import View
from companion.draw.canvas import Canvas, Point, parse_sprite
from companion.games.barney_miller.rules.board import (
    GANG,
    IDENTIFICATION,
    INSUFFICIENT_EVIDENCE,
    START,
    UNKNOWN_SPACE_OR_GANG,
    WARRANT,
)

WIDTH: Final = 128
SPACE_SIDE: Final = 7
"""Width and height (pixels) of a space of the track."""
TOP, BOTTOM = 8, 41
"""Top edges (pixels) of two rows of spaces: the track's upper row (TOP), and lower row (BOTTOM)."""
SPACES_BETWEEN_ROWS: Final = 2
"""Number of spaces between the track's upper and lower row: one at the left, one at the right."""
MAX_SPACES: Final = SPACES_BETWEEN_ROWS + 2 * (WIDTH // (SPACE_SIDE + 1))
"""Maximum number of spaces of a track that fits into the frame."""
BLANK_ROW: Final = (".......",)
SPACE_PICTURES: Final = {
    kind: parse_sprite(" ".join(art))
    for kind, art in {
        GANG: (*BLANK_ROW, *(".#####.",) * 5, *BLANK_ROW),
        START: ("#######", *("#.....#",) * 5, "#######"),
        IDENTIFICATION: (
            *BLANK_ROW,
            "...#...",
            "..###..",
            ".#####.",
            "..###..",
            "...#...",
            *BLANK_ROW,
        ),
        WARRANT: (*BLANK_ROW, ".#####.", *(".#...#.",) * 3, ".#####.", *BLANK_ROW),
        INSUFFICIENT_EVIDENCE: (*BLANK_ROW * 3, "..###..", *BLANK_ROW * 3),
        UNKNOWN_SPACE_OR_GANG: (*BLANK_ROW * 3, "...#...", *BLANK_ROW * 3),
    }.items()
}
"""Table from a kind of space to its picture (BM-9)."""


def draw_track(canvas: Canvas, view: View) -> None:
    """Draw the track clockwise from the top left, and invert the pawn's space.

    If the box does not know the track, or if the track has too many spaces, draw nothing.
    """
    spaces = view["track"] or ()
    if not 0 < len(spaces) <= MAX_SPACES:
        return
    for at, space in zip(drawn_space_positions(len(spaces)), spaces, strict=True):
        canvas.draw_sprite(*at, SPACE_PICTURES[space["kind"]])
    if view["pawn"] is not None:
        x, y = drawn_space_positions(len(spaces))[view["pawn"]]
        canvas.invert_rectangle(x - 1, y, SPACE_SIDE + 2, SPACE_SIDE)


@cache
def drawn_space_positions(n: int) -> tuple[Point, ...]:
    """Return the top left pixel (x, y) of each of `n` spaces, clockwise from the top left."""
    above = (n - SPACES_BETWEEN_ROWS + 1) // 2
    below = n - SPACES_BETWEEN_ROWS - above
    right, left = (WIDTH - SPACE_SIDE - 1, (TOP + BOTTOM) // 2), (1, (TOP + BOTTOM) // 2)
    return (
        *((x, TOP) for x in _spread(above)),
        right,
        *((x, BOTTOM) for x in reversed(_spread(below))),
        left,
    )


def _spread(n: int) -> list[int]:
    return [1 + i * (WIDTH - SPACE_SIDE - 2) // max(1, n - 1) for i in range(n)]
