"""The computer player that adapts: how strong it plays follows from its finished games.

It plays stronger after a person has won and weaker after it has won, so that in the long run every
player of a table wins as often as the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.record.journal import Journal
from companion.record.reading import Summary

EVEN: Final = "even"
"""The level of a computer player that adapts."""
MAX_STEP: Final = 12
"""The strongest step; the weakest is 0."""
FIRST_STEP: Final = 4
"""The step of the first game."""
MAX_GAMES: Final = 60
"""The number of recent games, of any kind, that count."""


def step_of(journal: Journal, game: str, number: int) -> int:
    """Return the step, 0 to MAX_STEP, of the computer players in game `number` of the record.

    It is the same at every call, as only earlier games count. Raise JournalError.
    """
    earlier = [n for n in journal.games() if n < number][:MAX_GAMES]
    games = (journal.summary(n) for n in reversed(earlier))
    return fold_results(summary for summary in games if summary.game == game)


def fold_results(games: Iterable[Summary]) -> int:
    """Return the step after `games`, oldest first.

    A win of a person adds one step for each computer player that adapts; a win of such a computer
    player takes one step for each person. So the wins are even when they are fair shares. Games
    without a sole winner and wins of other computer players change nothing.
    """
    step = FIRST_STEP
    for game in games:
        even = [who for who, level in game.programs.items() if level == EVEN]
        people = len(game.players) - len(game.programs)
        if even and len(game.winners or ()) == 1:
            (winner,) = game.winners or ()
            if winner in even:
                step -= people
            elif winner not in game.programs:
                step += len(even)
        step = min(max(step, 0), MAX_STEP)
    return step
