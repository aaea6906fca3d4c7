"""Corrections of recorded values in Baretta (BA-18), and players who leave (BA-20)."""

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
from companion.games.baretta.rules.board import (
    CARD_SPACE_COUNT,
    MARKER,
    MARKERS_PER_PLAYER,
    SAME,
    CardOnBoard,
    Seat,
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
)

BARETTA, TURN, OUT_VALUE, IN_VALUE, CARD, PILE = "baretta", "turn", "out", "in", "card", "pile"
"""Kinds of values that players can correct. Players can correct CARD and PILE only if they use real
cards.
"""
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
    leaves = leaving_prompt(player_name(state, seat) for seat in _seats(state, OUT_VALUE))
    if state.step not in ("roll", "move_to"):
        return (leaves,)
    asks, already = partial(_correction, state), partial(_already, state)
    return (Form("correct", None, asks, already=already), leaves)


def _correction(state: State, given: Mapping[str, Answer]) -> Prompt | None:
    """Return the correction form's next question (BA-18), or None if the form is complete."""
    if "what" not in given:
        return Choose("what", None, _what(state))
    what = given["what"]
    if what in (TURN, OUT_VALUE, IN_VALUE, PILE) and "who" not in given:
        return Choose("who", None, tuple(player_name(state, seat) for seat in _seats(state, what)))
    if what in (BARETTA, CARD) and "space" not in given:
        board = state.table.board
        there = range(CARD_SPACE_COUNT if what == CARD else len(board.ids))
        return Choose(
            "space", None, tuple(board.ids[space] for space in board.sort_around_board(there))
        )
    if what == PILE and "n" not in given:
        was = len(state.piles[_seat(state, given["who"])])
        return Number("n", None, 0, MAX_PILE_CARDS, was, facts={"whose": given["who"], "was": was})
    if what == CARD and "lies" not in given:
        return Choose("lies", None, _ways(state, number_of_space(state, given["space"])))
    return None


def _already(state: State, given: Mapping[str, Answer]) -> bool:
    match given:
        case {"what": "turn", "who": who}:
            return bool(who == player_name(state))
        case {"what": "out" | "in" as what, "who": who}:
            seats = [seat for seat, other in enumerate(state.table.players) if other == who]
            return any((seat in state.out) == (what == OUT_VALUE) for seat in seats)
        case _:
            return False


def _what(state: State) -> tuple[str, ...]:
    """Return the kinds of values that players can correct now (BA-18).

    Include CARD and PILE only if the players use real cards.
    """
    values = (BARETTA, *((TURN,) if len(_seats(state, TURN)) else ()))
    values = (*values, *(what for what in (OUT_VALUE, IN_VALUE) if _seats(state, what)))
    return (*values, CARD, PILE) if state.table.own else values


def _seats(state: State, what: str) -> tuple[Seat, ...]:
    every = range(len(state.piles))
    if what == PILE:
        return tuple(every)
    if what == IN_VALUE:
        return tuple(seat for seat in state.out if seat not in state.left)
    return tuple(seat for seat in every if seat not in state.out + (state.turn,) * (what == TURN))


def _seat(state: State, who: str) -> Seat:
    return state.table.players.index(who)


def _ways(state: State, space: SpaceNumber) -> tuple[str, ...]:
    whose = _markers(state, space)
    ways = (EMPTY_SPACE, FACE_DOWN, *(f"{MARKER}:{who}" for who in whose))
    return (
        ways if state.spots[space] is None else (*ways, SAME, *(f"{SAME}:{who}" for who in whose))
    )


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


def on_correct(state: State, given: JsonValues) -> tuple[State, Cues]:
    """Apply a correction, after which the game's state agrees with the real board (BA-18).

    If the correction gives the turn to a player, this player rolls next. If the correction leaves
    only one player in the game, this player wins (BA-16). Raise Refused if the correction changes
    nothing.
    """
    corrected = _corrected(state, given)
    if corrected == state:
        raise Refused("nothing_to_correct")
    corrected = note_known_non_arrest_cards(corrected)
    facts = {key: given.get(key) for key in ("what", "who", "space", "lies", "n")}
    cues: Cues = (Cue("corrected", {**facts, **_on(corrected, given)}, "BA-18"),)
    if given["what"] != OUT_VALUE:
        return corrected, cues
    return _out(corrected, cues)


def _on(state: State, given: JsonValues) -> dict[str, Any]:
    is_card = given["what"] == CARD
    spot = state.spots[number_of_space(state, given["space"])] if is_card else None
    return {"card": public_card_face(spot), "marker": marker_owner(state, spot)}


def on_leaves(state: State, who: str) -> tuple[State, Cues]:
    """Remove the player `who` from the game, and cancel this player's unfinished action (BA-20)."""
    seat = _seat(state, who)
    sitting = tuple(other for other in state.sitting if other != seat)
    out = replace(state, out=(*state.out, seat), left=(*state.left, seat), sitting=sitting)
    cues: Cues = (Cue("left", {"who": who}, "BA-20"),)
    if state.turn == seat:
        out, cues = _dropped(out, cues)
    return _out(note_known_non_arrest_cards(out), cues)


def _dropped(state: State, cues: Cues) -> tuple[State, Cues]:
    """Cancel the current turn's unfinished action, and turn an unused Hunch face down (BA-20)."""
    state = replace(state, mixing=(), cutting=(), swapping=None)
    if state.hunch is None:
        return state, cues
    facts = {"who": player_name(state), "space": id_of_space(state, state.hunch)}
    return turn_hunch_face_down(state), (*cues, Cue("hunch_down", facts, "BA-20"))


def _out(state: State, cues: Cues) -> tuple[State, Cues]:
    """End the game if only one player is left (BA-16).

    If several players are left, and the active player is out, end the active player's turn (BA-18).
    """
    ends = end_if_one_player_left(state, cues)
    if ends is not None or state.turn not in state.out:
        return ends or (state, cues)
    return begin_next_turn(replace(state, moving=None), cues)


def _corrected(state: State, given: JsonValues) -> State:
    match given["what"]:
        case "baretta":
            return replace(state, at=number_of_space(state, given["space"]))
        case "turn":
            turn = _seat(state, given["who"])
            return replace(state, turn=turn, step="roll", moving=None, about="")
        case "out":
            return replace(state, out=(*state.out, _seat(state, given["who"])))
        case "in":
            seat = _seat(state, given["who"])
            return replace(state, out=tuple(out for out in state.out if out != seat))
        case "card":
            space = number_of_space(state, given["space"])
            return replace(
                state, spots=replace_tuple_item(state.spots, space, _lying(state, given))
            )
        case _:
            return _pile(state, _seat(state, given["who"]), given["n"])


def _lying(state: State, given: JsonValues) -> CardOnBoard | None:
    """Return the card that players entered for a space, or None for an empty space (BA-18).

    A new card with a marker comes from the pile of the marker's player. A new card without a marker
    counts as a card that was dealt to the space.
    """
    what, _, who = given["lies"].partition(":")
    before = state.spots[number_of_space(state, given["space"])]
    if what == EMPTY_SPACE:
        return None
    if what == SAME and before is not None:
        by = _seat(state, who) if who else before.by
        return before._replace(by=by, marked=bool(who))
    if what == MARKER:
        return CardOnBoard(None, _seat(state, who), marked=True)
    lies_so = before is not None and before == CardOnBoard(None, before.by)
    return before if lies_so else CardOnBoard(None)


def _pile(state: State, seat: Seat, n: int) -> State:
    pile = (*state.piles[seat][:n], *(None,) * (n - len(state.piles[seat])))
    shown = replace_tuple_item(state.shown, seat, state.shown[seat] and n > 0)
    return replace(state, piles=replace_tuple_item(state.piles, seat, pile), shown=shown)
