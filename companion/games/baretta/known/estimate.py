"""Estimates of each seat's chance of winning a game of Baretta, for the computer player."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from math import exp
from typing import Final

from companion.games.baretta.rules.board import HUNCH, Seat, SpaceNumber
from companion.games.baretta.rules.state import State, arrest_card_of_player, card_on_space

ARREST_ON_BOARD_FACTOR: Final = 8.0
"""Factor for the rough win chance of a player whose Arrest card is on the board."""

# The strengths in this module were fitted to games of two to four simulated players. The function
# `fitted_win_chances` adds up a player's strength s. The player's chance of winning is proportional
# to exp(s).
STRENGTH_ON_BOARD: Final = 1.7
"""Strength of a player whose Arrest card is on the board, before other numbers are added."""
STRENGTH_WITHOUT_MARKER: Final = 0.63
"""Addition to a player's strength if the player's Arrest card has no marker.

An Arrest card without a marker cannot be taken back.
"""
STRENGTH_PER_HUNCH: Final = 0.21
"""Addition to a player's strength for each Hunch on the board, if the player's Arrest card is on
the board.
"""
STRENGTH_IN_REACH: Final = 1.63
"""Addition to the active player's strength, if the player's Arrest card is on the board.

The addition is multiplied by the chance that the next roll reaches this Arrest card or a known
Hunch.
"""
STRENGTH_IN_PILE: Final = 3.3
"""Strength of a player whose Arrest card is in the pile.

The strength is multiplied by the chance that the Arrest card is on top of the pile.
"""
STRENGTH_IF_PLACEABLE: Final = 2.15
"""Addition to STRENGTH_IN_PILE for the active player.

The addition is multiplied by the chance that the next roll reaches an empty space.
"""
STRENGTH_PER_LAID_SHARE: Final = -2.65
"""Addition to STRENGTH_IN_PILE; a negative number, so that the strength falls.

The addition is multiplied by the fraction of the other players whose Arrest card is on the board.
"""
CHANCE_IF_ARREST_SHOWN: Final = 0.4
"""Value for a player whose Arrest card is face up on the pile, because of a Wounded card.

The value replaces the computed chance that the Arrest card is on top of the pile.
"""
FACTOR_IF_OTHER_SHOWN: Final = 0.3
"""Factor for a player with a face-up card on the pile that is not the player's Arrest card.

The computed chance that the Arrest card is on top of the pile is multiplied by this factor. A
Wounded card has turned up the face-up card.
"""


def rough_win_chances(state: State) -> tuple[float, ...] | None:
    """Return each seat's rough chance of winning, or None if the next answer is not a turn's roll.

    An Arrest card on the board raises the chance of the card's owner. If no Arrest card is on the
    board, a player with a smaller pile has a greater chance. The active player's chance includes
    the chance to roll onto the player's own Arrest card (BA-14).
    """
    if state.step != "roll" or state.opening:
        return None
    spaces = _arrest_spaces(state)
    if {*spaces} == {None}:
        weights = [max(1, len(pile)) ** -2.0 for pile in state.piles]
    else:
        weights = [1.0 if space is None else ARREST_ON_BOARD_FACTOR for space in spaces]
    space = spaces[state.turn]
    hit = 0.0 if space is None else _chance_to_reach(state, {space})
    shares = [(1 - hit) * share for share in _shares(state, weights)]
    shares[state.turn] += hit
    return tuple(shares)


def fitted_win_chances(state: State) -> tuple[float, ...] | None:
    """Return each seat's chance of winning, from strengths that were fitted to simulated games.

    Return None if the next answer is not a turn's roll.
    """
    if state.step != "roll" or state.opening:
        return None
    spaces = _arrest_spaces(state)
    strengths = [
        _strength_in_pile(state, seat, spaces)
        if space is None
        else _strength_on_board(state, seat, space)
        for seat, space in enumerate(spaces)
    ]
    return tuple(_shares(state, [exp(strength) for strength in strengths]))


def _arrest_spaces(state: State) -> list[SpaceNumber | None]:
    lying = {spot.card: n for n, spot in enumerate(state.spots) if spot and not spot.cleared}
    return [lying.get(arrest_card_of_player(state, seat)) for seat in range(len(state.piles))]


def _shares(state: State, weights: list[float]) -> list[float]:
    weights = [0.0 if seat in state.out else weight for seat, weight in enumerate(weights)]
    whole = sum(weights)
    return [weight / whole for weight in weights]


def _strength_on_board(state: State, seat: Seat, space: SpaceNumber) -> float:
    """Return the strength of a player whose Arrest card is on `space`."""
    hunches = {n: spot for n, spot in enumerate(state.spots) if spot and spot.card == HUNCH}
    strength = STRENGTH_ON_BOARD + STRENGTH_PER_HUNCH * len(hunches)
    if not card_on_space(state, space).marked:
        strength += STRENGTH_WITHOUT_MARKER
    if seat == state.turn:
        known = {n for n, spot in hunches.items() if spot.cleared or spot.by == seat}
        strength += STRENGTH_IN_REACH * _chance_to_reach(state, {space, *known})
    return strength


def _strength_in_pile(state: State, seat: Seat, spaces: list[SpaceNumber | None]) -> float:
    """Return the strength of a player whose Arrest card is not on the board.

    If the Arrest card is not in the player's pile either, return 0.
    """
    pile, arrest = state.piles[seat], arrest_card_of_player(state, seat)
    if arrest not in pile:
        return 0.0
    chance = 1 / len(pile)
    if state.shown[seat]:
        chance = CHANCE_IF_ARREST_SHOWN if pile[0] == arrest else FACTOR_IF_OTHER_SHOWN * chance
    others_laid = sum(space is not None for space in spaces) / (len(spaces) - 1)
    factor = STRENGTH_IN_PILE + STRENGTH_PER_LAID_SHARE * others_laid
    if seat == state.turn:
        empty = {n for n, spot in enumerate(state.spots) if spot is None}
        factor += STRENGTH_IF_PLACEABLE * _chance_to_reach(state, empty)
    return factor * chance


def _chance_to_reach(state: State, spaces: AbstractSet[SpaceNumber]) -> float:
    """Return the probability that a roll of two dice takes Baretta to one of `spaces` (BA-6)."""
    ends = state.table.board.reach[state.at]
    return sum(6 - abs(7 - n) for n in range(2, 13) if not spaces.isdisjoint(ends[n])) / 36
