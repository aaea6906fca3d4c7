"""A rule player for Barney Miller: make ten, or leave a total that is difficult to play on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from companion.core.prompts import Answer
from companion.door.lines import Message
from companion_testing.rule_players.base import RulePlayer

CARD_POINT_COST: Final = 0.03
"""Cost of each point of a card that the player keeps.

This cost makes the player play high cards first.
"""
TOTAL_LIMIT: Final = 10
CARDS_OF_EACH_VALUE: Final = (4, 10, 10, 8, 6, 4, 4, 4, 2, 2, 2)
"""Number of cards of each value in the deck, in the order of the values 0 to 10 (BM-2)."""
GANG_CARD, WARRANT_CARD, IDENTIFICATION_CARD = "gang", "arrest_warrant", "positive_identification"
FULL_SHUFFLE_HOW_VALUES: Final = ("first", "again")


class RuleBasedPlayer(RulePlayer):
    """A player that counts cards and plays the card that is worst for the next player."""

    def forget_previous_game(self, hello: Message) -> None:
        """Forget the hand and the counted cards of the previous game."""
        super().forget_previous_game(hello)
        self.hand: Counter[int] = Counter()
        self.seen: Counter[int] = Counter()

    def process_public_fact(self, fact: Message) -> None:
        """Count the played cards, and remove this player's cards from the hand."""
        if fact["event"] == "dealt" and fact["how"] in FULL_SHUFFLE_HOW_VALUES:
            self.seen.clear()
        if fact["event"] in ("card_played", "zero_played"):
            value = fact.get("value", 0)
            self.seen[value] += 1
            if fact["who"] == self.player:
                self.hand[value] -= 1

    def process_secret(self, secret: Message) -> None:
        """Store the cards in this player's hand."""
        if secret["event"] == "hand":
            self.hand = Counter(secret["cards"])

    def rank_answers(self, question: str, choices: Sequence[Answer]) -> Sequence[Answer]:
        """Return the answers in `choices`, best answer first."""
        if question == "play_card":
            return sorted(choices, key=self._worth, reverse=True)
        if question == "zero" and "play" in choices:
            return ["play", "pass"] if self._gains(self.player) else ["pass", "play"]
        return choices

    def _worth(self, value: int) -> float:
        total = self.state["total"] + value
        if total > TOTAL_LIMIT:
            return CARD_POINT_COST * value - 1
        if total == TOTAL_LIMIT:
            return 1.0 if self._gains(self.player) else -0.5
        following = self._following()
        makes = self._holds(TOTAL_LIMIT - total, following)
        goes_on = self._any_below(TOTAL_LIMIT - total, following)
        bust = (1 - makes) * (1 - goes_on)
        return bust - makes + CARD_POINT_COST * value

    def _following(self) -> str:
        at = self.players.index(self.player)
        order = (*self.players[at + 1 :], *self.players[:at])
        return next(who for who in order if who not in self.state["out"])

    def _unseen(self) -> Counter[int]:
        return Counter(dict(enumerate(CARDS_OF_EACH_VALUE))) - self.seen - self.hand

    def _holds(self, value: int, who: str) -> float:
        """Return the probability that player `who` has a card with this value."""
        unseen = self._unseen()
        without = 1 - unseen[value] / max(1, unseen.total())
        return float(1 - without ** self.state["hand"][who])

    def _any_below(self, limit: int, who: str) -> float:
        """Return the probability that player `who` has a card below `limit`."""
        unseen = self._unseen()
        low = sum(n for value, n in unseen.items() if value < limit)
        return float(1 - (1 - low / max(1, unseen.total())) ** self.state["hand"][who])

    def _gains(self, who: str) -> bool:
        """Return True if the player `who` gains or saves a chip by winning this round."""
        space, caught = self.state["space"] or {"kind": ""}, self.state["captured"][who]
        if space["kind"] in (GANG_CARD, WARRANT_CARD):
            gangs = [
                poster["gang"]
                for poster in self.state["posters"][who]
                if poster["id"] not in caught
            ]
            return bool(gangs) if space["kind"] == WARRANT_CARD else space["gang"] in gangs
        return space["kind"] == IDENTIFICATION_CARD or not caught
