"""What an imagined moment of Baretta is worth: who lays the own Arrest card leads (BA-14)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from companion.catalog import editions
from companion.games.baretta import GAME
from companion.games.baretta.known.imagine import ARREST_ON_BOARD_FACTOR, estimate
from companion.games.baretta.rules.board import HIDEOUT, Spot
from companion.games.baretta.rules.state import State, arrest_card_of

OPTIONS: Final = {option.name: option.values[0] for option in GAME.options}
PILE: Final = ("hunch",) * 5
NEAR, OTHER = 2, 17
"""Spaces that a throw at the Hideout can reach."""


def begun(*spaces: int | None, piles: tuple[int, int] = (5, 5)) -> State:
    """Ann's turn at the Hideout; each Arrest card lies on its space, or in its pile."""
    state = GAME.setup(("Ann", "Bob"), OPTIONS, editions.load_edition("baretta"))
    state = replace(state, accused=("killer", "hijacker"), step="roll", opening=False, at=HIDEOUT)
    spots = [*state.spots]
    for seat, space in enumerate(spaces):
        if space is not None:
            spots[space] = Spot(arrest_card_of(state, seat), seat, marked=True)
    return replace(state, spots=tuple(spots), piles=tuple(PILE[:n] for n in piles))


def share(state: State) -> float:
    """Ann's chance."""
    found = estimate(state)
    assert found is not None
    assert sum(found) == pytest.approx(1)
    return found[0]


def test_who_has_laid_the_arrest_card_leads_and_who_throws_leads_more() -> None:
    assert share(begun(None, None)) == pytest.approx(0.5)
    assert share(begun(None, NEAR)) < 0.2
    assert share(begun(NEAR, None)) > ARREST_ON_BOARD_FACTOR / (ARREST_ON_BOARD_FACTOR + 1)
    assert share(begun(NEAR, OTHER)) > 0.5


def test_before_that_the_smaller_pile_leads() -> None:
    assert share(begun(None, None, piles=(3, 5))) > 0.6


def test_within_a_turn_there_is_no_estimate() -> None:
    assert estimate(replace(begun(None, None), step="move_to")) is None
