"""Before the first turn (KO-3): the table, two shuffles, and who begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.catalog.shared import high_roll
from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.games.kojak.board import MISSIONS, TO_MISSION, TRAPS, Seat, Table, deck, table_of
from companion.games.kojak.state import Result, State, Step, car, cars, name, no_traps, to_move

if TYPE_CHECKING:
    from collections.abc import Mapping


def setup(
    players: tuple[str, ...], options: Mapping[str, str], edition: Mapping[str, Any]
) -> State:
    """The table before anybody has moved (KO-3); `edition` as in edition.toml."""
    table = table_of(players, options, edition)
    return State(
        table=table,
        step=_opening(table) if table.own else "shuffle_missions",
        missions=(None,) * MISSIONS,
        traps=(None,) * TRAPS,
        held=(None,) * len(players),
        stages=(TO_MISSION,) * len(players),
        rollers=tuple(table.seats),
    )


def on_shuffle_missions(state: State, order: list[int]) -> Result:
    """KO-3: the mission cards are shuffled; `order` holds indices into the unshuffled deck."""
    cards = deck(state.table.missions)
    return replace(state, step="shuffle_traps", missions=tuple(cards[i] for i in order)), ()


def on_shuffle_traps(state: State, order: list[int]) -> Result:
    """KO-3: the trap cards likewise, apart from them."""
    cards = deck(state.table.traps)
    return replace(state, step=_opening(state.table), traps=tuple(cards[i] for i in order)), ()


def _opening(table: Table) -> Step:
    return "first" if table.die == "none" else "high_roll"


# --- Who begins (KO-3) ----------------------------------------------------------------------------


def on_first(state: State, who: str) -> Result:
    """KO-3 without a die in the box: the table says who begins."""
    return _begin(state, state.table.players.index(who), ())


def on_high_roll(state: State, n: int) -> Result:
    """KO-3: the highest begins; the highest, if tied, roll again among themselves."""
    rollers, rolls, cues = high_roll(state.table.players, state.rollers, state.rolls, n, "KO-3")
    state = replace(state, rollers=rollers, rolls=rolls)
    if not cues or len(rollers) > 1:
        return state, cues
    return _begin(state, rollers[0], cues)


def _begin(state: State, seat: Seat, cues: Cues) -> Result:
    """KO-3: all take their cars; KO-13: nobody has a mission, and the box says what that means."""
    seats = state.table.seats
    taken = Cue("cars", {"cars": cars(state, seats)}, "KO-3")
    begins = Cue("begins", {"who": name(state, seat), "car": car(state, seat)}, "KO-3")
    state = replace(state, rollers=(), turn=seat, step=to_move(state))
    return state, (*cues, taken, begins, no_traps(state, seats))
