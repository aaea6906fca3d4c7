"""One moment of a game of Kojak, and what can be read off it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from companion.core.game import Cue, Cues, Said
from companion.games.kojak.rules.board import COLOURS, HUNTING, Colour, Pile, Seat, Stage, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

Step: TypeAlias = Literal[
    "car",
    "shuffle_missions",
    "shuffle_traps",
    "first",
    "high_roll",
    "roll",
    "happened",
    "card",
    "criminal",
    "order",
    "field",
    "parked_first",
    "over",
]
"""What comes next: a question, or the end."""


@dataclass(frozen=True)
class State:
    """One moment of a game.

    `missions` and `traps` are the piles. `held` (the mission card) and `stages` go by seat;
    `closed` (who closed the file) and `circle` (the criminal's field) by file, as COLOURS does.
    `rolled` is this turn's roll; `missing` are the seats that lose their next turn; `named` is whom
    a card of your own names, a colour or all, while its order is asked; `race` are the tied seats,
    in the order of their turns (KO-18), `out` those who have left (KO-23). `unsure` is the file and
    the field that is asked about, and `said` what was said in this game of the circles (KO-22).
    """

    table: Table
    step: Step
    missions: Pile
    traps: Pile
    held: tuple[Colour | None, ...]
    stages: tuple[Stage, ...]
    closed: tuple[Seat | None, ...] = (None,) * len(COLOURS)
    circle: tuple[int | None, ...] = (0,) * len(COLOURS)
    rollers: tuple[Seat, ...] = ()
    rolls: tuple[int, ...] = ()
    turn: Seat = 0
    rolled: int | None = None
    sixes: tuple[Seat, ...] = ()
    missing: tuple[Seat, ...] = ()
    named: Colour | None = None
    race: tuple[Seat, ...] = ()
    champion: Seat | None = None
    unsure: tuple[Colour, int] | None = None
    said: tuple[Said, ...] = ()
    out: tuple[Seat, ...] = ()


Result: TypeAlias = tuple[State, Cues]
"""What an answer makes of a moment: the next one, and what happened."""


def name(state: State, seat: Seat) -> str:
    """The player on a seat."""
    return state.table.players[seat]


def car(state: State, seat: Seat) -> Colour:
    """The colour of a seat's cars, and of the warrant."""
    return state.table.cars[seat]


def cars(state: State, seats: Iterable[Seat]) -> dict[str, Colour]:
    """The colours of some players' cars, by name."""
    return {name(state, seat): car(state, seat) for seat in seats}


def names(state: State, seats: Iterable[Seat]) -> list[str]:
    """The players on some seats, in that order."""
    return [state.table.players[seat] for seat in seats]


def put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """A tuple with another value in one place."""
    return (*values[:place], value, *values[place + 1 :])


def clockwise(state: State, seat: Seat) -> list[Seat]:
    """The seats in the game, from the one to the left of `seat` round to it."""
    n = len(state.held)
    return [other for i in range(n) if (other := (seat + 1 + i) % n) not in state.out]


def closer_of(state: State, colour: Colour) -> Seat | None:
    """Who closed a file; None while it is open (KO-16)."""
    return state.closed[COLOURS.index(colour)]


def detectives(state: State, colour: Colour) -> list[Seat]:
    """Who has a file, clockwise from the left of whoever's turn it is, who comes last."""
    return [seat for seat in clockwise(state, state.turn) if state.held[seat] == colour]


def hunters(state: State, colour: Colour) -> list[Seat]:
    """Who has posted a warrant for a file (KO-11)."""
    return [seat for seat in detectives(state, colour) if state.stages[seat] == HUNTING]


def on_red(state: State, colour: Colour) -> bool:
    """Whether a file's criminal stands on red (KO-4)."""
    i = COLOURS.index(colour)
    return state.circle[i] in state.table.reds[i]


def may_arrest(state: State, colour: Colour) -> list[Seat]:
    """Whoever would arrest by reaching the entrance now (KO-15), in seat order."""
    return sorted(hunters(state, colour)) if on_red(state, colour) else []


def arrests(state: State) -> list[int]:
    """How many files each seat has closed (KO-18)."""
    return [state.closed.count(seat) for seat in state.table.seats]


def keepable(state: State, colour: Colour) -> bool:
    """KO-8: an open file that nobody has, or for which somebody has posted a warrant."""
    if closer_of(state, colour) is not None:
        return False
    return not detectives(state, colour) or bool(hunters(state, colour))


def missions_in_pile(state: State) -> list[Colour]:
    """The colours of which a mission card lies in the pile; the others are all held (KO-9)."""
    return [c for c, count in state.table.missions if count > state.held.count(c)]


def begin_move(state: State) -> Step:
    """A turn begins with the roll, or, if no die is told to the box, with what came of it."""
    if state.table.die == "none":
        return "parked_first" if state.race else "happened"
    return "roll"


def no_traps(state: State, seats: Iterable[Seat]) -> Cue:
    """KO-13: nobody of them has a mission, so trap spaces count for nothing."""
    return Cue("no_traps", {"players": names(state, seats)}, "KO-13")
