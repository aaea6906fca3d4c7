"""The texts of the club's commands, in the language of this machine."""

from __future__ import annotations

from companion.cmd import places
from companion.say import errors
from companion_club.words import words_in


def sentence(key: str, /, **facts: object) -> str:
    """Return the sentence for `key`. Raise MissingWords if the catalogue lacks the key."""
    return words_in(places.system_language())(key, **facts)


def plural_sentence(key: str, n: int, **facts: object) -> str:
    """Return the sentence for `key` in the plural form for `n`.

    Raise MissingWords if the catalogue lacks the key.
    """
    return words_in(places.system_language()).for_count(key, n, **facts)


def error_text(error: BaseException) -> str:
    """Return the text of an error in the language of this machine."""
    return errors.error_text(error, words_in(places.system_language()))
