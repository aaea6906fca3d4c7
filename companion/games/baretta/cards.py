"""What can happen to a card of Baretta: placed, turned over, discarded (BA-7, BA-8, BA-15)."""

from __future__ import annotations

from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.games.baretta.board import MARKERS, Space, Spot
from companion.games.baretta.state import State, ident, marked, name, nothing, put, spot_at


def place(state: State, clause: str, cues: Cues) -> tuple[State, Cues]:
    """BA-8: the own top card, seen by its player alone, goes face down under an own marker."""
    seat = state.turn
    if not state.piles[seat]:
        return state, nothing(state, "empty_pile", "BA-17", cues)
    card, *rest = state.piles[seat]
    up = state.shown[seat] and state.table.face_up
    spot = Spot(card, seat, marked=len(marked(state, seat)) < MARKERS, up=up)
    facts = {"who": name(state), "space": ident(state), "marked": spot.marked, "left": len(rest)}
    cues = (*cues, Cue("placed", facts, clause), *secret_of(state, state.at, spot))
    state = replace(
        state,
        spots=put(state.spots, state.at, spot),
        piles=put(state.piles, seat, tuple(rest)),
        shown=put(state.shown, seat, False),
    )
    return state, cues


def secret_of(state: State, space: Space, spot: Spot) -> Cues:
    """Only who placed a card knows it (BA-8); of own cards the box knows nothing secret."""
    if state.table.own or spot.by is None:
        return ()
    who = name(state, spot.by)
    facts = {"space": ident(state, space), "card": spot.card}
    return (Cue("placed", facts, "BA-8", to=who),)


def revealed(event: str, state: State, card: str) -> Cue:
    """A card is turned over where Baretta stands."""
    clause = {"turned": "BA-7", "guessed": "BA-13"}[event]
    facts = {"who": name(state), "space": ident(state), "card": card}
    return Cue(event, facts, clause, reveals=not state.table.own)


def marker_back(state: State) -> Cues:
    """BA-15: the marker on the card that is turned over goes back to its owner."""
    spot = spot_at(state, state.at)
    if not spot.marked:
        return ()
    return (Cue("marker_back", {"who": name(state, spot.by), "space": ident(state)}, "BA-15"),)


def discard(state: State, space: Space, card: str, cues: Cues) -> tuple[State, Cues]:
    """BA-7: a card leaves the game."""
    state = replace(state, spots=put(state.spots, space, None), gone=(*state.gone, card))
    facts = {"space": ident(state, space), "card": card}
    return state, (*cues, Cue("discarded", facts, "BA-7"))
