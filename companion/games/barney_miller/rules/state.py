"""The state of a game of Barney Miller, and functions that read the state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from companion.core.fold import replace
from companion.core.game import EnteredValue
from companion.games.barney_miller.rules.board import (
    CARD_COUNTS,
    INSUFFICIENT_EVIDENCE,
    UNKNOWN,
    Hand,
    Poster,
    Seat,
    Space,
    Table,
)

Step: TypeAlias = Literal[
    "detective",
    "suspect",
    "shuffle",
    "high_roll",
    "roll",
    "space",
    "play_card",
    "zero",
    "commit_suspect",
    "free_suspect",
    "over",
]
"""The name of the question that the game asks next, or "over"."""


@dataclass(frozen=True)
class State:
    """A state of Barney Miller.

    - `hands`: the hand of each seat.
    - `seconds`: the second hand of each seat, before the player picks up this hand.
    - `captured`: the ids of each seat's captured suspects.
    - `reserve`: the number of each seat's chips without a suspect.
    - `aside`: the cards that were not dealt.
    - `unseen`: by value, the number of cards not played since the last shuffle. The number is
      negative if players entered more cards than exist.
    - `played`: the seat and the card of each play in this round.
    - `space`: the space of the pawn.
    - `said`: the board values that players entered (BM-14).
    - `stopped`: the steps that wait for questions about a corrected board, outermost first (BM-13).
    - `out`: the seats of players who left (BM-15).
    """

    table: Table
    step: Step
    hands: tuple[Hand, ...]
    seconds: tuple[Hand, ...]
    aside: Hand
    unseen: tuple[int, ...] = CARD_COUNTS
    deals: int = 0
    rollers: tuple[Seat, ...] = ()
    rolls: tuple[int, ...] = ()
    roller: Seat | None = None
    round: int = 1
    pawn: int | None = None
    space: Space | None = None
    turn: Seat = 0
    total: int = 0
    played: tuple[tuple[Seat, int], ...] = ()
    captured: tuple[tuple[str, ...], ...] = ()
    reserve: tuple[int, ...] = ()
    champion: Seat | None = None
    said: tuple[EnteredValue, ...] = ()
    stopped: tuple[Step, ...] = ()
    out: tuple[Seat, ...] = ()


def present_seats(state: State) -> Sequence[Seat]:
    """Return the seats of the players who have not left, clockwise (BM-15)."""
    every = range(len(state.table.players))
    return tuple(seat for seat in every if seat not in state.out) if state.out else every


def present_players(state: State) -> tuple[str, ...]:
    """Return the names of the players who have not left, clockwise (BM-15)."""
    names = state.table.players
    return tuple(names[seat] for seat in present_seats(state)) if state.out else names


def left_of(state: State, seat: Seat) -> Seat:
    """Return the next seat clockwise whose player has not left (BM-15)."""
    seat = state.table.left_of(seat)
    return left_of(state, seat) if seat in state.out else seat


def step_of_play(state: State) -> Step:
    """Return the step that follows the questions about a corrected board (BM-13)."""
    return state.stopped[0] if state.stopped else state.step


def player_name(state: State, seat: Seat | None) -> str:
    """Return the player's name on a seat, which must not be None."""
    assert seat is not None
    return state.table.players[seat]


def replace_at(values: tuple[Any, ...], seat: Seat, value: Any) -> tuple[Any, ...]:
    """Return a copy of a tuple with another value at index `seat`."""
    return (*values[:seat], value, *values[seat + 1 :])


def uncaptured_suspects(state: State, seat: Seat, gang: str | None = None) -> tuple[str, ...]:
    """Return the ids of a seat's suspects that are not captured, of one gang or of all."""
    captured = state.captured[seat]
    return tuple(
        suspect.id
        for suspect in state.table.desks[seat].suspects
        if suspect.id not in captured and gang in (None, suspect.gang)
    )


def move_chips(state: State, before: tuple[Poster, ...]) -> State:
    """Return the state with the chips moved from the posters `before` to the present ones (BM-13).

    Each chip goes to a free suspect of its gang; the others go to the first free suspects. No chip
    is lost.
    """
    captured = tuple(
        _on_poster(old, state.table.desks[seat], state.captured[seat])
        for seat, old in enumerate(before)
    )
    return replace(state, captured=captured)


def _on_poster(old: Poster, new: Poster, captured: tuple[str, ...]) -> tuple[str, ...]:
    """Return the captured suspects on a new poster; on the same poster they keep their places."""
    if old.detective == new.detective:
        places = {suspect.id: n for n, suspect in enumerate(old.suspects)}
        return tuple(new.suspects[places[ident]].id for ident in captured)
    gangs, suspects = {suspect.id: suspect.gang for suspect in old.suspects}, list[str]()
    for alike in (True, False):
        for ident in captured[len(suspects) :] if not alike else captured:
            free = [s for s in new.suspects if s.id not in suspects]
            wanted = [s for s in free if not alike or s.gang == gangs[ident]]
            suspects += [s.id for s in wanted[:1]]
    return tuple(suspects[: len(captured)])


def suspect_without_gang(state: State) -> tuple[Seat, int] | None:
    """Return the first suspect (seat, index) whose gang is unknown and needed now, or None (BM-14).

    On a gang's space these are free suspects: of all players before the round, of the winner after
    it.
    """
    asked = (state.turn,) if state.played else present_seats(state)
    frees = state.space is not None and state.space.kind == INSUFFICIENT_EVIDENCE
    for seat in asked:
        captured = state.captured[seat]
        for n, suspect in enumerate(state.table.desks[seat].suspects):
            if suspect.gang == UNKNOWN and (suspect.id in captured) == frees:
                return seat, n
    return None
