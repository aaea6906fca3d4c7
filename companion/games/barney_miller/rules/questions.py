"""Barney Miller's questions: the possible answers, and how likely each answer is.

The weight of an answer states how likely this answer is, compared with the question's other
answers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, assert_never

from companion.core.prompts import Choose, Prompt, Roll, Shuffle
from companion.games.barney_miller.rules.board import (
    CARD_VALUES,
    DECK,
    GANG,
    IDENTIFICATION,
    INSUFFICIENT_EVIDENCE,
    START,
    TARGET_TOTAL,
    WARRANT,
    available_detectives,
)
from companion.games.barney_miller.rules.state import (
    State,
    find_suspect_with_unknown_gang,
    player_name,
    uncaptured_suspects,
)


def ask(state: State) -> Prompt | None:
    """Return the game's next question, or None after the end of the game."""
    table = state.table
    match state.step:
        case "play_card":
            return _play_card(state)
        case "zero":
            return _zero(state)
        case "roll":
            who = player_name(state, state.roller)
            return Roll("roll", who, real=table.real_die, pressed=table.pressed)
        case "space":
            return Choose("space", None, _spaces(table.gangs))
        case "detective" | "suspect":
            return _desk(state)
        case "shuffle":
            return Shuffle("shuffle", len(DECK))
        case "high_roll":
            who = table.players[state.rollers[len(state.rolls)]]
            return Roll("roll", who, real=table.real_die, pressed=table.pressed)
        case "commit_suspect" | "free_suspect":
            return _suspect(state)
        case "over":
            return None
        case _:
            assert_never(state.step)


def _desk(state: State) -> Choose:
    """Ask a player to choose a desk (BM-1), or to enter the gang of a poster's suspect (BM-14)."""
    table = state.table
    if state.step == "detective":
        return Choose(
            "detective", player_name(state, state.turn), available_detectives(table, state.turn)
        )
    seat, n = find_suspect_with_unknown_gang(state) or (0, 0)
    who = player_name(state, seat)
    facts = {"nth": n + 1, "detective": table.detectives_by_seat[seat]}
    return Choose("suspect_gang", who, table.gangs, facts=facts)


def _play_card(state: State) -> Choose:
    who, before = state.table.players[state.turn], _before(state)
    if not state.table.own:
        values = tuple(sorted({card for card in state.hands[state.turn] if card is not None}))
        return Choose("play_card", who, values, private=True, facts=before)
    values, weights = _likely(state.unseen)
    return Choose("play_card", who, values, weights, facts=before, start=_ten_maker(state))


def _ten_maker(state: State) -> int | None:
    """Return the value of a card that makes the total ten (BM-7).

    Return None if all cards of this value were seen.
    """
    card = TARGET_TOTAL - state.total
    return card if state.unseen[card] > 0 else None


def _before(state: State) -> dict[str, Any]:
    if not state.played:
        return {"by": None, "laid": None}
    seat, value = state.played[-1]
    return {"by": player_name(state, seat), "laid": value}


def _likely(unseen: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a real card's possible values and their weights; unseen values are first (BM-11)."""
    if min(unseen) > 0:
        return CARD_VALUES, unseen
    there = [value for value, count in enumerate(unseen) if count > 0]
    gone = [value for value, count in enumerate(unseen) if count <= 0]
    return (*there, *gone), (*map(unseen.__getitem__, there), *[0] * len(gone))


def _zero(state: State) -> Choose:
    """Ask the active player for a 0 at a total of ten, even if the hand has no 0 (BM-8).

    In a game with real cards, the answers' weights decide at which answer the cursor starts.
    """
    who, hand = state.table.players[state.turn], state.hands[state.turn]
    facts = _before(state)
    if not state.table.own:
        can = ("play", "pass") if 0 in hand else ("pass",)
        return Choose("zero", who, can, (0, 1)[-len(can) :], private=True, facts=facts)
    cards = sum(state.unseen)
    held = min(max(0, state.unseen[0]) * len(hand), cards)
    return Choose("zero", who, ("play", "pass"), (held, cards), facts=facts)


def _suspect(state: State) -> Choose:
    """Ask the winner of a round which suspect to capture, or which suspect to set free (BM-9)."""
    who, gang = player_name(state, state.turn), state.space.gang if state.space else None
    if state.step == "free_suspect":
        return Choose("free_suspect", who, state.captured[state.turn])
    return Choose("commit_suspect", who, uncaptured_suspects(state, state.turn, gang))


@lru_cache(maxsize=4)
def _spaces(gangs: tuple[str, ...]) -> tuple[str, ...]:
    return (
        *(f"{GANG}:{gang}" for gang in gangs),
        IDENTIFICATION,
        WARRANT,
        INSUFFICIENT_EVIDENCE,
        START,
    )
