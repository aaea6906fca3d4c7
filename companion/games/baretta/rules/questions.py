"""Baretta's questions: the possible answers, and how likely each answer is.

The weight of an answer states how likely this answer is, compared with the question's other
answers. The answers, their order and their weights depend only on public information, never on a
hidden card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, assert_never

from companion.core.prompts import Choose, Prompt, Roll, Shuffle
from companion.games.baretta.rules.board import (
    BY_HAND_CARD,
    CARD_SPACE_COUNT,
    GO_TO,
    HIDEOUT,
    HUNCH,
    IN_TROUBLE,
    MAX_STEPS,
    MOVE,
    SPACE_EFFECTS,
    STAY_PUT,
    TO_EFFECT,
    WOUNDED,
    CardOnBoard,
    Seat,
    SpaceNumber,
)
from companion.games.baretta.rules.corners import PASS_ANSWER, spaces_with_card, spaces_without_card
from companion.games.baretta.rules.opening import count_face_down_pile_cards, unassigned_criminals
from companion.games.baretta.rules.state import (
    State,
    arrest_card_of_player,
    card_on_space,
    is_arrest_card,
    marked_spaces,
    player_name,
    seats_in_game,
    weighted_names_of_hidden_card,
)

NO_ARREST_CARD: Final = "other"
"""Answer, after a Move card, that the real card under Baretta is not an Arrest card (BA-14).

With this answer, the players do not have to name the card.
"""

NAMED_CARD_WEIGHT_FACTOR: Final = 20
"""Factor for the weight of an answer that names a card, when the box asks for a real card's name.

The factor multiplies the card's weight from `weighted_names_of_hidden_card`. The answer
UNLISTED_CARD has the weight 1.
"""
UNLISTED_CARD: Final = "another"
"""Answer that a real card is not in the edition (BA-2)."""

QuestionOutsideTurn: TypeAlias = Literal["accused", "shuffle", "shuffle_pile", "cut", "high_roll"]
"""Name of a question that belongs to no turn: before the first turn, or about a shuffle or a cut.
"""
CornerQuestion: TypeAlias = Literal["unmark", "look", "draw", "swap", "swap_with"]
"""Name of a question about the effect of a corner or the Hideout, except `take_back`."""
KEEP_HUNCH_WEIGHT: Final = 36
"""Weight of the answer not to use a Hunch; a guess at an unmarked card has the weight 1."""


def ask(state: State) -> Prompt | None:
    """Return the game's next question, or None after the end of the game."""
    match state.step:
        case "move_to":
            return _move_to(state)
        case "roll":
            table = state.table
            return Roll("roll", player_name(state), 2, real=table.real_dice, pressed=table.pressed)
        case "card" | "another" | "by_hand":
            return _came_up(state, state.step)
        case "who_won":
            left = tuple(player_name(state, seat) for seat in seats_in_game(state))
            return Choose("who_won", None, left)
        case "hunch" | "corner_does":
            return _hunch(state) if state.step == "hunch" else _corner_does(state)
        case "take_back":
            return _take_back_from(state)
        case "unmark" | "look" | "draw" | "swap" | "swap_with":
            return _corner(state, state.step)
        case "over":
            return None
        case "accused" | "shuffle" | "shuffle_pile" | "cut" | "high_roll":
            return _beside(state, state.step)
        case _:
            assert_never(state.step)


def _corner_does(state: State) -> Choose:
    """Ask the active player for the printed effect of Baretta's corner or the Hideout (BA-19).

    Offer the answer "to:SPACE" only for a SPACE that does not send Baretta to another space. Offer
    no such answer if another space sends Baretta to the current space.
    """
    board = state.table.board
    here, leads = (
        board.ids[state.at],
        [does for does in board.does if does.startswith(f"{TO_EFFECT}:")],
    )
    goals = [
        f"{TO_EFFECT}:{ident}"
        for ident, does in zip(board.ids, board.does, strict=True)
        if ident != here
        and not does.startswith(f"{TO_EFFECT}:")
        and f"{TO_EFFECT}:{here}" not in leads
    ]
    return Choose(
        "corner_does", player_name(state), (*SPACE_EFFECTS, *goals), facts={"space": here}
    )


def _beside(state: State, step: QuestionOutsideTurn) -> Prompt:
    match step:
        case "cut":
            return Choose("cut", None, ("no", "yes"), (9, 1), tap="yes")
        case "shuffle_pile":
            seat = state.mixing[0]
            return Shuffle(
                "shuffle_pile", count_face_down_pile_cards(state, seat), player_name(state, seat)
            )
        case "shuffle":
            return Shuffle("shuffle", len(state.table.deck))
        case "high_roll":
            who, table = player_name(state, state.rollers[len(state.rolls)]), state.table
            return Roll("roll", who, 2, real=table.real_dice, pressed=table.pressed)
        case "accused":
            return Choose(
                "accused", player_name(state, len(state.accused)), unassigned_criminals(state)
            )
        case _:
            assert_never(step)


def _offer(
    question: str, state: State, spaces: Mapping[SpaceNumber, int], passing: int | None = None
) -> Choose:
    """Return a question whose answers are spaces, in the order in which the box lists spaces.

    - `spaces`: table from each space to the weight of this answer.
    - `passing`: the weight of the answer "pass", or None if the player may not pass.
    """
    board = state.table.board
    there = board.sort_around_board(spaces)
    options, weights = [board.ids[s] for s in there], [spaces[s] for s in there]
    if passing is not None:
        options, weights = [PASS_ANSWER, *options], [passing, *weights]
    return Choose(question, player_name(state), tuple(options), tuple(weights))


def _move_to(state: State) -> Choose:
    """Ask the active player to choose one of the spaces where a move can end (BA-6)."""
    assert state.moving is not None
    n, second = state.moving
    # this question is frequent, and a call of `_offer` would make this function 20 % slower
    board = state.table.board
    ends = board.sort_around_board(board.reach[state.at][n])
    pulls = tuple([_pull(state, space, second) for space in ends])
    options = tuple([board.ids[space] for space in ends])
    return Choose("move_to", player_name(state), options, pulls, facts={"steps": n})


def _pull(state: State, space: SpaceNumber, second: bool) -> int:  # noqa: FBT001
    """Return the weight of a space as the end of a move, computed from public information."""
    if space >= CARD_SPACE_COUNT:
        return 2 if space <= HIDEOUT else 1
    spot = state.spots[space]
    if spot is None:
        return 1 if second else 4
    if spot.marked:
        return 6 if spot.by == state.turn else 1
    return 1 if second else 3


def _hunch(state: State) -> Choose:
    """Ask the active player to point at a card, or to leave the Hunch unused (BA-13)."""
    lures = {
        space: _lure(card_on_space(state, space), state.turn)
        for space in possible_hunch_target_spaces(state)
    }
    return _offer("hunch", state, lures, KEEP_HUNCH_WEIGHT)


def possible_hunch_target_spaces(state: State) -> tuple[SpaceNumber, ...]:
    """Return the spaces whose card a Hunch may point at: cards that can be Arrest cards (BA-13)."""
    return tuple(
        [
            space
            for space, spot in enumerate(state.spots)
            if spot and not spot.cleared and (not spot.up or is_arrest_card(spot.card))
        ]
    )


def _lure(spot: CardOnBoard, turn: Seat) -> int:
    return (9 if spot.by == turn else 2) if spot.marked else 1


def _take_back_from(state: State) -> Choose:
    """Ask the active player which marked card returns to its owner's pile.

    At a corner, the player may choose any marked card or pass (BA-10). After In Trouble, the player
    must choose a card with the player's marker (BA-12).
    """
    if state.about == "trouble":
        return _offer("take_back", state, dict.fromkeys(marked_spaces(state, state.turn), 1))
    weights = {
        space: 1 if card_on_space(state, space).by == state.turn else 3
        for space in marked_spaces(state)
    }
    return _offer("take_back", state, weights, 2)


def _corner(state: State, step: CornerQuestion) -> Choose:
    """Ask the active player for the space to which a corner's or the Hideout's effect applies."""
    if step == "unmark":
        return _offer("unmark", state, dict.fromkeys(marked_spaces(state, state.turn), 1), 3)
    if step == "draw":
        return _offer("draw", state, dict.fromkeys(spaces_without_card(state), 3), 1)
    there = spaces_with_card(state, face_down=step == "look")
    pulls = {space: 1 + 2 * card_on_space(state, space).marked for space in there}
    if step == "swap_with":
        return _offer(
            step, state, {space: n for space, n in pulls.items() if space != state.swapping}
        )
    return _offer(step, state, pulls, 2)


def _came_up(state: State, step: Literal["card", "another", "by_hand"]) -> Choose:
    """Ask for a real card's name, an unlisted card's effect, or where Baretta is now (BA-2)."""
    if step == "by_hand":
        spaces = range(len(state.table.board.ids))
        return _offer(step, state, {space: 1 + (space == state.at) for space in spaces})
    return _card(state) if step == "card" else _another(state)


def _card(state: State) -> Choose:
    """Ask for the name of the real card that is turned over, possible cards first (BA-2, BA-7)."""
    options, weights = _possible(state)
    if state.about == "second":
        options, weights = (NO_ARREST_CARD, options[-1]), (sum(weights[:-1]), weights[-1] or 1)
    else:
        rest = tuple(kind for kind, _ in state.table.kinds if kind not in options)
        options, weights = (
            (*options, *rest, UNLISTED_CARD),
            (*(NAMED_CARD_WEIGHT_FACTOR * n for n in weights), *(0 for _ in rest), 1),
        )
    return Choose("card", player_name(state), options, weights)


def _possible(state: State) -> tuple[tuple[str, ...], tuple[int, ...]]:
    landed = state.about in ("landed", "second", "guessed")
    spot = state.spots[state.at] if landed else None
    if spot is None:
        return weighted_names_of_hidden_card(state, state.turn)
    return weighted_names_of_hidden_card(state, spot.by, cleared=spot.cleared)


def _another(state: State) -> Choose:
    """Ask for the effect of a real card that is not in the edition (BA-2)."""
    offered = (*dict(state.table.kinds), *_possible(state)[0])
    moves = (f"{MOVE}:{n}" for n in range(1, MAX_STEPS + 1))
    arrests = (arrest_card_of_player(state, seat) for seat in range(len(state.accused)))
    goals = (f"{GO_TO}:{ident}" for ident in state.table.board.ids)
    every = (*moves, BY_HAND_CARD, STAY_PUT, HUNCH, WOUNDED, IN_TROUBLE, *arrests, *goals)
    options = tuple(card for card in every if card not in offered)
    return Choose("another", player_name(state), options)
