"""Error messages for people, from the catalogue of a language.

Other packages raise errors with a key and fields. This module turns the key into a sentence.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from typing import Final

from checked_input.checks import ValueMistake
from checked_input.mistakes import FileMistake
from companion.core.errors import TranslatedError
from companion.say.words import Words

SYSTEM_ERROR_NAMES: Final = {
    os.strerror(number): name for number, name in errno.errorcode.items()
} | {
    "Name or service not known": "EAI_NONAME",
    "No address associated with hostname": "EAI_NODATA",
    "Temporary failure in name resolution": "EAI_AGAIN",
}
"""Table from an English message of the operating system to the error's name in C, such as `EACCES`.
"""


def error_text(error: BaseException, words: Words) -> str:
    """Return an error message in the language of `words`.

    If the error has no translation, return its English text.
    """
    match error:
        case object(mistakes=[*mistakes]):
            return "\n".join(file_mistake_text(mistake, words) for mistake in mistakes)
        case TranslatedError():
            return _sentence(words, error.key, error.fields)
        # this pattern matches HardwareError, which this package cannot import
        case object(part=str(), reason=str(why), fields=fields) if why:
            return _sentence(words, f"hardware.{why}", fields)
        case OSError(strerror=str(), filename=str() | bytes() | os.PathLike() as file):
            return words(
                "cmd.wrong.file", file=os.fsdecode(file), why=system_error_text(error, words)
            )
        case OSError(strerror=str()):
            return system_error_text(error, words)
        case _:
            return str(error)


def system_error_text(error: OSError, words: Words) -> str:
    """Return the operating system's reason for `error`, translated if possible."""
    return str(_system(error.strerror or error, words))


def file_mistake_text(mistake: FileMistake, words: Words) -> str:
    """Return a sentence about a mistake in a file, with the file's name and any line number."""
    description = found_and_expected_text(mistake, words)
    if not mistake.line:
        return words("cmd.mistake.file", file=mistake.file.name, what=description)
    return words("cmd.mistake.line", file=mistake.file.name, n=mistake.line, what=description)


def _sentence(words: Words, key: str, fields: Mapping[str, object]) -> str:
    fields_as_text = {name: _told(field, words) for name, field in fields.items()}
    return words(f"cmd.wrong.{key}", **fields_as_text)


def _told(field: object, words: Words) -> object:
    match field:
        case Exception():
            return error_text(field, words)
        case ValueMistake():
            return found_and_expected_text(field, words)
        case _:
            return _system(field, words)


def _system(field: object, words: Words) -> object:
    key = f"cmd.errno.{SYSTEM_ERROR_NAMES.get(str(field), '')}"
    return words(key) if words.has_sentence(key) else field


def found_and_expected_text(mistake: FileMistake | ValueMistake, words: Words) -> str:
    """Return a sentence that states the wrong value in a file, the accepted values and a hint."""
    text, facts = _found_and_expected(mistake, words), mistake.facts
    if hint := facts.get("hint"):
        return words(
            "cmd.mistake.with_hint", what=text, hint=words(f"cmd.mistake.hint.{hint}", **facts)
        )
    return text


def _found_and_expected(mistake: FileMistake | ValueMistake, words: Words) -> str:
    facts = dict(mistake.facts)
    if warning := facts.pop("warning", None):
        named = {name: words(key) for name, key in facts.items() if words.has_sentence(str(key))}
        return words(warning, **named)
    if kind := facts.get("kind"):
        facts["kind"] = words(f"cmd.kind.{kind.replace(' ', '_')}")
    if why := facts.get("why"):
        facts["reason"] = words(f"cmd.unreadable.{why}", **facts)
    elif cause := facts.get("reason"):
        facts["reason"] = _told(cause, words)
    description = words(f"cmd.mistake.{mistake.code}", **facts)
    if near := facts.get("near"):
        return words("cmd.mistake.near", what=description, near=near)
    if expected := facts.get("expected"):
        return words("cmd.mistake.expected", what=description, expected=_expected(expected, words))
    return description


def _expected(expected: str, words: Words) -> str:
    key = f"cmd.expected.{expected}"
    return words(key) if words.has_sentence(key) else expected
