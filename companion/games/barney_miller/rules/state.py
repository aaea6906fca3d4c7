"""The state of a game of Barney Miller, and functions that read values from a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from companion.core.fold import replace
from companion.core.game import EnteredBoardValue
from companion.games.barney_miller.rules.board import (
    CARD_COUNTS,
    INSUFFICIENT_EVIDENCE,
    UNKNOWN_SPACE_OR_GANG,
    Hand,
    Seat,
    TableSetup,
    TrackSpace,
    WantedPoster,
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
"""Name of the game's current question, or "over" after the end of the game."""


@dataclass(frozen=True)
class State:
    """State of a game of Barney Miller.

    - `step`: name of the current question.
    - `hands`: for each seat, its hand.
    - `seconds`: for each seat, its second hand, until the player picks up this hand.
    - `captured`: for each seat, the ids of the suspects whom its player has captured.
    - `reserve`: for each seat, its number of reserve chips.
    - `aside`: the cards that were set aside.
    - `unseen`: for each value, the number of cards that have not been played since the last shuffle
      of all 56 cards. The number is negative if players entered more cards than exist.
    - `played`: the seat and the value of each card that was played in this round.
    - `rollers`, `rolls`: before the first round, the seats that roll to decide who begins, and
      their rolls.
    - `roller`: the seat that rolls in this round, or None before the first round.
    - `pawn`: the index of the pawn's space, or None on an unknown track.
    - `turn`: the active player's seat.
    - `champion`: the winner's seat after the end of the game, else None.
    - `space`: the kind and the gang of the pawn's space, or None if the space is unknown.
    - `said`: the parts of the board that players have entered (BM-14).
    - `stopped`: names of the questions that a correction interrupted, while the box asks for a part
      of the board (BM-13). The first interrupted question comes first.
    - `out`: the seats of players who have left the game (BM-15).
    """

    table: TableSetup
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
    space: TrackSpace | None = None
    turn: Seat = 0
    total: int = 0
    played: tuple[tuple[Seat, int], ...] = ()
    captured: tuple[tuple[str, ...], ...] = ()
    reserve: tuple[int, ...] = ()
    champion: Seat | None = None
    said: tuple[EnteredBoardValue, ...] = ()
    stopped: tuple[Step, ...] = ()
    out: tuple[Seat, ...] = ()


def seats_of_remaining_players(state: State) -> Sequence[Seat]:
    """Return the seats of the players who have not left the game, clockwise (BM-15)."""
    every = range(len(state.table.players))
    return tuple(seat for seat in every if seat not in state.out) if state.out else every


def remaining_players(state: State) -> tuple[str, ...]:
    """Return the names of the players who have not left the game, clockwise (BM-15)."""
    names = state.table.players
    return tuple(names[seat] for seat in seats_of_remaining_players(state)) if state.out else names


def next_remaining_seat(state: State, seat: Seat) -> Seat:
    """Return the next seat clockwise whose player has not left the game (BM-15)."""
    seat = state.table.next_seat_clockwise(seat)
    return next_remaining_seat(state, seat) if seat in state.out else seat


def interrupted_or_current_step(state: State) -> Step:
    """Return the question that a correction interrupted first (BM-13), or the current question."""
    return state.stopped[0] if state.stopped else state.step


def player_name(state: State, seat: Seat | None) -> str:
    """Return the name of the player on a seat; `seat` must not be None."""
    assert seat is not None
    return state.table.players[seat]


def seat_of_player(state: State, who: str) -> Seat:
    """Return the seat of the player `who`."""
    return state.table.players.index(who)


def replace_tuple_item(values: tuple[Any, ...], seat: Seat, value: Any) -> tuple[Any, ...]:
    """Return a copy of a tuple in which the item at the index `seat` is replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def uncaptured_suspects(state: State, seat: Seat, gang: str | None = None) -> tuple[str, ...]:
    """Return the ids of the suspects on a seat's poster who are not captured.

    `gang`: the gang whose suspects are returned, or None for suspects of all gangs.
    """
    captured = state.captured[seat]
    return tuple(
        suspect.id
        for suspect in state.table.desks[seat].suspects
        if suspect.id not in captured and gang in (None, suspect.gang)
    )


def move_chips_to_new_posters(state: State, before: tuple[WantedPoster, ...]) -> State:
    """Move each player's chips from the old posters `before` to the current posters (BM-13).

    A chip moves to a suspect of the same gang if possible, and otherwise to the first suspect
    without a chip. Every player keeps the same number of chips.
    """
    captured = tuple(
        _on_poster(old, state.table.desks[seat], state.captured[seat])
        for seat, old in enumerate(before)
    )
    return replace(state, captured=captured)


def _on_poster(old: WantedPoster, new: WantedPoster, captured: tuple[str, ...]) -> tuple[str, ...]:
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


def find_suspect_with_unknown_gang(state: State) -> tuple[Seat, int] | None:
    """Return the first suspect (seat, index) for whose gang the game must ask, or None (BM-14).

    On the space Insufficient Evidence, return only captured suspects. On other spaces, return only
    suspects who are not captured. Before the round, search the posters of all players. After the
    round, search only the poster of the round's winner.
    """
    asked = (state.turn,) if state.played else seats_of_remaining_players(state)
    frees = state.space is not None and state.space.kind == INSUFFICIENT_EVIDENCE
    for seat in asked:
        captured = state.captured[seat]
        for n, suspect in enumerate(state.table.desks[seat].suspects):
            if suspect.gang == UNKNOWN_SPACE_OR_GANG and (suspect.id in captured) == frees:
                return seat, n
    return None
