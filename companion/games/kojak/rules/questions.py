"""Kojak's questions, and the weights of their answers (KO-3 to KO-18)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final, assert_never

from companion.core.prompts import Choose, Prompt, Roll, Shuffle
from companion.games.kojak.rules.board import (
    ALL_CRIMINALS,
    COLOURS,
    HUNTING,
    KOJAK,
    LOSE_TURN,
    MAX_STEPS,
    MISSION_CARD_COUNT,
    PLAIN_FIELD,
    RED_FIELD,
    TO_MISSION,
    TO_PLACE,
    TO_STATION,
    TRAP_CARD_COUNT,
    Card,
    Colour,
    named_colour,
    order_card,
)
from companion.games.kojak.rules.opening import free_cars
from companion.games.kojak.rules.piles import top_card_weights
from companion.games.kojak.rules.state import State, is_on_red, player_names

WAITING_STAGE: Final = "waiting"
"""Stage of a detective with a posted warrant whose criminal is not on red."""
ANSWERS_OF_STAGE: Final = {
    TO_MISSION: ("nothing", "mission", "blocked"),
    TO_PLACE: ("nothing", "trap", "parked", "blocked"),
    TO_STATION: ("nothing", "trap", "station", "blocked"),
    HUNTING: ("nothing", "trap", "entrance", "blocked"),
    WAITING_STAGE: ("nothing", "trap", "blocked", "entrance"),
}
"""Table from a detective's stage to the possible answers about the car.

Source: KO-6, KO-7, KO-10, KO-11, KO-13, KO-15.
"""
ANSWER_WEIGHTS: Final = {
    TO_MISSION: (50, 10, 1),
    TO_PLACE: (60, 20, 20, 1),
    TO_STATION: (60, 20, 20, 1),
    HUNTING: (50, 20, 20, 1),
    WAITING_STAGE: (50, 20, 1, 0),
}
"""Table from a stage to estimated weights of the answers in ANSWERS_OF_STAGE."""
SIX_ANSWER, SIX_WEIGHT = "six", 10
"""The answer that a player rolled a 6 (KO-5), and the weight of this answer."""
NO_CAR_HOME_WEIGHT: Final = 6
"""Weight of the answer that no car is home yet in the race."""


def ask(state: State) -> Prompt | None:
    """Return the next question (KO-3 to KO-18); None when the game is over."""
    table = state.table
    match state.step:
        case "happened":
            who, car = table.players[state.turn], table.cars[state.turn]
            return _happened(who, _stage(state), car, six=_offers_six(state))
        case "roll":
            return _roll(table.players[state.turn], table.die)
        case "card" | "criminal" | "order" | "field":
            return _turned_up(state)
        case "parked_first":
            return _parked_first(table.players[state.turn], _tied(state))
        case "high_roll":
            who = table.players[state.rollers[len(state.rolls)]]
            return _roll(who, table.die)
        case "car" | "first":
            return _before(state)
        case "shuffle_missions":
            return Shuffle("shuffle_missions", MISSION_CARD_COUNT)
        case "shuffle_traps":
            return Shuffle("shuffle_traps", TRAP_CARD_COUNT)
        case "over":
            return None
        case _:
            assert_never(state.step)


def _before(state: State) -> Choose:
    """Return the question which cars a player drives, or which player begins (KO-3)."""
    if state.step == "first":
        return Choose("first", None, state.table.players)
    return Choose("car", state.table.players[state.turn], free_cars(state))


@lru_cache(maxsize=256)
def _roll(who: str, die: str) -> Roll:
    return Roll("roll", who, real=die == "real", pressed=die == "press")


@lru_cache(maxsize=256)
def _happened(who: str, stage: str, colour: Colour, *, six: bool) -> Choose:
    """Return the question which space a car reached on the real board.

    Trap spaces have no effect before the player has a mission (KO-13).
    """
    options, weights = ANSWERS_OF_STAGE[stage], ANSWER_WEIGHTS[stage]
    if six:
        options = (*options[:-1], SIX_ANSWER, options[-1])
        weights = (*weights[:-1], SIX_WEIGHT, weights[-1])
    return Choose("happened", who, options, weights, facts={"car": colour})


def _offers_six(state: State) -> bool:
    """Return True if the answer SIX_ANSWER, which shows the reminder of the 6, is offered.

    Source: KO-5.
    """
    is_untold = state.table.die == "none" and state.turn not in state.sixes
    return is_untold and state.stages[state.turn] == TO_MISSION


def _stage(state: State) -> str:
    """Return the active player's stage.

    A detective with a posted warrant is at WAITING_STAGE if the criminal is not on red (KO-11).
    """
    stage = state.stages[state.turn]
    return WAITING_STAGE if stage == HUNTING and not _is_on_red(state) else stage


def _is_on_red(state: State) -> bool:
    """Return True if the active player's criminal can be arrested now (KO-15)."""
    colour = state.held[state.turn]
    return colour is not None and is_on_red(state, colour)


def _turned_up(state: State) -> Choose:
    """Return the question about a card that players turned up, or about a field of a circle."""
    if state.step == "field":
        return _field(state)
    if state.step == "card":
        return _card(state)
    return _criminal(state) if state.named is None else _order(state, state.named)


def _field(state: State) -> Choose:
    """Return the question whether a field is red (KO-22)."""
    assert state.unsure is not None  # the question is asked only if a field is set
    colour, field = state.unsure
    facts = {"colour": colour, "field": field}
    return Choose("field", state.table.players[state.turn], (PLAIN_FIELD, RED_FIELD), facts=facts)


def _card(state: State) -> Choose:
    """Return the question which card was turned up, if players use their own cards.

    The box preselects the likeliest card.
    """
    odds = card_weights(state)
    return Choose("card", state.table.players[state.turn], tuple(odds), tuple(odds.values()))


def _criminal(state: State) -> Choose:
    """Return the question for the criminal on a trap card (KO-13), or a Kojak card (KO-14)."""
    odds: Counter[str] = Counter()
    for card, chance in card_weights(state).items():
        odds[named_colour(card)] += chance
    options = (KOJAK, *COLOURS, ALL_CRIMINALS, LOSE_TURN)
    who = state.table.players[state.turn]
    return Choose("criminal", who, options, tuple(odds[option] for option in options))


def _order(state: State, named: str) -> Choose:
    """Return the question for a trap card's order (KO-13). List the edition's orders first.

    If no card for the named criminal can be on top, all orders have equal weight.
    """
    odds = {
        card: chance for card, chance in card_weights(state).items() if named_colour(card) == named
    }
    orders = (*range(1, MAX_STEPS + 1), RED_FIELD, 0, *range(-1, -MAX_STEPS - 1, -1))
    odds |= {card: 0 for order in orders if (card := order_card(named, order)) not in odds}
    weights = tuple(odds.values()) if any(odds.values()) else ()
    return Choose("order", state.table.players[state.turn], tuple(odds), weights)


@lru_cache(maxsize=256)
def _parked_first(who: str, tied: tuple[str, ...]) -> Choose:
    """Return the question which player's cars are home first (KO-18)."""
    return Choose(
        "parked_first", who, ("nobody", *tied), (NO_CAR_HOME_WEIGHT, 1, *(0,) * (len(tied) - 1))
    )


def _tied(state: State) -> tuple[str, ...]:
    """Return the tied players, starting with the active player."""
    at = state.race.index(state.turn)
    return tuple(player_names(state, state.race[at:] + state.race[:at]))


def card_counts(state: State) -> tuple[tuple[Card, int], ...]:
    """Return the number of cards of each name in the pile from which the player draws.

    Trap cards that are not in the edition are counted as often as players turned them up.
    """
    if state.stages[state.turn] == TO_MISSION:
        return state.table.missions
    named = dict(state.table.traps)
    others = Counter(card for card in state.traps if card is not None and card not in named)
    return (*state.table.traps, *others.items())


def card_weights(state: State) -> dict[Card, int]:
    """Return the weight of each card to be on top of the pile from which the player draws."""
    cards = card_counts(state)
    pile, held = (
        (state.traps, ()) if cards is not state.table.missions else (state.missions, state.held)
    )
    return dict(zip((card for card, _ in cards), top_card_weights(pile, held, cards), strict=True))


def can_be_on_top(state: State, card: Card) -> bool:
    """Return True if a card can be on top of the pile from which the player draws.

    A card that is not in the edition can be on top if the top card is unknown.
    """
    odds = card_weights(state)
    return odds[card] > 0 if card in odds else state.traps[0] is None
