"""Look up whether the word list of a language contains a spelt word."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from companion.core.game import Cue
from companion.menus.commands import RefusePress
from companion.say.dictionary import LIST_PACKAGES, Dictionary

PROPER_NAME_REASON: Final = "word_name"
"""The reason for refusing a proper name."""


class WordLookup:
    """The word look-up. It reports a language without a list only once.

    `dictionary` loads the word lists when the first word is looked up.
    """

    def __init__(self, dictionary: Callable[[], Dictionary] | None) -> None:
        self._dictionary = dictionary and cache(dictionary)
        self._without: set[str] = set()
        self._news: tuple[Cue, ...] = ()

    def lists_without(self, text: str, language: str) -> tuple[str, ...] | RefusePress:
        """Return the lists that do not contain a word.

        Return () if the word is accepted at once. Raise Refused for a name (PR-1).
        """
        verdict = self._dictionary().look_up(text, language) if self._dictionary else None
        if verdict is None:
            self._miss(language)
            return ()
        if verdict.name:
            return RefusePress(PROPER_NAME_REASON)
        return () if verdict.known else verdict.lists

    def _miss(self, language: str) -> None:
        if language not in self._without:
            self._without.add(language)
            self._news = (Cue("no_word_list", {"package": LIST_PACKAGES[language]}),)

    def take_news(self) -> tuple[Cue, ...]:
        """Return the facts that have to be announced since the last call."""
        news, self._news = self._news, ()
        return news
