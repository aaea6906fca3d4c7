"""Exact solution of a round with open hands: every player plays the best card (max^n)."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from companion.core.fold import replace
from companion.games.barney_miller.known.race import shares
from companion.games.barney_miller.rules.board import (
    GANG,
    IDENTIFICATION,
    INSUFFICIENT,
    TEN,
    WARRANT,
    Space,
)
from companion.games.barney_miller.rules.state import State, left_of, put, uncaptured_suspects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.prompts import Answer
    from companion.games.barney_miller.rules.board import Hand, Seat

POINT_WORTH: Final = 0.015
"""Value of one point less in the remaining hand: low cards are saved for later rounds."""
Hands: TypeAlias = "tuple[tuple[int, ...], ...]"
Shares: TypeAlias = "tuple[float, ...]"


def solve(state: State, seat: Seat) -> Mapping[Answer, float] | None:
    """Return the seat's chance of winning after each answer, if all cards were open.

    None for a question that is not about a card.
    """
    if state.turn != seat or state.step not in ("play_card", "zero"):
        return None
    rest, hands = _OpenRound(state), tuple(map(_sorted, state.hands))
    last = state.played[-1][0] if state.played else seat
    if state.step == "zero":
        return {answer: found[seat] for answer, found in rest.at_ten(seat, hands, last).items()}
    return {
        value: rest.after(seat, hands, state.total, last, value)[seat] + POINT_WORTH * value
        for value in dict.fromkeys(hands[seat])
    }


def _sorted(hand: Hand) -> tuple[int, ...]:
    return tuple(sorted(card for card in hand if card is not None))


class _OpenRound:
    """The rest of one round with open hands, and each seat's share by the round's winner."""

    def __init__(self, state: State) -> None:
        n = len(state.hands)
        self._seconds = [_sorted(hand) for hand in state.seconds]
        self._left = [left_of(state, seat) for seat in range(n)]
        self._ends = [_after(state, winner) for winner in range(n)]
        self._best = [max(end[seat] for end in self._ends) for seat in range(n)]
        self._undecided = shares(state)
        self._seen: dict[tuple[Seat, int, Seat, Hands], Shares] = {}

    def after(self, turn: Seat, hands: Hands, total: int, last: Seat, value: int) -> Shares:
        """Return the shares after `turn` plays a card; `last` has played the card before."""
        if total + value > TEN:
            return self._ends[last]
        rest = self._without(turn, hands, value)
        if total + value == TEN:
            found = self.at_ten(self._left[turn], rest, turn).values()
            return max(found, key=itemgetter(self._left[turn]))
        return self._value(self._left[turn], rest, total + value, turn)

    def at_ten(self, turn: Seat, hands: Hands, last: Seat) -> dict[str, Shares]:
        """Return the shares if the ten stands, and if a 0 keeps it (BM-8), by answer."""
        found = {"pass": self._ends[last]}
        if 0 in hands[turn]:
            following, rest = self._left[turn], self._without(turn, hands, 0)
            kept = self.at_ten(following, rest, turn).values()
            found["play"] = max(kept, key=itemgetter(following))
        return found

    def _value(self, turn: Seat, hands: Hands, total: int, last: Seat) -> Shares:
        """Return the shares with best play; if all hands are empty, the mean."""
        asked = turn
        while not hands[asked]:
            asked = self._left[asked]
            if asked == turn:
                return self._undecided
        key = asked, total, last, hands
        if key not in self._seen:
            self._seen[key] = self._best_of(asked, hands, total, last)
        return self._seen[key]

    def _best_of(self, turn: Seat, hands: Hands, total: int, last: Seat) -> Shares:
        """Return the best shares for a seat; all cards that exceed ten have one result."""
        best: Shares = ()
        for value in dict.fromkeys(hands[turn]):
            found = self.after(turn, hands, total, last, value)
            if not best or found[turn] > best[turn]:
                best = found
            if best[turn] >= self._best[turn] or total + value > TEN:
                break
        return best

    def _without(self, seat: Seat, hands: Hands, value: int) -> Hands:
        """Return the hands without a card.

        After a hand's last card, with the second hand (BM-11).
        """
        hand = hands[seat]
        at = hand.index(value)
        return put(hands, seat, hand[:at] + hand[at + 1 :] or self._seconds[seat])


def _after(state: State, winner: Seat) -> Shares:
    """Return each seat's chance of winning the game if `winner` wins this round (BM-9)."""
    if winner in state.out:
        return shares(state)
    kind, gang = state.space or Space("")
    caught = state.captured[winner]
    if kind in (GANG, WARRANT) and (wanted := uncaptured_suspects(state, winner, gang)):
        state = replace(state, captured=put(state.captured, winner, (*caught, wanted[0])))
    elif kind == IDENTIFICATION:
        state = replace(state, reserve=put(state.reserve, winner, state.reserve[winner] + 1))
    elif kind == INSUFFICIENT and caught:
        state = replace(state, captured=put(state.captured, winner, caught[:-1]))
    return shares(state)
