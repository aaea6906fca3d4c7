"""The clauses of a game: what holds, how firmly, in each language, under the headings of its sheet.

They stand in `clauses.toml` in the game's folder, and nowhere else; the book of rulings is written
from there. A game without that file has no book.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.catalog import registry

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Clause(NamedTuple):
    """What holds: its `number` (`KO-8`), how firm it is (`mark`), and the text by language.

    A number has several clauses where a part of it stands on the sheet and a part does not.
    """

    number: str
    mark: str
    text: Mapping[str, str]


class GameAbout(NamedTuple):
    """The year that a game was published in, and in a sentence by language what it is."""

    year: int
    text: Mapping[str, str]


class Heading(NamedTuple):
    """A part of a rule sheet: its title by language, and the clauses under it."""

    title: Mapping[str, str]
    clauses: tuple[Clause, ...]


NO_TEXT: Final = {"clause", "mark", "year"}
MARKS: Final = ("sheet", "derived", "public", "ruling", "assumed")
"""How firm a clause is, from what is printed to what was put where nothing is known."""


def about(game: str) -> GameAbout | None:
    """What a game is; None if it has no book. Raises UnknownGame."""
    said = _book(game).get("about")
    return said and GameAbout(said["year"], _texts(said))


def read(game: str) -> tuple[Heading, ...]:
    """The clauses of a game, in the order of its sheet. Raises UnknownGame."""
    parts = _book(game).get("heading", ())
    return tuple(Heading(_texts(part), tuple(map(_clause, part["clause"]))) for part in parts)


def has(game: str) -> bool:
    """Whether a game has a book of rulings; it is not read. Raises UnknownGame."""
    return _file(game).exists()


def _file(game: str) -> Path:
    return registry.path(game, "clauses.toml")


def _book(game: str) -> Mapping[str, Any]:
    file = _file(game)
    return tomllib.loads(file.read_text("utf-8")) if file.exists() else {}


def _clause(row: Mapping[str, str]) -> Clause:
    return Clause(row["clause"], row["mark"], _texts(row))


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    """What a row says, by language; its other keys are no text."""
    return {key: text for key, text in row.items() if key not in NO_TEXT}
