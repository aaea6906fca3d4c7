"""The sentences of the club's commands and errors, from the catalogue `locale/…/commands.po`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.say import errors
from companion.say.words import ServiceWords


@cache
def load_club_words(language: str) -> ServiceWords:
    """Return the club's catalogue of sentences in a language, such as "fr"."""
    return ServiceWords(language, Path(__file__).parent, "commands")


def english_error_text(error: BaseException) -> str:
    """Return the English text of an error, for output that programs read."""
    return errors.error_text(error, load_club_words("en"))
