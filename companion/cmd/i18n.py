"""What the commands say: in the language of this machine, from a catalogue of their own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from checked_input.nearest import nearest
from companion.cmd import places
from companion.say import errors
from companion.say.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from checked_input.checks import Slip
    from checked_input.mistakes import FileMistake


@cache
def _words(language: str) -> Words:
    return Words(language)


def sentence(name: str, /, **facts: object) -> str:
    """The sentence of that name."""
    return _words(places.language())(f"cmd.{name}", **facts)


def plural_sentence(name: str, n: int, **facts: object) -> str:
    """The sentence of that name for so many of a thing."""
    return _words(places.language()).counted(f"cmd.{name}", n, **facts)


def suggest_name(
    of: str, found: str, known: Iterable[str], like: float = 0.6, **facts: object
) -> str:
    """That there is no such thing `of` a kind: the one that was meant, or all that there are."""
    there = list(known)
    near = nearest(found, there, like)
    way = f"given.{'near' if near else 'no'}_{of}"
    return sentence(way, found=repr(found), near=near, known=", ".join(there), **facts)


def error_text(error: BaseException) -> str:
    """What an error says, in the language of this machine."""
    return errors.worded(error, _words(places.language()))


def english_error(error: BaseException) -> str:
    """What an error says to a program."""
    return errors.worded(error, _words("en"))


def system_reason(error: OSError) -> str:
    """What the system says of an error."""
    return errors.reason(error, _words(places.language()))


def describe_mistake(mistake: FileMistake) -> str:
    """A mistake in a file, after where it is."""
    return errors.mistaken(mistake, _words(places.language()))


def describe_slip(slip: Slip) -> str:
    """What will not do of what was typed, and what would."""
    return errors.found_and_expected(slip, _words(places.language()))
