"""What is wrong in a file, on which line, and the sentence about it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SENTENCES: Final = {
    "unreadable": "cannot be read: {reason}",
    "syntax": "is not TOML: {reason}",
    "missing": "{found} is missing",
    "unknown_key": "{found} is not a key here",
    "unknown_word": "{found} is not a {kind}",
    "wrong_type": "{found} is the wrong kind of value",
    "wrong_length": "{found} is {count} characters long",
    "wrong_count": "{found} is a list of {count}",
    "bad_value": "{found} will not do",
    "repeated": "{found} is there twice",
    "taken": "{found} is taken already, by {by}",
    "unfit": "{found} will not do: {reason}",
    "beware": "{what}",
}
"""The English for each code of a Mistake, before what was expected."""
LONGEST: Final = 40
"""As much of a found value is quoted, in characters."""


class Mistake(NamedTuple):
    """One mistake in a file, on `line` (from 1; 0 is the file as a whole).

    `code` says which, and `facts` what a sentence about it mentions, ready to be shown:

    - `unreadable` (reason): no such file, no permission, or, with `why`, one of `files.REASONS`
    - `syntax` (reason): not TOML; the reason is in English
    - `missing` (found): a key that must be there
    - `unknown_key` (found, near, expected)
    - `unknown_word` (found, kind, near, expected): not one of the words that can stand there
    - `wrong_type` (found, expected): `expected` is "text", "whole_number", "list" or "table"
    - `wrong_length` (found, count, expected): a text too short or too long
    - `wrong_count` (found, count, expected): a list too short or too long
    - `bad_value` (found, expected): anything else
    - `repeated` (found): must be different each time
    - `taken` (found, by): what it names is something else already
    - `unfit` (found, reason): a library does not have it; the reason is in English
    - `beware` (what, and what else a sentence about it needs): no mistake, but this follows from
      it, in English

    `found` and `near`, the nearest right word or "", are as in TOML, with quotation marks;
    `expected` is a list of those, a range such as "1-15", or a key such as "whole_number".
    """

    file: Path
    line: int
    code: str
    facts: Mapping[str, Any]

    @property
    def message(self) -> str:
        """What was found and what was expected, in English."""
        sentence = SENTENCES[self.code].format_map(self.facts)
        if near := self.facts.get("near"):
            return f"{sentence}; did you mean {near}?"
        if expected := self.facts.get("expected"):
            english = expected if '"' in expected else expected.replace("_", " ")
            return f"{sentence}; expected: {english}"
        return sentence

    def __str__(self) -> str:
        return told(self.file, self.line, self.message)


def told(file: Path, line: int, what: str) -> str:
    """What is wrong, after where: on a line, or, if that is 0, in the file as a whole."""
    return f"{file.name}, line {line}: {what}" if line else f"{file.name}: {what}"


def shown(value: object) -> str:
    """A value as TOML writes it, on one line and not too long."""
    match value:
        case list():
            return "[...]"
        case dict():
            return "{...}"
        case str():
            text = value if len(value) <= LONGEST else f"{value[: LONGEST - 3]}..."
            return json.dumps(text, ensure_ascii=not text.isprintable())
        case int() if abs(value) >= 10**LONGEST:
            return "..."
        case _:
            return str(value).lower()
