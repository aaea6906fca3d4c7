"""Looks up, before it counts, whether a word is one of its language."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from companion.core.game import Cue
from companion.menus.commands import Refuse
from companion.say.dictionary import PACKAGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.say.dictionary import Dictionary


NAME: Final = "word_name"
"""The reason why a proper name is refused."""


class Confirmations:
    """Looks spelt words up; that a language has no list it tells once.

    `dictionary` makes the word lists when the first word is looked up.
    """

    def __init__(self, dictionary: Callable[[], Dictionary] | None) -> None:
        self._dictionary = dictionary and cache(dictionary)
        self._without: set[str] = set()
        self._news: tuple[Cue, ...] = ()

    def about(self, text: str, language: str) -> tuple[str, ...] | Refuse:
        """The lists that should have a word and do not; none if it may count at once.

        A proper name is refused (PR-1).
        """
        verdict = self._dictionary().judge(text, language) if self._dictionary else None
        if verdict is None:
            self._miss(language)
            return ()
        if verdict.name:
            return Refuse(NAME)
        return () if verdict.known else verdict.lists

    def _miss(self, language: str) -> None:
        if language not in self._without:
            self._without.add(language)
            self._news = (Cue("no_word_list", {"package": PACKAGES[language]}),)

    def news(self) -> tuple[Cue, ...]:
        """What is to be told since the last time."""
        news, self._news = self._news, ()
        return news
