"""Comparison of players' names: two names that look alike are treated as one name."""

from __future__ import annotations

import unicodedata
from typing import Final

LATIN_LOOKALIKES: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABESIJKMHOPCTYXaesijopcyxABEZHIKMNOPTYXo",
)
"""Table from Cyrillic and Greek letters to Latin letters that look the same.

The table contains only Cyrillic and Greek letters that ordinary keyboards have.
"""


def normalise_name(name: str) -> str:
    """Return a name in NFKC form, with single spaces between words and no outer spaces.

    Keep control characters, such as a line end, so that a later check can reject the name.
    """
    return " ".join(filter(None, unicodedata.normalize("NFKC", name).split(" ")))


def appearance_key(name: str) -> str:
    """Return a key for the appearance of a name.

    If two names have the same key, people cannot distinguish the names.
    """
    return normalise_name(name).translate(LATIN_LOOKALIKES)
