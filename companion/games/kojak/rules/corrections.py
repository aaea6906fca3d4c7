"""What the table may put right out of turn, beside the real board (KO-21)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.core.errors import Refused
from companion.core.fold import replace
from companion.core.game import Cue
from companion.core.prompts import Answer, Choose, Form, Number, Prompt, Question, leaving
from companion.games.kojak.rules.board import (
    COLOURS,
    HUNTING,
    STAGES,
    TO_MISSION,
    TO_PLACE,
    Colour,
    Seat,
)
from companion.games.kojak.rules.piles import move_top_under, remove_card
from companion.games.kojak.rules.rules import close, ending, win
from companion.games.kojak.rules.state import (
    Result,
    State,
    begin_move,
    car,
    closer_of,
    missions_in_pile,
    name,
    names,
    on_red,
    put,
)
from companion.games.kojak.rules.traps import alarm
from companion.games.kojak.rules.turns import next_turn, open_files
from companion.games.kojak.rules.views import OPENING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.prompts import Values

TURN, CRIMINAL, ARREST, FILE, STAGE, CAR = "turn", "criminal", "arrest", "file", "stage", "car"
"""What can be put right; who has which file only with own cards."""
NOBODY, NONE = "nobody", "none"
"""A file that nobody has closed; a detective without a file."""


def anytime(state: State) -> tuple[Question, ...]:
    """KO-21: before the roll, and before it is said what came of it, until the race.

    KO-23: from when somebody has begun anybody may leave.
    """
    if state.step in (*OPENING, "over"):
        return ()
    leaves = leaving(name(state, seat) for seat in _there(state))
    if state.step not in ("roll", "happened") or state.race:
        return (leaves,)
    asks, already = partial(_correction, state), partial(_already, state)
    return (Form("correct", None, asks, already=already), leaves)


def _there(state: State) -> list[Seat]:
    """The seats of those who are in the game."""
    return [seat for seat in state.table.seats if seat not in state.out]


def _correction(state: State, given: Mapping[str, Answer]) -> Prompt | None:
    """The next question: what is to be put right, then how it is on the table."""
    if "what" not in given:
        return Choose("what", None, _what(state))
    what = given["what"]
    if what in (TURN, FILE, STAGE, CAR) and "who" not in given:
        return Choose("who", None, tuple(name(state, seat) for seat in _seats(state, what)))
    if what in (CRIMINAL, ARREST, FILE, CAR) and "colour" not in given:
        return Choose("colour", None, _colours(state, given))
    if what == ARREST and "who" not in given:
        return Choose("who", None, (NOBODY, *names(state, _arresters(state))))
    if what == STAGE and "stage" not in given:
        return Choose("stage", None, STAGES[1:])
    if what == CRIMINAL and "n" not in given:
        i = COLOURS.index(given["colour"])
        was = state.circle[i] or 0
        facts = {"colour": given["colour"], "was": was}
        return Number("n", None, 0, state.table.sizes[i] - 1, was, facts=facts)
    return None


def _already(state: State, given: Mapping[str, Answer]) -> bool:
    """Whether it is the turn of the player to whom it is given."""
    return given.get("what") == TURN and given.get("who") == name(state, state.turn)


def _what(state: State) -> tuple[str, ...]:
    """What can be put right now; the box itself keeps its own cards."""
    found = (TURN, CRIMINAL, ARREST, *((FILE,) if state.table.own else ()))
    return (*found, *((STAGE,) if _seats(state, STAGE) else ()), CAR)


def _seats(state: State, what: str) -> tuple[Seat, ...]:
    """Of whom something can be put right."""
    if what == STAGE:
        return tuple(seat for seat in _there(state) if state.held[seat] is not None)
    return tuple(seat for seat in _there(state) if what != TURN or seat != state.turn)


def _arresters(state: State) -> list[Seat]:
    """Return who can have made an arrest; in the short game nobody who has left (KO-19, KO-23)."""
    return _there(state) if state.table.short else [*state.table.seats]


def _colours(state: State, given: Mapping[str, Answer]) -> tuple[str, ...]:
    """The files that can be named: of a detective, those of which a card can lie in the pile."""
    match given["what"]:
        case "criminal":
            return tuple(open_files(state))
        case "file":
            there = [colour for colour in open_files(state) if _lies(state, colour)]
            return (NONE, *there)
        case "car":
            own = car(state, _seat(state, given["who"]))
            return tuple(colour for colour in COLOURS if colour != own)
        case _:
            return COLOURS


def _lies(state: State, colour: Colour) -> bool:
    return colour in missions_in_pile(state) and bool({colour, None} & {*state.missions})


def on_correct(state: State, given: Values) -> Result:
    """KO-21: the box takes over what stands on the table. Raises Refused if it stands so already.

    A last arrest, or the short game's first, ends the game as one that was made (KO-18, KO-19); a
    criminal who is put on red, or off it, raises the alarm as one who walked there (KO-15).
    """
    corrected = _corrected(state, given)
    if corrected == state:
        raise Refused("nothing_to_correct")
    facts = {key: given.get(key) for key in ("what", "who", "colour", "n", "stage")}
    cues = (Cue("corrected", facts, "KO-21"),)
    if given["what"] == CAR:
        return corrected, cues
    if given["what"] == CRIMINAL or given.get("who") == NOBODY:
        was_red = on_red(state, given["colour"])
        return corrected, (*cues, *alarm(corrected, given["colour"], was_red=was_red))
    if given["what"] != ARREST:
        return corrected, cues
    return ending(corrected, _seat(state, given["who"]), cues) or (corrected, cues)


def _corrected(state: State, given: Values) -> State:
    match given["what"]:
        case "turn":
            turn = _seat(state, given["who"])
            return replace(state, turn=turn, step=begin_move(state), rolled=None)
        case "criminal":
            i = COLOURS.index(given["colour"])
            return replace(state, circle=put(state.circle, i, given["n"]))
        case "arrest":
            return _arrested(state, given["colour"], given["who"])
        case "car":
            table = state.table.driving(_seat(state, given["who"]), given["colour"])
            return replace(state, table=table)
        case "file":
            return _given(state, _seat(state, given["who"]), given["colour"])
        case _:
            stages = put(state.stages, _seat(state, given["who"]), given["stage"])
            return replace(state, stages=stages)


def _seat(state: State, who: str) -> Seat:
    return state.table.players.index(who)


def _arrested(state: State, colour: Colour, who: str) -> State:
    """A file is closed by another, or open again: the criminal goes back to the dot."""
    before, i = closer_of(state, colour), COLOURS.index(colour)
    seat = None if who == NOBODY else _seat(state, who)
    if seat == before:
        return state
    if seat is None:
        return replace(state, closed=put(state.closed, i, None), circle=put(state.circle, i, 0))
    if before is None:
        return close(state, seat, colour)
    return replace(state, closed=put(state.closed, i, seat))


def _given(state: State, seat: Seat, file: str) -> State:
    """A detective has another file, or none: the card before goes under the pile."""
    before = state.held[seat]
    held = None if file == NONE else file
    if held == before:
        return state
    missions = state.missions if held is None else remove_card(state.missions, held)
    return replace(
        state,
        missions=missions if before is None else (*missions, before),
        held=put(state.held, seat, held),
        stages=put(state.stages, seat, TO_MISSION if held is None else TO_PLACE),
    )


# --- somebody leaves (KO-23) ----------------------------------------------------------------------


def on_leaves(state: State, who: str) -> Result:
    """KO-23: cars, card and warrant go back, arrests stay made; the last one in wins."""
    seat = _seat(state, who)
    pile = _drawn_from(state) if state.turn == seat else None
    facts = {
        "who": who,
        "car": car(state, seat),
        "mission": state.held[seat],
        "warrant": state.stages[seat] == HUNTING,
        "drawn": pile,
        "own": state.table.own,
    }
    cues = (Cue("left", facts, "KO-23"),)
    after = replace(
        _given(state, seat, NONE),
        out=(*state.out, seat),
        missing=tuple(other for other in state.missing if other != seat),
        race=tuple(other for other in state.race if other != seat),
    )
    there, race = _there(after), after.race
    if len(there) == 1:
        return win(after, there[0], "last", cues)
    if state.race and len(race) == 1:
        return win(after, race[0], "alone", cues)
    if state.turn != seat:
        return after, cues
    after = _put_under(replace(after, named=None, unsure=None), pile)
    return next_turn(after, cues) if not race else (_races_on(state, after), cues)


def _drawn_from(state: State) -> str | None:
    """Return the pile of the card that is being drawn or obeyed; None if there is no such card."""
    if state.step not in ("card", "criminal", "order", "field"):
        return None
    is_mission = state.step == "card" and state.stages[state.turn] == TO_MISSION
    return "mission" if is_mission else "trap"


def _put_under(state: State, pile: str | None) -> State:
    """KO-23: the card that was being drawn goes under its pile, whether the box knows it or not."""
    if pile == "mission":
        return replace(state, missions=move_top_under(state.missions))
    return replace(state, traps=move_top_under(state.traps)) if pile == "trap" else state


def _races_on(before: State, after: State) -> State:
    """KO-20: of those who tie the next one has the turn."""
    turn = before.race[(before.race.index(before.turn) + 1) % len(before.race)]
    return replace(after, turn=turn, step=begin_move(after), rolled=None)
