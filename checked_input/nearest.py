"""Find the known word that is most similar to a misspelt word."""

from __future__ import annotations

from collections.abc import Iterable

MIN_SIMILARITY = 0.6
"""Minimum similarity of a known word to a misspelt word, from 0 (different) to 1 (equal)."""


def nearest_word(misspelt: str, known_words: Iterable[str], like: float = MIN_SIMILARITY) -> str:
    """Return the known word that is most similar to `misspelt`; "" if no word is similar enough.

    The comparison ignores the difference between capitals and small letters. `like` is the minimum
    similarity, from 0 to 1.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only for mistakes

    words = {word.casefold(): word for word in known_words}
    near = get_close_matches(misspelt.casefold(), words, 1, like)
    return words[near[0]] if near else ""
