"""Corrections of recorded values in Baretta (BA-18), and players who leave (BA-20)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core.corrections import Correction, apply_correction, correction_form
from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.core.prompts import JsonValues, Number, Question, leaving_prompt
from companion.games.baretta.rules.board import (
    CARD_SPACE_COUNT,
    MARKER,
    MARKERS_PER_PLAYER,
    SAME,
    CardOnBoard,
    SpaceNumber,
)
from companion.games.baretta.rules.rules import end_if_one_player_left, turn_hunch_face_down
from companion.games.baretta.rules.state import (
    State,
    begin_next_turn,
    id_of_space,
    marked_spaces,
    marker_owner,
    note_known_non_arrest_cards,
    number_of_space,
    player_name,
    public_card_face,
    replace_tuple_item,
    seat_of_player,
    seats_in_game,
)

EMPTY_SPACE, FACE_DOWN = "empty", "down"
"""Answers in the correction of a space.

- EMPTY_SPACE: the space has no card.
- FACE_DOWN: the space has a new card, face down and without a marker.
- SAME: the space still has its card, but without a marker.
- "same:PLAYER": the space still has its card, with a marker of PLAYER.
- "marker:PLAYER": the space has a new card, with a marker of PLAYER.
"""
MAX_PILE_CARDS: Final = 48
"""Maximum number of cards in a pile that a correction accepts."""


def out_of_turn_questions(state: State) -> tuple[Question, ...]:
    """Return the questions that players can open now, out of turn.

    These are the correction form (BA-18), only before a roll or a move, and the question about a
    player who leaves (BA-20). Before the first turn and after the end of the game, return ().
    """
    if state.opening or state.step == "over":
        return ()
    leaves = leaving_prompt(_players_in_game(state))
    if state.step not in ("roll", "move_to"):
        return (leaves,)
    return (correction_form(CORRECTIONS, state), leaves)


def on_correct(state: State, given: JsonValues) -> tuple[State, Cues]:
    """Apply a correction, after which the game's state agrees with the real board (BA-18).

    If the correction gives the turn to a player, this player rolls next. If the correction leaves
    only one player in the game, this player wins (BA-16). Raise Refused if the correction changes
    nothing.
    """
    corrected = note_known_non_arrest_cards(apply_correction(CORRECTIONS, state, given))
    facts = {key: given.get(key) for key in ("what", "who", "space", "lies", "n")}
    cues: Cues = (Cue("corrected", {**facts, **_on(corrected, given)}, "BA-18"),)
    if given["what"] != "out":
        return corrected, cues
    return end_game_or_turn_of_player_out(corrected, cues)


def _on(state: State, given: JsonValues) -> dict[str, Any]:
    is_card = given["what"] == "card"
    spot = state.spots[number_of_space(state, given["space"])] if is_card else None
    return {"card": public_card_face(spot), "marker": marker_owner(state, spot)}


def _players_in_game(state: State) -> list[str]:
    return [player_name(state, seat) for seat in seats_in_game(state)]


def _waiting_players(state: State) -> list[str]:
    return [who for who in _players_in_game(state) if not _is_active_player(state, who)]


def _is_active_player(state: State, who: str) -> bool:
    return who == player_name(state)


def _players_out(state: State) -> list[str]:
    return [player_name(state, seat) for seat in state.out]


def _players_out_who_stayed(state: State) -> list[str]:
    return [player_name(state, seat) for seat in state.out if seat not in state.left]


def _players_with_real_cards(state: State) -> tuple[str, ...]:
    return state.table.players if state.table.own else ()


def _spaces(state: State) -> list[str]:
    return _in_order(state, len(state.table.board.ids))


def _spaces_with_real_cards(state: State) -> list[str]:
    return _in_order(state, CARD_SPACE_COUNT if state.table.own else 0)


def _in_order(state: State, count: int) -> list[str]:
    board = state.table.board
    return [board.ids[space] for space in board.sort_around_board(range(count))]


def _pile_size(state: State, who: str) -> Number:
    was = len(state.piles[seat_of_player(state, who)])
    return Number("n", None, 0, MAX_PILE_CARDS, was, facts={"whose": who, "was": was})


def _answers_for_space(state: State, space_id: str) -> list[str]:
    space = number_of_space(state, space_id)
    whose = _markers(state, space)
    ways = [EMPTY_SPACE, FACE_DOWN, *(f"{MARKER}:{who}" for who in whose)]
    if state.spots[space] is not None:
        ways += [SAME, *(f"{SAME}:{who}" for who in whose)]
    return ways


def _markers(state: State, space: SpaceNumber) -> tuple[str, ...]:
    """Return the players who have a free marker for a card on `space` (BA-8).

    Each player has six markers. A marker that is now on `space` counts as free.
    """
    others = replace(state, spots=replace_tuple_item(state.spots, space, None))
    free = (
        seat
        for seat in range(len(state.piles))
        if len(marked_spaces(others, seat)) < MARKERS_PER_PLAYER
    )
    return tuple(player_name(state, seat) for seat in free)


def _with_figure(state: State, space: str) -> State:
    return replace(state, at=number_of_space(state, space))


def _with_turn(state: State, who: str) -> State:
    return replace(state, turn=seat_of_player(state, who), step="roll", moving=None, about="")


def _with_player_out(state: State, who: str) -> State:
    return replace(state, out=(*state.out, seat_of_player(state, who)))


def _with_player_in(state: State, who: str) -> State:
    seat = seat_of_player(state, who)
    return replace(state, out=tuple(out for out in state.out if out != seat))


def _with_card(state: State, space_id: str, lies: str) -> State:
    space = number_of_space(state, space_id)
    card = _lying_card(state, state.spots[space], lies)
    return replace(state, spots=replace_tuple_item(state.spots, space, card))


def _lying_card(state: State, before: CardOnBoard | None, lies: str) -> CardOnBoard | None:
    """Return the card that players entered for a space, or None for an empty space (BA-18).

    A new card with a marker comes from the pile of the marker's player. A new card without a marker
    counts as a card that was dealt to the space.
    """
    what, _, who = lies.partition(":")
    if what == EMPTY_SPACE:
        return None
    if what == SAME and before is not None:
        by = seat_of_player(state, who) if who else before.by
        return before._replace(by=by, marked=bool(who))
    if what == MARKER:
        return CardOnBoard(None, seat_of_player(state, who), marked=True)
    lies_so = before is not None and before == CardOnBoard(None, before.by)
    return before if lies_so else CardOnBoard(None)


def _with_pile(state: State, who: str, n: int) -> State:
    seat = seat_of_player(state, who)
    pile = (*state.piles[seat][:n], *(None,) * (n - len(state.piles[seat])))
    shown = replace_tuple_item(state.shown, seat, state.shown[seat] and n > 0)
    return replace(state, piles=replace_tuple_item(state.piles, seat, pile), shown=shown)


CORRECTIONS: Final[Mapping[str, Correction[State]]] = {
    "baretta": Correction({"space": _spaces}, _with_figure),
    "turn": Correction({"who": _waiting_players}, _with_turn, already=_is_active_player),
    "out": Correction(
        {"who": _players_in_game},
        _with_player_out,
        already=lambda state, who: who in _players_out(state),
    ),
    "in": Correction(
        {"who": _players_out_who_stayed},
        _with_player_in,
        already=lambda state, who: who in _players_in_game(state),
    ),
    "card": Correction({"space": _spaces_with_real_cards, "lies": _answers_for_space}, _with_card),
    "pile": Correction({"who": _players_with_real_cards, "n": _pile_size}, _with_pile),
}
"""Kinds of values that players can correct (BA-18).

`card` and `pile` are possible only if the players use real cards.
"""


# --- a player leaves (BA-20) ----------------------------------------------------------------------


def on_leaves(state: State, who: str) -> tuple[State, Cues]:
    """Remove the player `who` from the game, and cancel this player's unfinished action (BA-20)."""
    seat = seat_of_player(state, who)
    sitting = tuple(other for other in state.sitting if other != seat)
    out = replace(state, out=(*state.out, seat), left=(*state.left, seat), sitting=sitting)
    cues: Cues = (Cue("left", {"who": who}, "BA-20"),)
    if state.turn == seat:
        out, cues = _dropped(out, cues)
    return end_game_or_turn_of_player_out(note_known_non_arrest_cards(out), cues)


def _dropped(state: State, cues: Cues) -> tuple[State, Cues]:
    """Cancel the current turn's unfinished action, and turn an unused Hunch face down (BA-20)."""
    state = replace(state, mixing=(), cutting=(), swapping=None)
    if state.hunch is None:
        return state, cues
    facts = {"who": player_name(state), "space": id_of_space(state, state.hunch)}
    return turn_hunch_face_down(state), (*cues, Cue("hunch_down", facts, "BA-20"))


def end_game_or_turn_of_player_out(state: State, cues: Cues) -> tuple[State, Cues]:
    """End the game if only one player is left (BA-16).

    If several players are left, and the active player is out, end the active player's turn (BA-18).
    """
    ends = end_if_one_player_left(state, cues)
    if ends is not None or state.turn not in state.out:
        return ends or (state, cues)
    return begin_next_turn(replace(state, moving=None), cues)
