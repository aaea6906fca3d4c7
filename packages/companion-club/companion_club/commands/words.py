"""Sentences of the club's commands, in the language of this machine."""

from __future__ import annotations

from companion.cmd import places
from companion.say import errors
from companion_club.words import words_in


def sentence(key: str, /, **facts: object) -> str:
    """Return the sentence of `key`. Raises MissingWords."""
    return words_in(places.system_language())(key, **facts)


def plural_sentence(key: str, n: int, **facts: object) -> str:
    """Return the sentence of `key` for `n` things. Raises MissingWords."""
    return words_in(places.system_language()).for_count(key, n, **facts)


def error_text(error: BaseException) -> str:
    """Return an error's text."""
    return errors.error_text(error, words_in(places.system_language()))
