"""Rules for cards of Baretta that players place, turn over or discard (BA-7, BA-8, BA-15)."""

from __future__ import annotations

from typing import Final

from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.games.baretta.rules.board import (
    MARKERS_PER_PLAYER,
    PRINTED_COUNTS,
    CardOnBoard,
    SpaceNumber,
)
from companion.games.baretta.rules.state import (
    State,
    append_nothing_cue,
    card_on_space,
    cards_known_to_box,
    id_of_space,
    is_arrest_card,
    marked_spaces,
    note_card_as_non_arrest,
    player_name,
    replace_tuple_item,
)

LOOKED_FACT: Final = "looked"


def place_top_card(
    state: State, clause: str, cues: Cues, space: SpaceNumber | None = None
) -> tuple[State, Cues]:
    """Place the active player's top card on a space, with a marker if the player has one (BA-8).

    The card is face down, except a card that a Wounded card turned up, if the option `wounded` is
    "up". If the pile is empty, announce that nothing happens (BA-17).

    `space`: the space for the card, by default Baretta's space.
    """
    seat, space = state.turn, state.at if space is None else space
    if not state.piles[seat]:
        return state, append_nothing_cue(state, "empty_pile", "BA-17", cues)
    card, *rest = state.piles[seat]
    shown, marker = state.shown[seat], len(marked_spaces(state, seat)) < MARKERS_PER_PLAYER
    up = shown and state.table.face_up
    spot = CardOnBoard(card, seat, marked=marker, up=up)
    there = id_of_space(state, space)
    facts = {"who": player_name(state), "space": there, "marked": spot.marked, "left": len(rest)}
    # a card that is placed face up needs no private event, because all players see the card
    secrets = () if up else private_card_facts(state, space, spot)
    cues = (*cues, Cue("placed", {**facts, "up": up}, clause), *secrets)
    state = replace(
        state,
        spots=replace_tuple_item(state.spots, space, spot),
        piles=replace_tuple_item(state.piles, seat, tuple(rest)),
        shown=replace_tuple_item(state.shown, seat, False),
    )
    all_know = shown and not up and not is_arrest_card(card)
    return (note_card_as_non_arrest(state, space) if all_know else state), cues


def private_card_facts(state: State, space: SpaceNumber, spot: CardOnBoard) -> Cues:
    """Return the private events for the players who placed or looked at the card on `space`.

    In a game with real cards, return (), because the box does not know the cards (BA-8, BA-10).
    """
    if state.table.own:
        return ()
    facts = {"space": id_of_space(state, space), "card": spot.card}
    looked = tuple(
        Cue(LOOKED_FACT, facts, "BA-10", to=player_name(state, seat)) for seat in spot.seen
    )
    if spot.by is None:
        return looked
    return (Cue("placed", facts, "BA-8", to=player_name(state, spot.by)), *looked)


def turned_card_fact(event: str, state: State, card: str) -> Cue:
    """Return the event which reports that the active player turns over the card under Baretta.

    `event`: "turned", or "guessed" for a guess with a Hunch.
    """
    clause = {"turned": "BA-7", "guessed": "BA-13"}[event]
    facts = {"who": player_name(state), "space": id_of_space(state), "card": card}
    return Cue(event, facts, clause, reveals=not state.table.own)


def marker_returned_cues(state: State) -> Cues:
    """Return the event which reports that a card's marker returns to its player (BA-15).

    The card is the card under Baretta. Return () if this card has no marker.
    """
    spot = card_on_space(state, state.at)
    if not spot.marked:
        return ()
    return (
        Cue(
            "marker_back",
            {"who": player_name(state, spot.by), "space": id_of_space(state)},
            "BA-15",
        ),
    )


def discard_card(state: State, space: SpaceNumber, card: str, cues: Cues) -> tuple[State, Cues]:
    """Remove a card from its space and from the game (BA-7)."""
    state = replace(
        state, spots=replace_tuple_item(state.spots, space, None), gone=(*state.gone, card)
    )
    facts = {"space": id_of_space(state, space), "card": card}
    return state, (*cues, Cue("discarded", facts, "BA-7"))


def surplus_card_cues(state: State, card: str) -> Cues:
    """Return a warning if players enter `card` more often than the game has this card (BA-2).

    In all other cases, return (): for example, if the edition does not have the card, or if the
    edition's card counts are only assumed. Each Arrest card exists once.
    """
    n = dict(state.table.kinds).get(card, int(is_arrest_card(card)))
    if (
        state.table.count_status != PRINTED_COUNTS
        or not n
        or cards_known_to_box(state).count(card) < n
    ):
        return ()
    return (Cue("one_too_many", {"who": player_name(state), "card": card, "n": n}, "BA-2"),)
