"""What a corner or the Hideout offers (BA-9 to BA-11), and what takes a card back (BA-12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
    Space,
)
from companion.games.baretta.rules.cards import LOOKED, place, secrets_of
from companion.games.baretta.rules.opening import movable_cards
from companion.games.baretta.rules.state import (
    State,
    Step,
    ident,
    index,
    marked_spaces,
    name,
    next_turn,
    nothing_happens,
    put,
    spot_at,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

PASS: Final = "pass"  # noqa: S105 - no password
OFFERED: Final[Mapping[str, Step]] = {
    TAKE_BACK: "take_back", UNMARK: "unmark", LOOK: "look", DRAW: "draw", SWAP: "swap",
}  # fmt: skip
"""The question behind an effect that the player may decline."""


def clause_of(state: State) -> str:
    """The clause of where Baretta stands: a corner's, or the Hideout's."""
    return "BA-11" if state.at == HIDEOUT else "BA-10"


def offer(state: State, does: str, cues: Cues) -> tuple[State, Cues]:
    """BA-9 to BA-11: a space without cards does as the edition says, if that is possible."""
    clause = clause_of(state)
    here = {"who": name(state), "space": ident(state)}
    if not does:
        return next_turn(state, nothing_happens(state, "shortcut", "BA-9", cues))
    if does == NOTHING:
        return next_turn(state, nothing_happens(state, "corner", clause, cues))
    if does == ROLL_AGAIN:
        return replace(state, step="roll", about=""), (*cues, Cue(ROLL_AGAIN, here, clause))
    if does == LOSE_TURN:
        state = replace(state, sitting=(*state.sitting, state.turn))
        return next_turn(state, (*cues, Cue(LOSE_TURN, here, clause)))
    if (why := obstacle(state, does)) is not None:
        return next_turn(state, nothing_happens(state, why, clause, cues))
    return replace(state, step=OFFERED[does], about="corner"), cues


def obstacle(state: State, does: str) -> str | None:
    """Why an effect is not possible now, as `nothing` tells it; None if it is."""
    if does not in OFFERED:
        return None
    if does == UNMARK:
        return None if marked_spaces(state, state.turn) else "no_own"
    if does == TAKE_BACK:
        return None if marked_spaces(state) else "no_marked"
    if does == DRAW and not state.piles[state.turn]:
        return "empty_pile"
    if does == DRAW:
        return None if empty_spaces(state) else "full"
    return (
        None if len(spaces_with_card(state, face_down=does == LOOK)) > (does == SWAP) else "no_card"
    )


def empty_spaces(state: State) -> tuple[Space, ...]:
    """The card spaces without a card."""
    return tuple(space for space, spot in enumerate(state.spots) if spot is None)


def spaces_with_card(state: State, *, face_down: bool) -> tuple[Space, ...]:
    """The spaces with a card; of those that lie `face_down` only, if that is asked for."""
    return tuple(
        space
        for space, spot in enumerate(state.spots)
        if spot is not None and not (face_down and spot.up)
    )


def _declined(state: State, question: str) -> tuple[State, Cues]:
    facts = {"who": name(state), "question": question}
    return next_turn(state, (Cue("declined", facts, "BA-17"),))


# --- Marked cards ---------------------------------------------------------------------------------


def on_take_back(state: State, space_id: str) -> tuple[State, Cues]:
    """BA-10 to BA-12: a marked card goes back into its owner's pile, or none does."""
    if space_id == PASS:
        return _declined(state, TAKE_BACK)
    return take_back(state, index(state, space_id), ())


def take_back(state: State, space: Space, cues: Cues) -> tuple[State, Cues]:
    """The card goes under its owner's pile, which is shuffled; after In Trouble it may be cut."""
    spot, trouble = spot_at(state, space), state.about == "trouble"
    owner = spot.by
    assert owner is not None  # only a player's card has a marker
    card = None if state.table.own else spot.card
    state = replace(
        state,
        spots=put(state.spots, space, None),
        piles=put(state.piles, owner, (*state.piles[owner], card)),
    )
    facts = {"who": name(state), "owner": name(state, owner), "space": ident(state, space)}
    cues = (*cues, Cue("taken_back", facts, "BA-12" if trouble else clause_of(state)))
    cutting = (owner,) if trouble and state.table.cutting else ()
    if movable_cards(state, owner) == 1 or (state.table.own and not cutting):
        return next_turn(state, cues)
    if state.table.own:
        return replace(state, step="cut", cutting=cutting), cues
    return replace(state, step="shuffle_pile", mixing=(owner,), cutting=cutting), cues


def on_unmark(state: State, space_id: str) -> tuple[State, Cues]:
    """BA-10, BA-11: the marker may come off an own card; its player still knows the card."""
    if space_id == PASS:
        return _declined(state, UNMARK)
    space = index(state, space_id)
    spots = put(state.spots, space, spot_at(state, space)._replace(marked=False))
    cue = Cue("unmarked", {"who": name(state), "space": space_id}, clause_of(state))
    return next_turn(replace(state, spots=spots), (cue,))


# --- What else a real board may say (BA-10) -------------------------------------------------------


def on_look(state: State, space_id: str) -> tuple[State, Cues]:
    """BA-10: the player alone looks at a card that lies face down; all see which."""
    if space_id == PASS:
        return _declined(state, LOOK)
    space = index(state, space_id)
    spot = spot_at(state, space)
    cues: Cues = (Cue(LOOKED, {"who": name(state), "space": space_id}, clause_of(state)),)
    if state.turn not in spot.seen and not state.table.own:
        spot = spot._replace(seen=(*spot.seen, state.turn))
        state = replace(state, spots=put(state.spots, space, spot))
    told = [c for c in secrets_of(state, space, spot) if (c.name, c.to) == (LOOKED, name(state))]
    return next_turn(state, (*cues, *told))


def on_draw(state: State, space_id: str) -> tuple[State, Cues]:
    """BA-10: the own top card goes face down to an empty space of the player's choice."""
    if space_id == PASS:
        return _declined(state, DRAW)
    return next_turn(*place(state, clause_of(state), (), index(state, space_id)))


def on_swap(state: State, space_id: str) -> tuple[State, Cues]:
    """BA-10: the first of two cards that change places, or none."""
    if space_id == PASS:
        return _declined(state, SWAP)
    return replace(state, step="swap_with", swapping=index(state, space_id)), ()


def on_swap_with(state: State, space_id: str) -> tuple[State, Cues]:
    """BA-10: two cards change places, with their markers and as they lie."""
    assert state.swapping is not None
    one, other = state.swapping, index(state, space_id)
    spots = put(put(state.spots, one, state.spots[other]), other, state.spots[one])
    facts = {"who": name(state), "space": ident(state, one), "to": space_id}
    swapped = Cue("swapped", facts, clause_of(state))
    state = replace(state, spots=spots, swapping=None)
    told = [
        cue for space in (one, other) for cue in secrets_of(state, space, spot_at(state, space))
    ]
    return next_turn(state, (swapped, *told))
