"""Errors in a game's face or words: each is logged once, the first one is announced."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from companion.core.errors import log_error
from companion.say.sentences import MissingWords


class FaceErrors:
    """The errors of one game, each logged once; `first` is called at the first one."""

    def __init__(self, game: str, first: Callable[[], object] | None = None) -> None:
        self._game, self._first = game, first
        self._known: set[tuple[str, str]] = set()

    def __call__(self, part: str, error: Exception) -> None:
        """Log that a part of the face has failed and its default is used."""
        self._note(part, type(error).__name__, error)

    def report_missing(self, key: str, error: MissingWords) -> None:
        """Log that a sentence is missing and its key is shown instead."""
        self._note("words", key, error)

    def _note(self, part: str, kind: str, error: Exception) -> None:
        if (part, kind) in self._known:
            return
        if self._first is not None and not self._known:
            self._first()
        self._known.add((part, kind))

        log_error("games", f"{self._game}: {part}: {error}", error)


@cache
def silent_errors(game: str) -> FaceErrors:
    """Return the errors of a game that is only listed: they are logged, not announced."""
    return FaceErrors(game)
