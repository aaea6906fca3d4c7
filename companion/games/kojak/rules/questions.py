"""What Kojak asks, question by question, and what is likely (KO-3 to KO-18)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final, assert_never

from companion.core.prompts import Choose, Prompt, Roll, Shuffle
from companion.games.kojak.rules.board import (
    ALL,
    COLOURS,
    HUNTING,
    KOJAK,
    LOSE_TURN,
    MAX_STEPS,
    MISSIONS,
    PLAIN,
    RED,
    TO_MISSION,
    TO_PLACE,
    TO_STATION,
    TRAPS,
    Card,
    order_of,
    whom,
)
from companion.games.kojak.rules.opening import free_cars
from companion.games.kojak.rules.piles import top_card_weights
from companion.games.kojak.rules.state import State, names, on_red

if TYPE_CHECKING:
    from companion.games.kojak.rules.board import Colour

WAITING: Final = "waiting"
"""Hunting, while the own criminal does not stand on red: nobody is arrested at the entrance."""
REACHABLE: Final = {
    TO_MISSION: ("nothing", "mission", "blocked"),
    TO_PLACE: ("nothing", "trap", "parked", "blocked"),
    TO_STATION: ("nothing", "trap", "station", "blocked"),
    HUNTING: ("nothing", "trap", "entrance", "blocked"),
    WAITING: ("nothing", "trap", "blocked", "entrance"),
}
"""What a car can reach that counts, by its detective's stage (KO-7, KO-10, KO-11, KO-13, KO-15);
or that it could not pass (KO-6)."""
LIKELY: Final = {
    TO_MISSION: (50, 10, 1),
    TO_PLACE: (60, 20, 20, 1),
    TO_STATION: (60, 20, 20, 1),
    HUNTING: (50, 20, 20, 1),
    WAITING: (50, 20, 1, 0),
}
"""How likely that is. A guess: an exact roll is one in six, a place is some four rolls away."""
SIX, LIKELY_SIX = "six", 10
"""KO-5: the answer that a 6 was rolled, and how likely it is beside the others: one in six."""
HOME: Final = 6
"""How much likelier it is in the race that nobody has come home yet."""


def ask(state: State) -> Prompt | None:
    """What the table must answer next (the turn sequence, KO-3 to KO-18); None when over."""
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
            return Shuffle("shuffle_missions", MISSIONS)
        case "shuffle_traps":
            return Shuffle("shuffle_traps", TRAPS)
        case "over":
            return None
        case _:
            assert_never(state.step)


def _before(state: State) -> Choose:
    """KO-3: which cars a player picks; or, without a die in the box, who begins."""
    if state.step == "first":
        return Choose("first", None, state.table.players)
    return Choose("car", state.table.players[state.turn], free_cars(state))


@lru_cache(maxsize=256)
def _roll(who: str, die: str) -> Roll:
    return Roll("roll", who, real=die == "real", pressed=die == "press")


@lru_cache(maxsize=256)
def _happened(who: str, stage: str, colour: Colour, *, six: bool) -> Choose:
    """What a car can have reached (KO-13: before the mission a trap space counts for nothing)."""
    options, weights = REACHABLE[stage], LIKELY[stage]
    if six:
        options = (*options[:-1], SIX, options[-1])
        weights = (*weights[:-1], LIKELY_SIX, weights[-1])
    return Choose("happened", who, options, weights, facts={"car": colour})


def _offers_six(state: State) -> bool:
    """KO-5: a six matters if the count must be exact and its player was not reminded yet."""
    is_untold = state.table.die == "none" and state.turn not in state.sixes
    return is_untold and state.stages[state.turn] == TO_MISSION


def _stage(state: State) -> str:
    """What whoever's turn it is drives for; a hunter without a criminal on red waits (KO-11)."""
    stage = state.stages[state.turn]
    return WAITING if stage == HUNTING and not _is_on_red(state) else stage


def _is_on_red(state: State) -> bool:
    """Whether the criminal of whoever's turn it is can be arrested now (KO-15)."""
    colour = state.held[state.turn]
    return colour is not None and on_red(state, colour)


def _turned_up(state: State) -> Choose:
    """Own cards: what was turned up; of any card: what the board is like where it leads."""
    if state.step == "field":
        return _field(state)
    if state.step == "card":
        return _card(state)
    return _criminal(state) if state.named is None else _order(state, state.named)


def _field(state: State) -> Choose:
    """KO-22: whether a field is red."""
    assert state.unsure is not None  # that is what is asked about
    colour, field = state.unsure
    facts = {"colour": colour, "field": field}
    return Choose("field", state.table.players[state.turn], (PLAIN, RED), facts=facts)


def _card(state: State) -> Choose:
    """Own cards: which one was turned; the cursor starts on the one that must or may lie there."""
    odds = chances(state)
    return Choose("card", state.table.players[state.turn], tuple(odds), tuple(odds.values()))


def _criminal(state: State) -> Choose:
    """KO-13: whom a trap card of your own names; KO-14: a Kojak card names nobody."""
    odds: Counter[str] = Counter()
    for card, chance in chances(state).items():
        odds[whom(card)] += chance
    options = (KOJAK, *COLOURS, ALL, LOSE_TURN)
    who = state.table.players[state.turn]
    return Choose("criminal", who, options, tuple(odds[option] for option in options))


def _order(state: State, named: str) -> Choose:
    """KO-13: what it orders; first what the edition has, but it may be any order.

    Where no card that may lie there names that criminal, one order is as likely as another.
    """
    odds = {card: chance for card, chance in chances(state).items() if whom(card) == named}
    orders = (*range(1, MAX_STEPS + 1), RED, 0, *range(-1, -MAX_STEPS - 1, -1))
    odds |= {card: 0 for order in orders if (card := order_of(named, order)) not in odds}
    weights = tuple(odds.values()) if any(odds.values()) else ()
    return Choose("order", state.table.players[state.turn], tuple(odds), weights)


@lru_cache(maxsize=256)
def _parked_first(who: str, tied: tuple[str, ...]) -> Choose:
    """KO-18: whoever has just moved may be home; it may be said of another, if it was forgotten."""
    return Choose("parked_first", who, ("nobody", *tied), (HOME, 1, *(0,) * (len(tied) - 1)))


def _tied(state: State) -> tuple[str, ...]:
    """The tied players, from the one whose turn it is."""
    at = state.race.index(state.turn)
    return tuple(names(state, state.race[at:] + state.race[:at]))


def kinds(state: State) -> tuple[tuple[Card, int], ...]:
    """Own cards: how many of each there are in the deck that is drawn from.

    A trap card that the edition has not is there as often as it was turned up.
    """
    if state.stages[state.turn] == TO_MISSION:
        return state.table.missions
    known = dict(state.table.traps)
    others = Counter(card for card in state.traps if card is not None and card not in known)
    return (*state.table.traps, *others.items())


def chances(state: State) -> dict[Card, int]:
    """Own cards: how likely each of them is turned now."""
    cards = kinds(state)
    pile, held = (
        (state.traps, ()) if cards is not state.table.missions else (state.missions, state.held)
    )
    return dict(zip((card for card, _ in cards), top_card_weights(pile, held, cards), strict=True))


def is_expected(state: State, card: Card) -> bool:
    """Own cards: whether this one can lie on top; of one that the edition has not, nobody knows."""
    odds = chances(state)
    return odds[card] > 0 if card in odds else state.traps[0] is None
