"""The scores of a game as a curve: SVG of our own, which a browser and a printer draw alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from tornado.escape import xhtml_escape as esc

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDE, HIGH, EDGE = 640, 260, 44
DASHES: Final = ("", "8 4", "2 4", "10 3 2 3")
"""How each seat's line is drawn: what a colour says is said without colours too."""
MARKS: Final = ("circle", "square", "diamond", "cross")


class Point(NamedTuple):
    """After how many answers the scores were these, by seat."""

    at: int
    scores: tuple[int, ...]


def svg(points: Sequence[Point], players: Sequence[str], title: str) -> str:
    """The curve, with each seat's name at the end of its line; empty if nothing was scored."""
    if len(points) < 2:  # noqa: PLR2004 - no line has fewer ends
        return ""
    low = min(0, *(min(point.scores) for point in points))
    high = max(1, *(max(point.scores) for point in points))
    last = max(1, points[-1].at)

    def x(at: int) -> float:
        return round(EDGE + at * (WIDE - 130 - EDGE) / last, 1)

    def y(score: int) -> float:
        return round(HIGH - EDGE - (score - low) * (HIGH - 2 * EDGE) / (high - low), 1)

    grid = "".join(
        f'<path class="grid" d="M{EDGE} {y(n)}H{WIDE - 130}"/>'
        f'<text class="small" x="{EDGE - 6}" y="{y(n) + 4}" text-anchor="end">{n}</text>'
        for n in sorted({low, 0, high})
    )
    lines, ends = [], _apart([y(score) for score in points[-1].scores])
    for seat, name in enumerate(players):
        path = f"M{x(points[0].at)} {y(points[0].scores[seat])}" + "".join(
            f"H{x(point.at)}V{y(point.scores[seat])}" for point in points[1:]
        )
        lines.append(
            f'<path class="curve seat{seat}" stroke-dasharray="{DASHES[seat % 4]}" d="{path}"/>'
            f'<text class="label seat{seat}" x="{WIDE - 122}" y="{ends[seat] + 5}">'
            f"{esc(name)}</text>"
        )
    return (
        f'<svg class="curves" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{esc(title)}">'
        f"{grid}{''.join(lines)}</svg>"
    )


def _apart(ends: Sequence[float]) -> list[float]:
    """Heights of names that do not lie on each other."""
    placed: dict[int, float] = {}
    lowest = 0.0
    for seat in sorted(range(len(ends)), key=ends.__getitem__):
        placed[seat] = lowest = max(ends[seat], lowest + 18)
    over = max(0.0, lowest - (HIGH - EDGE))
    return [placed[seat] - over for seat in range(len(ends))]
