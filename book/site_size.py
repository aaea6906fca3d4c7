"""Functions that reduce the size of the built book in one language, without visible changes."""

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
"""Names of the theme's files that no page loads."""
STATIC_FOLDER: Final = "_static"
NESTED_LANGUAGE: Final = "fr"
"""Language of the book that is in a subfolder of the English book; also the subfolder's name."""
LITERAL_WORD_PATTERN: Final = re.compile('<span class="pre">([^<]*)</span>')
CELL_PATTERN: Final = re.compile(
    r"(<t[dh]\b[^>]*>)<p>((?:(?!</?p>).)*)</p>\s*(</t[dh]>)", re.DOTALL
)
ROW_CLASS_PATTERN: Final = re.compile(' class="row-(?:odd|even)"')
CODE_PATTERN: Final = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
LINE_BREAK_PATTERN: Final = re.compile(r"\s*\n\s*")


def reduce_site_size(folder: Path, language: str) -> None:
    """Reduce the size of all files of the book in one language; a second call changes nothing."""
    for name in UNUSED_FILES:
        for file in folder.rglob(name):
            file.unlink()
    shared = (
        delete_files_with_equal_copy(folder / STATIC_FOLDER, folder.parent / STATIC_FOLDER)
        if language == NESTED_LANGUAGE
        else []
    )
    for file in folder.rglob("*.html"):
        if language == NESTED_LANGUAGE or NESTED_LANGUAGE not in file.relative_to(folder).parts:
            file.write_text(
                page_without_redundant_html(file.read_text("utf-8"), language, shared), "utf-8"
            )


def delete_files_with_equal_copy(ours: Path, theirs: Path) -> list[str]:
    """Delete the files in `ours` that have an equal copy in `theirs`.

    Return the paths of the deleted files, relative to `ours`.
    """
    files = [file.relative_to(ours) for file in ours.rglob("*.*")]
    same = [
        file
        for file in files
        if (theirs / file).exists() and (theirs / file).read_bytes() == (ours / file).read_bytes()
    ]
    for file in same:
        (ours / file).unlink()
    return sorted(file.as_posix() for file in same)


def page_without_redundant_html(html: str, language: str, shared: Iterable[str] = ()) -> str:
    """Return a page without redundant HTML.

    - `language`: the language into which the page's labels are translated with THEME_LABELS.
    - `shared`: paths in STATIC_FOLDER of the files that the page loads from the English book.
    """
    for english, label in THEME_LABELS.get(language, {}).items():
        html = html.replace(f'aria-label="{english}', f'aria-label="{label}')
    # relative path from the page to the root of the book
    root = "../" * html.count("../", 0, html.find("<head>"))
    for name in shared:
        html = html.replace(f'"{root}{STATIC_FOLDER}/{name}', f'"{root}../{STATIC_FOLDER}/{name}')
    html = LITERAL_WORD_PATTERN.sub(r"\1", html).replace(
        '"docutils literal notranslate"', '"literal notranslate"'
    )
    html = ROW_CLASS_PATTERN.sub("", CELL_PATTERN.sub(r"\1\2\3", html))
    parts = CODE_PATTERN.split(html)
    return "".join(
        part if n % 2 else LINE_BREAK_PATTERN.sub("\n", part) for n, part in enumerate(parts)
    )
