"""A mistake in a file, with the line of the mistake.

The module `companion.say.errors` turns mistakes into sentences.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MAX_VALUE_LENGTH: Final = 40
"""Maximum length (characters) of a value that a mistake quotes."""


class FileMistake(NamedTuple):
    """A mistake in a file, on the line `line` (from 1; 0 for the file as a whole).

    `code` is the last part of the key of the mistake's sentence (`cmd.mistake.<code>`). `facts` are
    the values for the sentence:

    - `unreadable` (reason): the file is missing, or access is denied. If this program refuses the
      file, the fact is `why` instead (see `checked_input.files.UnreadableFile`)
    - `syntax` (reason): the file is not TOML; the reason is in English
    - `missing` (found): a required key is missing
    - `unknown_key` (found, near, expected): a key is not known
    - `unknown_word` (found, kind, near, expected): a text is not one of the known words
    - `wrong_type` (found, expected): the type is wrong; `expected` is "text", "whole_number",
      "list" or "table"
    - `wrong_length` (found, count, expected): a text is too short or too long
    - `wrong_count` (found, count, expected): a list is too short or too long
    - `bad_value` (found, expected): a value is not valid for another reason
    - `repeated` (found): a value occurs twice, but must be unique
    - `taken` (found, by): a name or a pin is already in use
    - `unfit` (found, reason): a library does not support a value; the reason is in English
    - `beware` (what, further facts): no mistake, but a consequence that the user should know, in
      English

    `found` is the wrong value or key, `near` is the most similar valid word or "". The facts
    `found` and `near` are in TOML notation with quotation marks. `expected` is a list of words, a
    range such as "1-15", or a key such as "whole_number". Any mistake can have the fact `hint`: the
    last part of the key of a sentence that states what to do (`cmd.mistake.hint.<hint>`).
    """

    file: Path
    line: int
    code: str
    facts: Mapping[str, Any]

    def __str__(self) -> str:
        """Return the file, the line, the code and the facts, for a traceback or a log."""
        facts = "".join(f", {name}: {fact}" for name, fact in self.facts.items())
        return f"{self.file.name}, line {self.line}: {self.code}{facts}"


def quote_value(value: object) -> str:
    """Return a value in TOML notation, on one line, shortened to MAX_VALUE_LENGTH characters."""
    match value:
        case list():
            return "[...]"
        case dict():
            return "{...}"
        case str():
            text = (
                value if len(value) <= MAX_VALUE_LENGTH else f"{value[: MAX_VALUE_LENGTH - 3]}..."
            )
            return json.dumps(text, ensure_ascii=not text.isprintable())
        case int() if abs(value) >= 10**MAX_VALUE_LENGTH:
            return "..."
        case _:
            return str(value).lower()
