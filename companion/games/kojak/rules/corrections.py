"""Corrections of recorded values in Kojak (KO-21), and players who leave (KO-23)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.core.corrections import Correction, apply_correction, correction_form
from companion.core.fold import replace
from companion.core.game import Cue
from companion.core.prompts import JsonValues, Number, Question, leaving_prompt
from companion.games.kojak.rules.board import (
    COLOURS,
    HUNTING_STAGE,
    STAGES,
    TO_MISSION_STAGE,
    TO_PLACE_STAGE,
    Colour,
    Stage,
)
from companion.games.kojak.rules.piles import move_top_card_to_bottom, remove_card_from_pile
from companion.games.kojak.rules.rules import (
    close_case_file,
    end_game_with_winner,
    end_if_last_arrest,
)
from companion.games.kojak.rules.state import (
    Result,
    State,
    car_colour,
    first_step_of_turn,
    is_criminal_on_red,
    mission_colours_in_pile,
    player_name,
    player_names,
    replace_tuple_item,
    seat_of_player,
    seat_that_closed_case_file,
    seats_of_remaining_players,
)
from companion.games.kojak.rules.traps import red_field_alarm_facts
from companion.games.kojak.rules.turns import begin_next_turn, unclosed_case_file_colours
from companion.games.kojak.rules.views import OPENING_STEPS

NOT_CLOSED, NO_FILE = "nobody", "none"
"""Answers in a correction.

- NOT_CLOSED: no player made the arrest.
- NO_FILE: the detective has no case file.
"""


def out_of_turn_questions(state: State) -> tuple[Question, ...]:
    """Return the questions that players can open now, out of turn.

    These are the correction form (KO-21), only before a roll or at the question for the reached
    space, and the question about a player who leaves (KO-23). Before the first turn and after the
    end of the game, return (). In a race, return only the question about a player who leaves.
    """
    if state.step in (*OPENING_STEPS, "over"):
        return ()
    leaves = leaving_prompt(_remaining_players(state))
    if state.step not in ("roll", "happened") or state.race:
        return (leaves,)
    return (correction_form(CORRECTIONS, state), leaves)


def on_correct(state: State, given: JsonValues) -> Result:
    """Apply a correction, after which the game's state agrees with the real board (KO-21).

    A correction of an arrest can end the game (KO-18, KO-19). If the correction moves a criminal
    onto red or off red, announce the alarm (KO-15). Raise Refused if the correction changes
    nothing.
    """
    corrected = apply_correction(CORRECTIONS, state, given)
    facts = {key: given.get(key) for key in ("what", "who", "colour", "n", "stage")}
    cues = (Cue("corrected", facts, "KO-21"),)
    match given:
        case {"what": "arrest", "who": who} if who != NOT_CLOSED:
            seat = seat_of_player(state, who)
            return end_if_last_arrest(corrected, seat, cues) or (corrected, cues)
        case {"what": "arrest" | "criminal", "colour": colour}:
            was_red = is_criminal_on_red(state, colour)
            return corrected, (*cues, *red_field_alarm_facts(corrected, colour, was_red=was_red))
    return corrected, cues


def _remaining_players(state: State) -> list[str]:
    return player_names(state, seats_of_remaining_players(state))


def _waiting_players(state: State) -> list[str]:
    return [who for who in _remaining_players(state) if not _is_active_player(state, who)]


def _is_active_player(state: State, who: str) -> bool:
    return who == player_name(state, state.turn)


def _fields(state: State, colour: Colour) -> Number:
    i = COLOURS.index(colour)
    was = state.circle[i] or 0
    facts = {"colour": colour, "was": was}
    return Number("n", None, 0, state.table.sizes[i] - 1, was, facts=facts)


def _arresters(state: State, _colour: Colour) -> tuple[str, ...]:
    """Return NOT_CLOSED, and the players who can be entered as the maker of an arrest.

    In the short game, omit players who have left, because an arrest would make these players win
    (KO-19, KO-23).
    """
    return (NOT_CLOSED, *(_remaining_players(state) if state.table.short else state.table.players))


def _players_with_real_cards(state: State) -> list[str]:
    return _remaining_players(state) if state.table.own else []


def _case_files(state: State, _who: str) -> list[str]:
    """Return NO_FILE, and the open case files whose mission card can be in the pile."""
    in_pile = [c for c in mission_colours_in_pile(state) if {c, None} & {*state.missions}]
    return [NO_FILE, *(colour for colour in unclosed_case_file_colours(state) if colour in in_pile)]


def _players_with_case_file(state: State) -> list[str]:
    seats = seats_of_remaining_players(state)
    return player_names(state, [seat for seat in seats if state.held[seat] is not None])


def _other_car_colours(state: State, who: str) -> list[Colour]:
    own_colour = car_colour(state, seat_of_player(state, who))
    return [colour for colour in COLOURS if colour != own_colour]


def _with_turn(state: State, who: str) -> State:
    turn = seat_of_player(state, who)
    return replace(state, turn=turn, step=first_step_of_turn(state), rolled=None)


def _with_criminal(state: State, colour: Colour, n: int) -> State:
    return replace(state, circle=replace_tuple_item(state.circle, COLOURS.index(colour), n))


def _with_arrest(state: State, colour: Colour, who: str) -> State:
    """Close a case file for the player `who` (KO-21); if `who` is NOT_CLOSED, reopen the case file.

    The criminal of a reopened case file stands on the dot.
    """
    before, i = seat_that_closed_case_file(state, colour), COLOURS.index(colour)
    seat = None if who == NOT_CLOSED else seat_of_player(state, who)
    if seat == before:
        return state
    if seat is not None and before is None:
        return close_case_file(state, seat, colour)
    reopened = state if seat is not None else _with_criminal(state, colour, 0)
    return replace(reopened, closed=replace_tuple_item(state.closed, i, seat))


def _with_case_file(state: State, who: str, colour: str) -> State:
    """Replace or remove a detective's case file (KO-21).

    The mission card of the old case file goes under the pile.
    """
    seat, held = seat_of_player(state, who), None if colour == NO_FILE else colour
    before = state.held[seat]
    if held == before:
        return state
    missions = state.missions if held is None else remove_card_from_pile(state.missions, held)
    stage = TO_MISSION_STAGE if held is None else TO_PLACE_STAGE
    return replace(
        state,
        missions=missions if before is None else (*missions, before),
        held=replace_tuple_item(state.held, seat, held),
        stages=replace_tuple_item(state.stages, seat, stage),
    )


def _with_stage(state: State, who: str, stage: Stage) -> State:
    stages = replace_tuple_item(state.stages, seat_of_player(state, who), stage)
    return replace(state, stages=stages)


def _with_car(state: State, who: str, colour: Colour) -> State:
    table = state.table.with_assigned_car_colour(seat_of_player(state, who), colour)
    return replace(state, table=table)


CORRECTIONS: Final[Mapping[str, Correction[State]]] = {
    "turn": Correction({"who": _waiting_players}, _with_turn, already=_is_active_player),
    "criminal": Correction({"colour": unclosed_case_file_colours, "n": _fields}, _with_criminal),
    "arrest": Correction({"colour": lambda _state: COLOURS, "who": _arresters}, _with_arrest),
    "file": Correction({"who": _players_with_real_cards, "colour": _case_files}, _with_case_file),
    "stage": Correction(
        {"who": _players_with_case_file, "stage": lambda _state, _who: STAGES[1:]}, _with_stage
    ),
    "car": Correction({"who": _remaining_players, "colour": _other_car_colours}, _with_car),
}
"""Kinds of values that players can correct (KO-21).

`file` is possible only if the players use real cards.
"""


# --- a player leaves (KO-23) ----------------------------------------------------------------------


def on_leaves(state: State, who: str) -> Result:
    """Remove the player `who` from the game (KO-23).

    The player's mission card goes under the pile. The player's arrests still count. If one player
    remains, this player wins.
    """
    seat = seat_of_player(state, who)
    pile = _drawn_from(state) if state.turn == seat else None
    facts = {
        "who": who,
        "car": car_colour(state, seat),
        "mission": state.held[seat],
        "warrant": state.stages[seat] == HUNTING_STAGE,
        "drawn": pile,
        "own": state.table.own,
    }
    cues = (Cue("left", facts, "KO-23"),)
    after = replace(
        _with_case_file(state, who, NO_FILE),
        out=(*state.out, seat),
        missing=tuple(other for other in state.missing if other != seat),
        race=tuple(other for other in state.race if other != seat),
    )
    there, race = seats_of_remaining_players(after), after.race
    if len(there) == 1:
        return end_game_with_winner(after, there[0], "last", cues)
    if state.race and len(race) == 1:
        return end_game_with_winner(after, race[0], "alone", cues)
    if state.turn != seat:
        return after, cues
    after = _put_under(replace(after, named=None, unsure=None), pile)
    return begin_next_turn(after, cues) if not race else (_races_on(state, after), cues)


def _drawn_from(state: State) -> str | None:
    if state.step not in ("card", "criminal", "order", "field"):
        return None
    is_mission = state.step == "card" and state.stages[state.turn] == TO_MISSION_STAGE
    return "mission" if is_mission else "trap"


def _put_under(state: State, pile: str | None) -> State:
    """If the player who left was drawing a card, put this card under the pile `pile` (KO-23)."""
    if pile == "mission":
        return replace(state, missions=move_top_card_to_bottom(state.missions))
    return replace(state, traps=move_top_card_to_bottom(state.traps)) if pile == "trap" else state


def _races_on(before: State, after: State) -> State:
    """Give the turn to the next tied player after the active player has left the race (KO-20)."""
    turn = before.race[(before.race.index(before.turn) + 1) % len(before.race)]
    return replace(after, turn=turn, step=first_step_of_turn(after), rolled=None)
