"""Answers about the players' own trap cards (KO-13)."""

from __future__ import annotations

from companion.games.kojak.rules.board import named_colour


def said(card: str) -> tuple[str, ...]:
    """Return the answers that describe a card: its detective, then its order."""
    return (named_colour(card), card) if ":" in card else (card,)
