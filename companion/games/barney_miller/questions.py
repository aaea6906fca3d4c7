"""What Barney Miller asks, question by question (BM-3 to BM-9)."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from companion.core.prompts import Choose, Prompt, Roll, Shuffle
from companion.games.barney_miller.board import (
    DECK,
    GANG,
    IDENTIFICATION,
    INSUFFICIENT,
    START,
    WARRANT,
)
from companion.games.barney_miller.state import State, name, uncaptured


def ask(state: State) -> Prompt | None:
    """What the table must answer next (the turn sequence, BM-3 to BM-9); None when over."""
    table = state.table
    match state.step:
        case "play_card":
            return _play_card(state)
        case "zero":
            return _zero(state)
        case "roll":
            return Roll("roll", name(state, state.roller), real=table.real_die)
        case "space":
            return Choose("space", None, _spaces(table.gangs))
        case "shuffle":
            return Shuffle("shuffle", len(DECK))
        case "high_roll":
            who = table.players[state.rollers[len(state.rolls)]]
            return Roll("roll", who, real=table.real_die)
        case "commit_suspect":
            gang = state.space.gang if state.space else None
            who = table.players[state.turn]
            return Choose("commit_suspect", who, uncaptured(state, state.turn, gang))
        case "free_suspect":
            who = table.players[state.turn]
            return Choose("free_suspect", who, state.captured[state.turn])
        case "over":
            return None
        case _:
            assert_never(state.step)


def _play_card(state: State) -> Choose:
    who = state.table.players[state.turn]
    own = state.table.own
    return _own_card(who, state.unseen) if own else _card(who, state.hands[state.turn])


@lru_cache(maxsize=4096)
def _own_card(who: str, unseen: tuple[int, ...]) -> Choose:
    """Own cards: the values that can still be in play (BM-11), as likely as many are unseen."""
    values = tuple(value for value, count in enumerate(unseen) if count)
    return Choose("play_card", who, values, tuple(unseen[value] for value in values))


@lru_cache(maxsize=4096)
def _card(who: str, hand: tuple[int, ...]) -> Choose:
    return Choose("play_card", who, tuple(sorted(set(hand))), private=True)


def _zero(state: State) -> Choose:
    """BM-8. Own cards: how likely a 0 is in that hand tells where the cursor starts."""
    who = state.table.players[state.turn]
    if not state.table.own:
        return Choose("zero", who, ("play", "pass"), (0, 1), private=True)
    cards = sum(state.unseen)
    held = min(state.unseen[0] * len(state.hands[state.turn]), cards)
    return Choose("zero", who, ("play", "pass"), (held, cards))


@lru_cache(maxsize=4)
def _spaces(gangs: tuple[str, ...]) -> tuple[str, ...]:
    return (*(f"{GANG}:{gang}" for gang in gangs), IDENTIFICATION, WARRANT, INSUFFICIENT, START)
