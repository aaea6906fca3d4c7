"""Kojak by rules of thumb: drive to the next step's space, and turn trap cards meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.core.prompts import Answer
from companion_testing.rule_players.base import RulePlayer

ANSWERS_BEST_FIRST: Final = ("mission", "parked", "station", "trap", "nothing", "blocked")


class Rules(RulePlayer):
    """A player that makes sure arrests, and otherwise turns a trap card while it waits."""

    def rank(self, question: str, choices: Sequence[Answer]) -> Sequence[Answer]:
        """Return the answers, best first."""
        if question == "parked_first":
            return sorted(choices, key=lambda who: who != self.player)
        if question != "happened":
            return super().rank(question, choices)
        sure = self.player in self.state["may_arrest"]
        wanted = ("entrance", *ANSWERS_BEST_FIRST) if sure else (*ANSWERS_BEST_FIRST, "entrance")
        return sorted(choices, key=wanted.index)
