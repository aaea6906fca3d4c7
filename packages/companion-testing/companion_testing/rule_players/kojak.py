"""A rule player for Kojak: drive to the space of the next step, and turn trap cards on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.core.prompts import Answer
from companion_testing.rule_players.base import RulePlayer

ANSWERS_BEST_FIRST: Final = ("mission", "parked", "station", "trap", "nothing", "blocked")


class RuleBasedPlayer(RulePlayer):
    """A player that makes every certain arrest, and otherwise turns trap cards."""

    def rank_answers(self, question: str, choices: Sequence[Answer]) -> Sequence[Answer]:
        """Return the answers in `choices`, best answer first."""
        if question == "parked_first":
            return sorted(choices, key=lambda who: who != self.player)
        if question != "happened":
            return super().rank_answers(question, choices)
        sure = self.player in self.state["may_arrest"]
        wanted = ("entrance", *ANSWERS_BEST_FIRST) if sure else (*ANSWERS_BEST_FIRST, "entrance")
        return sorted(choices, key=wanted.index)
