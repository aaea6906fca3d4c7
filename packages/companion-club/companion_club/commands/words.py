"""The texts of the club's commands, in the language of this machine."""

from __future__ import annotations

from companion.cmd import places
from companion.say import errors
from companion_club.words import load_club_words


def localised_sentence(key: str, /, **facts: object) -> str:
    """Return the sentence for `key`. Raise MissingSentenceError if the catalogue lacks the key."""
    return load_club_words(places.system_language())(key, **facts)


def localised_plural_sentence(key: str, n: int, **facts: object) -> str:
    """Return the sentence for `key` in the plural form for `n`.

    Raise MissingSentenceError if the catalogue lacks the key.
    """
    return load_club_words(places.system_language()).sentence_for_count(key, n, **facts)


def localised_error(error: BaseException) -> str:
    """Return the text of an error in the language of this machine."""
    return errors.error_text(error, load_club_words(places.system_language()))
