"""The clauses of a game by language, grouped under the headings of its rule sheet.

The clauses are stored in `clauses.toml` in the game's folder; the book of rulings is generated from
`clauses.toml`. A game without `clauses.toml` has no book of rulings.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.catalog import registry


class Clause(NamedTuple):
    """A clause: its `number` (`KO-8`), its authority (`mark`), and its text by language.

    Several clauses share a number if only a part of the rule is printed on the rule sheet.
    """

    number: str
    mark: str
    text: Mapping[str, str]


class GameDescription(NamedTuple):
    """The year in which a game was published, and one sentence about the game, by language."""

    year: int
    text: Mapping[str, str]


class Heading(NamedTuple):
    """A section of a rule sheet: its title by language, and its clauses."""

    title: Mapping[str, str]
    clauses: tuple[Clause, ...]


NON_TEXT_FIELDS: Final = {"clause", "mark", "year"}
AUTHORITY_MARKS: Final = ("sheet", "derived", "public", "ruling", "assumed")
"""Marks of clauses, from the highest authority (printed on the sheet) to the lowest (assumed)."""


def game_description(game: str) -> GameDescription | None:
    """Return a game's description; None if the game has no book of rulings. Raise UnknownGame."""
    about = _book(game).get("about")
    return about and GameDescription(about["year"], _texts(about))


def read_clauses(game: str) -> tuple[Heading, ...]:
    """Return the sections of a game's rule sheet, in printed order. Raise UnknownGame."""
    parts = _book(game).get("heading", ())
    return tuple(Heading(_texts(part), tuple(map(_clause, part["clause"]))) for part in parts)


def has_clauses(game: str) -> bool:
    """Return True if a game has a book of rulings. Raise UnknownGame if no game has that name."""
    return _file(game).exists()


def _file(game: str) -> Path:
    return registry.part_path(game, "clauses.toml")


def _book(game: str) -> Mapping[str, Any]:
    file = _file(game)
    return tomllib.loads(file.read_text("utf-8")) if file.exists() else {}


def _clause(row: Mapping[str, str]) -> Clause:
    return Clause(row["clause"], row["mark"], _texts(row))


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of a row in `clauses.toml`, by language."""
    return {key: text for key, text in row.items() if key not in NON_TEXT_FIELDS}
