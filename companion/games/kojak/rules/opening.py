"""Before the first turn (KO-3): the table, two shuffles, and who begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.catalog.shared import high_roll
from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.games.kojak.rules.board import (
    COLOURS,
    MISSIONS,
    TO_MISSION,
    TRAPS,
    Colour,
    Seat,
    Table,
    deck,
    table_of,
)
from companion.games.kojak.rules.state import (
    Result,
    State,
    Step,
    begin_move,
    car,
    cars,
    name,
    no_traps,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import Edition


def setup(players: tuple[str, ...], options: Mapping[str, str], edition: Edition) -> State:
    """The table before anybody has moved (KO-3); `edition` as in edition.toml."""
    table = table_of(players, options, edition)
    return State(
        table=table,
        step="car" if table.picking else _first(table),
        missions=(None,) * MISSIONS,
        traps=(None,) * TRAPS,
        held=(None,) * len(players),
        stages=(TO_MISSION,) * len(players),
        rollers=tuple(table.seats),
    )


def opening_facts(state: State) -> Cues:
    """KO-3: whose cars are which is told first, unless somebody is still to pick."""
    return () if state.step == "car" else (_cars(state),)


def _cars(state: State) -> Cue:
    return Cue("cars", {"cars": cars(state, state.table.seats)}, "KO-3")


def free_cars(state: State) -> tuple[Colour, ...]:
    """KO-3: the colours that nobody has picked, first the one that falls to the seat."""
    picked, own = state.table.cars[: state.turn], car(state, state.turn)
    return (own, *(colour for colour in COLOURS if colour not in (*picked, own)))


def on_car(state: State, colour: Colour) -> Result:
    """KO-3: a player picks the cars of a colour; the last of four is nobody's choice."""
    drives = Cue("drives", {"who": name(state, state.turn), "car": colour}, "KO-3")
    state = replace(state, table=state.table.driving(state.turn, colour), turn=state.turn + 1)
    if state.turn < len(state.held) and len(free_cars(state)) > 1:
        return state, (drives,)
    return replace(state, step=_first(state.table), turn=0), (drives, _cars(state))


def _first(table: Table) -> Step:
    """What comes first once all have their cars: own cards were shuffled by people."""
    return _opening(table) if table.own else "shuffle_missions"


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
    """KO-13: nobody has a mission, and the box says what that means."""
    seats = state.table.seats
    begins = Cue("begins", {"who": name(state, seat), "car": car(state, seat)}, "KO-3")
    state = replace(state, rollers=(), turn=seat, step=begin_move(state))
    return state, (*cues, begins, no_traps(state, seats))
