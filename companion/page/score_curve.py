"""The scores of a past game as lines in an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

WIDTH, HEIGHT, MARGIN = 640, 260, 44
DASH_PATTERNS: Final = ("", "8 4", "2 4", "10 3 2 3", "14 4", "5 5", "2 8", "10 3 2 3 2 3")
"""The SVG dash pattern of each seat's line. With the patterns, readers need no colours."""


class AllSeatScores(NamedTuple):
    """The scores of all seats after the game has received `at` answers."""

    at: int
    scores: tuple[int, ...]


class ScoreGridLine(NamedTuple):
    """A horizontal grid line at the score `n`: its SVG path, and the position of its label."""

    path: str
    x: int
    y: float
    n: int


class SeatScoreCurve(NamedTuple):
    """The score line of a seat (an SVG path), and the position of the player's name."""

    seat: int
    name: str
    dashes: str
    path: str
    x: int
    y: float


class ScoreCurve(NamedTuple):
    """The size, grid lines and score lines that `templates/curve.html` draws."""

    wide: int
    high: int
    levels: tuple[ScoreGridLine, ...]
    courses: tuple[SeatScoreCurve, ...]


def make_score_curve(points: Sequence[AllSeatScores], players: Sequence[str]) -> ScoreCurve | None:
    """Return the score curve. With fewer than 2 points, or only scores of 0 and 1, return None."""
    if len(points) < 2:  # noqa: PLR2004 - no line has fewer ends
        return None
    low = min(0, *(min(point.scores) for point in points))
    high = max(1, *(max(point.scores) for point in points))
    if high - low <= 1:  # draw no curve: scores of 0 and 1 show only who won
        return None
    last = max(1, points[-1].at)

    def x(at: int) -> float:
        return round(MARGIN + at * (WIDTH - 130 - MARGIN) / last, 1)

    def y(score: int) -> float:
        return round(
            HEIGHT - MARGIN - (score - low) * (HEIGHT - 2 * MARGIN) / (high - low),
            1,
        )

    def path(seat: int) -> str:
        begin = f"M{x(points[0].at)} {y(points[0].scores[seat])}"
        return begin + "".join(f"H{x(point.at)}V{y(point.scores[seat])}" for point in points[1:])

    levels = tuple(
        ScoreGridLine(f"M{MARGIN} {y(n)}H{WIDTH - 130}", MARGIN - 6, y(n) + 4, n)
        for n in sorted({low, 0, high})
    )
    ends = _apart([y(score) for score in points[-1].scores])
    courses = tuple(
        SeatScoreCurve(
            seat,
            name,
            DASH_PATTERNS[seat % len(DASH_PATTERNS)],
            path(seat),
            WIDTH - 122,
            ends[seat] + 5,
        )
        for seat, name in enumerate(players)
    )
    return ScoreCurve(WIDTH, HEIGHT, levels, courses)


def _apart(ends: Sequence[float]) -> list[float]:
    """Return the vertical positions of the players' names, moved so that names do not overlap.

    ends: the vertical positions of the lines' right ends.
    """
    placed: dict[int, float] = {}
    lowest = 0.0
    for seat in sorted(range(len(ends)), key=ends.__getitem__):
        placed[seat] = lowest = max(ends[seat], lowest + 18)
    over = max(0.0, lowest - (HEIGHT - MARGIN))
    return [placed[seat] - over for seat in range(len(ends))]
