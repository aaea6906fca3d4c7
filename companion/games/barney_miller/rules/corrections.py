"""Corrections of recorded values in Barney Miller (BM-13), and players who leave (BM-15)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from companion.core.errors import Refused
from companion.core.fold import replace
from companion.core.game import Cue, Cues
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
from companion.games.barney_miller.rules.board import (
    CARD_COUNTS,
    SUSPECTS_PER_POSTER,
    TARGET_TOTAL,
    UNKNOWN_SPACE_OR_GANG,
    Seat,
)
from companion.games.barney_miller.rules.rules import (
    ask_for_next_card,
    ask_zero_or_end_round,
    begin_next_round,
    chips_as_fact_fields,
    continue_after_gang_questions,
    continue_or_end_round,
    end_game_with_winner,
    end_if_four_chips,
    first_question_of_round,
    land_on_space,
    resume_after_correction,
    subtract_seen_cards,
    surplus_card_warning,
)
from companion.games.barney_miller.rules.state import (
    State,
    interrupted_or_current_step,
    move_chips_to_new_posters,
    next_remaining_seat,
    player_name,
    remaining_players,
    replace_tuple_item,
    seats_of_remaining_players,
)

CHIP, RESERVE, TURN = "chip", "reserve", "turn"
PAWN, DESK, CARD = "pawn", "desk", "card"
"""Kinds of values that players can correct.

PAWN is possible only if the box knows the track, and CARD only if the players use real cards.
"""


def out_of_turn_questions(state: State) -> tuple[Question, ...]:
    """Return the questions that players can open now, out of turn.

    These are the correction form (BM-13), only before a roll or a card, or at the question for the
    pawn's space, and the question about a player who leaves (BM-15). Before the first round and
    after the end of the game, return ().
    """
    if state.roller is None or state.step == "over":
        return ()
    leaves = leaving_prompt(remaining_players(state))
    if state.step not in ("roll", "space", "play_card"):
        return (leaves,)
    return (Form("correct", None, partial(_correction, state)), leaves)


def _correction(state: State, given: Mapping[str, Answer]) -> Prompt | None:
    """Return the correction form's next question (BM-13), or None if the form is complete."""
    if "what" not in given:
        return Choose("what", None, _what(state))
    what = given["what"]
    if what == CARD:
        return _card(state, given)
    if what != PAWN and "who" not in given:
        who = _others(state) if what == TURN else tuple(seats_of_remaining_players(state))
        return Choose("who", None, tuple(player_name(state, seat) for seat in who))
    if what == CHIP and "suspect" not in given:
        desk = state.table.desks[_seat(state, given["who"])]
        return Choose("suspect", None, tuple(suspect.id for suspect in desk.suspects))
    if what == DESK and "detective" not in given:
        detective = state.table.detectives_by_seat[_seat(state, given["who"])]
        printed = (poster.detective for poster in state.table.printed)
        return Choose("detective", None, tuple(name for name in printed if name != detective))
    if what == RESERVE and "n" not in given:
        seat = _seat(state, given["who"])
        return _number(what, SUSPECTS_PER_POSTER - len(state.captured[seat]), state.reserve[seat])
    if what == PAWN and "n" not in given:
        return _number(what, len(state.table.track or ()) - 1, state.pawn or 0)
    return None


def _card(state: State, given: Mapping[str, Answer]) -> Prompt | None:
    """Ask which card of the round was entered wrongly, and which value this card has (BM-13)."""
    if "nth" not in given:
        return Choose("nth", None, tuple(str(n + 1) for n in _cards(state)))
    if "n" in given:
        return None
    nth = int(given["nth"]) - 1
    return _number(CARD, _highest(state, nth), state.played[nth][1])


def _cards(state: State) -> tuple[int, ...]:
    if state.step != "play_card" or not state.table.own:
        return ()
    return tuple(nth for nth in range(len(state.played)) if _highest(state, nth))


def _highest(state: State, nth: int) -> int:
    """Return the highest possible value of card number `nth` of the round (BM-13).

    Only a correction of the last card can make a total of ten or more.
    """
    before = [value for _, value in state.played[:-1]]
    return TARGET_TOTAL if nth == len(before) else TARGET_TOTAL - 1 - sum(before) + before[nth]


def _number(what: str, most: int, was: int) -> Number:
    return Number("n", None, 0, most, was, facts={"what": what, "was": was})


def _what(state: State) -> tuple[str, ...]:
    """Return the kinds of values that players can correct now (BM-13)."""
    turn = (TURN,) if _others(state) else ()
    pawn = (PAWN,) if state.table.track is not None else ()
    card = (CARD,) if _cards(state) else ()
    return (CHIP, RESERVE, *turn, *pawn, DESK, *card)


def _seat(state: State, who: str) -> Seat:
    return state.table.players.index(who)


def _others(state: State) -> tuple[Seat, ...]:
    """Return the seats to which a correction can give the turn or the roll.

    While a round is played, omit seats without a card (BM-11).
    """
    if _plays(state):
        return tuple(
            seat
            for seat in seats_of_remaining_players(state)
            if seat != state.turn and state.hands[seat]
        )
    return tuple(seat for seat in seats_of_remaining_players(state) if seat != state.roller)


def _plays(state: State) -> bool:
    return interrupted_or_current_step(state) == "play_card"


def on_correct(state: State, given: JsonValues) -> tuple[State, Cues]:
    """Apply a correction, after which the game's state agrees with the real board (BM-13).

    If a correction gives a player the fourth chip, this player wins (BM-12). If a correction gives
    the turn to a player with one virtual card, this card is played (BM-7). Raise Refused if the
    correction changes nothing.
    """
    corrected = _corrected(state, given)
    if corrected == state:
        raise Refused("nothing_to_correct")
    cues: Cues = (Cue("corrected", _facts(corrected, given), "BM-13"),)
    match given["what"]:
        case "chip" | "reserve":
            return end_if_four_chips(corrected, _seat(state, given["who"]), cues) or (
                corrected,
                cues,
            )
        case "pawn":
            return _put(corrected, cues)
        case "card":
            value, n = given["n"], int(given["nth"]) - 1
            is_one_more = _is_counted(state, n) and not state.unseen[value]
            extra = (surplus_card_warning(state, state.played[n][0], value),) if is_one_more else ()
            return continue_or_end_round(corrected, (*cues, *extra))
        case _:
            is_played = corrected.step == "play_card"
            return ask_for_next_card(corrected, cues) if is_played else (corrected, cues)


def _facts(corrected: State, given: JsonValues) -> dict[str, Any]:
    facts = dict.fromkeys((*_GIVEN, *_RESULTS)) | {key: given.get(key) for key in _GIVEN}
    match given["what"]:
        case "chip" | "reserve":
            facts |= chips_as_fact_fields(corrected, _seat(corrected, given["who"]))
        case "pawn":
            assert corrected.table.track is not None
            facts |= corrected.table.track[given["n"]]._asdict()
        case "card":
            seat, _ = corrected.played[int(given["nth"]) - 1]
            facts |= {"who": player_name(corrected, seat), "total": corrected.total}
    return facts


def _put(state: State, cues: Cues) -> tuple[State, Cues]:
    """Apply a correction of the pawn's space (BM-13).

    If the box does not know the kind of the new space, ask for the kind. If the box was asking for
    the pawn's space after a roll, the correction also answers this question.
    """
    assert state.table.track is not None
    space, is_asked = state.table.track[state.pawn or 0], state.step == "space"
    if space.kind == UNKNOWN_SPACE_OR_GANG:
        stopped = state.stopped if is_asked else (state.step,)
        return replace(state, step="space", stopped=stopped), cues
    if is_asked and not state.stopped:
        return land_on_space(state, space, cues)
    return resume_after_correction(replace(state, space=space), cues)


_GIVEN: Final = ("what", "who", "suspect", "n", "detective")
_RESULTS: Final = ("captured", "reserve", "kind", "gang", "total")
"""Names of the event fields that are computed from a correction, not entered by players."""


def _corrected(state: State, given: JsonValues) -> State:
    match given["what"]:
        case "chip":
            return _turned(state, _seat(state, given["who"]), given["suspect"])
        case "reserve":
            reserve = replace_tuple_item(state.reserve, _seat(state, given["who"]), given["n"])
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
    """Give card number `nth` of the round another value, and change the total (BM-13)."""
    seat, was = state.played[nth]
    unseen = (
        subtract_seen_cards(subtract_seen_cards(state.unseen, was, -1), value)
        if _is_counted(state, nth)
        else state.unseen
    )
    return replace(
        state,
        played=replace_tuple_item(state.played, nth, (seat, value)),
        total=state.total - was + value,
        unseen=unseen,
    )


def _is_counted(state: State, nth: int) -> bool:
    """Return True if card number `nth` of the round was played after the last full shuffle (BM-11).

    A full shuffle returns earlier cards of the round to the deck, so `unseen` includes these cards.
    """
    laid = sum(CARD_COUNTS) - sum(state.unseen)
    return len(state.played) - nth <= laid


def _moved(state: State, seat: Seat, detective: str) -> State:
    """Exchange the desks of two players (BM-13), who keep their numbers of captures."""
    before = state.table.desks
    poster = next(poster for poster in state.table.printed if poster.detective == detective)
    desks = tuple(before[seat] if desk == poster else desk for desk in before)
    table = replace(state.table, desks=replace_tuple_item(desks, seat, poster))
    return move_chips_to_new_posters(replace(state, table=table), before)


def _turned(state: State, seat: Seat, suspect: str) -> State:
    before = state.captured[seat]
    left = tuple(other for other in before if other != suspect)
    after = left if suspect in before else (*before, suspect)
    return replace(state, captured=replace_tuple_item(state.captured, seat, after))


# --- a player leaves (BM-15) ----------------------------------------------------------------------


def on_leaves(state: State, who: str) -> tuple[State, Cues]:
    """Remove the player `who`, and put the player's cards under the cards that were set aside.

    If one player remains, this player wins (BM-15).
    """
    seat = _seat(state, who)
    cues: Cues = (Cue("left", {"who": who, "own": state.table.own}, "BM-15"),)
    after = _without(state, seat)
    if len(seats_of_remaining_players(after)) == 1:
        return end_game_with_winner(after, seats_of_remaining_players(after)[0], cues)
    if state.step == "suspect" and not (state.played and state.turn == seat):
        return continue_after_gang_questions(after, cues)
    if state.turn != seat or state.step in ("roll", "space"):
        return after, cues
    if state.step in ("suspect", "commit_suspect", "free_suspect"):
        return begin_next_round(after, cues)
    return (
        ask_zero_or_end_round(after, cues)
        if state.step == "zero"
        else ask_for_next_card(after, cues)
    )


def _without(state: State, seat: Seat) -> State:
    """Remove the player on `seat`; the next player takes over the turn or the roll (BM-15)."""
    cards = (*state.hands[seat], *state.seconds[seat])
    state = replace(
        state,
        out=(*state.out, seat),
        hands=replace_tuple_item(state.hands, seat, ()),
        seconds=replace_tuple_item(state.seconds, seat, ()),
        aside=(*state.aside, *cards),
    )
    if state.turn == seat:
        state = replace(state, turn=next_remaining_seat(state, seat))
    is_to_roll = state.roller == seat and interrupted_or_current_step(
        state
    ) == first_question_of_round(state)
    return replace(state, roller=next_remaining_seat(state, seat)) if is_to_roll else state
