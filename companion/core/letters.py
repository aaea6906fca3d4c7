"""The conversion of letters to capitals without accents, for word games."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

ACCENTS_PATTERN: Final = re.compile("[\u0300-\u036f]+")


def capitals_without_accents(text: str) -> str:
    """Return a text in capitals without accents: É becomes E, œ becomes OE (clause PR-1)."""
    if text.isascii():
        return text.upper()
    # for long texts such as word lists, replace() is faster than str.translate()
    capitals = text.upper().replace("Œ", "OE").replace("Æ", "AE")
    return ACCENTS_PATTERN.sub("", unicodedata.normalize("NFD", capitals))
