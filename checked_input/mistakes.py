"""What is wrong in a file, and on which line; `companion.say.errors` has the sentences."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LONGEST: Final = 40
"""As much of a found value is quoted, in characters."""


class FileMistake(NamedTuple):
    """One mistake in a file, on `line` (from 1; 0 is the file as a whole).

    `code` names the sentence about it (`cmd.mistake.<code>`), `facts` are what that mentions, ready
    to be shown:

    - `unreadable` (reason): no such file, no permission, or, with `why`, as
      `checked_input.files.Unreadable` has it
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

    def __str__(self) -> str:
        """File, line, code and facts, for a traceback or a log."""
        facts = "".join(f", {name}: {fact}" for name, fact in self.facts.items())
        return f"{self.file.name}, line {self.line}: {self.code}{facts}"


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
