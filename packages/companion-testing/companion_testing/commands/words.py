"""Sentences of the test kit's commands, from the catalogue `commands` in `locale/`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.cmd import places
from companion.say.words import ServiceWords


@cache
def _words(language: str) -> ServiceWords:
    return ServiceWords(language, Path(__file__).parents[1], "commands")


def localised_sentence(key: str, /, **facts: object) -> str:
    """Return the sentence for the catalogue key `key` in the language of this machine.

    Raise MissingSentenceError if the catalogue lacks the sentence.
    """
    return _words(places.system_language())(key, **facts)
