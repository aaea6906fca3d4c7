"""What a browser is sent: little, ours, and in two languages."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Final

from companion.page import serve, sheet
from companion.say.words import LANGUAGES, Words
from companion.say.words import compiled as catalogue

PAGE: Final = Path(serve.__file__).parent
MOST: Final = 60 * 1000
"""Bytes that a phone loads, packed."""
FORMS: Final = {"form_", "what_", "error_"}
"""Keys that a script makes of two parts."""


def scripts() -> str:
    return "\n".join(file.read_text("utf-8") for file in sorted(serve.STATIC.glob("*.js")))


def test_all_that_a_phone_loads_is_small() -> None:
    files = sorted(serve.STATIC.iterdir())
    assert {file.suffix for file in files} == {".css", ".js", ".svg"}
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) <= MOST


def test_nothing_is_loaded_from_elsewhere_and_nothing_is_made_of_text() -> None:
    for file in serve.STATIC.iterdir():
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|//\w+\.|@import|url\(", text), file
        assert not re.search(r"\b(eval|innerHTML|outerHTML|insertAdjacentHTML)\b|\.style\b", text)


def test_a_script_imports_only_what_is_there() -> None:
    there = {file.name for file in serve.STATIC.iterdir()}
    assert set(re.findall(r"from '\./([^']+)'", scripts())) <= there


def test_the_scripts_get_the_sentences_that_they_use_and_no_others() -> None:
    text = scripts()
    asked = set(re.findall(r"words\((?:[^()'`]* \? )?'(\w+)'", text))
    asked |= {key for pair in re.findall(r"\? '(\w+)' : '(\w+)'", text) for key in pair}
    asked |= set(re.findall(r"words\((?:[^()]*\? )words\('(\w+)'\)", text))
    given = set(sheet.KEYS)
    made = {key for key in given if key.startswith(tuple(FORMS))}
    assert asked & {"offline", "your_turn", "hold"}
    used = {key for key in given if re.search(rf"'{key}'", text)} | made
    assert given == used
    assert {key for key in asked if Words("en").has(f"page.{key}")} <= given


def test_every_sentence_of_the_page_is_used_in_both_languages() -> None:
    files = sorted((*PAGE.glob("*.py"), *sheet.FOLDER.glob("*.html")))
    text = "\n".join(file.read_text("utf-8") for file in files)
    keys = {}
    for language in LANGUAGES:
        source = catalogue(language, "companion").with_suffix(".po").read_text("utf-8")
        keys[language] = set(re.findall(r'^msgid "page\.([\w.]+)"', source, re.MULTILINE))
    assert keys["en"] == keys["fr"]
    known = (
        set(sheet.KEYS)
        | set(re.findall(r"page\.(\w+)[\"']", text))
        | set(re.findall(r'"(\w+)"', text))
    )
    assert {key for key in keys["en"] if key not in known and not key.startswith("error.")} == set()


def test_a_model_in_a_page_ends_no_script() -> None:
    assert "</script>".translate(sheet.SAFE) == "\\u003c/script\\u003e"


def test_what_a_template_is_given_is_text_and_never_markup() -> None:
    raw = {
        (file.name, name)
        for file in sheet.FOLDER.glob("*.html")
        for name in re.findall(
            r"\{% (?:raw|autoescape|module) ([^%]*) %\}", file.read_text("utf-8")
        )
    }
    assert raw == {("live.html", "data")}  # which `SAFE` makes harmless
    told = sheet.drawn("note.html", Words("en"), "<b>", text='"<i>&')
    assert b"<title>&lt;b&gt;</title>" in told
    assert b"<p>&quot;&lt;i&gt;&amp;</p>" in told
