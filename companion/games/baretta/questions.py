"""What Baretta asks, and in which order its answers are offered (BA-6, BA-10 to BA-14).

What is offered, its order and its weights come from what all can see, never from a hidden card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, assert_never

from companion.core.prompts import Choose, Prompt, Roll, Shuffle
from companion.games.baretta.board import CARD_SPACES, HIDEOUT, Space
from companion.games.baretta.opening import free_criminals, loose
from companion.games.baretta.state import State, ident, is_arrest, marked, name, possible, spot_at

if TYPE_CHECKING:
    from collections.abc import Mapping

PASS: Final = "pass"  # noqa: S105 - no password
OTHER: Final = "other"
"""Own cards, after Move N: what lies there is no Arrest card, and that is all anybody may say."""

Beside: TypeAlias = Literal["accused", "shuffle", "shuffle_pile", "cut", "high_roll"]
"""What is asked outside of a turn."""
KEPT: Final = 36
"""How likely a Hunch is kept, beside 1 for a card without a marker."""


def ask(state: State) -> Prompt | None:
    """What the table must answer next (the turn sequence, BA-6 to BA-14); None when over."""
    match state.step:
        case "move_to":
            return _move_to(state)
        case "roll":
            return Roll("roll", name(state), dice=2, real=state.table.real_dice)
        case "card":
            return _card(state)
        case "hunch":
            return _hunch(state)
        case "take_back":
            return _take_back_from(state)
        case "unmark":
            own = tuple(ident(state, space) for space in marked(state, state.turn))
            return Choose("unmark", name(state), (PASS, *own), (3, *(1 for _ in own)))
        case "over":
            return None
        case "accused" | "shuffle" | "shuffle_pile" | "cut" | "high_roll":
            return _beside(state, state.step)
        case _:
            assert_never(state.step)


def _beside(state: State, step: Beside) -> Prompt:
    """What is asked before the first turn (BA-1 to BA-5), and when a pile is shuffled."""
    match step:
        case "cut":
            return Choose("cut", None, ("no", "yes"), (9, 1), tap="yes")
        case "shuffle_pile":
            seat = state.mixing[0]
            return Shuffle("shuffle_pile", loose(state, seat), name(state, seat))
        case "shuffle":
            return Shuffle("shuffle", len(state.table.deck))
        case "high_roll":
            who = name(state, state.rollers[len(state.rolls)])
            return Roll("roll", who, dice=2, real=state.table.real_dice)
        case "accused":
            return Choose("accused", name(state, len(state.accused)), free_criminals(state))
        case _:
            assert_never(step)


def _offer(
    question: str, state: State, spaces: Mapping[Space, int], passing: int | None = None
) -> Choose:
    """Spaces to choose from, likeliest first; `passing` is how likely it is to choose none."""
    ids = state.table.board.ids
    offered: list[tuple[str, int]] = [(ids[space], weight) for space, weight in spaces.items()]
    if passing is not None:
        offered.insert(0, (PASS, passing))
    offered.sort(key=lambda pair: -pair[1])
    options, weights = zip(*offered, strict=True)
    return Choose(question, name(state), options, weights)


def _move_to(state: State) -> Choose:
    """BA-6: only the ends that the roll, or Move N, can reach."""
    assert state.moving is not None  # noqa: S101 - for the type checker
    n, second = state.moving
    ends = state.table.board.reach[state.at][n]
    return _offer("move_to", state, {space: _pull(state, space, second) for space in ends})


def _pull(state: State, space: Space, second: bool) -> int:  # noqa: FBT001
    """How gladly people move to a space, by what all can see of it."""
    if space >= CARD_SPACES:
        return 2 if space <= HIDEOUT else 1
    spot = state.spots[space]
    if spot is None:
        return 1 if second else 4
    if spot.marked:
        return 6 if spot.by == state.turn else 1
    return 1 if second else 3


def _hunch(state: State) -> Choose:
    """BA-13: keep quiet, or point at another card; of those that lie face up only at an Arrest."""
    return _offer("hunch", state, {space: _lure(state, space) for space in targets(state)}, KEPT)


def targets(state: State) -> tuple[Space, ...]:
    """What a Hunch can point at: no card that all see to be no Arrest card, as it is itself."""
    return tuple(
        space
        for space, spot in enumerate(state.spots)
        if spot is not None and (not spot.up or is_arrest(spot.card))
    )


def _lure(state: State, space: Space) -> int:
    spot = spot_at(state, space)
    return (9 if spot.by == state.turn else 2) if spot.marked else 1


def _take_back_from(state: State) -> Choose:
    """BA-10: any marked card, or none; BA-12, In Trouble: an own one, and one must be."""
    if state.about == "trouble":
        return _offer("take_back", state, dict.fromkeys(marked(state, state.turn), 1))
    weights = {space: 1 if spot_at(state, space).by == state.turn else 3 for space in marked(state)}
    return _offer("take_back", state, weights, 2)


def _card(state: State) -> Choose:
    """Own cards: which card came up, of those that it can still be (BA-7, BA-14)."""
    by = state.turn if state.about == "top" else spot_at(state, state.at).by
    options, weights = possible(state, by)
    if state.about == "second":
        arrest = options[-1]
        options, weights = (OTHER, arrest), (sum(weights[:-1]), weights[-1])
    return Choose("card", name(state), options, weights)
