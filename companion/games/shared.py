"""What several of the games do in the same way."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

ACCENTS: Final = re.compile("[\u0300-\u036f]+")


def highest(seats: tuple[int, ...], rolls: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that rolled highest, in order: one begins, several roll again (BM-4)."""
    top = max(rolls)
    return tuple(seat for seat, roll in zip(seats, rolls, strict=True) if roll == top)


def plain(text: str) -> str:
    """A text in capitals without accents: É is E, œ is OE (PR-1)."""
    if text.isascii():
        return text.upper()
    capitals = text.upper().replace("Œ", "OE").replace("Æ", "AE")  # whole lists: no `translate`
    return ACCENTS.sub("", unicodedata.normalize("NFD", capitals))
