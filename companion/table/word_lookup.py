"""The look-up of a spelt word in the word lists."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from companion.core.errors import Refused
from companion.core.game import Cue, Cues
from companion.say.dictionary import DEFAULT_LIST_PACKAGES, Dictionary

PROPER_NAME_REASON: Final = "word_name"
"""Reason code for the refusal of a word that is a proper name."""


class WordLookup:
    """The service that looks words up, and announces a missing word list once for each language.

    `dictionary` loads the word lists at the first look-up. None means that no language has a list.
    """

    def __init__(self, dictionary: Callable[[], Dictionary] | None) -> None:
        self._dictionary = dictionary and cache(dictionary)
        self._missing: tuple[str, ...] = ()  # languages without a word list
        self._announced: tuple[str, ...] = ()

    def word_lists_without_word(self, text: str, language: str) -> tuple[str, ...]:
        """If no word list contains the word `text`, return the names of the searched word lists.

        Return () if a word list of `language` contains the word, or if `language` has no word list.
        Otherwise, the player must confirm the word. Raise Refused if the word is only a proper name
        in a word list (clause PR-1).
        """
        verdict = self._dictionary().look_up(text, language) if self._dictionary else None
        if verdict is None:
            self._missing = tuple(dict.fromkeys((*self._missing, language)))
            return ()
        if verdict.is_proper_name:
            raise Refused(PROPER_NAME_REASON)
        return () if verdict.known else verdict.lists

    @property
    def missing_word_list_notices(self) -> Cues:
        """Return the notices about missing word lists that were not announced yet."""
        return tuple(
            Cue("no_word_list", {"package": DEFAULT_LIST_PACKAGES[language]})
            for language in self._missing
            if language not in self._announced
        )

    def mark_notices_as_announced(self) -> None:
        """Mark all notices about missing word lists as announced."""
        self._announced = (*self._missing,)
