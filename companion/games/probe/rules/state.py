"""The state of a game of Probe, functions that read the state, and small changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from companion.core.fold import replace
from companion.core.game import Cue
from companion.games.probe.rules.board import (
    DOT,
    LEFT,
    PLACE_VALUES,
    RIGHT,
    Card,
    Place,
    Rack,
    Seat,
    Table,
)

Booking = tuple[Seat, int, str, str]
"""A booking: seat, points, reason, and the clause behind it (PR-6)."""
CORRECTION, MISSPELT = "correction", "misspelled"
Step: TypeAlias = Literal[
    "word",
    "length",
    "shuffle",
    "card",
    "other_card",
    "card_points",
    "ask_whom",
    "ask_for",
    "answer",
    "uncover",
    "places",
    "over",
]
"""The name of the question that the game asks next, or "over"."""
CORRECTION_REASONS: Final = frozenset({CORRECTION, MISSPELT})
"""Reasons of bookings that belong to no turn."""
UncoverReason: TypeAlias = Literal["hit", "forced", "own_dot", ""]
"""The reason why a place must be uncovered: a hit, a card (PR-9), or an own dot (PR-8)."""


@dataclass(frozen=True)
class State:
    """A state of Probe.

    - `filling`: the rack whose word is entered next.
    - `pile`: the activity cards in order.
    - `left`: the number of unused cards of each kind in a real deck.
    - `times`: the multiplier of the next question.
    - `whom`, `letter`: the asked player, and the letter asked for.
    - `within`: the racks in which a place must be uncovered.
    - `because`: the reason why a place must be uncovered.
    - `gained`: the points of the active player in this turn.
    - `last`: the number of turns left in the last rounds (PR-13).
    - `counts`: True if the present turn counts as one of the last turns.
    - `asked`: the letters that each seat was asked for, if the table remembers letters (PR-4).
    - `out`: the seats of players who left (PR-18).
    """

    table: Table
    step: Step
    racks: tuple[Rack, ...]
    scores: tuple[int, ...]
    filling: int = 0
    items: tuple[Booking, ...] = ()
    pile: tuple[Card, ...] = ()
    left: tuple[int, ...] = ()
    turn: Seat = 0
    card: Card | None = None
    times: int = 1
    whom: Seat | None = None
    letter: str | None = None
    within: tuple[int, ...] = ()
    because: UncoverReason = ""
    gained: int = 0
    last: int | None = None
    counts: bool = True
    asked: tuple[str, ...] = ()
    misspelled: tuple[int, ...] = ()
    out: tuple[Seat, ...] = ()


def player_name(state: State, seat: Seat) -> str:
    """Return a player's name."""
    return state.table.players[seat]


def present_seats(state: State) -> tuple[Seat, ...]:
    """Return the seats of the players who have not left, clockwise."""
    return tuple(seat for seat in range(len(state.scores)) if seat not in state.out)


def left_of(state: State, seat: Seat) -> Seat:
    """Return the next seat clockwise whose player has not left."""
    seat = (seat + 1) % len(state.scores)
    return left_of(state, seat) if seat in state.out else seat


def neighbour_rack(state: State, seat: Seat, kind: str) -> int:
    """Return the rack that a card "left" or "right" names.

    If players have two racks each, return the opponent's left or right rack (PR-16).
    """
    held, n = state.table.held, len(state.scores)
    if len(held[seat]) > 1:
        return held[1 - seat][kind == RIGHT]
    if kind == LEFT:
        return left_of(state, seat)
    return next(other for i in range(1, n) if (other := (seat - i) % n) not in state.out)


def replace_at(values: tuple[Any, ...], i: int, value: Any) -> tuple[Any, ...]:
    """Return a copy of a tuple with another value at index `i`."""
    return (*values[:i], value, *values[i + 1 :])


def book_points(state: State, seat: Seat, points: int, why: str, clause: str) -> tuple[State, Cue]:
    """Add points to a seat's total, with their reason and clause (PR-6).

    Corrections do not count as points of the present turn.
    """
    total = state.scores[seat] + points
    is_own_turn = seat == state.turn and why not in CORRECTION_REASONS
    gained = state.gained + points if is_own_turn else state.gained
    state = replace(
        state,
        scores=replace_at(state.scores, seat, total),
        items=(*state.items, (seat, points, why, clause)),
        gained=gained,
    )
    facts = {"who": player_name(state, seat), "points": points, "total": total, "why": why}
    return state, Cue("scored", facts, clause)


def count_covered(state: State, seat: Seat) -> int:
    """Return the number of a player's covered places."""
    return sum(len(state.racks[rack].covered) for rack in state.table.held[seat])


def guarded_players(state: State) -> tuple[Seat, ...]:
    """Return the seats that still have covered places, in seat order."""
    return tuple([seat for seat in range(len(state.scores)) if _is_guarded(state, seat)])


def _is_guarded(state: State, seat: Seat) -> bool:
    """Return True if a player still has a covered place."""
    for rack in state.table.held[seat]:  # noqa: SIM110 - `any` takes three times as long, in each turn
        if state.racks[rack].covered:
            return True
    return False


def hides_letter(state: State, seat: Seat, letter: str) -> bool:
    """Return True if a letter is covered on one of a player's racks."""
    for rack in state.table.held[seat]:
        word, places = state.racks[rack]
        if letter in word and letter in [word[place - 1] for place in places]:
            return True
    return False


def places_to_uncover(state: State) -> tuple[tuple[int, Place], ...]:
    """Return the racks and places of which one must be uncovered now, as far as the box knows."""
    racks = state.racks
    there = [(rack, place) for rack in state.within for place in racks[rack].covered]
    if state.table.secret and state.because != "forced":
        wanted = DOT if state.because == "own_dot" else state.letter
        there = [(rack, place) for rack, place in there if racks[rack].word[place - 1] == wanted]
    return tuple(there)


def is_nothing_to_uncover(state: State) -> bool:
    """Return True if no place can be uncovered.

    For an own dot, return True only if all places are open.
    """
    if state.because != "own_dot":
        return not places_to_uncover(state)
    return not any(state.racks[rack].covered for rack in state.within)


def askable_players(state: State) -> tuple[str, ...]:
    """Return the opponents with covered places, from the left (PR-4)."""
    players = state.table.players
    to_the_left = (*range(state.turn + 1, len(players)), *range(state.turn))
    return tuple([players[seat] for seat in to_the_left if _is_guarded(state, seat)])


def word_of(state: State, rack: int) -> str | None:
    """Return a rack's word with its dots; None if a letter is unknown to the box."""
    word = state.racks[rack].word
    return None if "?" in word else word


def total_value(places: Sequence[Place]) -> int:
    """Return the sum of the values of places (PR-2)."""
    return sum(PLACE_VALUES[place - 1] for place in places)


def letter_at(state: State, rack: int, place: Place) -> str | None:
    """Return the letter on a place; None if the box does not know the letter."""
    letter = state.racks[rack].word[place - 1]
    return None if letter == "?" else letter


def fact_about_word(state: State, cue: str, facts: dict[str, Any], clause: str) -> Cue:
    """Return a fact about a word. The fact reveals a secret if the game has secret words."""
    return Cue(cue, facts, clause, reveals=state.table.secret)


def open_rack(state: State, rack: int) -> tuple[State, tuple[Place, ...]]:
    """Return the state with all flaps of a rack up, and the places that were covered before."""
    word, places = state.racks[rack]
    return replace(state, racks=replace_at(state.racks, rack, Rack(word))), places
