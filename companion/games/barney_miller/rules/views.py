"""Barney Miller's views (the data that players may see): public state, hands, and outcome."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from companion.core.game import Cue, Cues, Outcome
from companion.games.barney_miller.rules.board import Hand, Seat, Suspect, TrackSpace
from companion.games.barney_miller.rules.state import (
    State,
    interrupted_or_current_step,
    next_remaining_seat,
    player_name,
)


def view(state: State, player: str | None) -> dict[str, Any]:
    """Return the public state; docs/protocol.md lists its fields.

    If `player` is not None, add the field `cards`: this player's virtual hand.
    """
    table, names = state.table, state.table.players
    over = state.step == "over"
    seen: dict[str, Any] = {
        "round": state.round,
        "roller": None if state.roller is None else names[state.roller],
        "to_act": None if over else _to_act(state),
        "total": state.total,
        "played": [[names[seat], value] for seat, value in state.played],
        "pawn": state.pawn,
        "track": None if table.track is None else _told(table.track),
        "space": None if state.space is None else state.space._asdict(),
        "posters": _each(state, [_told(desk.suspects) for desk in table.desks]),
        "captured": _each(state, [list(ids) for ids in state.captured]),
        "reserve": _each(state, state.reserve),
        "hand": _each(state, [len(hand) for hand in state.hands]),
        "second": _each(state, [len(hand) for hand in state.seconds]),
        "deck_aside": len(state.aside),
        "detectives": _each(state, table.detectives_by_seat),
        "out": [names[seat] for seat in state.out],
    }
    if player is not None and not table.own:
        seen["cards"] = sorted(state.hands[names.index(player)], key=int)
    return seen


@lru_cache(maxsize=64)
def _told(printed: tuple[TrackSpace | Suspect, ...]) -> list[dict[str, Any]]:
    return [part._asdict() for part in printed]


def _to_act(state: State) -> str | None:
    step, roller = interrupted_or_current_step(state), state.roller
    if step == "high_roll":
        return player_name(state, state.rollers[len(state.rolls)])
    if step == "shuffle" and roller is None:
        return None
    lands = step in ("roll", "space") or (step == "suspect" and not state.played)
    if not lands:
        return player_name(state, state.turn)
    assert roller is not None  # after the roll for the first turn, the state always has a roller
    return player_name(state, next_remaining_seat(state, roller) if roller in state.out else roller)


def _each(state: State, values: Any) -> dict[str, Any]:
    return dict(zip(state.table.players, values, strict=True))


def secrets(state: State) -> Cues:
    """Return the private events that show each player that player's own virtual hand (BM-3)."""
    return tuple(
        [
            cue
            for seat, hand in enumerate(state.hands)
            for cue in private_hand_cues(state, seat, hand)
        ]
    )


def private_hand_cues(state: State, seat: Seat, hand: Hand) -> Cues:
    """Return the private event that shows a hand to its player (BM-3).

    Return () if the hand is empty, or if the players use real cards.
    """
    if state.table.own or not hand:
        return ()
    who = player_name(state, seat)
    return (Cue("hand", {"who": who, "cards": sorted(hand, key=int)}, "BM-3", to=who),)


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None before the end of the game.

    The score of each player is the player's number of chips (BM-12).
    """
    if state.champion is None:
        return None
    chips = [len(ids) + n for ids, n in zip(state.captured, state.reserve, strict=True)]
    return Outcome((player_name(state, state.champion),), _each(state, chips))
