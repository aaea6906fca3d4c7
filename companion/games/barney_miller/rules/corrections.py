"""Corrections of recorded values in Barney Miller (BM-13), and players who leave (BM-15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core.corrections import Correction, apply_correction, correction_form
from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.core.prompts import JsonValues, Number, Question, leaving_prompt
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
    seat_of_player,
    seats_of_remaining_players,
)


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
    return (correction_form(CORRECTIONS, state), leaves)


def on_correct(state: State, given: JsonValues) -> tuple[State, Cues]:
    """Apply a correction, after which the game's state agrees with the real board (BM-13).

    If a correction gives a player the fourth chip, this player wins (BM-12). If a correction gives
    the turn to a player with one virtual card, this card is played (BM-7). Raise Refused if the
    correction changes nothing.
    """
    corrected = apply_correction(CORRECTIONS, state, given)
    cues: Cues = (Cue("corrected", _facts(corrected, given), "BM-13"),)
    match given["what"]:
        case "chip" | "reserve":
            return end_if_four_chips(corrected, seat_of_player(state, given["who"]), cues) or (
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
            facts |= chips_as_fact_fields(corrected, seat_of_player(corrected, given["who"]))
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


def _waiting_players(state: State) -> list[str]:
    """Return the players to whom a correction can give the turn or the roll.

    While a round is played, omit players without a card (BM-11).
    """
    seats = seats_of_remaining_players(state)
    if _plays(state):
        waiting = [seat for seat in seats if seat != state.turn and state.hands[seat]]
    else:
        waiting = [seat for seat in seats if seat != state.roller]
    return [player_name(state, seat) for seat in waiting]


def _plays(state: State) -> bool:
    return interrupted_or_current_step(state) == "play_card"


def _suspects(state: State, who: str) -> list[str]:
    return [suspect.id for suspect in state.table.desks[seat_of_player(state, who)].suspects]


def _other_detectives(state: State, who: str) -> list[str]:
    detective = state.table.detectives_by_seat[seat_of_player(state, who)]
    printed = (poster.detective for poster in state.table.printed)
    return [name for name in printed if name != detective]


def _reserve_chips(state: State, who: str) -> Number:
    seat = seat_of_player(state, who)
    most = SUSPECTS_PER_POSTER - len(state.captured[seat])
    return _number("reserve", most, state.reserve[seat])


def _track_spaces(state: State) -> Number | tuple[()]:
    track = state.table.track
    return () if track is None else _number("pawn", len(track) - 1, state.pawn or 0)


def _cards(state: State) -> list[str]:
    if state.step != "play_card" or not state.table.own:
        return []
    return [str(nth + 1) for nth in range(len(state.played)) if _highest(state, nth)]


def _card_values(state: State, nth: str) -> Number:
    n = int(nth) - 1
    return _number("card", _highest(state, n), state.played[n][1])


def _highest(state: State, nth: int) -> int:
    """Return the highest possible value of card number `nth` of the round (BM-13).

    Only a correction of the last card can make a total of ten or more.
    """
    before = [value for _, value in state.played[:-1]]
    return TARGET_TOTAL if nth == len(before) else TARGET_TOTAL - 1 - sum(before) + before[nth]


def _number(what: str, most: int, was: int) -> Number:
    return Number("n", None, 0, most, was, facts={"what": what, "was": was})


def _with_chip(state: State, who: str, suspect: str) -> State:
    seat = seat_of_player(state, who)
    before = state.captured[seat]
    left = tuple(other for other in before if other != suspect)
    after = left if suspect in before else (*before, suspect)
    return replace(state, captured=replace_tuple_item(state.captured, seat, after))


def _with_reserve(state: State, who: str, n: int) -> State:
    reserve = replace_tuple_item(state.reserve, seat_of_player(state, who), n)
    return replace(state, reserve=reserve)


def _with_turn(state: State, who: str) -> State:
    seat = seat_of_player(state, who)
    return replace(state, turn=seat) if _plays(state) else replace(state, roller=seat)


def _with_pawn(state: State, n: int) -> State:
    return replace(state, pawn=n)


def _with_desk(state: State, who: str, detective: str) -> State:
    """Exchange the desks of two players (BM-13), who keep their numbers of captures."""
    before, seat = state.table.desks, seat_of_player(state, who)
    poster = next(poster for poster in state.table.printed if poster.detective == detective)
    desks = tuple(before[seat] if desk == poster else desk for desk in before)
    table = replace(state.table, desks=replace_tuple_item(desks, seat, poster))
    return move_chips_to_new_posters(replace(state, table=table), before)


def _with_card(state: State, nth: str, value: int) -> State:
    """Give card number `nth` of the round another value, and change the total (BM-13)."""
    n = int(nth) - 1
    seat, was = state.played[n]
    unseen = state.unseen
    if _is_counted(state, n):
        unseen = subtract_seen_cards(subtract_seen_cards(unseen, was, -1), value)
    played = replace_tuple_item(state.played, n, (seat, value))
    return replace(state, played=played, total=state.total - was + value, unseen=unseen)


def _is_counted(state: State, nth: int) -> bool:
    """Return True if card number `nth` of the round was played after the last full shuffle (BM-11).

    A full shuffle returns earlier cards of the round to the deck, so `unseen` includes these cards.
    """
    laid = sum(CARD_COUNTS) - sum(state.unseen)
    return len(state.played) - nth <= laid


CORRECTIONS: Final[Mapping[str, Correction[State]]] = {
    "chip": Correction({"who": remaining_players, "suspect": _suspects}, _with_chip),
    "reserve": Correction({"who": remaining_players, "n": _reserve_chips}, _with_reserve),
    "turn": Correction({"who": _waiting_players}, _with_turn),
    "pawn": Correction({"n": _track_spaces}, _with_pawn),
    "desk": Correction({"who": remaining_players, "detective": _other_detectives}, _with_desk),
    "card": Correction({"nth": _cards, "n": _card_values}, _with_card),
}
"""Kinds of values that players can correct (BM-13).

`pawn` is possible only if the box knows the track, and `card` only if the players use real cards.
"""


# --- a player leaves (BM-15) ----------------------------------------------------------------------


def on_leaves(state: State, who: str) -> tuple[State, Cues]:
    """Remove the player `who`, and put the player's cards under the cards that were set aside.

    If one player remains, this player wins (BM-15).
    """
    seat = seat_of_player(state, who)
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
