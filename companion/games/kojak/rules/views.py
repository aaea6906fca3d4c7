"""Kojak's view (the data that players may see): the whole state except the order of both piles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias

from companion.core.game import Outcome
from companion.games.kojak.rules.board import COLOURS, HUNTING_STAGE
from companion.games.kojak.rules.state import (
    State,
    Step,
    car_colour_by_player,
    count_arrests_by_seat,
    player_name,
    player_names,
    seats_that_may_arrest,
)

Phase: TypeAlias = Literal["opening", "playing", "race", "over"]
OPENING_STEPS: Final[tuple[Step, ...]] = (
    *("car", "shuffle_missions", "shuffle_traps", "first", "high_roll"),
)


def view(state: State, player: str | None) -> dict[str, Any]:
    """Return the public state; docs/protocol.md lists its fields."""
    del player
    table = state.table
    closed = ["open" if seat is None else player_name(state, seat) for seat in state.closed]
    able = sorted(seat for colour in COLOURS for seat in seats_that_may_arrest(state, colour))
    return {
        "phase": phase(state),
        "to_act": active_player(state),
        "roll": state.rolled,
        "files": values_by_case_file_colour(closed),
        "places": values_by_case_file_colour(table.places),
        "circle": values_by_case_file_colour(state.circle),
        "fields": values_by_case_file_colour(table.sizes),
        "red": values_by_case_file_colour([list(reds) for reds in table.reds]),
        "mission": _each(state, state.held),
        "cars": car_colour_by_player(state, table.all_seats),
        "stage": _each(state, state.stages),
        "warrant": _each(state, [stage == HUNTING_STAGE for stage in state.stages]),
        "may_arrest": player_names(state, able),
        "arrests": _each(state, count_arrests_by_seat(state)),
        "lose_turn": player_names(state, state.missing),
        "race": player_names(state, state.race),
        "out": player_names(state, state.out),
        "trap_pile": len(state.traps),
        "mission_pile": len(state.missions),
    }


def phase(state: State) -> Phase:
    """Return the game's phase: `opening`, `playing`, `race` or `over`.

    The phase `opening` ends when the first turn begins. The phase `race` is the tie-break (KO-18).
    """
    if state.step in OPENING_STEPS:
        return "opening"
    if state.step == "over":
        return "over"
    return "race" if state.race else "playing"


def active_player(state: State) -> str | None:
    """Return the active player's name, or None if no single player acts or the game is over."""
    if state.step == "car":
        return player_name(state, state.turn)
    if state.step == "high_roll":
        return player_name(state, state.rollers[len(state.rolls)])
    return None if phase(state) in ("opening", "over") else player_name(state, state.turn)


def values_by_case_file_colour(values: Iterable[Any]) -> dict[str, Any]:
    """Return a table from each case file's colour to one of `values`.

    `values`: one value for each case file, in the order of COLOURS.
    """
    return dict(zip(COLOURS, values, strict=True))


def _each(state: State, values: Iterable[Any]) -> dict[str, Any]:
    return dict(zip(state.table.players, values, strict=True))


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None before the end of the game (KO-18, KO-19).

    The score of each player is the player's number of arrests.
    """
    if state.champion is None:
        return None
    return Outcome(
        (player_name(state, state.champion),), _each(state, count_arrests_by_seat(state))
    )
