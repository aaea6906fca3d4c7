"""A logger for errors in a game's drawing functions or sentences, which logs equal errors once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from companion.core.errors import log_error
from companion.say.sentences import MissingSentenceError


class FaceErrorLogger:
    """A logger for the errors in the face or the sentences of one game.

    The logger calls `first` before it logs the first error. If a function fails several times with
    the same type of error, only the first failure is logged.
    """

    def __init__(self, game: str, first: Callable[[], object] | None = None) -> None:
        self._game, self._first = game, first
        self._known: set[tuple[str, str]] = set()

    def __call__(self, part: str, error: Exception) -> None:
        """Log that the function `part` of the game's face failed with `error`.

        The caller of the logger then calls the default of the failed function.
        """
        self._note(part, type(error).__name__, error)

    def log_missing_sentence(self, key: str, error: MissingSentenceError) -> None:
        """Log that the sentence `key` is missing.

        The display shows the key instead of the sentence.
        """
        self._note("words", key, error)

    def _note(self, part: str, kind: str, error: Exception) -> None:
        if (part, kind) in self._known:
            return
        if self._first is not None and not self._known:
            self._first()
        self._known.add((part, kind))

        log_error("games", f"{self._game}: {part}: {error}", error)


@cache
def face_error_logger_for_listing(game: str) -> FaceErrorLogger:
    """Return the error logger of a game that is listed but not played."""
    return FaceErrorLogger(game)
