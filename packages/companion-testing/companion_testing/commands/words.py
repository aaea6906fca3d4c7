"""Sentences of the kit's commands, from the catalogue `commands` in the kit's `locale/`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.cmd import places
from companion.say.words import PackageWords


@cache
def _words(language: str) -> PackageWords:
    return PackageWords(language, Path(__file__).parents[1], "commands")


def sentence(key: str, /, **facts: object) -> str:
    """Return the sentence of `key` in the language of this machine. Raises MissingWords."""
    return _words(places.system_language())(key, **facts)
