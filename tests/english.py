"""What errors say in English; the claim that an error is raised which says so."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

import pytest

from companion.say import errors
from companion_club.words import words_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from checked_input.mistakes import FileMistake

WORDS: Final = words_in("en")
"""The sentences of the club and of the box."""


def told(error: BaseException) -> str:
    """What an error says."""
    return errors.error_text(error, WORDS)


def in_place(mistake: FileMistake) -> str:
    """What a mistake says, after where it is."""
    return errors.mistake_text(mistake, WORDS)


def message(mistake: FileMistake) -> str:
    """What was found, and what was expected."""
    return errors.found_and_expected(mistake, WORDS)


E = TypeVar("E", bound=BaseException)


@contextmanager
def raises(kind: type[E], match: str) -> Iterator[pytest.ExceptionInfo[E]]:
    """An error of that kind is raised, which says in English what matches."""
    with pytest.raises(kind) as caught:
        yield caught
    assert re.search(match, told(caught.value)), told(caught.value)
