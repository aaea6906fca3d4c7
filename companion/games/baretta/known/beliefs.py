"""Guesses about the place of each player's Arrest card in Baretta, based on the player's choices.

A player who can move Baretta onto the player's own Arrest card usually makes this move. A player
who moves Baretta to an empty space, in order to place the pile's top card, probably has the Arrest
card in the pile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from companion.core.game import Cue
from companion.games.baretta.known.quick_answers import worth_of_destination
from companion.games.baretta.rules.board import (
    CARD_SPACE_COUNT,
    HAND_SIZE_BY_PLAYER_COUNT,
    MOVE,
    UNMARK,
    BoardSpaces,
    CardOnBoard,
    Seat,
    SpaceNumber,
)

MISTAKE_PROBABILITY: Final = 0.1
"""Assumed probability that a player's choice does not fit the place of the player's Arrest card."""


class ArrestCardBeliefs:
    """Likelihoods of the possible places of each player's Arrest card, computed from public events.

    - `laid`: for each space with a placed card, the likelihood that this card is the Arrest card of
      the player who placed the card.
    - `pile`: for each seat, the likelihood that any particular card in the seat's pile is the
      seat's Arrest card.

    Compare only likelihoods of the same seat, because each seat's likelihoods have their own scale.
    """

    def __init__(self, board: BoardSpaces, players: Sequence[str]) -> None:
        self.laid: dict[SpaceNumber, float] = {}
        self.pile = [1.0 for _ in players]
        self._board = board
        self._seats: Mapping[str, Seat] = {who: seat for seat, who in enumerate(players)}
        self._spaces = {ident: space for space, ident in enumerate(board.ids)}
        self._spots: list[CardOnBoard | None] = [CardOnBoard(None)] * CARD_SPACE_COUNT
        self._cards = [HAND_SIZE_BY_PLAYER_COUNT[len(players)] + 1 for _ in players]
        self._steps = 0

    def update_from_facts(self, facts: Iterable[Cue]) -> None:
        """Update the likelihoods after the public events in `facts`, and ignore private events."""
        for cue in facts:
            if cue.to is None:
                self._learn(cue.name, cue.facts)

    def _learn(self, name: str, facts: Mapping[str, Any]) -> None:
        match name:
            case "rolled":
                self._steps = sum(facts["dice"])
            case "turned" if facts["card"].startswith(f"{MOVE}:"):
                self._steps = int(facts["card"].removeprefix(f"{MOVE}:"))
            case "moved" if facts["by"] in ("roll", MOVE):
                start, end = self._spaces[facts["from"]], self._spaces[facts["to"]]
                self._judge_move(self._seats[facts["who"]], start, end)
            case "declined" if facts["question"] == UNMARK:
                seat = self._seats[facts["who"]]
                self._judge(seat, lambda place: _chance(fits=not self._is_marked(place)))
            case "unmarked" | "kept_quiet":
                seat, space = self._seats[facts["who"]], self._spaces[facts["space"]]
                named = space if name == "unmarked" else None
                self._judge(seat, lambda place: _chance(fits=place == named))
                self._change(name, space)
            case "marker_back" | "not_arrest" | "discarded":
                self._change(name, self._spaces[facts["space"]])
            case "placed":
                self._place(self._seats[facts["who"]], self._spaces[facts["space"]], facts)
            case "taken_back":
                self._take_back(self._seats[facts["owner"]], self._spaces[facts["space"]])
            case "swapped":
                self._swap(self._spaces[facts["space"]], self._spaces[facts["to"]])

    def _place(self, seat: Seat, space: SpaceNumber, facts: Mapping[str, Any]) -> None:
        self._spots[space] = CardOnBoard(None, seat, facts["marked"])
        self.laid[space], self._cards[seat] = self.pile[seat], facts["left"]

    def _take_back(self, seat: Seat, space: SpaceNumber) -> None:
        """Update the likelihoods after a card returns from a space to the owner's pile.

        The owner shuffles the pile, so all cards of the pile get the same likelihood.
        """
        cards, likely = self._cards[seat], self.laid.pop(space, 1.0)
        self.pile[seat] = (self.pile[seat] * cards + likely) / (cards + 1)
        self._cards[seat], self._spots[space] = cards + 1, None

    def _swap(self, space: SpaceNumber, other: SpaceNumber) -> None:
        spots, laid = self._spots, self.laid
        spots[space], spots[other] = spots[other], spots[space]
        here, there = laid.pop(space, None), laid.pop(other, None)
        if here is not None:
            laid[other] = here
        if there is not None:
            laid[space] = there

    def _change(self, name: str, space: SpaceNumber) -> None:
        spot = self._spots[space]
        if name == "discarded":
            self._spots[space] = None
            self.laid.pop(space, None)
        elif spot is not None and name in ("unmarked", "marker_back"):
            self._spots[space] = spot._replace(marked=False)
        elif spot is not None:
            self._spots[space] = spot._replace(cleared=True)

    def _is_marked(self, space: SpaceNumber | None) -> bool:
        spot = None if space is None else self._spots[space]
        return spot is not None and spot.marked

    def _judge_move(self, seat: Seat, start: SpaceNumber, end: SpaceNumber) -> None:
        """Update a seat's likelihoods after its player chose the space where a move ends."""
        ends = self._board.reach[start][self._steps]
        if len(ends) == 1 or end not in ends:
            return

        def likelihood(place: SpaceNumber | None) -> float:
            worth = {n: worth_of_destination(self._spots, seat, n, place) for n in ends}
            best = [n for n in ends if worth[n] == max(worth.values())]
            return MISTAKE_PROBABILITY / len(ends) + (1 - MISTAKE_PROBABILITY) * (
                end in best
            ) / len(best)

        self._judge(seat, likelihood)

    def _judge(self, seat: Seat, likelihood: Callable[[SpaceNumber | None], float]) -> None:
        """Update the likelihoods of a seat's Arrest card after a choice by this seat's player.

        `likelihood`: a function that takes a possible place of the Arrest card: a space, or None
        for the pile. The function returns how probable the player's choice is with the Arrest card
        in this place.
        """
        placed = [n for n in self.laid if (spot := self._spots[n]) and spot.by == seat]
        self.pile[seat] *= likelihood(None)
        for space in placed:
            self.laid[space] *= likelihood(space)
        most = max(self.pile[seat], *(self.laid[space] for space in placed), 0.0)
        self.pile[seat] /= most
        for space in placed:
            self.laid[space] /= most


def _chance(*, fits: bool) -> float:
    return 1 - MISTAKE_PROBABILITY if fits else MISTAKE_PROBABILITY
