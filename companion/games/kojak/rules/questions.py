"""Kojak's questions: the possible answers, and how likely each answer is.

The weight of an answer states how likely this answer is, compared with the question's other
answers.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final, assert_never

from companion.core.prompts import Choose, Prompt, Roll, Shuffle
from companion.games.kojak.rules.board import (
    ALL_COLOURS,
    COLOURS,
    HUNTING_STAGE,
    KOJAK,
    LOSE_TURN,
    MAX_TRAP_CARD_STEPS,
    MISSION_CARD_COUNT,
    PLAIN_FIELD,
    RED_FIELD,
    TO_MISSION_STAGE,
    TO_PLACE_STAGE,
    TO_STATION_STAGE,
    TRAP_CARD_COUNT,
    Card,
    Colour,
    colour_on_trap_card,
    trap_card_name,
)
from companion.games.kojak.rules.opening import available_car_colours
from companion.games.kojak.rules.piles import top_card_weights
from companion.games.kojak.rules.state import State, is_criminal_on_red, player_names

WAITING_STAGE: Final = "waiting"
"""Stage of a detective whose warrant is posted, while the criminal is not on red."""
ANSWERS_OF_STAGE: Final = {
    TO_MISSION_STAGE: ("nothing", "mission", "blocked"),
    TO_PLACE_STAGE: ("nothing", "trap", "parked", "blocked"),
    TO_STATION_STAGE: ("nothing", "trap", "station", "blocked"),
    HUNTING_STAGE: ("nothing", "trap", "entrance", "blocked"),
    WAITING_STAGE: ("nothing", "trap", "blocked", "entrance"),
}
"""Table from a detective's stage to the possible answers about the space that a car reached (KO-6,
KO-7, KO-10 to KO-15).
"""
ANSWER_WEIGHTS: Final = {
    TO_MISSION_STAGE: (50, 10, 1),
    TO_PLACE_STAGE: (60, 20, 20, 1),
    TO_STATION_STAGE: (60, 20, 20, 1),
    HUNTING_STAGE: (50, 20, 20, 1),
    WAITING_STAGE: (50, 20, 1, 0),
}
"""Table from a detective's stage to the weights of the stage's answers in ANSWERS_OF_STAGE."""
SIX_ANSWER, SIX_WEIGHT = "six", 10
"""Answer that the player rolled a 6 (KO-5), and the answer's weight (see ANSWER_WEIGHTS).

The game offers this answer only if the option `die` is "none".
"""
NO_CAR_HOME_WEIGHT: Final = 6
"""Weight of the answer that no player has both cars home in the race (KO-18).

The answer that names the active player has the weight 1, and all other answers have the weight 0.
"""


def ask(state: State) -> Prompt | None:
    """Return the game's next question (KO-3 to KO-18), or None after the end of the game."""
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
    """Ask the active player for a car colour, or ask all players which player begins (KO-3)."""
    if state.step == "first":
        return Choose("first", None, state.table.players)
    return Choose("car", state.table.players[state.turn], available_car_colours(state))


@lru_cache(maxsize=256)
def _roll(who: str, die: str) -> Roll:
    return Roll("roll", who, real=die == "real", pressed=die == "press")


@lru_cache(maxsize=256)
def _happened(who: str, stage: str, colour: Colour, *, six: bool) -> Choose:
    """Ask the active player which space the car reached on the real board.

    A player without a mission cannot answer that the car reached a trap space (KO-13).
    """
    options, weights = ANSWERS_OF_STAGE[stage], ANSWER_WEIGHTS[stage]
    if six:
        options = (*options[:-1], SIX_ANSWER, options[-1])
        weights = (*weights[:-1], SIX_WEIGHT, weights[-1])
    return Choose("happened", who, options, weights, facts={"car": colour})


def _offers_six(state: State) -> bool:
    """Return True if the game offers SIX_ANSWER to the active player (KO-5).

    The active player must be on the way to a mission, and must not have seen the reminder about a
    6. The game must not ask for rolls.
    """
    is_untold = state.table.die == "none" and state.turn not in state.sixes
    return is_untold and state.stages[state.turn] == TO_MISSION_STAGE


def _stage(state: State) -> str:
    """Return the active player's stage, or WAITING_STAGE if no arrest is possible yet (KO-15)."""
    stage = state.stages[state.turn]
    return WAITING_STAGE if stage == HUNTING_STAGE and not _is_on_red(state) else stage


def _is_on_red(state: State) -> bool:
    colour = state.held[state.turn]
    return colour is not None and is_criminal_on_red(state, colour)


def _turned_up(state: State) -> Choose:
    if state.step == "field":
        return _field(state)
    if state.step == "card":
        return _card(state)
    return _criminal(state) if state.named is None else _order(state, state.named)


def _field(state: State) -> Choose:
    """Ask the active player whether a field of a circle is red (KO-22)."""
    assert state.unsure is not None  # while the game asks about a field, `unsure` names this field
    colour, field = state.unsure
    facts = {"colour": colour, "field": field}
    return Choose("field", state.table.players[state.turn], (PLAIN_FIELD, RED_FIELD), facts=facts)


def _card(state: State) -> Choose:
    odds = next_drawn_card_weights(state)
    return Choose("card", state.table.players[state.turn], tuple(odds), tuple(odds.values()))


def _criminal(state: State) -> Choose:
    """Ask what a real trap card names (KO-13, KO-14).

    The answers are a criminal, all criminals, Kojak, and the loss of a turn.
    """
    odds: Counter[str] = Counter()
    for card, chance in next_drawn_card_weights(state).items():
        odds[colour_on_trap_card(card)] += chance
    options = (KOJAK, *COLOURS, ALL_COLOURS, LOSE_TURN)
    who = state.table.players[state.turn]
    return Choose("criminal", who, options, tuple(odds[option] for option in options))


def _order(state: State, named: str) -> Choose:
    """Ask for the order of a real trap card, with the orders in the edition first (KO-13).

    If no card about this criminal can be on top of the pile, all orders have the same weight.
    """
    odds = {
        card: chance
        for card, chance in next_drawn_card_weights(state).items()
        if colour_on_trap_card(card) == named
    }
    orders = (
        *range(1, MAX_TRAP_CARD_STEPS + 1),
        RED_FIELD,
        0,
        *range(-1, -MAX_TRAP_CARD_STEPS - 1, -1),
    )
    odds |= {card: 0 for order in orders if (card := trap_card_name(named, order)) not in odds}
    weights = tuple(odds.values()) if any(odds.values()) else ()
    return Choose("order", state.table.players[state.turn], tuple(odds), weights)


@lru_cache(maxsize=256)
def _parked_first(who: str, tied: tuple[str, ...]) -> Choose:
    """Ask which tied player has both cars home (KO-18); the answer can also be "nobody"."""
    return Choose(
        "parked_first", who, ("nobody", *tied), (NO_CAR_HOME_WEIGHT, 1, *(0,) * (len(tied) - 1))
    )


def _tied(state: State) -> tuple[str, ...]:
    at = state.race.index(state.turn)
    return tuple(player_names(state, state.race[at:] + state.race[:at]))


def pile_card_counts(state: State) -> tuple[tuple[Card, int], ...]:
    """Return pairs (card name, number of cards) for the pile from which the active player draws.

    The trap cards of a real deck can include cards that are not in the edition. The box learns such
    a card when a player enters the card (KO-13), and counts the card as long as the box knows the
    card's place in the pile.
    """
    if state.stages[state.turn] == TO_MISSION_STAGE:
        return state.table.missions
    named = dict(state.table.traps)
    others = Counter(card for card in state.traps if card is not None and card not in named)
    return (*state.table.traps, *others.items())


def next_drawn_card_weights(state: State) -> dict[Card, int]:
    """Return a table from each card name to its weight: how likely this card is drawn next."""
    cards = pile_card_counts(state)
    pile, held = (
        (state.traps, ()) if cards is not state.table.missions else (state.missions, state.held)
    )
    return dict(zip((card for card, _ in cards), top_card_weights(pile, held, cards), strict=True))


def can_card_be_on_top(state: State, card: Card) -> bool:
    """Return True if `card` can be the top card of the pile from which the active player draws.

    A card that is neither in the edition nor at a known place in the pile is possible only if the
    box does not know the top card.
    """
    odds = next_drawn_card_weights(state)
    return odds[card] > 0 if card in odds else state.traps[0] is None
