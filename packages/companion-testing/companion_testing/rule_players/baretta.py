"""A rule player for Baretta: move Baretta to the player's Arrest card, and avoid marked cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.prompts import Answer
from companion.door.lines import Message
from companion_testing.rule_players.base import RulePlayer

PASS_ANSWER = "pass"  # noqa: S105 - no password


class RuleBasedPlayer(RulePlayer):
    """A player that remembers its own cards and avoids spaces that other players have marked."""

    def forget_previous_game(self, hello: Message) -> None:
        """Forget the cards of the previous game."""
        super().forget_previous_game(hello)
        self.own: dict[str, str] = {}

    def process_public_fact(self, fact: Message) -> None:
        """Update this player's cards after a card was discarded, taken back or swapped."""
        event, space = fact["event"], fact.get("space")
        if event in ("discarded", "taken_back"):
            self.own.pop(str(space), None)
        elif event == "swapped":
            here, there = self.own.pop(fact["space"], None), self.own.pop(fact["to"], None)
            self.own |= {fact["to"]: here} if here is not None else {}
            self.own |= {fact["space"]: there} if there is not None else {}

    def process_secret(self, secret: Message) -> None:
        """Store the space on which this player has placed a card."""
        if secret["event"] == "placed":
            self.own[secret["space"]] = secret["card"]

    def rank_answers(self, question: str, choices: Sequence[Answer]) -> Sequence[Answer]:
        """Return the answers in `choices`, best answer first."""
        rules = {
            "move_to": self._move_to, "hunch": self._hunch, "take_back": self._take_back,
            "unmark": self._unmark,
        }  # fmt: skip
        if question not in rules:
            return super().rank_answers(question, choices)
        order = self.rng.sample(choices, len(choices))
        return sorted(order, key=rules[question], reverse=True)

    def _arrest(self) -> str | None:
        """Return the space of the player's Arrest card.

        Return None if the player does not know the space, or if the space is already cleared.
        """
        card = f"arrest:{self.state['accused'][self.player]}"
        for space, own_card in self.own.items():
            if own_card == card and not self.state["spaces"][space]["cleared"]:
                return space
        return None

    def _space(self, space: str) -> Mapping[str, Any]:
        place: Mapping[str, Any] = self.state["spaces"][space]
        return place

    def _move_to(self, space: str) -> float:
        arrest, there = self._arrest(), self._space(space)
        if space == arrest:
            return 100
        if there["marker"] not in (None, self.player) and not there["cleared"]:
            return -10
        if there["card"] is None and there["kind"] == "outside":
            return 5 if arrest is None else 1
        if there["marker"] == self.player:
            return 2
        return 3 if there["card"] is not None else 0

    def _hunch(self, space: str) -> float:
        arrest = self._arrest()
        return 2 if space == arrest else space == PASS_ANSWER

    def _take_back(self, space: str) -> float:
        if space == PASS_ANSWER:
            return 0
        if self._space(space)["marker"] != self.player:
            return 1
        return -2 if space == self._arrest() else -1

    def _unmark(self, space: str) -> float:
        return 2 if space == self._arrest() else space == PASS_ANSWER
