"""The look-up of a spelt word in the word lists."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from companion.core.game import Cue
from companion.menus.commands import RefusePress
from companion.say.dictionary import DEFAULT_LIST_PACKAGES, Dictionary

PROPER_NAME_REASON: Final = "word_name"
"""Reason code for the refusal of a word that is a proper name."""


class WordLookup:
    """The service that looks words up, and announces a missing word list once for each language.

    `dictionary` loads the word lists at the first look-up. None means that no language has a list.
    """

    def __init__(self, dictionary: Callable[[], Dictionary] | None) -> None:
        self._dictionary = dictionary and cache(dictionary)
        self._without: set[str] = set()
        self._news: tuple[Cue, ...] = ()

    def word_lists_without_word(self, text: str, language: str) -> tuple[str, ...] | RefusePress:
        """Return the names of the word lists that lack the word `text`, or () or RefusePress.

        - If a word list of `language` contains the word, or if `language` has no word list: ().
        - If the word is only a proper name in a word list: RefusePress (clause PR-1).
        - Otherwise: the names of all searched word lists. The player must then confirm the word.
        """
        verdict = self._dictionary().look_up(text, language) if self._dictionary else None
        if verdict is None:
            self._miss(language)
            return ()
        if verdict.is_proper_name:
            return RefusePress(PROPER_NAME_REASON)
        return () if verdict.known else verdict.lists

    def _miss(self, language: str) -> None:
        if language not in self._without:
            self._without.add(language)
            self._news = (Cue("no_word_list", {"package": DEFAULT_LIST_PACKAGES[language]}),)

    def take_missing_word_list_notices(self) -> tuple[Cue, ...]:
        """Return the notices (`Cue`) about missing word lists that were not announced yet."""
        news, self._news = self._news, ()
        return news
