"""Several people in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.say.words import Words


def together(words: Words, names: Sequence[str]) -> str:
    """Players as they are spoken of: "Ann, Bob and Cy"."""
    *first, last = names
    return words("box.and", first=", ".join(first), last=last) if first else last
