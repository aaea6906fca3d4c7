"""What is said at the table, and how far the voice is behind: random games with a paced speaker.

A letter takes 65 ms, a cue as long as its file; a thumb answers 1.5 s after a question stands on
the display, or, a hasty one, goes on from every verdict as fast.
"""

from __future__ import annotations

from collections import defaultdict
from statistics import median, quantiles
from typing import TYPE_CHECKING, Final

from companion.games.registry import NAMES
from tests.bench.row import Row
from tests.hear.paced import ENDS, Evening

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GAMES: Final = 25
"""Random games of each."""
BACKLOG: Final = 1.5
LONGEST: Final = {"barney-miller": 8.0, "kojak": 9.0}
"""Seconds: what half of all questions may have in front of them, and the longest stories."""


def paced(folder: Path) -> Iterator[Row]:
    """Talk, and what of it is left when a question comes up."""
    del folder
    for game in NAMES:
        yield from _of(game)


def _of(game: str) -> Iterator[Row]:
    table, hasty = Evening(game, 1), Evening(game, 1, hasty=True)
    for _ in range(GAMES):
        table.play()
        hasty.play()
    waits = [asked.backlog for asked in table.asked]
    half, most = median(waits), quantiles(waits, n=10)[-1]
    yield Row(
        f"{game}: left to say when a question comes up, p50",
        f"{half:.1f} s (p90 {most:.1f} s)",
        f"{BACKLOG} s",
        half < BACKLOG,
    )
    behind = median(asked.backlog for asked in hasty.asked)
    yield Row("  with a thumb that waits for no verdict, p50", f"{behind:.1f} s")
    cut = len(table.cut) + len(hasty.cut)
    yield Row("  weighty sentences that were cut", str(cut), "0", cut == 0)
    if table.ends:
        longest = max(table.ends)
        limit = LONGEST[game]
        figure = f"{longest:.1f} s (p50 {median(table.ends):.1f} s)"
        yield Row(f"  talk after {ENDS[game]}", figure, f"{limit} s", longest <= limit)
    events = defaultdict(list)
    for asked in table.asked:
        for fact in {*asked.facts}:
            events[fact].append(asked.talk)
    most_told = sorted(events, key=lambda fact: -median(events[fact]))[:3]
    told = ", ".join(f"{fact} {median(events[fact]):.1f} s" for fact in most_told)
    yield Row("  the longest stories, p50, by a fact in them", told)
