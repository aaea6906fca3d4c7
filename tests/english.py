"""English texts of errors, and an assertion that an error with a matching text is raised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

import pytest

from companion.say import errors
from companion_club.words import load_club_words

if TYPE_CHECKING:
    from checked_input.mistakes import FileMistake

ENGLISH_WORDS: Final = load_club_words("en")
"""The sentences of the club and of the box."""


def english_error(error: BaseException) -> str:
    return errors.error_text(error, ENGLISH_WORDS)


def mistake_with_place(mistake: FileMistake) -> str:
    """Return a mistake's text in English, after its place."""
    return errors.file_mistake_text(mistake, ENGLISH_WORDS)


def mistake_text(mistake: FileMistake) -> str:
    """Return in English what was found and what was expected."""
    return errors.found_and_expected_text(mistake, ENGLISH_WORDS)


E = TypeVar("E", bound=BaseException)


@contextmanager
def raises_english(kind: type[E], match: str) -> Iterator[pytest.ExceptionInfo[E]]:
    """Assert that the block raises an error of `kind` whose English text matches `match`."""
    with pytest.raises(kind) as caught:
        yield caught
    assert re.search(match, english_error(caught.value)), english_error(caught.value)
