"""Rules of Baretta's turns (docs/rulings.md): rolls, cards, corners, and the Hunch card.

The state contains every virtual card. The module `views` selects the cards that a player may see. A
real card is None until a player enters the card's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from companion.core.fold import replace
from companion.core.game import Cue, Cues, Edition, EnteredBoardValue
from companion.core.prompts import Answer, rolled_numbers
from companion.games.baretta.rules.board import (
    ARREST,
    BY_HAND_CARD,
    CARD_SPACE_COUNT,
    GO_TO,
    HIDEOUT,
    HUNCH,
    MOVE,
    STAY_PUT,
    TO_EFFECT,
    UNKNOWN_EFFECT,
    WOUNDED,
    CardOnBoard,
    Seat,
    SpaceNumber,
    make_table_setup,
)
from companion.games.baretta.rules.cards import (
    discard_card,
    marker_returned_cues,
    place_top_card,
    surplus_card_cues,
    turned_card_fact,
)
from companion.games.baretta.rules.corners import (
    PASS_ANSWER,
    apply_effect_or_ask_choice,
    clause_of_current_space,
    return_card_to_pile,
    why_effect_is_impossible,
)
from companion.games.baretta.rules.opening import assign_criminals_by_seat, on_high_roll
from companion.games.baretta.rules.questions import (
    NO_ARREST_CARD,
    UNLISTED_CARD,
    possible_hunch_target_spaces,
)
from companion.games.baretta.rules.state import (
    State,
    TurnOverReason,
    append_nothing_cue,
    arrest_card_of_player,
    begin_next_turn,
    card_on_space,
    cards_known_to_box,
    id_of_space,
    is_arrest_card,
    marked_spaces,
    note_card_as_non_arrest,
    number_of_space,
    player_name,
    replace_tuple_item,
    seat_of_player,
    seats_in_game,
)

GUESS_MOVE: Final = "guess"
MOVE_CLAUSES: Final = {"roll": "BA-6", GUESS_MOVE: "BA-13"}
"""Table from the cause of a move to the clause about the move.

Two causes are not in the table: a card (clause BA-12) and a corner (the clause of the corner).
"""


def setup(players: tuple[str, ...], options: Mapping[str, str], edition: Edition) -> State:
    """Return the state of a new game before its first question (BA-1).

    `edition`: the parsed file `edition.toml`.
    """
    return assign_criminals_by_seat(State(make_table_setup(players, options, edition)))


# --- rolling and moving (BA-5, BA-6) --------------------------------------------------------------


def on_roll(state: State, value: Answer) -> tuple[State, Cues]:
    """Apply a roll that decides who begins (BA-5), or that moves Baretta (BA-6)."""
    dice = rolled_numbers(value)
    if state.opening:
        return on_high_roll(state, sum(dice))
    rolled = Cue("rolled", {"who": player_name(state), "dice": dice}, "BA-6")
    return _moving(state, sum(dice), (rolled,), second=False)


def _moving(state: State, n: int, cues: Cues, *, second: bool) -> tuple[State, Cues]:
    """Ask where a move of `n` spaces ends, or move Baretta to the only possible space (BA-6).

    `second` is True for the move of a Move card.
    """
    ends = state.table.board.reach[state.at][n]
    if len(ends) == 1:
        return _arrive(state, ends[0], cues, second=second)
    return replace(state, step="move_to", moving=(n, second)), cues


def on_move_to(state: State, space_id: str) -> tuple[State, Cues]:
    """Move Baretta to the space that the active player chose (BA-6)."""
    assert state.moving is not None
    second = state.moving[1]
    return _arrive(state, number_of_space(state, space_id), (), second=second)


def _arrive(state: State, to: SpaceNumber, cues: Cues, *, second: bool) -> tuple[State, Cues]:
    """Move Baretta to the space `to`, and apply the effect of the space (BA-7 to BA-11).

    If a Move card caused the move (`second`), only an Arrest card on the space has an effect
    (BA-14).
    """
    state, moved = _goes(state, to, MOVE if second else "roll")
    cues = (*cues, moved)
    if to >= CARD_SPACE_COUNT:
        return _directed(state, cues)
    return _second(state, cues) if second else _lands(state, cues)


def _lands(state: State, cues: Cues) -> tuple[State, Cues]:
    """Turn over the card under Baretta (BA-7), or place a card if the space is empty (BA-8)."""
    if state.spots[state.at] is None:
        return begin_next_turn(*place_top_card(state, "BA-8", cues))
    return _come_up(state, "landed", cues)


def _goes(state: State, to: SpaceNumber, by: str) -> tuple[State, Cue]:
    """Return the state with Baretta on the space `to`, and the event about the move.

    `by`: the cause of the move: "roll", "move" or "go_to" (cards), "corner", or "guess".
    """
    board = state.table.board
    facts = {
        "who": player_name(state), "from": board.ids[state.at], "to": board.ids[to],
        "kind": board.kind_of_space(to), "does": board.does[to] or None, "by": by,
        "vain": why_effect_is_impossible(state, board.does[to]) is not None,
    }  # fmt: skip
    clause = clause_of_current_space(state) if by == "corner" else MOVE_CLAUSES.get(by, "BA-12")
    return replace(state, at=to, moving=None), Cue("moved", facts, clause)


# --- cards come up (BA-7, BA-14, BA-15) -----------------------------------------------------------


def _come_up(state: State, about: TurnOverReason, cues: Cues) -> tuple[State, Cues]:
    spot = card_on_space(state, state.at)
    state, card = replace(state, about=about), spot.card
    return (replace(state, step="card"), cues) if card is None else _known(state, card, cues)


def on_card(state: State, card: str) -> tuple[State, Cues]:
    """Apply the real card that a player entered (BA-2).

    If players have entered more cards of this name than exist, warn the players.
    """
    if card == UNLISTED_CARD:
        return replace(state, step="another"), ()
    return _known(state, card, () if card == NO_ARREST_CARD else surplus_card_cues(state, card))


def on_another(state: State, card: str) -> tuple[State, Cues]:
    """Apply a real card outside the edition, with the effect that the player entered (BA-2)."""
    return _known(state, card, surplus_card_cues(state, card))


def _known(state: State, card: str, cues: Cues) -> tuple[State, Cues]:
    match state.about:
        case "landed":
            return _turned(state, card, cues)
        case "second":
            return _checked(state, card, cues)
        case "guessed":
            return _guessed(state, card, cues)
        case "top":
            return _turn_up(state, card, cues)
        case "corner" | "trouble" | "":
            raise AssertionError(state.about)  # no other reason for turning over a card exists
        case _:
            assert_never(state.about)


def _turned(state: State, card: str, cues: Cues) -> tuple[State, Cues]:
    """Turn over the card under Baretta (BA-7), return its marker (BA-15), and apply its effect."""
    cues = (*cues, turned_card_fact("turned", state, card), *marker_returned_cues(state))
    if is_arrest_card(card):
        return _arrest(state, card, "landed", cues)
    if card == HUNCH:
        return _play_hunch(state, cues)
    return _obey(*discard_card(state, state.at, card, cues), card)


def _second(state: State, cues: Cues) -> tuple[State, Cues]:
    """Apply Baretta's space after a Move card: only an Arrest card has an effect (BA-14)."""
    spot = state.spots[state.at]
    if spot is None:
        return begin_next_turn(state, append_nothing_cue(state, "empty", "BA-17", cues))
    if _is_harmless(state, spot):
        return begin_next_turn(state, append_nothing_cue(state, "card", "BA-12", cues))
    return _come_up(state, "second", cues)


def _is_harmless(state: State, spot: CardOnBoard) -> bool:
    """Return True if all players know that the card `spot` is not an Arrest card (BA-14)."""
    if spot.up:
        return not is_arrest_card(spot.card)
    if spot.by is None or spot.cleared:
        return True
    return spot.card is None and arrest_card_of_player(state, spot.by) in cards_known_to_box(state)


def _checked(state: State, card: str, cues: Cues) -> tuple[State, Cues]:
    """End the game if `card` is an Arrest card (BA-14).

    If `card` is another card, announce that the card is not an Arrest card.
    """
    if not is_arrest_card(card):
        facts = {"who": player_name(state), "space": id_of_space(state)}
        looked = Cue("not_arrest", facts, "BA-14", reveals=not state.table.own)
        return begin_next_turn(note_card_as_non_arrest(state, state.at), (*cues, looked))
    cues = (*cues, turned_card_fact("turned", state, card), *marker_returned_cues(state))
    return _arrest(state, card, "second", cues)


def _arrest(state: State, card: str, how: str, cues: Cues) -> tuple[State, Cues]:
    """End the game, won by the player to whom the Arrest card belongs (BA-14).

    If this player is out of the game, discard the Arrest card instead (BA-16).
    """
    criminal = card.removeprefix(f"{ARREST}:")
    winner = state.accused.index(criminal)
    if winner in state.out:
        facts = {
            "who": player_name(state, winner),
            "space": id_of_space(state),
            "criminal": criminal,
        }
        return begin_next_turn(
            *discard_card(state, state.at, card, (*cues, Cue("in_vain", facts, "BA-16")))
        )
    spot = card_on_space(state, state.at)._replace(card=card, marked=False, up=True)
    facts = {
        "space": id_of_space(state),
        "criminal": criminal,
        "winner": player_name(state, winner),
    }
    state = replace(state, spots=replace_tuple_item(state.spots, state.at, spot))
    return end_game_with_winner(state, winner, how, (*cues, Cue("arrest", facts, "BA-14")))


def on_who_won(state: State, who: str) -> tuple[State, Cues]:
    """End the game, won by the player `who`, whom the players named (BA-18)."""
    return end_game_with_winner(state, seat_of_player(state, who), "table", ())


def end_game_with_winner(state: State, seat: Seat, how: str, cues: Cues) -> tuple[State, Cues]:
    """End the game, won by the player on `seat`.

    - `how`: the kind of win.
    - "landed": a roll moved Baretta onto the Arrest card.
    - "second": a Move card moved Baretta onto the Arrest card.
    - "guess": a Hunch pointed at the Arrest card.
    - "last": all other players are out of the game.
    - "table": the players named the winner.
    """
    clause = {GUESS_MOVE: "BA-13", "last": "BA-16", "table": "BA-18"}.get(how, "BA-14")
    won = Cue("game_won", {"who": player_name(state, seat), "how": how}, clause)
    over = replace(state, step="over", winner=seat, about="", moving=None, hunch=None)
    return replace(over, swapping=None, mixing=(), cutting=()), (*cues, won)


# --- effects of cards (BA-12) ---------------------------------------------------------------------


def _obey(state: State, cues: Cues, card: str) -> tuple[State, Cues]:
    """Apply the effect of a card that is neither a Hunch nor an Arrest card (BA-12)."""
    kind, _, target = card.partition(":")
    if kind == MOVE:
        return _moving(state, int(target), cues, second=True)
    if kind == GO_TO:
        state, moved = _goes(state, number_of_space(state, target), GO_TO)
        return _directed(state, (*cues, moved))
    if kind == STAY_PUT:
        return begin_next_turn(*place_top_card(state, "BA-12", cues))
    if kind == BY_HAND_CARD:
        return replace(state, step="by_hand", about=""), cues
    return _wounded(state, cues) if kind == WOUNDED else _in_trouble(state, cues)


def _wounded(state: State, cues: Cues) -> tuple[State, Cues]:
    """Turn up the top card of the active player's pile (BA-12).

    If the pile is empty, or if the top card is already face up, announce that nothing
    happens (BA-17).
    """
    pile = state.piles[state.turn]
    if not pile or state.shown[state.turn]:
        why = "already" if pile else "empty_pile"
        return begin_next_turn(state, append_nothing_cue(state, why, "BA-17", cues))
    card = pile[0]
    if card is None:
        return replace(state, step="card", about="top"), cues
    return _turn_up(state, card, cues)


def _turn_up(state: State, card: str, cues: Cues) -> tuple[State, Cues]:
    """Turn the top card of the active player's pile face up, because of a Wounded card (BA-12)."""
    pile = (card, *state.piles[state.turn][1:])
    piles, shown = (
        replace_tuple_item(state.piles, state.turn, pile),
        replace_tuple_item(state.shown, state.turn, True),
    )
    facts = {"who": player_name(state), "card": card}
    cue = Cue(WOUNDED, facts, "BA-12", reveals=not state.table.own)
    return begin_next_turn(replace(state, piles=piles, shown=shown), (*cues, cue))


def _in_trouble(state: State, cues: Cues) -> tuple[State, Cues]:
    """Put a marked card of the active player back into the player's pile (BA-12, BA-17).

    If the player has several marked cards, ask the player to choose a card. If the player has no
    marked card, announce that nothing happens.
    """
    own_marked = marked_spaces(state, state.turn)
    if not own_marked:
        return begin_next_turn(state, append_nothing_cue(state, "no_own", "BA-17", cues))
    state = replace(state, about="trouble")
    if len(own_marked) == 1:
        return return_card_to_pile(state, own_marked[0], cues)
    return replace(state, step="take_back"), cues


def on_moved_by_hand(state: State, space_id: str) -> tuple[State, Cues]:
    """Move Baretta to the space that players entered as the result of a card's effect (BA-2).

    The players have carried out this effect themselves on the real board.
    """
    to = number_of_space(state, space_id)
    done = Cue("done_by_hand", {"who": player_name(state), "space": space_id}, "BA-2")
    return begin_next_turn(replace(state, at=to), (done,))


# --- corners and the Hideout (BA-9 to BA-11) ------------------------------------------------------


def _directed(state: State, cues: Cues) -> tuple[State, Cues]:
    """Apply the effect of the space that Baretta has reached (BA-9 to BA-12).

    If the space is a corner that sends Baretta to another space, also apply the effect of this
    other space.
    """
    if state.at < CARD_SPACE_COUNT:
        return _lands(state, cues)
    does = state.table.board.does[state.at]
    if does == UNKNOWN_EFFECT:
        return replace(state, step="corner_does"), cues
    if not does.startswith(f"{TO_EFFECT}:"):
        return apply_effect_or_ask_choice(state, does, cues)
    state, moved = _goes(
        state, number_of_space(state, does.removeprefix(f"{TO_EFFECT}:")), "corner"
    )
    return _directed(state, (*cues, moved))


def enter_corner_effect(state: State, does: str) -> tuple[State, Cues]:
    """Save and apply the effect that a player entered for a corner or the Hideout (BA-19)."""
    board, at = state.table.board, state.at
    path = ("hideout",) if at == HIDEOUT else ("corner", at - CARD_SPACE_COUNT, "does")
    entered = EnteredBoardValue(path, does, (player_name(state),))
    board = replace(board, does=replace_tuple_item(board.does, at, does))
    table = replace(state.table, board=board)
    return _directed(replace(state, table=table, said=(*state.said, entered)), ())


# --- the Hunch (BA-13, BA-16) ---------------------------------------------------------------------


def _play_hunch(state: State, cues: Cues) -> tuple[State, Cues]:
    """Turn up the Hunch under Baretta, and ask the active player for a guess (BA-13).

    If no card on the board can be an Arrest card, do not ask.
    """
    spot = card_on_space(state, state.at)._replace(card=HUNCH, marked=False, up=True)
    state = replace(
        state, step="hunch", hunch=state.at, spots=replace_tuple_item(state.spots, state.at, spot)
    )
    return (state, cues) if possible_hunch_target_spaces(state) else _keep_quiet(state, cues)


def on_hunch(state: State, value: str) -> tuple[State, Cues]:
    """Apply the answer about a Hunch: a guess, or "pass" to leave the Hunch unused (BA-13)."""
    if value == PASS_ANSWER:
        return _keep_quiet(state, ())
    state, moved = _goes(state, number_of_space(state, value), GUESS_MOVE)
    return _come_up(state, "guessed", (moved,))


def _keep_quiet(state: State, cues: Cues) -> tuple[State, Cues]:
    """Leave an unused Hunch face down on its space (BA-13)."""
    state = turn_hunch_face_down(state)
    facts = {"who": player_name(state), "space": id_of_space(state)}
    return begin_next_turn(state, (*cues, Cue("kept_quiet", facts, "BA-13")))


def turn_hunch_face_down(state: State) -> State:
    """Turn an unused Hunch face down; all players know that this card is a Hunch (BA-13)."""
    assert state.hunch is not None
    spot = card_on_space(state, state.hunch)._replace(up=False)
    spots = replace_tuple_item(state.spots, state.hunch, spot)
    return note_card_as_non_arrest(replace(state, hunch=None, spots=spots), state.hunch)


def _guessed(state: State, card: str, cues: Cues) -> tuple[State, Cues]:
    """Apply the active player's guess with a Hunch, and discard the Hunch (BA-13).

    A right guess ends the game. A wrong guess puts the active player out of the game.
    """
    cues = (*cues, turned_card_fact("guessed", state, card), *marker_returned_cues(state))
    assert state.hunch is not None
    state, cues = discard_card(state, state.hunch, HUNCH, cues)
    state = replace(state, hunch=None)
    if is_arrest_card(card):
        return _arrest(state, card, GUESS_MOVE, cues)
    spot = card_on_space(state, state.at)._replace(card=card, marked=False, up=False)
    out = (*state.out, state.turn)
    state = note_card_as_non_arrest(
        replace(state, spots=replace_tuple_item(state.spots, state.at, spot), out=out), state.at
    )
    cues = (*cues, Cue("out", {"who": player_name(state)}, "BA-13"))
    return end_if_one_player_left(state, cues) or begin_next_turn(state, cues)


def end_if_one_player_left(state: State, cues: Cues) -> tuple[State, Cues] | None:
    """End the game if only one player is left (BA-16). Return None if several players are left."""
    left = seats_in_game(state)
    return end_game_with_winner(state, left[0], "last", cues) if len(left) == 1 else None
