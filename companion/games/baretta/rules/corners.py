"""Effects of the corners and the Hideout (BA-9 to BA-11), and cards that return to a pile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.games.baretta.rules.board import (
    DRAW,
    HIDEOUT,
    LOOK,
    LOSE_TURN,
    NOTHING,
    ROLL_AGAIN,
    SWAP,
    TAKE_BACK,
    UNMARK,
    SpaceNumber,
)
from companion.games.baretta.rules.cards import (
    LOOKED_FACT,
    place_top_card,
    private_card_facts,
)
from companion.games.baretta.rules.opening import count_face_down_pile_cards
from companion.games.baretta.rules.state import (
    State,
    Step,
    append_nothing_cue,
    begin_next_turn,
    card_on_space,
    id_of_space,
    marked_spaces,
    number_of_space,
    player_name,
    replace_tuple_item,
)

PASS_ANSWER: Final = "pass"  # noqa: S105 - no password
QUESTION_OF_EFFECT: Final[Mapping[str, Step]] = {
    TAKE_BACK: "take_back", UNMARK: "unmark", LOOK: "look", DRAW: "draw", SWAP: "swap",
}  # fmt: skip
"""For each effect that the active player may decline: the name of the question about this effect.
"""


def clause_of_current_space(state: State) -> str:
    """Return the clause about Baretta's space: BA-11 for the Hideout, else BA-10."""
    return "BA-11" if state.at == HIDEOUT else "BA-10"


def apply_effect_or_ask_choice(state: State, does: str, cues: Cues) -> tuple[State, Cues]:
    """Apply the effect of Baretta's corner or the Hideout, or ask for a choice (BA-9 to BA-11)."""
    clause = clause_of_current_space(state)
    here = {"who": player_name(state), "space": id_of_space(state)}
    if not does:
        return begin_next_turn(state, append_nothing_cue(state, "shortcut", "BA-9", cues))
    if does == NOTHING:
        return begin_next_turn(state, append_nothing_cue(state, "corner", clause, cues))
    if does == ROLL_AGAIN:
        return replace(state, step="roll", about=""), (*cues, Cue(ROLL_AGAIN, here, clause))
    if does == LOSE_TURN:
        state = replace(state, sitting=(*state.sitting, state.turn))
        return begin_next_turn(state, (*cues, Cue(LOSE_TURN, here, clause)))
    if (why := why_effect_is_impossible(state, does)) is not None:
        return begin_next_turn(state, append_nothing_cue(state, why, clause, cues))
    return replace(state, step=QUESTION_OF_EFFECT[does], about="corner"), cues


def why_effect_is_impossible(state: State, does: str) -> str | None:
    """Return the reason why the effect `does` is impossible now, or None for a possible effect.

    The event `nothing` reports this reason in its field `why`.
    """
    if does not in QUESTION_OF_EFFECT:
        return None
    if does == UNMARK:
        return None if marked_spaces(state, state.turn) else "no_own"
    if does == TAKE_BACK:
        return None if marked_spaces(state) else "no_marked"
    if does == DRAW and not state.piles[state.turn]:
        return "empty_pile"
    if does == DRAW:
        return None if spaces_without_card(state) else "full"
    return (
        None if len(spaces_with_card(state, face_down=does == LOOK)) > (does == SWAP) else "no_card"
    )


def spaces_without_card(state: State) -> tuple[SpaceNumber, ...]:
    """Return the card spaces that are empty."""
    return tuple(space for space, spot in enumerate(state.spots) if spot is None)


def spaces_with_card(state: State, *, face_down: bool) -> tuple[SpaceNumber, ...]:
    """Return the card spaces that have a card.

    If `face_down` is True, return only the spaces with a face-down card.
    """
    return tuple(
        space
        for space, spot in enumerate(state.spots)
        if spot is not None and not (face_down and spot.up)
    )


def _declined(state: State, question: str) -> tuple[State, Cues]:
    facts = {"who": player_name(state), "question": question}
    return begin_next_turn(state, (Cue("declined", facts, "BA-17"),))


# --- marked cards ---------------------------------------------------------------------------------


def on_take_back(state: State, space_id: str) -> tuple[State, Cues]:
    """Put the chosen marked card back into its owner's pile (BA-10 to BA-12).

    If the active player chose "pass", no card returns to a pile.
    """
    if space_id == PASS_ANSWER:
        return _declined(state, TAKE_BACK)
    return return_card_to_pile(state, number_of_space(state, space_id), ())


def return_card_to_pile(state: State, space: SpaceNumber, cues: Cues) -> tuple[State, Cues]:
    """Put a marked card back into its owner's pile (BA-10 to BA-12).

    If the pile has several face-down virtual cards, ask for a shuffle of the pile. If the card
    returns because of an In Trouble card, and the option `cutting` is "yes", also ask whether to
    cut the pile (BA-12).
    """
    spot, trouble = card_on_space(state, space), state.about == "trouble"
    owner = spot.by
    assert owner is not None  # only a player's card has a marker, so the card has an owner
    card = None if state.table.own else spot.card
    state = replace(
        state,
        spots=replace_tuple_item(state.spots, space, None),
        piles=replace_tuple_item(state.piles, owner, (*state.piles[owner], card)),
    )
    facts = {
        "who": player_name(state),
        "owner": player_name(state, owner),
        "space": id_of_space(state, space),
    }
    cues = (*cues, Cue("taken_back", facts, "BA-12" if trouble else clause_of_current_space(state)))
    cutting = (owner,) if trouble and state.table.cutting else ()
    if count_face_down_pile_cards(state, owner) == 1 or (state.table.own and not cutting):
        return begin_next_turn(state, cues)
    if state.table.own:
        return replace(state, step="cut", cutting=cutting), cues
    return replace(state, step="shuffle_pile", mixing=(owner,), cutting=cutting), cues


def on_unmark(state: State, space_id: str) -> tuple[State, Cues]:
    """Remove the marker from the card that the active player chose (BA-10, BA-11)."""
    if space_id == PASS_ANSWER:
        return _declined(state, UNMARK)
    space = number_of_space(state, space_id)
    spots = replace_tuple_item(
        state.spots, space, card_on_space(state, space)._replace(marked=False)
    )
    cue = Cue(
        "unmarked", {"who": player_name(state), "space": space_id}, clause_of_current_space(state)
    )
    return begin_next_turn(replace(state, spots=spots), (cue,))


# --- effects of other real boards (BA-10) ---------------------------------------------------------


def on_look(state: State, space_id: str) -> tuple[State, Cues]:
    """Show a face-down card to the active player; show only the space to the others (BA-10)."""
    if space_id == PASS_ANSWER:
        return _declined(state, LOOK)
    space = number_of_space(state, space_id)
    spot = card_on_space(state, space)
    cues: Cues = (
        Cue(
            LOOKED_FACT,
            {"who": player_name(state), "space": space_id},
            clause_of_current_space(state),
        ),
    )
    if state.turn not in spot.seen and not state.table.own:
        spot = spot._replace(seen=(*spot.seen, state.turn))
        state = replace(state, spots=replace_tuple_item(state.spots, space, spot))
    secrets = [
        c
        for c in private_card_facts(state, space, spot)
        if (c.name, c.to) == (LOOKED_FACT, player_name(state))
    ]
    return begin_next_turn(state, (*cues, *secrets))


def on_draw(state: State, space_id: str) -> tuple[State, Cues]:
    """Place the active player's top card on the empty space that this player chose (BA-10)."""
    if space_id == PASS_ANSWER:
        return _declined(state, DRAW)
    return begin_next_turn(
        *place_top_card(state, clause_of_current_space(state), (), number_of_space(state, space_id))
    )


def on_swap(state: State, space_id: str) -> tuple[State, Cues]:
    """Save the first card that the active player chose for a swap of two cards (BA-10)."""
    if space_id == PASS_ANSWER:
        return _declined(state, SWAP)
    return replace(state, step="swap_with", swapping=number_of_space(state, space_id)), ()


def on_swap_with(state: State, space_id: str) -> tuple[State, Cues]:
    """Swap two cards and their markers; neither card is turned over (BA-10)."""
    assert state.swapping is not None
    first, other = state.swapping, number_of_space(state, space_id)
    spots = replace_tuple_item(
        replace_tuple_item(state.spots, first, state.spots[other]), other, state.spots[first]
    )
    facts = {"who": player_name(state), "space": id_of_space(state, first), "to": space_id}
    swapped = Cue("swapped", facts, clause_of_current_space(state))
    state = replace(state, spots=spots, swapping=None)
    secrets = [
        cue
        for space in (first, other)
        for cue in private_card_facts(state, space, card_on_space(state, space))
    ]
    return begin_next_turn(state, (swapped, *secrets))
