"""Printed names from an edition, in each language: alone, and inside a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from companion.say.words import Words

_ARTICLE: Final = re.compile(r"^(?:le |la |les |l[’'])")


def printed_name(words: Words, entry: Mapping[str, Any]) -> str:
    """Return the printed name of an edition's entry. Omit the article of a French name."""
    return _ARTICLE.sub("", _name(words, entry))


def printed_name_in_sentence(words: Words, entry: Mapping[str, Any], otherwise: str) -> str:
    """Return the printed name of an edition's entry, with its article if it has one.

    If the name has no article, fill the name into the sentence `otherwise`.
    """
    name = _name(words, entry)
    bare = printed_name(words, entry)
    return name if name != bare else words(otherwise, name=name)


def _name(words: Words, entry: Mapping[str, Any]) -> str:
    """Return the printed name of an edition's entry. Entries without `french` have one name."""
    french = entry.get("french") if words.language == "fr" else None
    return str(french or entry["name"])
