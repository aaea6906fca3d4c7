"""What goes wrong in a game's face or words: each error is logged once, the first is told."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from companion.core.errors import log

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.say.sentences import MissingWords


class Slips:
    """The slips of one game, each logged once; `first` is called at the first of them."""

    def __init__(self, game: str, first: Callable[[], object] | None = None) -> None:
        self._game, self._first = game, first
        self._known: set[tuple[str, str]] = set()

    def __call__(self, part: str, error: Exception) -> None:
        """A part of the face has failed; its default does instead."""
        self._note(part, type(error).__name__, error)

    def missing(self, key: str, error: MissingWords) -> None:
        """A sentence is not there; its key stands in its place."""
        self._note("words", key, error)

    def _note(self, part: str, kind: str, error: Exception) -> None:
        if (part, kind) in self._known:
            return
        if self._first is not None and not self._known:
            self._first()
        self._known.add((part, kind))

        log("games", f"{self._game}: {part}: {error}", error)


@cache
def unseen(game: str) -> Slips:
    """The slips of a game that is not on the table, but in a list: they are logged."""
    return Slips(game)
