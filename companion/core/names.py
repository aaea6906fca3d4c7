"""Names of players: two names that look alike count as one."""

from __future__ import annotations

import unicodedata
from typing import Final

LATIN_LOOKALIKES: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABESIJKMHOPCTYXaesijopcyxABEZHIKMNOPTYXo",
)
"""Cyrillic and Greek letters that look like Latin ones. Unicode has more lookalikes, but the
keyboards of a games club do not.
"""


def normalise_name(name: str) -> str:
    """Return a name in its stored form: NFKC, single spaces between words, none around them.

    Control characters, such as a line end, stay in the name, so that a check can refuse them.
    """
    return " ".join(filter(None, unicodedata.normalize("NFKC", name).split(" ")))


def appearance_key(name: str) -> str:
    """Return a key of how a name looks. Names with equal keys cannot be told apart."""
    return normalise_name(name).translate(LATIN_LOOKALIKES)
