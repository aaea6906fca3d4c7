"""The opening of a game of Kojak (KO-3): choice of cars, two shuffles, and the first player."""

from __future__ import annotations

from collections.abc import Mapping

from companion.catalog.first_turn_roll import apply_first_turn_roll
from companion.core.fold import replace
from companion.core.game import Cue, Cues, Edition
from companion.games.kojak.rules.board import (
    COLOURS,
    MISSION_CARD_COUNT,
    TO_MISSION_STAGE,
    TRAP_CARD_COUNT,
    Colour,
    Seat,
    TableSetup,
    make_table_setup,
    unshuffled_deck,
)
from companion.games.kojak.rules.state import (
    Result,
    State,
    Step,
    car_colour,
    car_colour_by_player,
    first_step_of_turn,
    player_name,
    seat_of_player,
    traps_without_effect_fact,
)


def setup(players: tuple[str, ...], options: Mapping[str, str], edition: Edition) -> State:
    """Return the state of a new game before its first question (KO-3).

    `edition`: the parsed file `edition.toml`.
    """
    table = make_table_setup(players, options, edition)
    return State(
        table=table,
        step="car" if table.picking else _first(table),
        missions=(None,) * MISSION_CARD_COUNT,
        traps=(None,) * TRAP_CARD_COUNT,
        held=(None,) * len(players),
        stages=(TO_MISSION_STAGE,) * len(players),
        rollers=tuple(table.all_seats),
    )


def opening_facts(state: State) -> Cues:
    """Return the event that announces the colour of each player's cars (KO-3).

    Return () if the players choose their cars.
    """
    return () if state.step == "car" else (_cars(state),)


def _cars(state: State) -> Cue:
    return Cue("cars", {"cars": car_colour_by_player(state, state.table.all_seats)}, "KO-3")


def available_car_colours(state: State) -> tuple[Colour, ...]:
    """Return the car colours that the active player can choose (KO-3).

    The first colour is the colour that the edition gives to the active player's seat.
    """
    picked, own_colour = state.table.cars[: state.turn], car_colour(state, state.turn)
    return (own_colour, *(colour for colour in COLOURS if colour not in (*picked, own_colour)))


def on_car(state: State, colour: Colour) -> Result:
    """Give the active player the cars of `colour` (KO-3).

    After the third of four players has chosen, the fourth player gets the last colour without a
    choice.
    """
    drives = Cue("drives", {"who": player_name(state, state.turn), "car": colour}, "KO-3")
    state = replace(
        state, table=state.table.with_assigned_car_colour(state.turn, colour), turn=state.turn + 1
    )
    if state.turn < len(state.held) and len(available_car_colours(state)) > 1:
        return state, (drives,)
    return replace(state, step=_first(state.table), turn=0), (drives, _cars(state))


def _first(table: TableSetup) -> Step:
    return _opening(table) if table.own else "shuffle_missions"


def on_shuffle_missions(state: State, order: list[int]) -> Result:
    """Put the mission cards into a shuffled order (KO-3).

    `order`: for each position in the pile, an index into the unshuffled deck.
    """
    cards = unshuffled_deck(state.table.missions)
    return replace(state, step="shuffle_traps", missions=tuple(cards[i] for i in order)), ()


def on_shuffle_traps(state: State, order: list[int]) -> Result:
    """Put the trap cards into a shuffled order (KO-3).

    `order`: for each position in the pile, an index into the unshuffled deck.
    """
    cards = unshuffled_deck(state.table.traps)
    return replace(state, step=_opening(state.table), traps=tuple(cards[i] for i in order)), ()


def _opening(table: TableSetup) -> Step:
    return "first" if table.die == "none" else "high_roll"


# --- the first player (KO-3) ----------------------------------------------------------------------


def on_first(state: State, who: str) -> Result:
    """Start the first turn of the player `who`, whom the players chose without a roll (KO-3)."""
    return _begin(state, seat_of_player(state, who), ())


def on_high_roll(state: State, n: int) -> Result:
    """Apply a player's roll `n`, which decides who begins (KO-3).

    If several players tie for the highest roll, only the tied players roll again.
    """
    rollers, rolls, cues = apply_first_turn_roll(
        state.table.players, state.rollers, state.rolls, n, "KO-3"
    )
    state = replace(state, rollers=rollers, rolls=rolls)
    if not cues or len(rollers) > 1:
        return state, cues
    return _begin(state, rollers[0], cues)


def _begin(state: State, seat: Seat, cues: Cues) -> Result:
    """Start the first turn, and announce that no player needs to obey a trap space yet (KO-13).

    Trap spaces have an effect only on players who have a mission.
    """
    seats = state.table.all_seats
    begins = Cue(
        "begins", {"who": player_name(state, seat), "car": car_colour(state, seat)}, "KO-3"
    )
    state = replace(state, rollers=(), turn=seat, step=first_step_of_turn(state))
    return state, (*cues, begins, traps_without_effect_fact(state, seats))
