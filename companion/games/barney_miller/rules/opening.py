"""The opening of a game of Barney Miller: choice of desks (BM-1), and the first deal (BM-3)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.fold import replace
from companion.core.game import Cue, Cues, Edition
from companion.games.barney_miller.rules.board import (
    DECK,
    START,
    TrackSpace,
    available_detectives,
    make_table_setup,
)
from companion.games.barney_miller.rules.rules import deal_hands
from companion.games.barney_miller.rules.state import State, player_name, seats_of_remaining_players


def setup(players: tuple[str, ...], options: Mapping[str, str], edition: Edition) -> State:
    """Return the state of a new game before its first question (BM-1, BM-3).

    `edition`: the parsed file `edition.toml`.
    """
    table = make_table_setup(players, options, edition)
    n = len(players)
    state = State(
        table=table,
        step="shuffle",
        hands=((),) * n,
        seconds=((),) * n,
        aside=(),
        rollers=tuple(range(n)),
        pawn=None if table.track is None else 0,
        space=TrackSpace(START),
        captured=((),) * n,
        reserve=(0,) * n,
    )
    return _seated(state, 0) if options.get("posters") == "choose" else _begun(state)


def opening_facts(state: State) -> Cues:
    """Return the event that announces each player's desk (BM-1).

    Return () if the players choose their desks.
    """
    return () if state.step == "detective" else (_desks(state),)


def _desks(state: State) -> Cue:
    desks = dict(zip(state.table.players, state.table.detectives_by_seat, strict=True))
    return Cue("desks", {"desks": desks}, "BM-1")


def on_detective(state: State, detective: str) -> tuple[State, Cues]:
    """Give the active player the desk of `detective` (BM-1).

    Players without a choice get the remaining desks in order.
    """
    seat, table = state.turn, state.table
    picked = {table.players[i]: table.detectives_by_seat[i] for i in range(seat)}
    picked[player_name(state, seat)] = detective
    facts = {"who": player_name(state, seat), "detective": detective}
    state = replace(state, table=table.with_chosen_detectives(picked))
    state, cues = _seated(state, seat + 1), (Cue("seated", facts, "BM-1"),)
    return state, cues if state.step == "detective" else (*cues, _desks(state))


def _seated(state: State, seat: int) -> State:
    """Ask the next player who has a choice, from `seat` on, to choose a desk (BM-1).

    If no player has a choice, begin the game.
    """
    for turn in seats_of_remaining_players(state)[seat:]:
        if len(available_detectives(state.table, turn)) > 1:
            return replace(state, step="detective", turn=turn)
    return _begun(state)


def _begun(state: State) -> State:
    state = replace(state, step="shuffle", turn=0)
    if not state.table.own:
        return state
    return replace(deal_hands(state, (None,) * len(DECK)), step="high_roll")
