"""The state of a game of Kojak, and functions that read values from a state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from companion.core.game import Cue, Cues, EnteredBoardValue
from companion.games.kojak.rules.board import (
    COLOURS,
    HUNTING_STAGE,
    Colour,
    Pile,
    Seat,
    Stage,
    TableSetup,
)

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
"""Name of the game's current question, or "over" after the end of the game."""


@dataclass(frozen=True)
class State:
    """State of a game of Kojak.

    - `step`: name of the current question.
    - `missions`, `traps`: the piles of mission cards and trap cards.
    - `held`: for each seat, the colour of its mission card, or None.
    - `stages`: for each seat, the stage of its detective.
    - `closed`: for each case file in the order of COLOURS, the seat that closed the case file, or
      None.
    - `circle`: for each case file in the order of COLOURS, the field of its criminal, or None after
      the arrest.
    - `rollers`, `rolls`: before the first turn, the seats that roll to decide who begins, and their
      rolls.
    - `turn`: the active player's seat.
    - `rolled`: the active player's roll in this turn; None before the roll, or if the option `die`
      is "none".
    - `sixes`: the seats of the players who have seen the reminder about a 6 (KO-5).
    - `missing`: the seats that lose their next turn.
    - `named`: the colour on a real trap card while the game asks for the card's order, else None.
    - `race`: the seats of the tied players in turn order, or () outside the race (KO-18).
    - `champion`: the winner's seat after the end of the game, else None.
    - `out`: the seats of players who have left the game (KO-23).
    - `unsure`: a case file's colour and a field's number while the game asks whether the field is
      red, else None.
    - `said`: the values (red or not red) that players have entered for fields (KO-22).
    """

    table: TableSetup
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
    said: tuple[EnteredBoardValue, ...] = ()
    out: tuple[Seat, ...] = ()


Result: TypeAlias = tuple[State, Cues]
"""A pair of the state after an answer and the events that the answer caused."""


def player_name(state: State, seat: Seat) -> str:
    """Return the name of the player on a seat."""
    return state.table.players[seat]


def car_colour(state: State, seat: Seat) -> Colour:
    """Return the colour of a seat's cars, which is also the colour of the seat's warrant."""
    return state.table.cars[seat]


def car_colour_by_player(state: State, seats: Iterable[Seat]) -> dict[str, Colour]:
    """Return a table from the name of each player on `seats` to the colour of the player's cars."""
    return {player_name(state, seat): car_colour(state, seat) for seat in seats}


def player_names(state: State, seats: Iterable[Seat]) -> list[str]:
    """Return the names of the players on `seats`, in the order of `seats`."""
    return [state.table.players[seat] for seat in seats]


def seat_of_player(state: State, who: str) -> Seat:
    """Return the seat of the player `who`."""
    return state.table.players.index(who)


def seats_of_remaining_players(state: State) -> list[Seat]:
    """Return the seats of the players who have not left, in ascending order."""
    return [seat for seat in state.table.all_seats if seat not in state.out]


def replace_tuple_item(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """Return a copy of a tuple in which the item at the index `place` is replaced."""
    return (*values[:place], value, *values[place + 1 :])


def seats_clockwise_after_seat(state: State, seat: Seat) -> list[Seat]:
    """Return the seats of all players who have not left, clockwise, with `seat` itself last."""
    n = len(state.held)
    return [other for i in range(n) if (other := (seat + 1 + i) % n) not in state.out]


def seat_that_closed_case_file(state: State, colour: Colour) -> Seat | None:
    """Return the seat that closed a case file (KO-16), or None if the case file is open."""
    return state.closed[COLOURS.index(colour)]


def seats_holding_mission_card(state: State, colour: Colour) -> list[Seat]:
    """Return the seats that hold a mission card of `colour`, clockwise, active player last."""
    return [
        seat for seat in seats_clockwise_after_seat(state, state.turn) if state.held[seat] == colour
    ]


def seats_with_posted_warrant(state: State, colour: Colour) -> list[Seat]:
    """Return the seats that have posted a warrant for a case file (KO-11)."""
    return [
        seat
        for seat in seats_holding_mission_card(state, colour)
        if state.stages[seat] == HUNTING_STAGE
    ]


def is_criminal_on_red(state: State, colour: Colour) -> bool:
    """Return True if the criminal of a case file stands on a red field (KO-4)."""
    i = COLOURS.index(colour)
    return state.circle[i] in state.table.reds[i]


def seats_that_may_arrest(state: State, colour: Colour) -> list[Seat]:
    """Return, in ascending order, the seats that may now arrest a case file's criminal (KO-15)."""
    return (
        sorted(seats_with_posted_warrant(state, colour))
        if is_criminal_on_red(state, colour)
        else []
    )


def count_arrests_by_seat(state: State) -> list[int]:
    """Return the number of case files that each seat has closed (KO-18)."""
    return [state.closed.count(seat) for seat in state.table.all_seats]


def can_keep_mission_card(state: State, colour: Colour) -> bool:
    """Return True if a player who draws a mission card of this colour may keep the card (KO-8).

    The case file must be open. Either no detective has the case file, or a detective has posted a
    warrant for the case file.
    """
    if seat_that_closed_case_file(state, colour) is not None:
        return False
    return not seats_holding_mission_card(state, colour) or bool(
        seats_with_posted_warrant(state, colour)
    )


def mission_colours_in_pile(state: State) -> list[Colour]:
    """Return the colours with at least one mission card in the pile (KO-9)."""
    return [c for c, count in state.table.missions if count > state.held.count(c)]


def first_step_of_turn(state: State) -> Step:
    """Return the first question of a turn: the roll.

    If the option `die` is "none", return the question for the reached space, or in a race the
    question which player has both cars home.
    """
    if state.table.die == "none":
        return "parked_first" if state.race else "happened"
    return "roll"


def traps_without_effect_fact(state: State, seats: Iterable[Seat]) -> Cue:
    """Return the event which announces that trap spaces have no effect on some players (KO-13).

    `seats`: the seats of these players, who have no mission.
    """
    return Cue("no_traps", {"players": player_names(state, seats)}, "KO-13")
