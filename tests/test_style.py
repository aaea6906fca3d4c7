"""Tests of plain English: count unclear words, with limits that may only fall.

`python -m tests.test_style` prints the counts per 1,000 lines. If a count falls, lower its limit.
"""

from __future__ import annotations

import ast
import builtins
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import which
from typing import Final

import pytest

from tests.source import syntax_nodes
from tests.structure import PARTICIPLE_PATTERN, count_participles, count_vague_constants

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = ("companion", "hardware", "checked_input", "packages", "book", "web", "sounds")
PAGES: Final = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
STAND_INS: Final = r"nobody|somebody|whoever|whatever|whichever|whomever"
"""Words that replace a noun."""
VAGUE: Final = r"so many|so long as that|such a|of which|likewise|as before|besides|of those"
"""Words that refer to a thing without naming it."""
OPENINGS: Final = r"(?:What|Where|Whether|Whom|How|Of|So|To|Who|Whoever|Whatever)\b"
"""First words of docstrings that do not say what a function returns or does."""
LIMITS: Final = {
    "code: stand-ins": 0.6,
    "code: vague": 0.2,
    "code: openings": 0,
    "tests: openings": 0,
    "docs: stand-ins": 1.8,
    "docs: vague": 0.3,
    "sentences: stand-ins": 7.1,
    "sentences: vague": 0,
}
"""Counts per 1,000 lines. The limits may only be lowered."""
MAX_PARTICIPLES: Final = 13
MAX_VAGUE_CONSTANTS: Final = 3
"""Limits for names in the whole tree. They may only be lowered."""
NAMES_OF_OTHERS: Final = {
    "man",
    "dataclasses",
    "Headphones",
    "vc4hdmi0",
    "espeak_VOICE",
    "excepthook",
}
"""Names of other projects' commands and files in docstrings."""
NAME_FIELDS: Final = ("id", "attr", "arg", "name", "asname", "module")
"""Fields of a syntax node that hold a name."""
SKIPPED: Final = "*.po,*.svg,*.js,*.toml,*.json,build,tests"
FRENCH: Final = "fils,mot,objet,rouge,relie,nd"
"""French words of the source that look like slips of English ones."""
DICTIONARY: Final = ROOT / "tests" / "words.code"
"""Words of docstrings that no dictionary has: names of programs, signals and errors."""


def files(folders: Iterable[str], suffix: str) -> list[Path]:
    """Return the project's files with a suffix, without builds and tests."""
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob(f"*{suffix}")))
    return [path for path in found if "build" not in path.parts and "tests" not in path.parts]


def code() -> list[Path]:
    return files(SOURCES, ".py")


def pages() -> list[Path]:
    """Return the English pages, without the book of rulings, which is generated from clauses."""
    docs = [path for path in files(("docs",), ".md") if not path.name.startswith("rulings")]
    return [*docs, *(ROOT / page for page in PAGES)]


def catalogues() -> list[Path]:
    """Return the English catalogues of the box and its games."""
    return [path for path in files(("companion", "packages"), ".po") if "/en/" in path.as_posix()]


def docstrings(paths: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Yield each docstring of some Python files, with its file."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for path in paths:
        for node in syntax_nodes(path):
            if isinstance(node, kinds) and (text := ast.get_docstring(node)):
                yield path, text


def names_in_use() -> set[str]:
    """Return every identifier of the source, and every word of its strings but docstrings."""
    names: set[str] = set()
    for path in code():
        names |= {path.stem, *path.parent.parts}
        notes = {id(node.value) for node in syntax_nodes(path) if isinstance(node, ast.Expr)}
        for node in syntax_nodes(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                names |= set() if id(node) in notes else set(re.findall(r"\w+", node.value))
                continue
            fields = [getattr(node, field, None) for field in NAME_FIELDS]
            names |= {part for name in fields if isinstance(name, str) for part in name.split(".")}
    return names


def rate(paths: list[Path], pattern: str) -> float:
    """Return the number of matches per 1,000 lines of some files."""
    texts = [path.read_text("utf-8") for path in paths]
    found = sum(len(re.findall(rf"\b(?:{pattern})\b", text, re.IGNORECASE)) for text in texts)
    return 1000 * found / sum(text.count("\n") for text in texts)


def rate_of_openings(paths: list[Path]) -> float:
    """Return the number of docstrings that begin with OPENINGS per 1,000 lines of some files."""
    begun = sum(bool(re.match(OPENINGS, text)) for _, text in docstrings(paths))
    return 1000 * begun / sum(path.read_text("utf-8").count("\n") for path in paths)


def counts() -> dict[str, float]:
    """Return the number of unclear words and openings per 1,000 lines, by kind."""
    return {
        "code: stand-ins": rate(code(), STAND_INS),
        "code: vague": rate(code(), VAGUE),
        "code: openings": rate_of_openings(code()),
        "tests: openings": rate_of_openings([*(ROOT / "tests").rglob("*.py")]),
        "docs: stand-ins": rate(pages(), STAND_INS),
        "docs: vague": rate(pages(), VAGUE),
        "sentences: stand-ins": rate(catalogues(), STAND_INS),
        "sentences: vague": rate(catalogues(), VAGUE),
    }


@pytest.mark.long
def test_unclear_words_are_not_more_than_their_limits() -> None:
    found = counts()
    assert found.keys() == LIMITS.keys()
    assert {kind: n for kind, n in found.items() if n > LIMITS[kind]} == {}


@pytest.mark.long
def test_unclear_names_are_not_more_than_their_limits() -> None:
    assert count_participles().total() <= MAX_PARTICIPLES
    assert count_vague_constants().total() <= MAX_VAGUE_CONSTANTS


@pytest.mark.parametrize(
    ("name", "is_bare"),
    [
        ("told", True), ("handed_over", True), ("refolded", True), ("said", True),
        ("opening_facts", False), ("read", False), ("seed", False), ("is_told", False),
        ("taken_cards", False),
    ],
)  # fmt: skip
def test_a_participle_is_known_from_a_verb_and_a_noun(name: str, *, is_bare: bool) -> None:
    assert bool(PARTICIPLE_PATTERN.fullmatch(name)) is is_bare


def test_an_unclear_word_is_counted(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Whoever sits there.\nNobody, of which so many.\n", "utf-8")
    assert rate([page], STAND_INS) == 1000
    assert rate([page], VAGUE) == 1000


@pytest.mark.long
def test_cannot_is_one_word_everywhere() -> None:
    own = Path(__file__).name
    texts = (
        path
        for path in files((*SOURCES, "docs", "tests", "examples", "systemd"), "")
        if path.suffix in {".py", ".md", ".po", ".toml", ".sh", ".js"} and path.name != own
    )
    wrong = re.compile(r"\bcan\s+not\b(?! only)", re.IGNORECASE)
    assert [path.name for path in texts if wrong.search(path.read_text("utf-8"))] == []


@pytest.mark.long
def test_a_docstring_names_in_backquotes_only_what_exists() -> None:
    names = names_in_use() | vars(builtins).keys() | NAMES_OF_OTHERS
    quoted = re.compile(r"`([A-Za-z_][\w.]{2,})(?:\(.*?\))?`")
    texts = [(path, ".".join(quoted.findall(text)).split(".")) for path, text in docstrings(code())]
    assert [
        (path, name) for path, found in texts for name in found if name and name not in names
    ] == []


@pytest.mark.long
def test_no_usual_slip_is_in_the_source() -> None:
    command = [sys.executable, "-m", "codespell_lib", "--skip", SKIPPED, "-L", FRENCH]
    done = subprocess.run(
        [*command, *SOURCES], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout + done.stderr == ""


def unknown_words(text: str) -> Counter[str]:
    """Return the words of a text that neither a dictionary nor our own list has."""
    names = r"`[^`]*`|https?://\S+|[\w./-]*[\d_/][\w./-]*|[\w-]+(?:\.\w+)+|\b\w*[a-z][A-Z]\w*"
    plain = re.sub(names, " ", text)
    command = ["hunspell", "-d", "en_US,en_GB", "-i", "utf-8", "-p", str(DICTIONARY), "-l"]
    done = subprocess.run(command, input=plain, capture_output=True, text=True, check=True)
    return Counter(word.strip(".'") for word in done.stdout.split())


@pytest.mark.long
@pytest.mark.skipif(
    not which("hunspell"), reason="no hunspell: apt install hunspell hunspell-en-us hunspell-en-gb"
)
def test_every_word_of_a_docstring_is_spelled_as_a_dictionary_has_it() -> None:
    text = "\n".join(text for _, text in docstrings(code()))
    assert dict(unknown_words(text)) == {}


if __name__ == "__main__":
    for kind, n in counts().items():
        sys.stdout.write(f"{kind:24}{n:8.2f}\n")
