"""One game's sentences in every language that the players use."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.core.snapshot import View
from companion.say.sentences import MissingSentenceError
from companion.say.words import WordingFunctions, Words


class WordsByLanguage(dict[str, Words]):
    """Table from a language to a game's `Words`, which are created on first use.

    This class has the arguments of `Words`, without the language.
    """

    def __init__(
        self,
        wording: WordingFunctions,
        edition: View,
        missing: Callable[[str, MissingSentenceError], None] | None = None,
        *,
        game: str,
        own: bool = False,
    ) -> None:
        super().__init__()
        self._words_in = partial(
            Words, wording=wording, edition=edition, missing=missing, game=game, own=own
        )

    def __missing__(self, language: str) -> Words:
        """Create the game's `Words` in a language on first use."""
        self[language] = words = self._words_in(language)
        return words
