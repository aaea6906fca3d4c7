"""Reduce the size of a built edition without changes to its look and sound."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from book.words import THEME_LABELS

UNUSED_FILES: Final = (
    "*.map",
    "basic.css",
    "debug.css",
    "skeleton.css",
    "file.png",
    "plus.png",
    "minus.png",
)
"""Files that no page loads."""
STATIC_FOLDER: Final = "_static"
NESTED_LANGUAGE: Final = "fr"
"""The language of the edition in a subfolder, and that subfolder."""
LITERAL_WORD_PATTERN: Final = re.compile('<span class="pre">([^<]*)</span>')
CELL_PATTERN: Final = re.compile(
    r"(<t[dh]\b[^>]*>)<p>((?:(?!</?p>).)*)</p>\s*(</t[dh]>)", re.DOTALL
)
ROW_PATTERN: Final = re.compile(' class="row-(?:odd|even)"')
CODE_PATTERN: Final = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
INDENT_PATTERN: Final = re.compile(r"\s*\n\s*")


def reduce_edition(folder: Path, language: str) -> None:
    """Reduce all files of an edition; repeating it changes nothing."""
    for name in UNUSED_FILES:
        for file in folder.rglob(name):
            file.unlink()
    shared = (
        share_files(folder / STATIC_FOLDER, folder.parent / STATIC_FOLDER)
        if language == NESTED_LANGUAGE
        else []
    )
    for file in folder.rglob("*.html"):
        if language == NESTED_LANGUAGE or NESTED_LANGUAGE not in file.relative_to(folder).parts:
            file.write_text(reduce_page(file.read_text("utf-8"), language, shared), "utf-8")


def share_files(ours: Path, theirs: Path) -> list[str]:
    """Delete files that the surrounding edition has too, and return their names."""
    files = [file.relative_to(ours) for file in ours.rglob("*.*")]
    same = [
        file
        for file in files
        if (theirs / file).exists() and (theirs / file).read_bytes() == (ours / file).read_bytes()
    ]
    for file in same:
        (ours / file).unlink()
    return sorted(file.as_posix() for file in same)


def reduce_page(html: str, language: str, shared: Iterable[str] = ()) -> str:
    """Return a page that loads shared files from above, with our labels for screen readers."""
    for english, label in THEME_LABELS.get(language, {}).items():
        html = html.replace(f'aria-label="{english}', f'aria-label="{label}')
    root = "../" * html.count("../", 0, html.find("<head>"))  # path to the top of the edition
    for name in shared:
        html = html.replace(f'"{root}{STATIC_FOLDER}/{name}', f'"{root}../{STATIC_FOLDER}/{name}')
    html = LITERAL_WORD_PATTERN.sub(r"\1", html).replace(
        '"docutils literal notranslate"', '"literal notranslate"'
    )
    html = ROW_PATTERN.sub("", CELL_PATTERN.sub(r"\1\2\3", html))
    parts = CODE_PATTERN.split(html)
    return "".join(
        part if n % 2 else INDENT_PATTERN.sub("\n", part) for n, part in enumerate(parts)
    )
