"""Measure whole games in audio mode: talk, repetitions, and if the games end.

The listener waits 0.5 s after each press, and never turns the wheel at a curtain. `EAR=20` plays
20 games of each kind in each language; the default is 2.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.catalog.registry import BUILT_IN_GAMES
from tests.ear.whole import measure
from tests.system.bench.row import Row

GAMES: Final = int(os.environ.get("EAR", "2"))
"""Games of each kind in each language, every other one with secrets in one ear."""
MAX_TALK_MINUTES: Final = {"barney-miller": 5.0, "baretta": 8.0, "probe": 14.0, "kojak": 18.0}
"""Maximum minutes of talk in a game of three."""
MIN_GAMES: Final = 10
"""Minimum number of games whose mean is compared with the limit; random games differ much."""
MAX_REPEATED_SHARE: Final = 0.03
"""Maximum share of words that are said again within four lines."""


def listened(folder: Path) -> Iterator[Row]:
    """Yield the words, talk, presses and repetitions of a game; all games must end."""
    del folder
    ended = 0
    for game in BUILT_IN_GAMES:
        for language in ("en", "fr"):
            found = measure(game, language, range(GAMES))
            ended += found.ended
            name = f"{game}, {language}"
            figure = (
                f"{found.minutes:.1f} min ({found.words:.0f} words, {found.presses:.0f} presses)"
            )
            limit = MAX_TALK_MINUTES[game]
            met = found.minutes <= limit if GAMES >= MIN_GAMES else None
            yield Row(f"Talk a game by ear, {name}", figure, f"{limit:g}", met)
            figure = f"{found.repeated:.1%}"
            yield Row(
                "  said again within four lines", figure, "3%", found.repeated <= MAX_REPEATED_SHARE
            )
    every = GAMES * len(BUILT_IN_GAMES) * 2
    yield Row("Games by ear that end", f"{ended} of {every}", str(every), ended == every)
