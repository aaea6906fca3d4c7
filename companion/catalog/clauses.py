"""The clauses (numbered rules) of a game, in the sections of its printed rule sheet.

The file `clauses.toml` in the game's folder contains the clauses in all languages.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.catalog import registry
from companion.core.errors import CompanionError


class InvalidClausesError(CompanionError, ValueError):
    """The error for a `clauses.toml` that is not valid TOML or lacks a key."""


class Clause(NamedTuple):
    """A numbered rule: number (such as `KO-8`), authority (`mark`), and text by language.

    If only a part of a rule is printed on the rule sheet, the rule is split into several clauses
    with the same number.
    """

    number: str
    mark: str
    text: Mapping[str, str]


class RuleSheetSection(NamedTuple):
    """A section of a rule sheet: its title by language, and its clauses (numbered rules)."""

    title: Mapping[str, str]
    clauses: tuple[Clause, ...]


NON_TEXT_FIELDS: Final = {"clause", "mark"}
"""Keys of `clauses.toml` whose values are not texts in a language."""
AUTHORITY_MARKS: Final = ("sheet", "derived", "public", "ruling", "assumed")
"""The marks of clauses, from the highest authority (the printed sheet) to the lowest (assumed)."""


def read_rule_sheet_sections(game: str) -> tuple[RuleSheetSection, ...]:
    """Return the sections of a game's rule sheet in printed order; () without a `clauses.toml`.

    Raise UnknownGame if no game has that name. Raise InvalidClausesError if the file is not valid
    TOML or lacks a key.
    """
    return tuple(
        RuleSheetSection(_texts(part), _clauses(part, f"heading {n}"))
        for n, part in enumerate(_book(game).get("heading", ()), start=1)
    )


def has_rule_sheet(game: str) -> bool:
    """Return True if a game has a `clauses.toml`. Raise UnknownGame if no game has that name."""
    return _file(game).exists()


def _file(game: str) -> Path:
    return registry.game_file_path(game, "clauses.toml")


def _book(game: str) -> Mapping[str, Any]:
    file = _file(game)
    try:
        return tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    except ValueError as error:
        raise InvalidClausesError(f"clauses.toml is no TOML: {error}") from error


def _clauses(part: Mapping[str, Any], place: str) -> tuple[Clause, ...]:
    return tuple(
        _clause(row, f"clause {n} of {place}")
        for n, row in enumerate(_value(part, "clause", place), start=1)
    )


def _clause(row: Mapping[str, Any], place: str) -> Clause:
    return Clause(_value(row, "clause", place), _value(row, "mark", place), _texts(row))


def _value(row: Mapping[str, Any], key: str, place: str) -> Any:
    """Return a value of `row`. Raise InvalidClausesError, with `place`, if the key is missing."""
    if key not in row:
        raise InvalidClausesError(f"clauses.toml: {place} has no key `{key}`")
    return row[key]


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    return {key: text for key, text in row.items() if key not in NON_TEXT_FIELDS}
