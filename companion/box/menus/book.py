"""The rule book on the box: a game's clauses, in pages that the wheel turns."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from companion.draw.canvas import wrap
from companion.draw.parts import COLUMNS
from companion.games import clauses, registry

ROWS: Final = 6
"""Rows of text on a page."""


class Leaf(NamedTuple):
    """A page of the book: which clause it is of, how firm that is, and its rows."""

    number: str
    mark: str
    rows: tuple[str, ...]


def games() -> tuple[str, ...]:
    """The games that have a book."""
    return tuple(game for game in registry.names() if clauses.about(game))


def headings(game: str, language: str) -> tuple[str, ...]:
    """The titles of a game's book."""
    return tuple(heading.title[language] for heading in clauses.read(game))


@lru_cache(maxsize=8)
def leaves(game: str, heading: int, language: str) -> tuple[Leaf, ...]:
    """The pages under a title, in the language's words."""
    return tuple(
        Leaf(clause.number, clause.mark, rows[at : at + ROWS])
        for clause in clauses.read(game)[heading].clauses
        for rows in [tuple(wrap(clause.text[language].replace("*", ""), COLUMNS))]
        for at in range(0, len(rows), ROWS)
    )
