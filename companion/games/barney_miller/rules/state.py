"""One moment of a game of Barney Miller, and what can be read off it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from companion.core.fold import replace
from companion.games.barney_miller.rules.board import (
    COUNTS,
    INSUFFICIENT,
    UNKNOWN,
    Hand,
    Poster,
    Seat,
    Space,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.game import Said

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
"""What comes next: a question, or the end."""


@dataclass(frozen=True)
class State:
    """One moment of a game.

    A round is played with the hands; `seconds` are the second hands, which are still to be picked
    up, and `aside` is what was not dealt. `unseen` counts the cards of each value that nobody has
    played since all were shuffled; below 0 if more own cards were told than there are. `played` are
    those of the round, with who played them. The pawn stands on `space`; `captured` are the
    suspects' ids, and `reserve` the chips without one, by seat. `said` is what was said in this
    game of the board (BM-14). `stopped` are the steps that wait while a corrected board is asked
    about, the outermost first (BM-13). `out` are those who have left the game (BM-15).
    """

    table: Table
    step: Step
    hands: tuple[Hand, ...]
    seconds: tuple[Hand, ...]
    aside: Hand
    unseen: tuple[int, ...] = COUNTS
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
    said: tuple[Said, ...] = ()
    stopped: tuple[Step, ...] = ()
    out: tuple[Seat, ...] = ()


def seats(state: State) -> Sequence[Seat]:
    """The seats of those who are in the game, clockwise (BM-15)."""
    every = range(len(state.table.players))
    return tuple(seat for seat in every if seat not in state.out) if state.out else every


def present(state: State) -> tuple[str, ...]:
    """The names of those who are in the game, clockwise (BM-15)."""
    names = state.table.players
    return tuple(names[seat] for seat in seats(state)) if state.out else names


def left_of(state: State, seat: Seat) -> Seat:
    """The next seat to the left of whoever is in the game (BM-15)."""
    seat = state.table.left_of(seat)
    return left_of(state, seat) if seat in state.out else seat


def step_of_play(state: State) -> Step:
    """Return the step at which the game goes on after questions about a corrected board (BM-13)."""
    return state.stopped[0] if state.stopped else state.step


def name(state: State, seat: Seat | None) -> str:
    """The player on a seat that is taken."""
    assert seat is not None
    return state.table.players[seat]


def put(values: tuple[Any, ...], seat: Seat, value: Any) -> tuple[Any, ...]:
    """`values` with another one for a seat."""
    return (*values[:seat], value, *values[seat + 1 :])


def uncaptured_suspects(state: State, seat: Seat, gang: str | None = None) -> tuple[str, ...]:
    """The seat's uncaptured suspects, of one gang or of all."""
    captured = state.captured[seat]
    return tuple(
        suspect.id
        for suspect in state.table.desks[seat].suspects
        if suspect.id not in captured and gang in (None, suspect.gang)
    )


def keeping_chips(state: State, before: tuple[Poster, ...]) -> State:
    """The same chips on posters other than `before`: each on a suspect of its gang if one is free.

    BM-13: chips lie on the table, so that none is lost; the others go to the first who are free.
    """
    captured = tuple(
        _on_poster(old, state.table.desks[seat], state.captured[seat])
        for seat, old in enumerate(before)
    )
    return replace(state, captured=captured)


def _on_poster(old: Poster, new: Poster, captured: tuple[str, ...]) -> tuple[str, ...]:
    """Where the chips of one poster lie on another; on the same one each stays in its place."""
    if old.detective == new.detective:
        places = {suspect.id: n for n, suspect in enumerate(old.suspects)}
        return tuple(new.suspects[places[ident]].id for ident in captured)
    gangs, found = {suspect.id: suspect.gang for suspect in old.suspects}, list[str]()
    for alike in (True, False):
        for ident in captured[len(found) :] if not alike else captured:
            free = [s for s in new.suspects if s.id not in found]
            wanted = [s for s in free if not alike or s.gang == gangs[ident]]
            found += [s.id for s in wanted[:1]]
    return tuple(found[: len(captured)])


def suspect_without_gang(state: State) -> tuple[Seat, int] | None:
    """BM-14: the first suspect, from 0, of unknown gang on which the pawn's space depends.

    Of a gang's space: those who are free, of all players until the round begins, then the winner's.
    """
    asked = (state.turn,) if state.played else seats(state)
    frees = state.space is not None and state.space.kind == INSUFFICIENT
    for seat in asked:
        captured = state.captured[seat]
        for n, suspect in enumerate(state.table.desks[seat].suspects):
            if suspect.gang == UNKNOWN and (suspect.id in captured) == frees:
                return seat, n
    return None
