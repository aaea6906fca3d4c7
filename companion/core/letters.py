"""Letters in word games, without accents."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

ACCENTS: Final = re.compile("[\u0300-\u036f]+")


def strip_accents(text: str) -> str:
    """Return a text in capitals without accents: É becomes E, œ becomes OE (clause PR-1)."""
    if text.isascii():
        return text.upper()
    # whole word lists are converted, and replace() is faster than str.translate() here
    capitals = text.upper().replace("Œ", "OE").replace("Æ", "AE")
    return ACCENTS.sub("", unicodedata.normalize("NFD", capitals))
