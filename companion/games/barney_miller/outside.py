"""What the table may put right out of turn, beside the real board (BM-13)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.core.errors import Refused
from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.core.prompts import Answer, Choose, Form, Number, Prompt, Question, leaving
from companion.games.barney_miller.board import SUSPECTS, UNKNOWN, Seat
from companion.games.barney_miller.rules import (
    at_ten,
    chips,
    land,
    next_round,
    resumed,
    win,
    won,
    your_card,
)
from companion.games.barney_miller.state import (
    State,
    keeping_chips,
    left_of,
    name,
    present,
    put,
    seats,
    unnamed,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

CHIP, RESERVE, TURN, PAWN, DESK = "chip", "reserve", "turn", "pawn", "desk"
"""What can be put right; where the pawn stands only on a track that the box knows."""


def anytime(state: State) -> tuple[Question, ...]:
    """BM-13: before a roll, and while cards are played, the table may put right what it sees.

    BM-15: from when somebody has begun anybody may leave.
    """
    if state.roller is None or state.step == "over":
        return ()
    leaves = leaving(present(state))
    if state.step not in ("roll", "space", "play_card"):
        return (leaves,)
    return (Form("correct", None, partial(_correction, state)), leaves)


def _correction(state: State, given: Mapping[str, Answer]) -> Prompt | None:
    """The next question: what is to be put right, then how it is on the table."""
    if "what" not in given:
        return Choose("what", None, _what(state))
    what = given["what"]
    if what != PAWN and "who" not in given:
        who = _others(state) if what == TURN else tuple(seats(state))
        return Choose("who", None, tuple(name(state, seat) for seat in who))
    if what == CHIP and "suspect" not in given:
        desk = state.table.desks[_seat(state, given["who"])]
        return Choose("suspect", None, tuple(suspect.id for suspect in desk.suspects))
    if what == DESK and "detective" not in given:
        own = state.table.detectives[_seat(state, given["who"])]
        printed = (poster.detective for poster in state.table.printed)
        return Choose("detective", None, tuple(name for name in printed if name != own))
    if what == RESERVE and "n" not in given:
        seat = _seat(state, given["who"])
        return _number(what, SUSPECTS - len(state.captured[seat]), state.reserve[seat])
    if what == PAWN and "n" not in given:
        return _number(what, len(state.table.track or ()) - 1, state.pawn or 0)
    return None


def _number(what: str, most: int, was: int) -> Number:
    return Number("n", None, 0, most, was, facts={"what": what, "was": was})


def _what(state: State) -> tuple[str, ...]:
    """What can be put right now; desks not while a space is asked for in front of the game."""
    turn = (TURN,) if _others(state) else ()
    pawn = (PAWN,) if state.table.track is not None else ()
    return (CHIP, RESERVE, *turn, *pawn, *((DESK,) if state.stopped is None else ()))


def _seat(state: State, who: str) -> Seat:
    return state.table.players.index(who)


def _others(state: State) -> tuple[Seat, ...]:
    """Whose turn it can be instead: of those who play cards only who has any."""
    if _plays(state):
        return tuple(seat for seat in seats(state) if seat != state.turn and state.hands[seat])
    return tuple(seat for seat in seats(state) if seat != state.roller)


def _plays(state: State) -> bool:
    """Whether cards are played, or will be again once the space is known."""
    return "play_card" in (state.step, state.stopped)


def on_correct(state: State, given: Mapping[str, Any]) -> tuple[State, Cues]:
    """BM-13: the box takes over what stands on the table. Raises Refused if it stands so already.

    A fourth chip wins as one that was played for (BM-12); whoever has the turn and one virtual card
    plays it (BM-7); and what counts is the space where the pawn stands.
    """
    corrected = _corrected(state, given)
    if corrected == state:
        raise Refused("nothing_to_correct")
    facts = {key: given.get(key) for key in ("what", "who", "suspect", "n", "detective")}
    if given["what"] not in (CHIP, RESERVE):
        cues: Cues = (Cue("corrected", {**facts, **_NO_CHIPS}, "BM-13"),)
        if given["what"] == PAWN:
            return _put(corrected, cues)
        if given["what"] == DESK and unnamed(corrected) is not None:
            return replace(corrected, step="suspect", stopped=state.step), cues
        return your_card(corrected, cues) if corrected.step == "play_card" else (corrected, cues)
    seat = _seat(state, given["who"])
    cues = (Cue("corrected", {**facts, **chips(corrected, seat)}, "BM-13"),)
    return won(corrected, seat, cues) or (corrected, cues)


def _put(state: State, cues: Cues) -> tuple[State, Cues]:
    """The pawn stands elsewhere: a space that nobody has named is asked for, at once.

    If where it has come to was being asked for, it has come to the known one instead (BM-10).
    """
    assert state.table.track is not None
    space, is_asked = state.table.track[state.pawn or 0], state.step == "space"
    if space.kind == UNKNOWN:
        stopped = state.stopped if is_asked else state.step
        return replace(state, step="space", stopped=stopped), cues
    if is_asked and state.stopped is None:
        return land(state, space, cues)
    return resumed(replace(state, space=space), cues)


_NO_CHIPS: Final = {"captured": None, "reserve": None}


def _corrected(state: State, given: Mapping[str, Any]) -> State:
    match given["what"]:
        case "chip":
            return _turned(state, _seat(state, given["who"]), given["suspect"])
        case "reserve":
            reserve = put(state.reserve, _seat(state, given["who"]), given["n"])
            return replace(state, reserve=reserve)
        case "turn":
            seat = _seat(state, given["who"])
            return replace(state, turn=seat) if _plays(state) else replace(state, roller=seat)
        case "desk":
            return _moved(state, _seat(state, given["who"]), given["detective"])
        case _:
            return replace(state, pawn=given["n"])


def _moved(state: State, seat: Seat, detective: str) -> State:
    """A player sits at another desk; whoever sat there has the player's. The chips go along."""
    before = state.table.desks
    poster = next(poster for poster in state.table.printed if poster.detective == detective)
    desks = tuple(before[seat] if desk == poster else desk for desk in before)
    table = replace(state.table, desks=put(desks, seat, poster))
    return keeping_chips(replace(state, table=table), before)


def _turned(state: State, seat: Seat, suspect: str) -> State:
    """A suspect is captured who was free, or free who was captured."""
    before = state.captured[seat]
    left = tuple(other for other in before if other != suspect)
    after = left if suspect in before else (*before, suspect)
    return replace(state, captured=put(state.captured, seat, after))


# --- somebody leaves (BM-15) ----------------------------------------------------------------------


def on_leaves(state: State, who: str) -> tuple[State, Cues]:
    """BM-15: the cards are put aside unseen, the poster is out of play; the last one in wins."""
    seat = _seat(state, who)
    cues: Cues = (Cue("left", {"who": who}, "BM-15"),)
    after = _without(state, seat)
    if len(seats(after)) == 1:
        return win(after, seats(after)[0], cues)
    if state.step == "suspect":
        return (after, cues) if unnamed(after) else resumed(after, cues)
    if state.turn != seat or state.step in ("roll", "space"):
        return after, cues
    if state.step in ("commit_suspect", "free_suspect"):
        return next_round(after, cues)
    return at_ten(after, cues) if state.step == "zero" else your_card(after, cues)


def _without(state: State, seat: Seat) -> State:
    """The table without a player: whoever sits to the left has the turn, or the roll."""
    cards = (*state.hands[seat], *state.seconds[seat])
    state = replace(
        state,
        out=(*state.out, seat),
        hands=put(state.hands, seat, ()),
        seconds=put(state.seconds, seat, ()),
        aside=(*state.aside, *cards),
    )
    if state.turn == seat:
        state = replace(state, turn=left_of(state, seat))
    return replace(state, roller=left_of(state, seat)) if state.roller == seat else state
