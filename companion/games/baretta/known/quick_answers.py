"""Quick answers of players in simulated games of Baretta."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.core.prompts import Answer, Choose, Question
from companion.games.baretta.rules.board import CARD_SPACE_COUNT, CardOnBoard, Seat, SpaceNumber
from companion.games.baretta.rules.corners import PASS_ANSWER
from companion.games.baretta.rules.state import (
    State,
    arrest_card_of_player,
    card_on_space,
    id_of_space,
    marked_spaces,
)


def quick_answer_in_simulation(state: State, question: Question, rng: Random) -> Answer | None:
    """Return the active player's quick answer in a simulated game.

    Return None if this module has no quick answer to the question.
    """
    arrest_space = _own_arrest(state)
    match question.name:
        case "hunch":
            return PASS_ANSWER if arrest_space is None else id_of_space(state, arrest_space)
        case "take_back" if isinstance(question, Choose):
            return _choose_take_back(state, question.options, rng)
        case "unmark":
            return PASS_ANSWER if arrest_space is None else id_of_space(state, arrest_space)
        case "move_to" if state.moving is not None:
            ends = state.table.board.reach[state.at][state.moving[0]]
            worth = {
                end: worth_of_destination(state.spots, state.turn, end, arrest_space)
                for end in ends
            }
            most = max(worth.values())
            return id_of_space(state, rng.choice([end for end in ends if worth[end] == most]))
    return None


def worth_of_destination(
    spots: Sequence[CardOnBoard | None],
    seat: Seat,
    end: SpaceNumber,
    arrest_space: SpaceNumber | None,
) -> int:
    """Return how attractive a move to the space `end` is for a player, from 0 to 5 (best).

    `arrest_space`: the space of the Arrest card of the player on `seat`, or None if this card is
    not on the board.
    """
    if end == arrest_space:
        return 5
    if end >= CARD_SPACE_COUNT:
        return 1
    spot = spots[end]
    if spot is None:
        return 4 if arrest_space is None else 2
    if spot.marked and _is_others(spot, seat):
        return 0
    return 2 if spot.by == seat else 3


def _choose_take_back(state: State, options: Sequence[Answer], rng: Random) -> Answer:
    """Return the space of the marked card that goes back to its owner's pile, or "pass".

    Prefer another player's card that can be an Arrest card. If no other player has such a card,
    choose "pass". If "pass" is not allowed, choose a marked card that is not the active player's
    Arrest card.
    """
    arrest_space = _own_arrest(state)
    marked = {id_of_space(state, n): n for n in marked_spaces(state) if n != arrest_space}
    harmless = [option for option in options if option in marked]
    others = [n for n in harmless if _is_others(card_on_space(state, marked[n]), state.turn)]
    return rng.choice(
        others or ([PASS_ANSWER] if PASS_ANSWER in options else harmless) or list(options)
    )


def _own_arrest(state: State) -> SpaceNumber | None:
    """Return the space of the active player's Arrest card.

    Return None if the active player has not placed this card on the board.
    """
    arrest = arrest_card_of_player(state, state.turn)
    for space, spot in enumerate(state.spots):
        if spot and spot.card == arrest and spot.by == state.turn and not spot.cleared:
            return space
    return None


def _is_others(spot: CardOnBoard, seat: Seat) -> bool:
    return spot.by != seat and not spot.cleared
