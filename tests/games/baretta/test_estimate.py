"""Tests of the estimated value of a state: a player who lays an Arrest card leads (BA-14)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import pytest

from companion.catalog import editions
from companion.games.baretta import GAME
from companion.games.baretta.known.estimate import (
    ARREST_ON_BOARD_FACTOR,
    fitted_win_chances,
    rough_win_chances,
)
from companion.games.baretta.rules.board import (
    ARREST,
    CARD_SPACE_COUNT,
    CRIMINALS,
    HIDEOUT,
    HUNCH,
    CardOnBoard,
    Seat,
    SpaceNumber,
)
from companion.games.baretta.rules.state import State, replace_tuple_item

if TYPE_CHECKING:
    Estimate: TypeAlias = Callable[[State], tuple[float, ...] | None]

OPTIONS: Final = {option.name: option.values[0] for option in GAME.options}
ARRESTS: Final = tuple(f"{ARREST}:{criminal}" for criminal in CRIMINALS)
NEAR, OTHER, AWAY = 2, 17, 5
"""Spaces that a roll from the Hideout can reach."""
ESTIMATES: Final = (rough_win_chances, fitted_win_chances)


def pile(seat: Seat, n: int) -> tuple[str, ...]:
    """Return a pile with the seat's Arrest card at the bottom."""
    return (*("stay_put",) * (n - 1), ARRESTS[seat])


def begun(
    *spaces: int | None, piles: tuple[int, ...] = (5, 5), turn: Seat = 0, **changes: Any
) -> State:
    """Return a turn at the Hideout. Each Arrest card lies on its space, or in its pile."""
    players = ("Ann", "Bob", "Cem")[: len(piles)]
    state = GAME.setup(players, OPTIONS, editions.load_edition("baretta"))
    spots: list[CardOnBoard | None] = [CardOnBoard("stay_put")] * CARD_SPACE_COUNT
    for seat, space in enumerate(spaces):
        if space is not None:
            spots[space] = CardOnBoard(ARRESTS[seat], seat, marked=True)
    cards = tuple(pile(seat, n) for seat, n in enumerate(piles))
    state = replace(state, accused=CRIMINALS[: len(piles)], step="roll", opening=False, at=HIDEOUT)
    state = replace(state, spots=tuple(spots), piles=cards, turn=turn, shown=(False,) * len(piles))
    return replace(state, **changes)


def share(state: State, estimate: Estimate = fitted_win_chances) -> float:
    """Return Ann's chance to win."""
    found = estimate(state)
    assert found is not None
    assert sum(found) == pytest.approx(1)
    return found[0]


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_an_arrest_card_on_the_board_raises_the_chance(estimate: Estimate) -> None:
    assert share(begun(None, NEAR), estimate) < 0.25
    assert share(begun(NEAR, None), estimate) > 0.75


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_the_player_who_rolls_leads_in_an_even_position(estimate: Estimate) -> None:
    assert share(begun(NEAR, OTHER), estimate) > 0.5
    assert share(begun(NEAR, OTHER, turn=1), estimate) < 0.5


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_the_smaller_pile_leads_before_an_arrest_card_is_placed(estimate: Estimate) -> None:
    assert share(begun(None, None, piles=(3, 5), turn=1), estimate) > 0.55


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_two_players_in_turn_have_symmetric_chances(estimate: Estimate) -> None:
    ann, bob = (
        begun(*spaces, turn=turn) for turn, spaces in enumerate(((NEAR, None), (None, NEAR)))
    )
    assert share(ann, estimate) == pytest.approx(1 - share(bob, estimate))


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_a_player_who_is_out_has_no_chance(estimate: Estimate) -> None:
    assert share(begun(NEAR, None, None, piles=(5, 5, 5), out=(0,), turn=1), estimate) == 0
    assert share(begun(NEAR, None, out=(1,)), estimate) == 1


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_within_a_turn_there_is_no_estimate(estimate: Estimate) -> None:
    assert estimate(begun(None, None, step="move_to")) is None


def test_the_rough_chance_is_even_without_arrest_cards() -> None:
    assert share(begun(None, None), rough_win_chances) == pytest.approx(0.5)
    factor = ARREST_ON_BOARD_FACTOR
    assert share(begun(NEAR, None), rough_win_chances) > factor / (factor + 1)


def with_card(state: State, space: SpaceNumber, spot: CardOnBoard | None) -> State:
    return replace(state, spots=replace_tuple_item(state.spots, space, spot))


def test_a_known_hunch_in_reach_raises_the_close_chance() -> None:
    state = begun(NEAR, OTHER)
    hunch = CardOnBoard(HUNCH, None, cleared=True)
    assert share(with_card(state, AWAY, hunch)) > share(with_card(state, AWAY, CardOnBoard(HUNCH)))
    assert share(with_card(state, AWAY, CardOnBoard(HUNCH, 0))) == share(
        with_card(state, AWAY, hunch)
    )


def test_an_arrest_card_without_marker_raises_the_close_chance() -> None:
    state = begun(NEAR, OTHER)
    assert share(with_card(state, NEAR, CardOnBoard(ARRESTS[0], 0))) > share(state)


def test_an_empty_space_in_reach_raises_the_close_chance() -> None:
    state = begun(None, None)
    assert share(with_card(state, NEAR, None)) > share(state)


def test_a_shown_arrest_card_raises_the_close_chance() -> None:
    shown = begun(None, None, shown=(True, False))
    arrest_on_top = replace(shown, piles=(pile(0, 5)[::-1], shown.piles[1]))
    assert share(shown) < share(begun(None, None)) < share(arrest_on_top)


def test_a_lost_arrest_card_lowers_the_close_chance() -> None:
    state = begun(None, None)
    assert share(replace(state, piles=((), state.piles[1]))) < share(state)


def test_a_laid_card_costs_each_of_two_others_equal_chances() -> None:
    state = begun(NEAR, None, None, piles=(5, 5, 5))
    found = fitted_win_chances(state)
    assert found is not None
    assert found[1] == found[2] < found[0]
