"""Names that are printed on board and cards, as titles and as parts of a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from companion.say.words import Words

_ARTICLE: Final = re.compile(r"^(?:le |la |les |l[’'])")


def printed_entry_name(words: Words, entry: Mapping[str, Any]) -> str:
    """Return the printed name of an entry in an edition file. Omit the article of a French name."""
    return _ARTICLE.sub("", _name(words, entry))


def printed_name_with_article(words: Words, entry: Mapping[str, Any], otherwise: str) -> str:
    """Return the printed name of an entry in an edition file, with the article of the name.

    `otherwise`: the key of a sentence with a placeholder for the name. If the name has no article,
    return this sentence instead of the name.
    """
    name = _name(words, entry)
    bare = printed_entry_name(words, entry)
    return name if name != bare else words(otherwise, name=name)


def _name(words: Words, entry: Mapping[str, Any]) -> str:
    french = entry.get("french") if words.language == "fr" else None
    return str(french or entry["name"])
