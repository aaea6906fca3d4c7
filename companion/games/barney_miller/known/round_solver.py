"""Solver for a round of Barney Miller in which the box knows all (simulated) hands.

With two players, the solver assumes that both players see both hands and play their best card. With
three or four players, each simulated player follows a rule, and sees only the player's own hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Final, TypeAlias

from companion.core.fold import replace
from companion.core.prompts import Answer
from companion.games.barney_miller.known.win_chances import win_chances_between_rounds
from companion.games.barney_miller.rules.board import (
    GANG,
    IDENTIFICATION,
    INSUFFICIENT_EVIDENCE,
    TARGET_TOTAL,
    WARRANT,
    Hand,
    Seat,
    TrackSpace,
)
from companion.games.barney_miller.rules.state import (
    State,
    next_remaining_seat,
    replace_tuple_item,
    seats_of_remaining_players,
    uncaptured_suspects,
)

POINT_WORTH_OF_TWO: Final = 0.015
"""Addition to a card's rating for each point of the card's value, in a game with two players.

High cards get better ratings, because a player who plays high cards keeps the low cards.
"""
POINT_WORTH_OF_MANY: Final = 0.004
"""Addition to a card's rating for each point of the card's value, with three or four players."""
SIMULATED_POINT_WORTH: Final = 0.03
"""Addition to a card's rating for each point of the card's value.

A simulated player uses this rating to choose a card.
"""
MIN_GAIN: Final = 0.001
"""Minimum rise of a player's chance of winning the game.

If winning the round raises the chance by less, a simulated player does not try to win the round.
"""
Hands: TypeAlias = "tuple[tuple[int, ...], ...]"
Shares: TypeAlias = "tuple[float, ...]"


def rate_round_answers(state: State, seat: Seat) -> Mapping[Answer, float] | None:
    """Return a table from each answer to its rating.

    The rating is the seat's chance of winning the game after the answer, plus a bonus for a card's
    points. The rating assumes that the players hold the cards of the simulated state. Return None
    if the game does not now ask the seat's player for a card.
    """
    if state.turn != seat or state.step not in ("play_card", "zero"):
        return None
    rest, hands = _OpenRound(state), tuple(map(_sorted, state.hands))
    last = state.played[-1][0] if state.played else seat
    if len(seats_of_remaining_players(state)) > 2:  # noqa: PLR2004 - with open hands, the third player would decide who wins
        return _PlayedRound(state, seat).rate_answers(hands, last)
    if state.step == "zero":
        return {
            answer: chances[seat]
            for answer, chances in rest.win_chances_at_total_ten(seat, hands, last).items()
        }
    return {
        value: rest.win_chances_after_card(seat, hands, state.total, last, value)[seat]
        + POINT_WORTH_OF_TWO * value
        for value in dict.fromkeys(hands[seat])
    }


def _sorted(hand: Hand) -> tuple[int, ...]:
    return tuple(sorted(card for card in hand if card is not None))


class _OpenRound:
    """Solver for the rest of a round in which the players see all hands."""

    def __init__(self, state: State) -> None:
        n = len(state.hands)
        self._seconds = [_sorted(hand) for hand in state.seconds]
        self._left = [next_remaining_seat(state, seat) for seat in range(n)]
        self.ends = [_after(state, winner) for winner in range(n)]
        self._best = [max(end[seat] for end in self.ends) for seat in range(n)]
        self.undecided = win_chances_between_rounds(state)
        self._seen: dict[tuple[Seat, int, Seat, Hands], Shares] = {}

    def win_chances_after_card(
        self, turn: Seat, hands: Hands, total: int, last: Seat, value: int
    ) -> Shares:
        """Return each seat's chance of winning the game after `turn` plays a card of `value`.

        - `turn`: the seat that plays the card.
        - `last`: the seat that played the previous card.
        """
        if total + value > TARGET_TOTAL:
            return self.ends[last]
        rest = self.hands_after_played_card(turn, hands, value)
        if total + value == TARGET_TOTAL:
            results = self.win_chances_at_total_ten(self._left[turn], rest, turn).values()
            return max(results, key=itemgetter(self._left[turn]))
        return self._value(self._left[turn], rest, total + value, turn)

    def win_chances_at_total_ten(self, turn: Seat, hands: Hands, last: Seat) -> dict[str, Shares]:
        """Return a table from each answer at a total of ten (BM-8) to the seats' win chances."""
        chances = {"pass": self.ends[last]}
        if 0 in hands[turn]:
            following, rest = self._left[turn], self.hands_after_played_card(turn, hands, 0)
            after_zero = self.win_chances_at_total_ten(following, rest, turn).values()
            chances["play"] = max(after_zero, key=itemgetter(following))
        return chances

    def _value(self, turn: Seat, hands: Hands, total: int, last: Seat) -> Shares:
        asked = turn
        while not hands[asked]:
            asked = self._left[asked]
            if asked == turn:
                return self.undecided
        key = asked, total, last, hands
        if key not in self._seen:
            self._seen[key] = self._best_of(asked, hands, total, last)
        return self._seen[key]

    def _best_of(self, turn: Seat, hands: Hands, total: int, last: Seat) -> Shares:
        """Return each seat's chance of winning the game after `turn` plays the seat's best card.

        All cards that raise the total over ten lead to the same chances.
        """
        best: Shares = ()
        for value in dict.fromkeys(hands[turn]):
            chances = self.win_chances_after_card(turn, hands, total, last, value)
            if not best or chances[turn] > best[turn]:
                best = chances
            if best[turn] >= self._best[turn] or total + value > TARGET_TOTAL:
                break
        return best

    def hands_after_played_card(self, seat: Seat, hands: Hands, value: int) -> Hands:
        """Return all hands after `seat` has played a card of `value`.

        If this card was the last card of the hand, the player picks up the second hand (BM-11).
        """
        hand = hands[seat]
        at = hand.index(value)
        return replace_tuple_item(hands, seat, hand[:at] + hand[at + 1 :] or self._seconds[seat])


class _PlayedRound:
    """Simulator for the rest of a round with three or four players, who count cards.

    Each simulated player sees only the player's own hand, because real players do not see all hands
    either.
    """

    def __init__(self, state: State, seat: Seat) -> None:
        n = len(state.hands)
        self._state, self._seat = state, seat
        self._rest = _OpenRound(state)
        self._left = [next_remaining_seat(state, seat_number) for seat_number in range(n)]
        self._gains = [
            self._rest.ends[seat_number][seat_number] > self._rest.undecided[seat_number] + MIN_GAIN
            for seat_number in range(n)
        ]

    def rate_answers(self, hands: Hands, last: Seat) -> dict[Answer, float]:
        """Return a table from each answer to its rating.

        The rating is the seat's chance of winning the game after the answer, plus a bonus for a
        card's points.
        """
        seat, total = self._seat, self._state.total
        if self._state.step == "zero":
            chances: dict[Answer, float] = {"pass": self._rest.ends[last][seat]}
            if 0 in hands[seat]:
                chances["play"] = self._on(seat, hands, TARGET_TOTAL, last, 0)
            return chances
        return {
            value: self._on(seat, hands, total, last, value) + POINT_WORTH_OF_MANY * value
            for value in dict.fromkeys(hands[seat])
        }

    def _on(self, turn: Seat, hands: Hands, total: int, last: Seat, value: int) -> float:
        """Return the win chance of this simulator's seat after a card of the value `value`.

        The seat `turn` plays the card. All players then finish the round.
        """
        unseen = [*self._state.unseen]
        while True:
            if total + value > TARGET_TOTAL:
                return self._rest.ends[last][self._seat]
            hands, total, last = (
                self._rest.hands_after_played_card(turn, hands, value),
                total + value,
                turn,
            )
            unseen[value] = max(0, unseen[value] - 1)
            turn = self._left[turn]
            if total == TARGET_TOTAL:
                if 0 not in hands[turn] or not self._gains[turn]:
                    return self._rest.ends[last][self._seat]
                value = 0
                continue
            asked = turn
            while not hands[turn]:
                turn = self._left[turn]
                if turn == asked:
                    return self._rest.undecided[self._seat]
            value = self._card(turn, hands, total, unseen)

    def _card(self, turn: Seat, hands: Hands, total: int, unseen: Sequence[int]) -> int:
        """Return the card that the simulated player on the seat `turn` plays.

        The player prefers a card that wins the round, or after which the next player is unlikely to
        win.
        """
        hidden = [*unseen]
        for card in hands[turn]:
            hidden[card] = max(0, hidden[card] - 1)
        whole, n = max(1, sum(hidden)), len(hands[self._left[turn]])
        best, most = hands[turn][-1], float("-inf")
        for value in dict.fromkeys(hands[turn]):
            left = TARGET_TOTAL - total - value
            worth = SIMULATED_POINT_WORTH * value
            if left < 0:
                worth -= 1
            elif left == 0:
                worth += 1 if self._gains[turn] else -0.5
            else:
                makes = 1 - (1 - hidden[left] / whole) ** n
                worth += (1 - makes) * (1 - sum(hidden[:left]) / whole) ** n - makes
            if worth > most:
                best, most = value, worth
        return best


def _after(state: State, winner: Seat) -> Shares:
    """Return each seat's chance of winning the game if `winner` wins this round (BM-9)."""
    if winner in state.out:
        return win_chances_between_rounds(state)
    kind, gang = state.space or TrackSpace("")
    caught = state.captured[winner]
    if kind in (GANG, WARRANT) and (wanted := uncaptured_suspects(state, winner, gang)):
        state = replace(
            state, captured=replace_tuple_item(state.captured, winner, (*caught, wanted[0]))
        )
    elif kind == IDENTIFICATION:
        state = replace(
            state, reserve=replace_tuple_item(state.reserve, winner, state.reserve[winner] + 1)
        )
    elif kind == INSUFFICIENT_EVIDENCE and caught:
        state = replace(state, captured=replace_tuple_item(state.captured, winner, caught[:-1]))
    return win_chances_between_rounds(state)
