"""One moment of a game of Probe, and the small changes that everything else is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from companion.core.fold import replace
from companion.core.game import Cue
from companion.games.probe.rules.board import (
    DOT,
    LEFT,
    RIGHT,
    VALUES,
    Card,
    Place,
    Rack,
    Seat,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

Item = tuple[Seat, int, str, str]
"""What was booked: who, points, why, and the clause behind it (PR-6)."""
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
"""What comes next: a question, or the end."""
PUT_RIGHT: Final = frozenset({CORRECTION, MISSPELT})
"""Why points are booked that belong to no turn."""
Because: TypeAlias = Literal["hit", "forced", "own_dot", ""]
"""Why a place must be uncovered: it was guessed; a card says so (PR-9), or says a dot (PR-8)."""


@dataclass(frozen=True)
class State:
    """One moment of a game.

    `filling` is the rack whose word comes next; `pile` the activity cards in order, `left` how many
    of each kind your own deck still has; `times` the multiplier of the next question; `whom` and
    `letter` what is being asked; `within` the racks in which a place must be uncovered, and
    `because` of what; `gained` the points of the player to act in this turn; `last` the turns
    left in the last rounds (PR-13), and `counts` whether the running one is among them; `asked` the
    letters asked of each seat (PR-4, if they are remembered), `out` those who have left (PR-18).
    """

    table: Table
    step: Step
    racks: tuple[Rack, ...]
    scores: tuple[int, ...]
    filling: int = 0
    items: tuple[Item, ...] = ()
    pile: tuple[Card, ...] = ()
    left: tuple[int, ...] = ()
    turn: Seat = 0
    card: Card | None = None
    times: int = 1
    whom: Seat | None = None
    letter: str | None = None
    within: tuple[int, ...] = ()
    because: Because = ""
    gained: int = 0
    last: int | None = None
    counts: bool = True
    asked: tuple[str, ...] = ()
    misspelled: tuple[int, ...] = ()
    out: tuple[Seat, ...] = ()


def name(state: State, seat: Seat) -> str:
    """A player's name."""
    return state.table.players[seat]


def present_seats(state: State) -> tuple[Seat, ...]:
    """The seats of those who are in the game, clockwise."""
    return tuple(seat for seat in range(len(state.scores)) if seat not in state.out)


def left_of(state: State, seat: Seat) -> Seat:
    """The seat to the left, clockwise, of whoever is in the game."""
    seat = (seat + 1) % len(state.scores)
    return left_of(state, seat) if seat in state.out else seat


def neighbour(state: State, seat: Seat, kind: str) -> int:
    """The rack that a card of kind LEFT or RIGHT means; with two each, PR-16, the opponent's."""
    held, n = state.table.held, len(state.scores)
    if len(held[seat]) > 1:
        return held[1 - seat][kind == RIGHT]
    if kind == LEFT:
        return left_of(state, seat)
    return next(other for i in range(1, n) if (other := (seat - i) % n) not in state.out)


def put(values: tuple[Any, ...], i: int, value: Any) -> tuple[Any, ...]:
    """`values` with another one at `i`."""
    return (*values[:i], value, *values[i + 1 :])


def book(state: State, seat: Seat, points: int, why: str, clause: str) -> tuple[State, Cue]:
    """PR-6: every gain and loss at once, with where it comes from.

    What is put right is not gained in the turn.
    """
    total = state.scores[seat] + points
    own = seat == state.turn and why not in PUT_RIGHT
    gained = state.gained + points if own else state.gained
    state = replace(
        state,
        scores=put(state.scores, seat, total),
        items=(*state.items, (seat, points, why, clause)),
        gained=gained,
    )
    facts = {"who": name(state, seat), "points": points, "total": total, "why": why}
    return state, Cue("scored", facts, clause)


def count_covered(state: State, seat: Seat) -> int:
    """How many places of a player's racks are still covered."""
    return sum(len(state.racks[rack].covered) for rack in state.table.held[seat])


def guarded_players(state: State) -> tuple[Seat, ...]:
    """The players who still have covered places, in seat order."""
    return tuple([seat for seat in range(len(state.scores)) if _is_guarded(state, seat)])


def _is_guarded(state: State, seat: Seat) -> bool:
    """Whether a player still has a covered place."""
    for rack in state.table.held[seat]:  # noqa: SIM110 - `any` costs thrice that, in each turn
        if state.racks[rack].covered:
            return True
    return False


def hides(state: State, seat: Seat, letter: str) -> bool:
    """Whether a letter is covered on one of a player's racks."""
    for rack in state.table.held[seat]:
        word, places = state.racks[rack]
        if letter in word and letter in [word[place - 1] for place in places]:
            return True
    return False


def spots(state: State) -> tuple[tuple[int, Place], ...]:
    """The racks and places of which one must be uncovered now; all that the box knows of."""
    racks = state.racks
    there = [(rack, place) for rack in state.within for place in racks[rack].covered]
    if state.table.secret and state.because != "forced":
        wanted = DOT if state.because == "own_dot" else state.letter
        there = [(rack, place) for rack, place in there if racks[rack].word[place - 1] == wanted]
    return tuple(there)


def is_vain(state: State) -> bool:
    """Whether there is nothing to uncover; of an own dot only what all see: that all is open."""
    if state.because != "own_dot":
        return not spots(state)
    return not any(state.racks[rack].covered for rack in state.within)


def askable(state: State) -> tuple[str, ...]:
    """The opponents with covered places, to the left first (PR-4)."""
    players = state.table.players
    to_the_left = (*range(state.turn + 1, len(players)), *range(state.turn))
    return tuple([players[seat] for seat in to_the_left if _is_guarded(state, seat)])


def word_of(state: State, rack: int) -> str | None:
    """A rack's word with its dots; None if the box does not know it whole."""
    word = state.racks[rack].word
    return None if "?" in word else word


def total_value(places: Sequence[Place]) -> int:
    """What places are worth together (PR-2)."""
    return sum(VALUES[place - 1] for place in places)


def letter_at(state: State, rack: int, place: Place) -> str | None:
    """What stands on a place, as far as the box knows."""
    letter = state.racks[rack].word[place - 1]
    return None if letter == "?" else letter


def fact(state: State, cue: str, facts: dict[str, Any], clause: str) -> Cue:
    """A fact that, with secret words, turns something over for all."""
    return Cue(cue, facts, clause, reveals=state.table.secret)


def open_rack(state: State, rack: int) -> tuple[State, tuple[Place, ...]]:
    """A rack with all flaps up, and the places that were covered."""
    word, places = state.racks[rack]
    return replace(state, racks=put(state.racks, rack, Rack(word))), places
