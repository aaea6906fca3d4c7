"""One game's words in every language of the table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.say.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.say.words import MissingWords, View, Wording


class Phrasebook:
    """The words of one game in each language, made once; the arguments are those of `Words`."""

    def __init__(
        self,
        wording: Wording,
        edition: View,
        missing: Callable[[str, MissingWords], None] | None = None,
        *,
        game: str,
        own: bool = False,
    ) -> None:
        self._words_in = partial(
            Words, wording=wording, edition=edition, missing=missing, game=game, own=own
        )
        self._words: dict[str, Words] = {}

    def words(self, language: str) -> Words:
        """The game's words in `language`."""
        if language not in self._words:
            self._words[language] = self._words_in(language)
        return self._words[language]
