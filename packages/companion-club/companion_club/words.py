"""The sentences of commands and errors, from the catalogue `commands` in the `locale/` here."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.say import errors
from companion.say.words import PackageWords


@cache
def words_in(language: str) -> PackageWords:
    """Return the sentences of the club in a language."""
    return PackageWords(language, Path(__file__).parent, "commands")


def english_error(error: BaseException) -> str:
    """Return an error's text in English, for programs."""
    return errors.error_text(error, words_in("en"))
