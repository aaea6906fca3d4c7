"""Baretta's views (the data that players may see): public state, secret cards, and outcome."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any, Literal, TypeAlias

from companion.core.game import Cues, Outcome
from companion.games.baretta.rules.board import MARKERS_PER_PLAYER
from companion.games.baretta.rules.cards import private_card_facts
from companion.games.baretta.rules.state import (
    State,
    id_of_space,
    marked_spaces,
    marker_owner,
    player_name,
    public_card_face,
)

Phase: TypeAlias = Literal["opening", "playing", "over"]


def view(state: State, player: str | None) -> dict[str, Any]:
    """Return the public state; docs/protocol.md lists its fields.

    If `player` is not None, add the field `seen`: the face-down cards that this player knows.
    """
    seats = range(len(state.table.players))
    seen: dict[str, Any] = {
        "phase": phase(state),
        "to_act": _to_act(state),
        "baretta": id_of_space(state),
        "spaces": _spaces(state),
        "pile": _each(state, [len(pile) for pile in state.piles] or [0 for _ in seats]),
        "shown": _each(state, [_shown(state, seat) for seat in seats]),
        "markers": _each(
            state, [MARKERS_PER_PLAYER - len(marked_spaces(state, seat)) for seat in seats]
        ),
        "out": [player_name(state, seat) for seat in state.out],
        "left": [player_name(state, seat) for seat in state.left],
        "sitting": [player_name(state, seat) for seat in state.sitting],
        "accused": dict(zip_longest(state.table.players, state.accused)),
        "moving": _moving(state),
        "asked": state.about if state.step in ("card", "take_back") else None,
    }
    if player is not None:
        seen["seen"] = {
            cue.facts["space"]: cue.facts["card"] for cue in secrets(state) if cue.to == player
        }
    return seen


def phase(state: State) -> Phase:
    """Return the game's phase: `opening` before the first turn, then `playing`, at last `over`."""
    if state.step == "over":
        return "over"
    return "opening" if state.opening else "playing"


def _spaces(state: State) -> dict[str, Any]:
    board = state.table.board
    spots = (*state.spots, *[None] * (len(board.ids) - len(state.spots)))
    return {
        space_id: {
            "kind": board.kind_of_space(space),
            "next": [board.ids[link] for link in board.links[space]],
            "does": board.does[space] or None,
            "card": public_card_face(spot),
            "marker": marker_owner(state, spot),
            "cleared": spot is not None and spot.cleared,
            "at": list(board.at[space]),
        }
        for space, (space_id, spot) in enumerate(zip(board.ids, spots, strict=True))
    }


def _shown(state: State, seat: int) -> str | None:
    return state.piles[seat][0] if state.shown and state.shown[seat] else None


def _moving(state: State) -> dict[str, Any] | None:
    if state.moving is None:
        return None
    n, second = state.moving
    return {"who": player_name(state), "n": n, "second": second}


def _to_act(state: State) -> str | None:
    if state.step == "over":
        return None
    if state.step == "accused":
        return player_name(state, len(state.accused))
    if state.step == "high_roll":
        return player_name(state, state.rollers[len(state.rolls)])
    return None if state.opening else player_name(state)


def _each(state: State, values: Iterable[Any]) -> dict[str, Any]:
    return dict(zip(state.table.players, values, strict=True))


def secrets(state: State) -> Cues:
    """Return the private events about face-down cards that players placed or looked at (BA-8)."""
    return tuple(
        cue
        for space, spot in enumerate(state.spots)
        if spot is not None and not spot.up
        for cue in private_card_facts(state, space, spot)
    )


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None before the end of the game (BA-14, BA-16).

    The winner has the score 1, and each other player has the score 0.
    """
    if state.winner is None:
        return None
    scores = [int(seat == state.winner) for seat in range(len(state.table.players))]
    return Outcome((player_name(state, state.winner),), _each(state, scores))
