"""Corrections of recorded values in Kojak (KO-21), and players who leave (KO-23)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from companion.core.errors import Refused
from companion.core.fold import replace
from companion.core.game import Cue
from companion.core.prompts import (
    Answer,
    Choose,
    Form,
    JsonValues,
    Number,
    Prompt,
    Question,
    leaving_prompt,
)
from companion.games.kojak.rules.board import (
    COLOURS,
    HUNTING_STAGE,
    STAGES,
    TO_MISSION_STAGE,
    TO_PLACE_STAGE,
    Colour,
    Seat,
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
    seat_that_closed_case_file,
)
from companion.games.kojak.rules.traps import red_field_alarm_facts
from companion.games.kojak.rules.turns import begin_next_turn, unclosed_case_file_colours
from companion.games.kojak.rules.views import OPENING_STEPS

TURN, CRIMINAL, ARREST, FILE, STAGE, CAR = "turn", "criminal", "arrest", "file", "stage", "car"
"""Kinds of values that players can correct. Players can correct FILE only if they use real cards.
"""
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
    leaves = leaving_prompt(player_name(state, seat) for seat in _there(state))
    if state.step not in ("roll", "happened") or state.race:
        return (leaves,)
    asks, already = partial(_correction, state), partial(_already, state)
    return (Form("correct", None, asks, already=already), leaves)


def _there(state: State) -> list[Seat]:
    return [seat for seat in state.table.all_seats if seat not in state.out]


def _correction(state: State, given: Mapping[str, Answer]) -> Prompt | None:
    """Return the correction form's next question (KO-21), or None if the form is complete."""
    if "what" not in given:
        return Choose("what", None, _what(state))
    what = given["what"]
    if what in (TURN, FILE, STAGE, CAR) and "who" not in given:
        return Choose("who", None, tuple(player_name(state, seat) for seat in _seats(state, what)))
    if what in (CRIMINAL, ARREST, FILE, CAR) and "colour" not in given:
        return Choose("colour", None, _colours(state, given))
    if what == ARREST and "who" not in given:
        return Choose("who", None, (NOT_CLOSED, *player_names(state, _arresters(state))))
    if what == STAGE and "stage" not in given:
        return Choose("stage", None, STAGES[1:])
    if what == CRIMINAL and "n" not in given:
        i = COLOURS.index(given["colour"])
        was = state.circle[i] or 0
        facts = {"colour": given["colour"], "was": was}
        return Number("n", None, 0, state.table.sizes[i] - 1, was, facts=facts)
    return None


def _already(state: State, given: Mapping[str, Answer]) -> bool:
    return given.get("what") == TURN and given.get("who") == player_name(state, state.turn)


def _what(state: State) -> tuple[str, ...]:
    """Return the kinds of values that players can correct now (KO-21).

    A detective's case file can be corrected only if the players use real cards.
    """
    values = (TURN, CRIMINAL, ARREST, *((FILE,) if state.table.own else ()))
    return (*values, *((STAGE,) if _seats(state, STAGE) else ()), CAR)


def _seats(state: State, what: str) -> tuple[Seat, ...]:
    if what == STAGE:
        return tuple(seat for seat in _there(state) if state.held[seat] is not None)
    return tuple(seat for seat in _there(state) if what != TURN or seat != state.turn)


def _arresters(state: State) -> list[Seat]:
    """Return the seats of the players who can be entered as the maker of an arrest.

    In the short game, omit players who have left, because an arrest would make these players win
    (KO-19, KO-23).
    """
    return _there(state) if state.table.short else [*state.table.all_seats]


def _colours(state: State, given: Mapping[str, Answer]) -> tuple[str, ...]:
    """Return the colours (or NO_FILE) that players can choose in a correction.

    For a detective's new case file, return only colours of open case files with a mission card in
    the pile.
    """
    match given["what"]:
        case "criminal":
            return tuple(unclosed_case_file_colours(state))
        case "file":
            there = [colour for colour in unclosed_case_file_colours(state) if _lies(state, colour)]
            return (NO_FILE, *there)
        case "car":
            own_colour = car_colour(state, _seat(state, given["who"]))
            return tuple(colour for colour in COLOURS if colour != own_colour)
        case _:
            return COLOURS


def _lies(state: State, colour: Colour) -> bool:
    return colour in mission_colours_in_pile(state) and bool({colour, None} & {*state.missions})


def on_correct(state: State, given: JsonValues) -> Result:
    """Apply a correction, after which the game's state agrees with the real board (KO-21).

    A correction of an arrest can end the game (KO-18, KO-19). If the correction moves a criminal
    onto red or off red, announce the alarm (KO-15). Raise Refused if the correction changes
    nothing.
    """
    corrected = _corrected(state, given)
    if corrected == state:
        raise Refused("nothing_to_correct")
    facts = {key: given.get(key) for key in ("what", "who", "colour", "n", "stage")}
    cues = (Cue("corrected", facts, "KO-21"),)
    if given["what"] == CAR:
        return corrected, cues
    if given["what"] == CRIMINAL or given.get("who") == NOT_CLOSED:
        was_red = is_criminal_on_red(state, given["colour"])
        return corrected, (
            *cues,
            *red_field_alarm_facts(corrected, given["colour"], was_red=was_red),
        )
    if given["what"] != ARREST:
        return corrected, cues
    return end_if_last_arrest(corrected, _seat(state, given["who"]), cues) or (corrected, cues)


def _corrected(state: State, given: JsonValues) -> State:
    match given["what"]:
        case "turn":
            turn = _seat(state, given["who"])
            return replace(state, turn=turn, step=first_step_of_turn(state), rolled=None)
        case "criminal":
            i = COLOURS.index(given["colour"])
            return replace(state, circle=replace_tuple_item(state.circle, i, given["n"]))
        case "arrest":
            return _arrested(state, given["colour"], given["who"])
        case "car":
            table = state.table.with_assigned_car_colour(
                _seat(state, given["who"]), given["colour"]
            )
            return replace(state, table=table)
        case "file":
            return _given(state, _seat(state, given["who"]), given["colour"])
        case _:
            stages = replace_tuple_item(state.stages, _seat(state, given["who"]), given["stage"])
            return replace(state, stages=stages)


def _seat(state: State, who: str) -> Seat:
    return state.table.players.index(who)


def _arrested(state: State, colour: Colour, who: str) -> State:
    """Close a case file for the player `who` (KO-21); if `who` is NOT_CLOSED, reopen the case file.

    The criminal of a reopened case file stands on the dot.
    """
    before, i = seat_that_closed_case_file(state, colour), COLOURS.index(colour)
    seat = None if who == NOT_CLOSED else _seat(state, who)
    if seat == before:
        return state
    if seat is None:
        return replace(
            state,
            closed=replace_tuple_item(state.closed, i, None),
            circle=replace_tuple_item(state.circle, i, 0),
        )
    if before is None:
        return close_case_file(state, seat, colour)
    return replace(state, closed=replace_tuple_item(state.closed, i, seat))


def _given(state: State, seat: Seat, file: str) -> State:
    """Replace or remove a detective's case file (KO-21).

    The mission card of the old case file goes under the pile.
    """
    before = state.held[seat]
    held = None if file == NO_FILE else file
    if held == before:
        return state
    missions = state.missions if held is None else remove_card_from_pile(state.missions, held)
    return replace(
        state,
        missions=missions if before is None else (*missions, before),
        held=replace_tuple_item(state.held, seat, held),
        stages=replace_tuple_item(
            state.stages, seat, TO_MISSION_STAGE if held is None else TO_PLACE_STAGE
        ),
    )


# --- a player leaves (KO-23) ----------------------------------------------------------------------


def on_leaves(state: State, who: str) -> Result:
    """Remove the player `who` from the game (KO-23).

    The player's mission card goes under the pile. The player's arrests still count. If one player
    remains, this player wins.
    """
    seat = _seat(state, who)
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
        _given(state, seat, NO_FILE),
        out=(*state.out, seat),
        missing=tuple(other for other in state.missing if other != seat),
        race=tuple(other for other in state.race if other != seat),
    )
    there, race = _there(after), after.race
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
