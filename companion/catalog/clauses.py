"""The clauses of a game by language, grouped under the headings of its rule sheet.

They are stored in `clauses.toml` in the game's folder only; the book of rulings is generated from
it. A game without that file has no book.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.catalog import registry


class Clause(NamedTuple):
    """A clause: its `number` (`KO-8`), its authority (`mark`), and its text by language.

    A number has several clauses if only a part of it is on the rule sheet.
    """

    number: str
    mark: str
    text: Mapping[str, str]


class GameDescription(NamedTuple):
    """The year in which a game was published, and a sentence that describes it, by language."""

    year: int
    text: Mapping[str, str]


class Heading(NamedTuple):
    """A part of a rule sheet: its title by language, and its clauses."""

    title: Mapping[str, str]
    clauses: tuple[Clause, ...]


NON_TEXT_FIELDS: Final = {"clause", "mark", "year"}
AUTHORITY_MARKS: Final = ("sheet", "derived", "public", "ruling", "assumed")
"""The authority of a clause, from printed on the sheet to assumed because nothing is known."""


def game_description(game: str) -> GameDescription | None:
    """Return the description of a game; None if it has no book. Raise UnknownGame."""
    about = _book(game).get("about")
    return about and GameDescription(about["year"], _texts(about))


def read_clauses(game: str) -> tuple[Heading, ...]:
    """Return the clauses of a game in the order of its sheet. Raise UnknownGame."""
    parts = _book(game).get("heading", ())
    return tuple(Heading(_texts(part), tuple(map(_clause, part["clause"]))) for part in parts)


def has_clauses(game: str) -> bool:
    """Return True if a game has a book of rulings. Do not read it. Raise UnknownGame."""
    return _file(game).exists()


def _file(game: str) -> Path:
    return registry.part_path(game, "clauses.toml")


def _book(game: str) -> Mapping[str, Any]:
    file = _file(game)
    return tomllib.loads(file.read_text("utf-8")) if file.exists() else {}


def _clause(row: Mapping[str, str]) -> Clause:
    return Clause(row["clause"], row["mark"], _texts(row))


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of a row by language."""
    return {key: text for key, text in row.items() if key not in NON_TEXT_FIELDS}
