"""What the table may put right out of turn, beside the real board (BM-13)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.core.errors import Refused
from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.core.prompts import Answer, Choose, Form, Number, Prompt, Question, leaving
from companion.games.barney_miller.rules.board import COUNTS, SUSPECTS, TEN, UNKNOWN, Seat
from companion.games.barney_miller.rules.rules import (
    at_ten,
    check_total,
    check_win,
    chips,
    count_as_seen,
    land,
    next_round,
    posters_known,
    resume,
    to_roll,
    too_many,
    win,
    your_card,
)
from companion.games.barney_miller.rules.state import (
    State,
    keeping_chips,
    left_of,
    name,
    present,
    put,
    seats,
    step_of_play,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.prompts import Values

CHIP, RESERVE, TURN = "chip", "reserve", "turn"
PAWN, DESK, CARD = "pawn", "desk", "card"
"""What can be corrected: the pawn on a track that the box knows, a card of the table's own deck."""


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
    if what == CARD:
        return _card(state, given)
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


def _card(state: State, given: Mapping[str, Answer]) -> Prompt | None:
    """BM-13: which card of the round, and its value."""
    if "nth" not in given:
        return Choose("nth", None, tuple(str(n + 1) for n in _cards(state)))
    if "n" in given:
        return None
    nth = int(given["nth"]) - 1
    return _number(CARD, _highest(state, nth), state.played[nth][1])


def _cards(state: State) -> tuple[int, ...]:
    """Return the places, from 0, of the cards of the round that can have another value."""
    if state.step != "play_card" or not state.table.own:
        return ()
    return tuple(nth for nth in range(len(state.played)) if _highest(state, nth))


def _highest(state: State, nth: int) -> int:
    """Return the highest value of a card of the round: only the last one can have made ten."""
    before = [value for _, value in state.played[:-1]]
    return TEN if nth == len(before) else TEN - 1 - sum(before) + before[nth]


def _number(what: str, most: int, was: int) -> Number:
    return Number("n", None, 0, most, was, facts={"what": what, "was": was})


def _what(state: State) -> tuple[str, ...]:
    """What can be put right now; cards that were played only if they are the table's own."""
    turn = (TURN,) if _others(state) else ()
    pawn = (PAWN,) if state.table.track is not None else ()
    card = (CARD,) if _cards(state) else ()
    return (CHIP, RESERVE, *turn, *pawn, DESK, *card)


def _seat(state: State, who: str) -> Seat:
    return state.table.players.index(who)


def _others(state: State) -> tuple[Seat, ...]:
    """Whose turn it can be instead: of those who play cards only who has any."""
    if _plays(state):
        return tuple(seat for seat in seats(state) if seat != state.turn and state.hands[seat])
    return tuple(seat for seat in seats(state) if seat != state.roller)


def _plays(state: State) -> bool:
    """Return True if cards are played, or will be again once the board is known."""
    return step_of_play(state) == "play_card"


def on_correct(state: State, given: Values) -> tuple[State, Cues]:
    """BM-13: the box takes over what stands on the table. Raises Refused if it stands so already.

    A fourth chip wins as one that was played for (BM-12); whoever has the turn and one virtual card
    plays it (BM-7); and what counts is the space where the pawn stands.
    """
    corrected = _corrected(state, given)
    if corrected == state:
        raise Refused("nothing_to_correct")
    cues: Cues = (Cue("corrected", _facts(corrected, given), "BM-13"),)
    match given["what"]:
        case "chip" | "reserve":
            return check_win(corrected, _seat(state, given["who"]), cues) or (corrected, cues)
        case "pawn":
            return _put(corrected, cues)
        case "card":
            value, n = given["n"], int(given["nth"]) - 1
            is_one_more = _is_counted(state, n) and not state.unseen[value]
            extra = (too_many(state, state.played[n][0], value),) if is_one_more else ()
            return check_total(corrected, (*cues, *extra))
        case _:
            is_played = corrected.step == "play_card"
            return your_card(corrected, cues) if is_played else (corrected, cues)


def _facts(corrected: State, given: Values) -> dict[str, Any]:
    """Return what a correction reports: each field of the fact, None where it has no value."""
    facts = dict.fromkeys((*_GIVEN, *_RESULTS)) | {key: given.get(key) for key in _GIVEN}
    match given["what"]:
        case "chip" | "reserve":
            facts |= chips(corrected, _seat(corrected, given["who"]))
        case "pawn":
            assert corrected.table.track is not None
            facts |= corrected.table.track[given["n"]]._asdict()
        case "card":
            seat, _ = corrected.played[int(given["nth"]) - 1]
            facts |= {"who": name(corrected, seat), "total": corrected.total}
    return facts


def _put(state: State, cues: Cues) -> tuple[State, Cues]:
    """The pawn stands elsewhere: a space that nobody has named is asked for, at once.

    If where it has come to was being asked for, it has come to the known one instead (BM-10).
    """
    assert state.table.track is not None
    space, is_asked = state.table.track[state.pawn or 0], state.step == "space"
    if space.kind == UNKNOWN:
        stopped = state.stopped if is_asked else (state.step,)
        return replace(state, step="space", stopped=stopped), cues
    if is_asked and not state.stopped:
        return land(state, space, cues)
    return resume(replace(state, space=space), cues)


_GIVEN: Final = ("what", "who", "suspect", "n", "detective")
_RESULTS: Final = ("captured", "reserve", "kind", "gang", "total")
"""Fields of a correction: those that the table gives, and those that follow from them."""


def _corrected(state: State, given: Values) -> State:
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
        case "card":
            return _revalued(state, int(given["nth"]) - 1, given["n"])
        case _:
            return replace(state, pawn=given["n"])


def _revalued(state: State, nth: int, value: int) -> State:
    """Give a card of the round another value; the total is the sum of the round's cards."""
    seat, was = state.played[nth]
    unseen = (
        count_as_seen(count_as_seen(state.unseen, was, -1), value)
        if _is_counted(state, nth)
        else state.unseen
    )
    return replace(
        state,
        played=put(state.played, nth, (seat, value)),
        total=state.total - was + value,
        unseen=unseen,
    )


def _is_counted(state: State, nth: int) -> bool:
    """Return True if a card of the round was laid since all 56 were last shuffled (BM-11).

    One that was laid before is among the 56 again, whatever its value was.
    """
    laid = sum(COUNTS) - sum(state.unseen)
    return len(state.played) - nth <= laid


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
    cues: Cues = (Cue("left", {"who": who, "own": state.table.own}, "BM-15"),)
    after = _without(state, seat)
    if len(seats(after)) == 1:
        return win(after, seats(after)[0], cues)
    if state.step == "suspect" and not (state.played and state.turn == seat):
        return posters_known(after, cues)
    if state.turn != seat or state.step in ("roll", "space"):
        return after, cues
    if state.step in ("suspect", "commit_suspect", "free_suspect"):
        return next_round(after, cues)
    return at_ten(after, cues) if state.step == "zero" else your_card(after, cues)


def _without(state: State, seat: Seat) -> State:
    """Return the table without a player: the left neighbour has the turn, or a roll still to come.

    A round that was rolled for remains the roller's.
    """
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
    is_to_roll = state.roller == seat and step_of_play(state) == to_roll(state)
    return replace(state, roller=left_of(state, seat)) if is_to_roll else state
