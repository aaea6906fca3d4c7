"""The states and results of recorded games, for menu pages that list these games."""

from __future__ import annotations

from companion.core.errors import CompanionError
from companion.figures import recorded
from companion.figures.game_statistics import recorded_game_statistics
from companion.menus.page import RecordedGameSummary
from companion.play.record_header import rule_errors_as_outdated_game
from companion.record.journal import Journal


class RecordedGamesCache:
    """A cache of the states and results of recorded games.

    While `looks_up` is False, the cache reads no record, so that the box shows its first frame
    quickly. The cache replays a recorded game once, and again after the game's record has changed.
    """

    def __init__(self, journal: Journal) -> None:
        self.looks_up = False
        self._journal = journal
        self._found: dict[tuple[int, tuple[int, str]], RecordedGameSummary] = {}

    def game_state(self, number: int) -> RecordedGameSummary:
        """Return the state of a recorded game, or an empty state if the game cannot be read."""
        if not self.looks_up:
            return RecordedGameSummary()
        try:
            return self._looked_up(number)
        except CompanionError:
            return RecordedGameSummary()

    def _looked_up(self, number: int) -> RecordedGameSummary:
        key = number, self._journal.ends_of_newest_games(number + 1, 1)[-1][1:]
        if key not in self._found:
            with rule_errors_as_outdated_game():
                played, detail = recorded_game_statistics(
                    recorded.load_recorded_game(self._journal, number), number
                )
            scores = detail.curve[-1][1] if detail.curve else ()
            answers = played.answers - played.undone
            self._found[key] = RecordedGameSummary(played.scores or scores, answers, played.first)
        return self._found[key]
