"""What stands on the boards, in words: names for the drawings of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.say.words import Words


def names(words: Words, view: Mapping[str, Any]) -> Mapping[str, str]:
    """The names of a public state of the game whose `words` these are."""
    return words.named(view)
