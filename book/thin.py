"""Reduce the size of a built edition without changes to its look and sound."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from book.words import LABELS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

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
STATIC: Final = "_static"
OTHER: Final = "fr"
"""The language of the edition in a subfolder, and that subfolder."""
WORD: Final = re.compile('<span class="pre">([^<]*)</span>')
CELL: Final = re.compile(r"(<t[dh]\b[^>]*>)<p>((?:(?!</?p>).)*)</p>\s*(</t[dh]>)", re.DOTALL)
ROW: Final = re.compile(' class="row-(?:odd|even)"')
CODE: Final = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
INDENT: Final = re.compile(r"\s*\n\s*")


def edition(folder: Path, language: str) -> None:
    """Reduce all files of an edition; repeating it changes nothing."""
    for name in UNUSED_FILES:
        for file in folder.rglob(name):
            file.unlink()
    shared = share(folder / STATIC, folder.parent / STATIC) if language == OTHER else []
    for file in folder.rglob("*.html"):
        if language == OTHER or OTHER not in file.relative_to(folder).parts:
            file.write_text(page(file.read_text("utf-8"), language, shared), "utf-8")


def share(ours: Path, theirs: Path) -> list[str]:
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


def page(html: str, language: str, shared: Iterable[str] = ()) -> str:
    """Return a page that loads shared files from above, with our labels for screen readers."""
    for english, told in LABELS.get(language, {}).items():
        html = html.replace(f'aria-label="{english}', f'aria-label="{told}')
    root = "../" * html.count("../", 0, html.find("<head>"))  # path to the top of the edition
    for name in shared:
        html = html.replace(f'"{root}{STATIC}/{name}', f'"{root}../{STATIC}/{name}')
    html = WORD.sub(r"\1", html).replace('"docutils literal notranslate"', '"literal notranslate"')
    html = ROW.sub("", CELL.sub(r"\1\2\3", html))
    parts = CODE.split(html)
    return "".join(part if n % 2 else INDENT.sub("\n", part) for n, part in enumerate(parts))
