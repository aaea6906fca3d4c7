"""One game's words in every language of the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.core.snapshot import View
from companion.say.sentences import MissingWords
from companion.say.words import Wording, Words


class Phrasebook(dict[str, Words]):
    """The words of one game by language, each created on first use; arguments as for `Words`."""

    def __init__(
        self,
        wording: Wording,
        edition: View,
        missing: Callable[[str, MissingWords], None] | None = None,
        *,
        game: str,
        own: bool = False,
    ) -> None:
        super().__init__()
        self._words_in = partial(
            Words, wording=wording, edition=edition, missing=missing, game=game, own=own
        )

    def __missing__(self, language: str) -> Words:
        """Return the game's words in a language that is used for the first time."""
        self[language] = words = self._words_in(language)
        return words
