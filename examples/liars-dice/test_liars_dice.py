"""Liar's dice clause by clause, and the properties that the kit checks for every game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.core.errors import Refused
from companion.core.fold import apply_answer, state_after_answers
from companion.core.prompts import Form, Roll
from companion_liars_dice import GAME
from companion_testing import GameCheck, list_checks

if TYPE_CHECKING:
    from companion_liars_dice.rules import State

CUPS = ([1, 2, 5], [3, 5, 5], [2, 4, 6])
"""The dice of Ann, Bob and Cy: three fives, and a one that counts as a five."""
DOUBT = {"call": "doubt"}
LIFTS = ("lift",) * 3


def shaken(*cups: list[int], palifico: str = "no") -> State:
    """Return the state of the first round with the dice `cups` (default: `CUPS`)."""
    state = GAME.setup(("Ann", "Bob", "Cy"), {"dice": "3", "palifico": palifico}, {})
    return state_after_answers(GAME, state, cups or CUPS)


def bid(count: int, face: int, *, first: bool = False) -> dict[str, Any]:
    """Return a bid as an answer to the form."""
    return (
        {"count": count, "face": face} if first else {"call": "bid", "count": count, "face": face}
    )


def names(cues: Any) -> list[str]:
    return [cue.name for cue in cues]


def test_the_box_shakes_in_private_and_each_knows_the_own_dice_alone() -> None:  # LD-1
    first = GAME.setup(("Ann", "Bob"), {"dice": "5", "palifico": "no"}, {})
    prompt = GAME.ask(first)
    assert isinstance(prompt, Roll)
    assert (prompt.who, prompt.dice, prompt.private) == ("Ann", 5, True)
    state = shaken()
    assert "own" not in GAME.view(state, None)
    assert GAME.view(state, "Bob")["own"] == [3, 5, 5]
    assert {cue.to: cue.facts["dice"] for cue in GAME.secrets(state)} == {
        "Ann": [1, 2, 5], "Bob": [3, 5, 5], "Cy": [2, 4, 6],
    }  # fmt: skip


def test_a_bid_is_one_answer_of_two_parts_and_passes_the_turn() -> None:  # LD-3
    form = GAME.ask(shaken())
    assert isinstance(form, Form)
    state, cues = apply_answer(GAME, shaken(), bid(2, 5, first=True))
    assert cues[0].facts == {"who": "Ann", "count": 2, "face": 5, "next": "Bob"}
    assert GAME.view(state, None)["to_act"] == "Bob"


@pytest.mark.parametrize("lower", [(1, 6), (2, 5), (2, 4), (10, 2), (3, 1)])
def test_what_is_no_higher_bid_is_refused(lower: tuple[int, int]) -> None:  # LD-3
    state = state_after_answers(GAME, shaken(), [bid(2, 5, first=True)])
    with pytest.raises(Refused):
        apply_answer(GAME, state, bid(*lower))


@pytest.mark.parametrize("higher", [(2, 6), (3, 2), (9, 6)])
def test_more_dice_or_a_higher_face_is_a_bid(higher: tuple[int, int]) -> None:  # LD-3
    state = state_after_answers(GAME, shaken(), [bid(2, 5, first=True), bid(*higher)])
    assert (state.bid and (state.bid.dice, state.bid.face)) == higher


def test_the_cups_are_lifted_from_the_doubters_to_the_bidders() -> None:  # LD-4
    state = state_after_answers(GAME, shaken(), [bid(4, 5, first=True), DOUBT])
    seen = []
    for press in LIFTS:
        state, (lifted, *_) = apply_answer(GAME, state, press)
        assert lifted.reveals
        seen.append((lifted.facts["who"], lifted.facts["found"]))
    assert seen == [("Bob", 2), ("Cy", 2), ("Ann", 4)]


def test_the_doubter_of_a_true_bid_loses_a_die_and_begins() -> None:  # LD-2, LD-5
    state = state_after_answers(GAME, shaken(), [bid(4, 5, first=True), DOUBT, *LIFTS[1:]])
    state, cues = apply_answer(GAME, state, "lift")
    assert names(cues) == ["lifted", "true"]
    assert (cues[1].facts["who"], cues[1].facts["found"]) == ("Bob", 4)
    assert GAME.view(state, None)["dice"] == {"Ann": 3, "Bob": 2, "Cy": 3}
    assert state.who == "Bob"


def test_the_bidder_of_a_lie_loses_a_die() -> None:  # LD-5
    state = state_after_answers(GAME, shaken(), [bid(5, 5, first=True), DOUBT, *LIFTS])
    assert GAME.view(state, None)["dice"] == {"Ann": 2, "Bob": 3, "Cy": 3}


def test_where_nothing_is_higher_there_is_nothing_but_to_doubt() -> None:  # LD-4
    state = state_after_answers(GAME, shaken(), [bid(9, 6, first=True)])
    state, cues = apply_answer(GAME, state, "doubt")
    assert names(cues) == ["doubted"]


def lost(*, palifico: str = "no", dice: int = 2) -> State:
    """Return the state after Ann has lost `dice` dice. All players roll only sixes."""
    state = shaken([6] * 3, [6] * 3, [6] * 3, palifico=palifico)
    for left in range(2, 2 - dice, -1):
        state = state_after_answers(GAME, state, [bid(6 + left, 2, first=True), DOUBT, *LIFTS])
        cups = [[6] * n for n in state.dice if n]
        state = state_after_answers(GAME, state, cups)
    return state


def test_who_has_no_dice_is_out_and_the_next_begins() -> None:  # LD-2, LD-6
    state = lost(dice=3)
    assert GAME.view(state, None)["dice"] == {"Ann": 0, "Bob": 3, "Cy": 3}
    assert (state.who, GAME.outcome(state)) == ("Bob", None)
    for left in (2, 1, 0):
        state = state_after_answers(GAME, state, [bid(3 + left, 2, first=True), DOUBT, *LIFTS[1:]])
        state = state_after_answers(GAME, state, [[6] * n for n in state.dice if n and left])
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == (("Cy",), {"Ann": 0, "Bob": 0, "Cy": 3})


def test_in_a_palifico_ones_are_ones_and_the_face_stays() -> None:  # LD-7
    state = lost(palifico="yes")
    assert GAME.view(state, None)["palifico"]
    state = state_after_answers(GAME, state, [bid(1, 1, first=True), bid(2, 1)])
    with pytest.raises(Refused):
        apply_answer(GAME, state, bid(3, 6))
    state = state_after_answers(GAME, state, [DOUBT, *LIFTS])
    assert GAME.view(state, None)["dice"] == {"Ann": 1, "Bob": 2, "Cy": 3}
    assert not state.special


def test_without_the_option_and_between_two_there_is_no_palifico() -> None:  # LD-7
    assert not lost(palifico="no").special
    state = GAME.setup(("Ann", "Bob"), {"dice": "3", "palifico": "yes"}, {})
    for n in (3, 2):
        state = state_after_answers(
            GAME, state, [[5] * n, [5] * 3, bid(n, 6, first=True), DOUBT, *LIFTS[1:]]
        )
    assert state.dice == (1, 3)
    assert not state.special


@pytest.mark.parametrize("check", list_checks(GAME), ids=str)
def test_what_holds_of_every_game(check: GameCheck) -> None:
    assert not check.run()
