"""Functions that several rules of Kojak use: the next turn, and common fields of events."""

from __future__ import annotations

from typing import Any

from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.games.kojak.rules.board import COLOURS, Colour
from companion.games.kojak.rules.state import (
    Result,
    State,
    car_colour,
    first_step_of_turn,
    player_name,
    seat_that_closed_case_file,
)


def begin_next_turn(state: State, cues: Cues) -> Result:
    """Give the next player clockwise the turn (KO-3); skip players who lose a turn (KO-13)."""
    turn = (state.turn + 1) % len(state.held)
    while turn in state.out:
        turn = (turn + 1) % len(state.held)
    state = replace(state, turn=turn, step=first_step_of_turn(state), rolled=None)
    if turn not in state.missing:
        return state, cues
    state = replace(state, missing=tuple(seat for seat in state.missing if seat != turn))
    return begin_next_turn(
        state, (*cues, Cue("turn_lost", {"who": player_name(state, turn)}, "KO-13"))
    )


def unclosed_case_file_colours(state: State) -> list[Colour]:
    """Return the colours of the case files in which no player has made an arrest (KO-16)."""
    return [colour for colour in COLOURS if seat_that_closed_case_file(state, colour) is None]


def active_player_fact_fields(state: State) -> dict[str, Any]:
    """Return event fields about the active player and the player's case file.

    The fields are the player's name and car colour, and the case file's colour and place.
    """
    colour = state.held[state.turn]
    assert colour is not None  # the active player has a mission card
    return {
        "who": player_name(state, state.turn), "car": car_colour(state, state.turn),
        "colour": colour,
        "place": place_of_crime(state, colour),
    }  # fmt: skip


def place_of_crime(state: State, colour: Colour) -> str:
    """Return the place of the crime in the case file of `colour`."""
    return state.table.places[COLOURS.index(colour)]


def card_drawn_facts(state: State, pile: str, card: Any) -> Cues:
    """Return the event which reports that the active player draws `card` from `pile`.

    In a game with real cards, return ().
    """
    if state.table.own:
        return ()
    clause = "KO-8" if pile == "mission" else "KO-13"
    facts = {"who": player_name(state, state.turn), "pile": pile, "card": card}
    return (Cue("drawn", facts, clause, reveals=True),)
