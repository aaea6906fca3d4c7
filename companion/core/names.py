"""What people are called: two names that look alike are not two people."""

from __future__ import annotations

import unicodedata
from typing import Final

LIKE_LATIN: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABESIJKMHOPCTYXaesijopcyxABEZHIKMNOPTYXo",
)
"""Cyrillic and Greek letters that look like Latin ones. Other signs of Unicode do so too, but no
keyboard of a club has them.
"""


def usual(name: str) -> str:
    """A name as it is kept (NFKC), with single spaces between words and none around them.

    What is no letter, such as the end of a line, stays in it, to be refused.
    """
    return " ".join(filter(None, unicodedata.normalize("NFKC", name).split(" ")))


def look(name: str) -> str:
    """What a name looks like: two that are equal in this nobody can tell apart."""
    return usual(name).translate(LIKE_LATIN)
