"""Answers about the players' own trap cards (KO-13)."""

from __future__ import annotations

from companion.games.kojak.rules.board import colour_on_trap_card


def said(card: str) -> tuple[str, ...]:
    """Return the answers that describe a card: its detective, then its order."""
    return (colour_on_trap_card(card), card) if ":" in card else (card,)
