"""Tests of beliefs about Arrest cards, from the cards that players place (BA-6, BA-13)."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest

from companion.catalog import editions
from companion.core.game import Cue, SeatMemory
from companion.games.baretta import GAME
from companion.games.baretta.known.beliefs import ArrestCardBeliefs
from companion.games.baretta.rules.board import ARREST, CRIMINALS, HIDEOUT, CardOnBoard
from companion.games.baretta.rules.state import State, id_of_space
from companion_testing.imagining import json_round_trip

PLAYERS: Final = ("Ann", "Bob")
ANN, BOB = range(2)
OPTIONS: Final = {option.name: option.values[0] for option in GAME.options}
EDITION: Final = editions.load_edition("baretta")
START: Final = GAME.setup(PLAYERS, OPTIONS, EDITION)
STEPS: Final = 6
FIRST, SECOND, THIRD = [n for n in START.table.board.reach[HIDEOUT][STEPS] if n < 24][:3]
"""Spaces for cards that a roll of six from the Hideout can reach."""


def fact(name: str, space: int, *, who: str = "Bob", **more: Any) -> Cue:
    return Cue(name, {"who": who, "space": id_of_space(START, space), **more})


def placed(space: int, *, left: int = 9) -> tuple[Cue, ...]:
    """Return the cues of Bob, who places a card."""
    return (fact("discarded", space, card="hunch"), fact("placed", space, marked=True, left=left))


def moved(space: int, by: str = "roll") -> tuple[Cue, ...]:
    """Return the cues of Bob, who rolls six at the Hideout and moves to a space."""
    move = {"from": id_of_space(START, HIDEOUT), "to": id_of_space(START, space), "by": by}
    return Cue("rolled", {"who": "Bob", "dice": (2, 4)}), fact("moved", space, **move)


def beliefs(*facts: Cue) -> ArrestCardBeliefs:
    found = ArrestCardBeliefs(START.table.board, PLAYERS)
    found.update_from_facts(facts)
    return found


def test_a_card_that_its_owner_avoids_is_less_likely() -> None:
    found = beliefs(*placed(FIRST), *placed(20, left=8), *moved(SECOND))
    assert found.laid[FIRST] < found.laid[20] / 4


def test_a_card_is_as_likely_as_the_pile_when_placed() -> None:
    found = beliefs(*placed(FIRST), *moved(SECOND), *placed(20, left=8))
    assert found.laid[20] == found.pile[BOB]


def test_a_player_who_prefers_a_card_has_probably_placed() -> None:
    empty = fact("discarded", SECOND, card="hunch")
    found = beliefs(*placed(20), empty, *moved(THIRD))
    assert found.pile[BOB] < found.laid[20]


def test_a_player_who_prefers_an_empty_space_has_not_placed() -> None:
    empty = fact("discarded", SECOND, card="hunch")
    found = beliefs(*placed(20), empty, *moved(SECOND))
    assert found.pile[BOB] > found.laid[20]


def test_a_move_card_shows_a_choice_too() -> None:
    _, move = moved(SECOND, by="move")
    found = beliefs(*placed(FIRST), fact("turned", 3, card=f"move:{STEPS}"), move)
    assert found.laid[FIRST] < found.pile[BOB]


def test_an_unused_hunch_makes_placed_cards_less_likely() -> None:
    found = beliefs(*placed(FIRST), fact("kept_quiet", 3))
    assert found.laid[FIRST] < found.pile[BOB] / 4


def test_a_card_without_its_marker_is_more_likely() -> None:
    found = beliefs(*placed(FIRST), *placed(20, left=8), fact("unmarked", 20))
    assert found.laid[20] > found.laid[FIRST]
    assert found.laid[20] > found.pile[BOB]


def test_a_declined_unmarking_makes_marked_cards_less_likely() -> None:
    declined = Cue("declined", {"who": "Bob", "question": "unmark"})
    found = beliefs(*placed(FIRST), fact("marker_back", FIRST), *placed(20, left=8), declined)
    assert found.laid[20] < found.laid[FIRST]


def test_a_card_in_the_pile_again_changes_the_pile() -> None:
    found = beliefs(*placed(FIRST), *moved(SECOND), fact("taken_back", FIRST, owner="Bob"))
    assert FIRST not in found.laid
    assert 0.9 < found.pile[BOB] < 1


def test_a_swapped_card_keeps_its_likelihood() -> None:
    before = beliefs(*placed(FIRST), *moved(SECOND))
    swapped = fact("swapped", FIRST, to=id_of_space(START, 20))
    after = beliefs(*placed(FIRST), *moved(SECOND), swapped)
    assert after.laid == {20: before.laid[FIRST]}


def test_the_choices_of_a_player_say_nothing_of_another() -> None:
    found = beliefs(*placed(FIRST), *moved(SECOND))
    assert found.pile[ANN] == 1


def test_beliefs_ignore_private_facts() -> None:
    private = Cue("placed", {"space": id_of_space(START, FIRST), "card": "hunch"}, to="Bob")
    assert not beliefs(private).laid


def test_many_odd_choices_leave_a_likely_place() -> None:
    odd = (*placed(FIRST), *moved(SECOND) * 2000)
    found = beliefs(*odd, *(fact("kept_quiet", 3),) * 2000)
    assert max(found.pile[BOB], found.laid[FIRST]) == 1


def imagined_places(span: int | None) -> list[bool]:
    """Imagine 200 games as Ann. Return for each if Bob's Arrest card is on the avoided space."""
    spots = [*(CardOnBoard("stay_put"),) * 24]
    spots[FIRST] = CardOnBoard("stay_put", BOB, marked=True)
    state = State(
        START.table, "roll", accused=CRIMINALS[:2], spots=tuple(spots), opening=False, at=HIDEOUT,
        piles=(("hunch",) * 2, ("hunch",)), shown=(False, False),
    )  # fmt: skip
    told = SeatMemory(
        PLAYERS, OPTIONS, EDITION, (*placed(FIRST), *moved(SECOND)), "roll", span=span
    )
    assert GAME.computer is not None
    view = json_round_trip(GAME.view(state, None))
    states = [GAME.computer.imagine(view, told, "Ann", Random(seed)) for seed in range(200)]
    cards = [spot.card for state in states if (spot := state.spots[FIRST]) is not None]
    return [card == f"{ARREST}:{CRIMINALS[BOB]}" for card in cards]


@pytest.mark.parametrize(("span", "fewest", "most"), [(None, 1, 40), (3, 70, 130), (0, 70, 130)])
def test_only_a_seat_that_remembers_everything_has_beliefs(
    span: int | None, fewest: int, most: int
) -> None:
    assert fewest <= sum(imagined_places(span)) <= most
