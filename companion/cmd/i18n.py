"""The sentences of the commands, in the language of this machine."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from checked_input.checks import ValueMistake
from checked_input.mistakes import FileMistake
from checked_input.nearest import nearest_word
from companion.cmd import places
from companion.say import errors
from companion.say.words import Words


@cache
def _words(language: str) -> Words:
    return Words(language)


def command_sentence(name: str, /, **facts: object) -> str:
    """Return the sentence `cmd.<name>` with its fields filled from `facts`."""
    return _words(places.system_language())(f"cmd.{name}", **facts)


def command_sentence_for_count(name: str, n: int, **facts: object) -> str:
    """Return the sentence `cmd.<name>` for the count `n`, or the sentence `cmd.<name>.<n>`.

    The sentence `cmd.<name>.<n>` has priority if the catalogue contains this sentence.
    """
    return _words(places.system_language()).sentence_for_count(f"cmd.{name}", n, **facts)


def unknown_name_message(
    of: str, wrong_name: str, valid_names: Iterable[str], like: float = 0.6, **facts: object
) -> str:
    """Return the sentence that `wrong_name` is unknown, with the most similar name or all names.

    - `of`: the kind of name, which is a part of the sentence's key.
    - `valid_names`: all valid names.
    - `like`: the minimum similarity (0 to 1) at which the sentence suggests a valid name.
    """
    there = list(valid_names)
    near = nearest_word(wrong_name, there, like)
    way = f"given.{'near' if near else 'no'}_{of}"
    return command_sentence(way, found=repr(wrong_name), near=near, known=", ".join(there), **facts)


def localised_error_text(error: BaseException) -> str:
    """Return an error's text in the language of this machine."""
    return errors.error_text(error, _words(places.system_language()))


def english_error_text(error: BaseException) -> str:
    """Return an error's text in English, for programs."""
    return errors.error_text(error, _words("en"))


def os_error_reason(error: OSError) -> str:
    """Return the operating system's reason for an error in this machine's language."""
    return errors.system_error_text(error, _words(places.system_language()))


def describe_file_mistake(mistake: FileMistake) -> str:
    """Return a mistake in a file as text, with the mistake's place in the file."""
    return errors.file_mistake_text(mistake, _words(places.system_language()))


def describe_value_mistake(slip: ValueMistake) -> str:
    """Return a text that states why a typed value is wrong, and which values are accepted."""
    return errors.found_and_expected_text(slip, _words(places.system_language()))
