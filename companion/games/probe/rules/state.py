"""The state of a game of Probe, and functions that read and change the state."""

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
    ActivityCard,
    Place,
    Rack,
    Seat,
    TableSetup,
)

Booking = tuple[Seat, int, str, str]
"""Points added to a total (PR-6): seat, number of points, reason, and the clause about the reason.
"""
CORRECTION, MISSPELLED = "correction", "misspelled"
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
"""Name of the game's current question, or "over" after the end of the game."""
REASONS_OUTSIDE_TURN: Final = frozenset({CORRECTION, MISSPELLED})
"""Reasons for points that are not part of the current turn's points."""
UncoverReason: TypeAlias = Literal["hit", "forced", "own_dot", ""]
"""Reason for uncovering a place.

- "hit": an opponent answered "yes" to a request for a letter or a dot (PR-7).
- "forced": an activity card forces an opponent to uncover a place (PR-9).
- "own_dot": the active player must uncover a dot of the player's own word (PR-8).
- "": no place must be uncovered.
"""


@dataclass(frozen=True)
class State:
    """State of a game of Probe.

    - `step`: name of the current question.
    - `scores`: the total of each seat.
    - `filling`: the index of the rack whose word the game asks for.
    - `items`: all points that were added to totals.
    - `pile`: the virtual activity cards that are not drawn yet, next card first.
    - `left`: for each different card of a real deck, how many copies are not drawn yet.
    - `turn`: the active player's seat.
    - `card`: the latest drawn card, or None.
    - `times`: the multiplier for the points of the next requested letter.
    - `whom`: the seat of the opponent whom the active player asks, or None.
    - `letter`: the letter that the active player requested, or None.
    - `within`: the indices of racks; a place on one of these racks must be uncovered.
    - `because`: the reason for uncovering a place, or "".
    - `gained`: the points of the active player in the current turn.
    - `last`: the number of turns left in the last rounds (PR-13), or None before the last rounds.
    - `counts` is True if the current turn is counted in the last rounds.
    - `asked`: for each seat, the letters that were requested from the seat, if the box lists
      requested letters (PR-4).
    - `misspelled`: the indices of the racks whose words were found to be misspelled (PR-11).
    - `out`: the seats of players who have left the game (PR-18).
    """

    table: TableSetup
    step: Step
    racks: tuple[Rack, ...]
    scores: tuple[int, ...]
    filling: int = 0
    items: tuple[Booking, ...] = ()
    pile: tuple[ActivityCard, ...] = ()
    left: tuple[int, ...] = ()
    turn: Seat = 0
    card: ActivityCard | None = None
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
    """Return the name of the player on a seat."""
    return state.table.players[seat]


def seats_of_remaining_players(state: State) -> tuple[Seat, ...]:
    """Return the seats of the players who have not left the game, clockwise."""
    return tuple(seat for seat in range(len(state.scores)) if seat not in state.out)


def next_remaining_seat(state: State, seat: Seat) -> Seat:
    """Return the next seat clockwise whose player has not left the game."""
    seat = (seat + 1) % len(state.scores)
    return next_remaining_seat(state, seat) if seat in state.out else seat


def rack_of_neighbour(state: State, seat: Seat, kind: str) -> int:
    """Return the index of the rack to the left or right of `seat` (PR-5).

    `kind`: the kind of the activity card, which names the left or the right. In a game of two
    players, return the opponent's left or right rack (PR-16).
    """
    held, n = state.table.held, len(state.scores)
    if len(held[seat]) > 1:
        return held[1 - seat][kind == RIGHT]
    if kind == LEFT:
        return next_remaining_seat(state, seat)
    return next(other for i in range(1, n) if (other := (seat - i) % n) not in state.out)


def replace_tuple_item(values: tuple[Any, ...], i: int, value: Any) -> tuple[Any, ...]:
    """Return a copy of a tuple in which the item at the index `i` is replaced."""
    return (*values[:i], value, *values[i + 1 :])


def add_points(state: State, seat: Seat, points: int, why: str, clause: str) -> tuple[State, Cue]:
    """Add points to a seat's total. Return the state, and the event that announces the points.

    `why`: the reason for the points (PR-6). Points of a correction are not part of the current
    turn's points.
    """
    total = state.scores[seat] + points
    is_own_turn = seat == state.turn and why not in REASONS_OUTSIDE_TURN
    gained = state.gained + points if is_own_turn else state.gained
    state = replace(
        state,
        scores=replace_tuple_item(state.scores, seat, total),
        items=(*state.items, (seat, points, why, clause)),
        gained=gained,
    )
    facts = {"who": player_name(state, seat), "points": points, "total": total, "why": why}
    return state, Cue("scored", facts, clause)


def count_covered_places(state: State, seat: Seat) -> int:
    """Return the number of covered places on all racks of a seat."""
    return sum(len(state.racks[rack].covered) for rack in state.table.held[seat])


def seats_with_covered_places(state: State) -> tuple[Seat, ...]:
    """Return the seats whose racks have covered places, in ascending order."""
    return tuple([seat for seat in range(len(state.scores)) if _is_guarded(state, seat)])


def _is_guarded(state: State, seat: Seat) -> bool:
    for rack in state.table.held[seat]:  # noqa: SIM110 - `any` takes three times as long, in each turn
        if state.racks[rack].covered:
            return True
    return False


def has_covered_letter(state: State, seat: Seat, letter: str) -> bool:
    """Return True if a covered place on a rack of `seat` has `letter`."""
    for rack in state.table.held[seat]:
        word, places = state.racks[rack]
        if letter in word and letter in [word[place - 1] for place in places]:
            return True
    return False


def candidate_places_to_uncover(state: State) -> tuple[tuple[int, Place], ...]:
    """Return (rack, place) for each place that the current question allows a player to uncover.

    In a game with real racks, the box does not know the letters, so all covered places are
    possible.
    """
    racks = state.racks
    there = [(rack, place) for rack in state.within for place in racks[rack].covered]
    if state.table.secret and state.because != "forced":
        wanted = DOT if state.because == "own_dot" else state.letter
        there = [(rack, place) for rack, place in there if racks[rack].word[place - 1] == wanted]
    return tuple(there)


def has_no_place_to_uncover(state: State) -> bool:
    """Return True if no place can be uncovered now.

    If the active player must uncover a dot of the player's own word, return True only if the player
    has no covered place. The result must not reveal whether the word has a dot.
    """
    if state.because != "own_dot":
        return not candidate_places_to_uncover(state)
    return not any(state.racks[rack].covered for rack in state.within)


def askable_opponents(state: State) -> tuple[str, ...]:
    """Return the names of the opponents with covered places, clockwise from the active player."""
    players = state.table.players
    to_the_left = (*range(state.turn + 1, len(players)), *range(state.turn))
    return tuple([players[seat] for seat in to_the_left if _is_guarded(state, seat)])


def word_on_rack(state: State, rack: int) -> str | None:
    """Return the word on a rack with its dots, or None if the box does not know all its letters."""
    word = state.racks[rack].word
    return None if "?" in word else word


def total_place_value(places: Sequence[Place]) -> int:
    """Return the sum of the values of the places in `places` (PR-2)."""
    return sum(PLACE_VALUES[place - 1] for place in places)


def letter_on_rack(state: State, rack: int, place: Place) -> str | None:
    """Return the letter on a place of a rack, or None if the box does not know the letter."""
    letter = state.racks[rack].word[place - 1]
    return None if letter == "?" else letter


def fact_that_may_reveal_word(state: State, cue: str, facts: dict[str, Any], clause: str) -> Cue:
    """Return the event with the name `cue`.

    In a game with secret words, mark the event as revealing part of a word.
    """
    return Cue(cue, facts, clause, reveals=state.table.secret)


def uncover_rack(state: State, rack: int) -> tuple[State, tuple[Place, ...]]:
    """Turn up all flaps of a rack, and return the state and the places that were covered before."""
    word, places = state.racks[rack]
    return replace(state, racks=replace_tuple_item(state.racks, rack, Rack(word))), places
