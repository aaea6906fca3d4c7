"""The adaptive computer player, whose strength depends on the results of its finished games.

The adaptive computer player gets stronger after a person wins a game, and weaker after the computer
player wins a game. Over many games, all players therefore win equally often.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.record.journal import Journal
from companion.record.reading import GameSummary

ADAPTIVE_LEVEL: Final = "even"
"""Name of the level of an adaptive computer player."""
HIGHEST_ADAPTIVE_STEP: Final = 12
"""Highest adaptive step, at which the computer player is strongest; step 0 is the weakest."""
INITIAL_ADAPTIVE_STEP: Final = 4
"""Adaptive step at which a computer player begins."""
MAX_ADAPTIVE_GAMES: Final = 60
"""Maximum number of recent recorded games from which the adaptive step is computed.

Games with other rules count towards this number, but do not change the step.
"""


def adaptive_step_of_computer_players(journal: Journal, game: str, number: int) -> int:
    """Return the adaptive step of the computer players in game `number`.

    The step is from 0 to HIGHEST_ADAPTIVE_STEP. Only games before `number` decide the step, so the
    step of a game never changes. Raise JournalError if the record cannot be read.
    """
    earlier = [n for n in journal.game_numbers() if n < number][:MAX_ADAPTIVE_GAMES]
    games = (journal.game_summary(n) for n in reversed(earlier))
    return adaptive_step_after_games(summary for summary in games if summary.game == game)


def adaptive_step_after_games(games: Iterable[GameSummary]) -> int:
    """Return the adaptive step after `games`, which are sorted from oldest to newest.

    - If a person is the only winner of a game, the step rises by one for each adaptive computer
      player in the game.
    - If an adaptive computer player is the only winner, the step falls by one for each person in
      the game.
    - In all other cases, the step does not change.

    If every player wins a fair share of the games, the step therefore stays about the same.
    """
    step = INITIAL_ADAPTIVE_STEP
    for game in games:
        even = [who for who, level in game.programs.items() if level == ADAPTIVE_LEVEL]
        people = len(game.players) - len(game.programs)
        if even and len(game.winners or ()) == 1:
            (winner,) = game.winners or ()
            if winner in even:
                step -= people
            elif winner not in game.programs:
                step += len(even)
        step = min(max(step, 0), HIGHEST_ADAPTIVE_STEP)
    return step
