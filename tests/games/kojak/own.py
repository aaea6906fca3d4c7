"""What is answered of own trap cards (KO-13)."""

from __future__ import annotations

from companion.games.kojak.rules.board import named_colour


def said(card: str) -> tuple[str, ...]:
    """Whom it names, then what it orders; a Kojak card or a lost turn is said at once."""
    return (named_colour(card), card) if ":" in card else (card,)
