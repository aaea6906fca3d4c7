"""The French catalogues of the book, updated from the English pages.

Run `python -m book.catalogues build/words` after `sphinx-build -b gettext`. A page is translated if
the file docs/locale/fr/LC_MESSAGES/<page>.po exists. To begin a translation, create this file
without content.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

FRENCH_CATALOGUES_FOLDER: Final = (
    Path(__file__).parents[1] / "docs" / "locale" / "fr" / "LC_MESSAGES"
)


def translated_page_names() -> Iterator[str]:
    """Yield the names of the translated pages, such as `players/start`."""
    names = (
        file.relative_to(FRENCH_CATALOGUES_FOLDER).with_suffix("")
        for file in FRENCH_CATALOGUES_FOLDER.rglob("*.po")
    )
    yield from sorted(name.as_posix() for name in names if name.name != "sphinx")


def load_french_translations(page: str) -> dict[str, str]:
    """Return a table from each English sentence of a page to its French translation.

    The translation is "" if the sentence is not translated yet.
    """
    return _sentences(FRENCH_CATALOGUES_FOLDER / f"{page}.po")


def _sentences(file: Path) -> dict[str, str]:
    catalogue = read_po(BytesIO(file.read_bytes()))
    return {str(message.id): str(message.string) for message in catalogue if message.id}


def updated_catalogue_text(template: Path, file: Path) -> str:
    """Return the text of the catalogue `file`, updated with the English sentences of `template`.

    The translations of unchanged sentences remain.
    """
    translations = _sentences(file)
    catalogue = Catalog("fr", fuzzy=False)
    for message in read_po(BytesIO(template.read_bytes())):
        if message.id:
            catalogue.add(message.id, translations.get(str(message.id), ""))
    written = BytesIO()
    write_po(written, catalogue, width=0, omit_header=True, include_lineno=False)
    head = (
        'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    )
    return head + written.getvalue().decode()


def untranslated_sentences(page: str) -> list[str]:
    """Return the English sentences of a page that have no French translation yet."""
    return [english for english, french in load_french_translations(page).items() if not french]


if __name__ == "__main__":
    for name in translated_page_names():
        (FRENCH_CATALOGUES_FOLDER / f"{name}.po").write_text(
            updated_catalogue_text(
                Path(sys.argv[1]) / f"{name}.pot", FRENCH_CATALOGUES_FOLDER / f"{name}.po"
            ),
            "utf-8",
        )
