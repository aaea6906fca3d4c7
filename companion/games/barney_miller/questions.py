"""What Barney Miller asks, question by question (BM-3 to BM-9)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias, assert_never

from companion.core.prompts import Choose, Prompt, Roll, Shuffle
from companion.games.barney_miller.board import (
    DECK,
    GANG,
    IDENTIFICATION,
    INSUFFICIENT,
    START,
    WARRANT,
    free_posters,
)
from companion.games.barney_miller.state import State, name, uncaptured, unnamed

Laid: TypeAlias = tuple[str, int] | tuple[None, None]


def ask(state: State) -> Prompt | None:
    """What the table must answer next (the turn sequence, BM-1 to BM-9); None when over."""
    table = state.table
    match state.step:
        case "play_card":
            return _play_card(state)
        case "zero":
            return _zero(state)
        case "roll":
            who = name(state, state.roller)
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
    """BM-1: who sits at which desk; BM-14: which gangs hang there, if nobody knows it."""
    table, who = state.table, name(state, state.turn)
    if state.step == "detective":
        return Choose("detective", who, free_posters(table, state.turn))
    seat, n = unnamed(state) or (0, 0)
    facts = {"nth": n + 1, "detective": table.detectives[seat]}
    return Choose("suspect_gang", who, table.gangs, facts=facts)


def _play_card(state: State) -> Choose:
    who, laid = state.table.players[state.turn], _laid(state)
    if state.table.own:
        return _own_card(who, state.unseen, laid)
    return _card(who, state.hands[state.turn], laid)


def _laid(state: State) -> Laid:
    """Who played the card before in this round, and which; of the first one nobody, and none."""
    if not state.played:
        return None, None
    seat, value = state.played[-1]
    return name(state, seat), value


def _before(laid: Laid) -> dict[str, Any]:
    """The same as a question mentions it."""
    return dict(zip(("by", "laid"), laid, strict=True))


@lru_cache(maxsize=4096)
def _own_card(who: str, unseen: tuple[int, ...], laid: Laid) -> Choose:
    """Own cards: those that can still be in play first, as likely as many are unseen (BM-11)."""
    left = [max(0, count) for count in unseen]
    values = tuple(sorted(range(len(left)), key=lambda value: not left[value]))
    weights = tuple(left[value] for value in values)
    return Choose("play_card", who, values, weights, facts=_before(laid))


@lru_cache(maxsize=4096)
def _card(who: str, hand: tuple[int, ...], laid: Laid) -> Choose:
    values = tuple(sorted(set(hand)))
    return Choose("play_card", who, values, private=True, facts=_before(laid))


def _zero(state: State) -> Choose:
    """BM-8: to pass is one turn and one press, with a 0 and without.

    Own cards: how likely a 0 is in that hand tells where the cursor starts.
    """
    who, hand = state.table.players[state.turn], state.hands[state.turn]
    facts = _before(_laid(state))
    if not state.table.own:
        can = ("play", "pass") if 0 in hand else ("pass",)
        return Choose("zero", who, can, (0, 1)[-len(can) :], private=True, facts=facts)
    cards = sum(state.unseen)
    held = min(max(0, state.unseen[0]) * len(hand), cards)
    return Choose("zero", who, ("play", "pass"), (held, cards), facts=facts)


def _suspect(state: State) -> Choose:
    """BM-9: the winner's own ones that can be captured here, or set free."""
    who, gang = name(state, state.turn), state.space.gang if state.space else None
    if state.step == "free_suspect":
        return Choose("free_suspect", who, state.captured[state.turn])
    return Choose("commit_suspect", who, uncaptured(state, state.turn, gang))


@lru_cache(maxsize=4)
def _spaces(gangs: tuple[str, ...]) -> tuple[str, ...]:
    return (*(f"{GANG}:{gang}" for gang in gangs), IDENTIFICATION, WARRANT, INSUFFICIENT, START)
