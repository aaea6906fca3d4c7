"""Tests of the built book (`make docs-check`)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from shutil import which
from typing import Final
from urllib.parse import unquote, urlsplit

import pytest

import companion
from book import catalogues

ROOT: Final = Path(companion.__file__).parents[1]
SITE: Final = ROOT / os.environ.get("COMPANION_BOOK", "no book")
PAGES: Final = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))
SMALL: Final = 50_000
"""Maximum average size of a page in bytes, with all files that it loads."""
ON_REQUEST: Final = (".wav",)
"""Kinds of files that a page loads only on request."""
MINUTE: Final = 200
"""Words that a newcomer reads in a minute."""
WORDS: Final = Path(__file__).parent
"""The folder of our word lists: words.en, words.fr."""
DICTIONARIES: Final = {"en": "en_US,en_GB", "fr": "fr_FR"}

pytestmark = pytest.mark.skipif(not PAGES, reason="make docs-check builds the book first")


class Page(HTMLParser):
    """A page's links, loaded files, anchors and text."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.text: list[str] = []
        self._silent = 0
        self._article = False
        self.feed((SITE / name).read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        its = {name: value or "" for name, value in attrs}
        self.anchors.add(its.get("id", ""))
        self._article |= its.get("role") == "main" or tag == "article"
        self._silent += tag in ("code", "pre", "script", "style")
        if tag == "a" and "href" in its:
            self.links.append(its["href"])
        elif "src" in its or (tag == "link" and "stylesheet" in its.get("rel", "")):
            self.loaded.append(its.get("src") or its["href"])

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("code", "pre", "script", "style")
        self._article &= tag != "article"

    def handle_data(self, data: str) -> None:
        if self._article and not self._silent:
            self.text.append(data)


@pytest.fixture(scope="module")
def pages() -> dict[str, Page]:
    return {name: Page(name) for name in PAGES}


def goal(page: str, link: str) -> tuple[Path, str]:
    parts = urlsplit(link)
    path = (SITE / page).parent / unquote(parts.path) if parts.path else SITE / page
    return path.resolve(), parts.fragment


def test_every_link_leads_to_a_page_and_a_place_on_it(pages: dict[str, Page]) -> None:
    lost = []
    for name, page in pages.items():
        for link in page.links:
            if urlsplit(link).scheme:
                continue
            path, place = goal(name, link)
            there = pages.get(path.relative_to(SITE.resolve()).as_posix())
            if not path.exists() or (place and there and unquote(place) not in there.anchors):
                lost.append((name, link))
    assert lost == []


def test_nothing_is_loaded_from_elsewhere(pages: dict[str, Page]) -> None:
    loaded = {
        (name, source)
        for name, page in pages.items()
        for source in page.loaded
        if not source.startswith("data:image/")
    }
    assert [pair for pair in loaded if urlsplit(pair[1]).scheme or pair[1].startswith("//")] == []
    assert [pair for pair in loaded if not goal(*pair)[0].exists()] == []
    styles = "".join(path.read_text("utf-8") for path in SITE.rglob("*.css"))
    assert not re.search(r"url\(['\"]?(?:https?:)?//|@import|@font-face", styles)


def test_both_languages_have_the_same_pages_and_are_small() -> None:
    french = {name.removeprefix("fr/") for name in PAGES if name.startswith("fr/")}
    assert french == {name for name in PAGES if not name.startswith("fr/")}
    files = (path for path in SITE.rglob("*") if path.is_file() and path.suffix not in ON_REQUEST)
    size = sum(path.stat().st_size for path in files)
    assert size / len(PAGES) < SMALL


@pytest.mark.sampled(6)
@pytest.mark.parametrize("page", tuple(catalogues.translated_page_names()))
def test_the_catalogue_of_a_page_has_its_sentences_of_today(page: str) -> None:
    template = ROOT / "build" / "words" / f"{page}.pot"
    file = catalogues.FRENCH_CATALOGUES_FOLDER / f"{page}.po"
    assert catalogues.updated_catalogue_text(template, file) == file.read_text("utf-8"), (
        "make docs-words"
    )


def test_a_newcomer_plays_within_minutes(pages: dict[str, Page]) -> None:
    for language in ("", "fr/"):
        way = [pages[f"{language}{name}.html"] for name in ("index", "players/start")]
        read = sum(len("".join(page.text).split()) for page in way)
        assert read / MINUTE < 6, language


TRANSCRIPTS: Final = "players/listening.html"
"""The page with transcripts of games in both languages: sentences of the catalogues."""


def spelled(language: str, text: str) -> set[str]:
    """Return the words that neither the dictionaries nor our word lists contain."""
    names = r"https?://\S+|\{\w+|[\w./-]*[\d_/][\w./-]*|[\w-]+(\.\w+)+"
    plain = re.sub(names, " ", text.replace("’", "'"))
    own = str(WORDS / f"words.{language}")
    command = ["hunspell", "-d", DICTIONARIES[language], "-i", "utf-8", "-p", own, "-l"]
    done = subprocess.run(command, input=plain, capture_output=True, text=True, check=True)
    return {word.strip(".") for word in done.stdout.split()}


needs_hunspell = pytest.mark.skipif(
    not which("hunspell"),
    reason="no hunspell: apt install hunspell hunspell-fr hunspell-en-us hunspell-en-gb",
)


@needs_hunspell
@pytest.mark.parametrize("language", DICTIONARIES)
def test_every_word_is_spelled_as_a_dictionary_has_it(
    language: str, pages: dict[str, Page]
) -> None:
    own = {name: page for name, page in pages.items() if not name.endswith(TRANSCRIPTS)}
    french = language == "fr"
    texts = ("".join(page.text) for name, page in own.items() if name.startswith("fr/") == french)
    assert spelled(language, "\n".join(texts)) == set()


@needs_hunspell
def test_a_misspelled_word_is_found() -> None:
    assert spelled("en", "The companoin remebers all.") == {"companoin", "remebers"}
    assert spelled("fr", "La boîtte se souvien de tout.") == {"boîtte", "souvien"}


def test_no_usual_slip_is_in_any_page() -> None:
    command = [
        sys.executable,
        "-m",
        "codespell_lib",
        "--skip",
        "*.po,*.fr.md,*.svg,*.png,*.gif,*.mo,*/listening.md",
    ]
    pages = ["docs", "README.md", "CONTRIBUTING.md", "SECURITY.md"]
    done = subprocess.run([*command, *pages], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""
