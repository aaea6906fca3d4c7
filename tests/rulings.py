"""Generate the tables of clauses in the book of rulings: `python -m tests.rulings`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import companion
from companion.catalog import clauses, registry
from companion.catalog.clauses import RuleSheetSection
from companion.say.words import LANGUAGES, Words

DOCS_FOLDER: Final = Path(companion.__file__).parents[1] / "docs"
RULING_BOOKS: Final = {"en": DOCS_FOLDER / "rulings.md", "fr": DOCS_FOLDER / "rulings.fr.md"}
TABLE_HEADS: Final = {
    "en": "| clause | mark | text of the clause |\n| --- | --- | --- |",
    "fr": "| clause | marque | ce qui vaut |\n| --- | --- | --- |",
}
SOURCE_MARKS: Final = {
    "sheet": "règle",
    "derived": "déduit",
    "public": "public",
    "assumed": "supposé",
}
FRENCH_SOURCE_MARKS: Final = {**SOURCE_MARKS, "ruling": "arbitrage"}


def mark_of_clause(name: str, language: str) -> str:
    """Return the mark of a clause's source, as the book prints it."""
    return FRENCH_SOURCE_MARKS[name] if language == "fr" else name


def clause_table(heading: RuleSheetSection, language: str) -> str:
    rows = (
        f"| {clause.number} | {mark_of_clause(clause.mark, language)} | {clause.text[language]} |"
        for clause in heading.clauses
    )
    return "\n".join((f"#### {heading.title[language]}\n", TABLE_HEADS[language], *rows, ""))


def table_in_book(book: str, language: str) -> str:
    """Return a book with its tables generated again."""
    for game in registry.BUILT_IN_GAMES:
        tables = "\n".join(
            clause_table(heading, language) for heading in clauses.read_rule_sheet_sections(game)
        )
        title = re.escape(Words(language)(f"{game}.name"))
        pattern = rf"(?ms)(^## {title}.*?\n)(?:#### |\| clause ).*?(?=^### )"
        book, found = re.subn(pattern, lambda match: f"{match[1]}{tables}\n", book)  # noqa: B023
        assert found == 1, game
    return book


if __name__ == "__main__":
    for language in LANGUAGES:
        book = RULING_BOOKS[language].read_text("utf-8")
        RULING_BOOKS[language].write_text(table_in_book(book, language), "utf-8")
