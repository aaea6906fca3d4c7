"""Measure speech at the table and the voice's delay: random games with a paced speaker.

A letter takes 65 ms, a cue takes the length of its file. The player answers 1.5 s after a
question appears. A hasty player also closes every verdict after this time. A slow voice needs 3 s
for a sentence. `COMPANION_GAMES=4000` plays 1,000 of each game.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from companion.catalog.registry import BUILT_IN_GAMES
from hardware.sound.synthesis_queue import SLOW_VOICE_WAIT_SECONDS
from tests.hardware.slow import SlowTable
from tests.hear.paced import LONG_STORY_FACTS, LONGEST, Evening
from tests.system.bench.row import Row

GAMES: Final = int(os.environ.get("COMPANION_GAMES", "100")) // len(BUILT_IN_GAMES)
"""Number of random games of each kind."""
BACKLOG: Final = 1.5
"""Maximum median of the speech in front of a question (s)."""


def paced(folder: Path) -> Iterator[Row]:
    """Yield the amount of speech, and the speech that is left when a question appears."""
    del folder
    for game in BUILT_IN_GAMES:
        yield from _of(game)
        yield from _slow(game)


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
    for (option, value), own in table.halves().items():
        yield Row(f"    {option}: {value}", f"{own:.1f} s", f"{BACKLOG} s", own < BACKLOG)
    behind = median(asked.backlog for asked in hasty.asked)
    yield Row("  with a thumb that waits for no verdict, p50", f"{behind:.1f} s")
    cut = len(table.cut) + len(hasty.cut)
    yield Row("  weighty sentences that were cut", str(cut), "0", cut == 0)
    if table.ends:
        longest = max(table.ends)
        limit = LONGEST[game]
        figure = f"{longest:.1f} s (p50 {median(table.ends):.1f} s)"
        yield Row(f"  talk after {LONG_STORY_FACTS[game]}", figure, f"{limit} s", longest <= limit)
    events = defaultdict(list)
    for asked in table.asked:
        for fact in {*asked.facts}:
            events[fact].append(asked.talk)
    most_told = sorted(events, key=lambda fact: -median(events[fact]))[:3]
    told = ", ".join(f"{fact} {median(events[fact]):.1f} s" for fact in most_told)
    yield Row("  the longest stories, p50, by a fact in them", told)


def _slow(game: str) -> Iterator[Row]:
    """Yield the figures with a voice that needs 3 s for a sentence."""
    speaker = SlowTable()
    table = Evening(game, 3, speaker)
    for _ in range(GAMES):
        table.play()
    half = median(asked.backlog for asked in table.asked)
    limit = f"{BACKLOG} s"
    yield Row("  left to say with a slow voice, p50", f"{half:.1f} s", limit, half < BACKLOG)
    late = sum(began.late > SLOW_VOICE_WAIT_SECONDS + 1e-3 for began in speaker.began)
    twice = (Counter(began.text for began in speaker.began) - Counter(speaker.orders)).total()
    wrong = late + twice + len(table.cut)
    figure = f"{late}, {twice}, {len(table.cut)} of {len(speaker.began)}"
    yield Row("  sentences late, said twice, weighty and cut", figure, "0", wrong == 0)
    own = sum(began.voice == "slow" for began in speaker.began) / len(speaker.began)
    yield Row("  said by the slow voice, the others by espeak-ng", f"{own:.0%}")
