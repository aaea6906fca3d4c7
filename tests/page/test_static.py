"""Tests of the files that a browser receives: small, from this project, and in two languages."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Final

import pytest

from companion.catalog import registry
from companion.page import page_html, serve
from companion.page.files import GAME_FILES, STATIC_FOLDER, sentences_of_game_by_kind
from companion.say import catalogues
from companion.say.words import LANGUAGES, Words

PAGE: Final = Path(serve.__file__).parent
MOST: Final = 60 * 1000
"""Maximum number of compressed bytes that a phone loads."""
FORMS: Final = {"form_", "what_", "error_"}
"""Prefixes of keys that a script composes."""

BUTTONS: Final = ("back", "cancel", "close", "cover", "hold", "keep_open", "leave", "redo", "undo",
                  "undo_no", "undo_yes", "why")  # fmt: skip
"""Sentences of buttons that one phone may show at once."""

GAMES: Final = {
    name: registry.game_file_path(name, "page.js").parent for name in registry.BUILT_IN_GAMES
}


def scripts() -> str:
    return "\n".join(file.read_text("utf-8") for file in sorted(STATIC_FOLDER.glob("*.js")))


def drawings() -> list[Path]:
    """Return the games' files that a browser loads."""
    return sorted(folder / name for folder in GAMES.values() for name in GAME_FILES.values())


def test_all_that_a_phone_loads_is_small() -> None:
    files = sorted(STATIC_FOLDER.iterdir())
    assert {file.suffix for file in files} == {".css", ".js", ".svg"}
    largest = max(
        sum(packed(folder / name) for name in GAME_FILES.values()) for folder in GAMES.values()
    )
    assert sum(map(packed, files)) + largest <= MOST


def packed(file: Path) -> int:
    return len(gzip.compress(file.read_bytes()))


def test_nothing_is_loaded_from_elsewhere_and_nothing_is_made_of_text() -> None:
    for file in (*STATIC_FOLDER.iterdir(), *drawings()):
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|//\w+\.|@import|url\(", text), file
        assert not re.search(r"\b(eval|innerHTML|outerHTML|insertAdjacentHTML)\b|\.style\b", text)


def test_a_script_imports_only_what_is_there_and_a_game_only_what_games_may_use() -> None:
    there = {file.name for file in STATIC_FOLDER.iterdir()}
    assert set(re.findall(r"from '\./([^']+)'", scripts())) <= there
    for folder in GAMES.values():
        imported = re.findall(r"from '([^']+)'", (folder / GAME_FILES["script"]).read_text("utf-8"))
        assert imported == ["/static/game.js"]


def test_the_scripts_get_the_sentences_that_they_use_and_no_others() -> None:
    text = scripts()
    made = {key for key in page_html.SCRIPT_SENTENCE_KEYS if key.startswith(tuple(FORMS))}
    asked = used(text)
    assert asked & {"offline", "your_turn", "hold"}
    assert (
        set(page_html.SCRIPT_SENTENCE_KEYS)
        == {key for key in page_html.SCRIPT_SENTENCE_KEYS if re.search(rf"'{key}'", text)} | made
    )
    assert {key for key in asked if Words("en").has_sentence(f"page.{key}")} <= set(
        page_html.SCRIPT_SENTENCE_KEYS
    )


def used(text: str) -> set[str]:
    """Return the names of the sentences that a script uses."""
    asked = set(re.findall(r"words\((?:[^()'`]* \? )?'(\w+)'", text))
    asked |= {key for pair in re.findall(r"\? '(\w+)' : '(\w+)'", text) for key in pair}
    return asked | set(re.findall(r"words\((?:[^()]*\? )words\('(\w+)'\)", text))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_the_drawing_of_a_game_gets_the_sentences_that_it_uses(game: str, language: str) -> None:
    given = sentences_of_game_by_kind(game, language)
    text = (GAMES[game] / GAME_FILES["script"]).read_text("utf-8")
    asked = set(re.findall(r"\bwords\('(\w+)'", text))
    assert set(given) == asked
    fields = {field for one in given.values() for field in re.findall(r"\{(\w+)\}", one)}
    assert {field for field in fields if field not in text} == set()


def test_every_sentence_of_the_page_is_used_in_both_languages() -> None:
    files = sorted((*PAGE.glob("*.py"), *page_html.TEMPLATES_FOLDER.glob("*.html")))
    text = "\n".join(file.read_text("utf-8") for file in files)
    keys = {}
    for language in LANGUAGES:
        source = catalogues.catalogue_source_file(
            Path(catalogues.__file__).parent, language, "companion"
        )
        keys[language] = set(
            re.findall(r'^msgid "page\.([\w.]+)"', source.read_text("utf-8"), re.MULTILINE)
        )
    assert keys["en"] == keys["fr"]
    known = (
        set(page_html.SCRIPT_SENTENCE_KEYS)
        | set(re.findall(r"page\.(\w+)[\"']", text))
        | set(re.findall(r'"(\w+)"', text))
    )
    assert {key for key in keys["en"] if key not in known and not key.startswith("error.")} == set()


def test_no_two_buttons_say_the_same() -> None:
    for language in LANGUAGES:
        words = Words(language)
        said = [words(f"page.{key}") for key in BUTTONS]
        assert len({*said}) == len(said), said


def test_a_model_in_a_page_ends_no_script() -> None:
    assert "</script>".translate(page_html.SCRIPT_ESCAPES) == "\\u003c/script\\u003e"


def test_nothing_of_the_page_names_a_game() -> None:
    files = (file for file in PAGE.rglob("*.*") if file.suffix in {".py", ".js", ".css", ".html"})
    named = re.compile(
        "|".join(name.replace("-", ".?") for name in registry.BUILT_IN_GAMES), re.IGNORECASE
    )
    assert [file.name for file in files if named.search(file.read_text("utf-8"))] == []


def test_what_a_template_is_given_is_text_and_never_markup() -> None:
    raw = {
        (file.name, name)
        for file in page_html.TEMPLATES_FOLDER.glob("*.html")
        for name in re.findall(
            r"\{% (?:raw|autoescape|module) ([^%]*) %\}", file.read_text("utf-8")
        )
    }
    assert raw == {("live.html", "data")}  # `SAFE` escapes this data
    told = page_html.render_page_template("note.html", Words("en"), "<b>", text='"<i>&')
    assert b"<title>&lt;b&gt;</title>" in told
    assert b"<p>&quot;&lt;i&gt;&amp;</p>" in told
