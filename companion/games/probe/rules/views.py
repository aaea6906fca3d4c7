"""Probe's views (the data that players may see): public state, a player's words, and outcome."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.core.game import Cue, Cues, Outcome
from companion.games.probe.rules.board import PLACE_COUNT, PLACE_VALUES, Seat
from companion.games.probe.rules.ending import players_with_highest_total
from companion.games.probe.rules.state import State, letter_on_rack, player_name


def view(state: State, player: str | None) -> dict[str, Any]:
    """Return the public state; docs/protocol.md lists its fields.

    If `player` is not None and words are secret, add the field `words`: this player's words.
    """
    table, names = state.table, state.table.players
    seen: dict[str, Any] = {
        "to_act": _to_act(state),
        "scores": dict(zip(names, state.scores, strict=True)),
        "racks": {rack: _places(state, i) for i, rack in enumerate(table.racks)},
        "card": state.card and state.card._asdict(),
        "pile": sum(state.left) if table.own else len(state.pile),
        "last_rounds": state.last,
        "solved": [r for i, r in enumerate(table.racks) if _is_open(state, i)],
        "turn_points": state.gained,
        "times": state.times,
        "whom": None if state.whom is None else names[state.whom],
        "letter": state.letter,
        "uncovering": [table.racks[r] for r in state.within if state.racks[r].covered],
        "because": state.because or None,
        "items": {who: _items(state, seat) for seat, who in enumerate(names)},
        "misspelled": [table.racks[rack] for rack in state.misspelled],
        "out": [names[seat] for seat in state.out],
    }
    if table.remember:
        seen["asked"] = {who: sorted(state.asked[seat]) for seat, who in enumerate(names)}
    if player is not None and table.secret:
        seen["words"] = _words(state, names.index(player))
    return seen


def _to_act(state: State) -> str | None:
    if state.step == "over":
        return None
    if state.step in ("word", "length"):
        return player_name(state, state.table.seat_owning_rack(state.filling))
    return player_name(state, state.turn)


def _places(state: State, rack: int) -> list[dict[str, Any]]:
    word, hidden = state.racks[rack]
    return [
        {
            "value": PLACE_VALUES[place - 1],
            "used": place <= len(word),
            "covered": place in hidden,
            "letter": None
            if place in hidden or place > len(word)
            else letter_on_rack(state, rack, place),
        }
        for place in range(1, PLACE_COUNT + 1)
    ]


def _is_open(state: State, rack: int) -> bool:
    return bool(state.racks[rack].word) and not state.racks[rack].covered


def _items(state: State, seat: Seat) -> dict[str, int]:
    """Return a player's points by reason (PR-6).

    The reasons are in the order in which the player first got points for each reason.
    """
    points_by_reason: Counter[str] = Counter()
    for whose, points, why, _ in state.items:
        if whose == seat:
            points_by_reason[why] += points
    return dict(points_by_reason)


def _words(state: State, seat: Seat) -> dict[str, str]:
    table = state.table
    return {table.racks[r]: word for r in table.held[seat] if (word := state.racks[r].word)}


def secrets(state: State) -> Cues:
    """Return the private events that show each player that player's own words (PR-1)."""
    if not state.table.secret:
        return ()
    return tuple(
        Cue("words", {"who": who, "words": words}, "PR-1", to=who)
        for seat, who in enumerate(state.table.players)
        if (words := _words(state, seat))
    )


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None before the end of the game (PR-14).

    The score of each player is the player's total.
    """
    if state.step != "over":
        return None
    scores = dict(zip(state.table.players, state.scores, strict=True))
    return Outcome(tuple(players_with_highest_total(state)), scores)
