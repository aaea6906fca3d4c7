"""The right word that somebody meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LIKE = 0.6
"""How like two words must be, from 0 to 1, for one to be meant by the other."""


def nearest(found: str, known: Iterable[str], like: float = LIKE) -> str:
    """The word that is likest to the one found, in capitals or not; "" if it is like none."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for mistakes

    words = {word.casefold(): word for word in known}
    near = get_close_matches(found.casefold(), words, 1, like)
    return words[near[0]] if near else ""
