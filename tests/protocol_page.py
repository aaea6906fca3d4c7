"""docs/protocol.md, with the sections of the games that `book.blocks` writes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import companion
from companion.catalog import registry

PAGE: Final = Path(companion.__file__).parents[1] / "docs" / "protocol.md"
BLOCK: Final = re.compile(
    r"^<!-- lines (\S+) (\S+) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE
)


@cache
def page() -> str:
    """Return the English page."""
    return PAGE.read_text("utf-8")


def section(game: str) -> str:
    """Return the section of a game."""
    return page().partition(f"\n## {game}\n")[2].partition("\n## ")[0]


def rows(heading: str, game: str) -> dict[str, set[str]]:
    """Return the table under a heading: the first cell, and the names in the second.

    Names in parentheses are values. Of the headings of games it reads those of `game`.
    """
    sections = re.split(r"^(?=## )", page(), flags=re.MULTILINE)
    others = {f"## {name}\n" for name in registry.NAMES} - {f"## {game}\n"}
    text = "".join(part for part in sections if not part.startswith(tuple(others)))
    under = rf"^#+ `?{re.escape(heading)}`?\n(.*?)(?=^#|\Z)"
    (found,) = re.findall(under, text, re.DOTALL | re.MULTILINE)
    lines = re.findall(r"^\| `(\w+)` \| ([^|]*)\|", found, re.MULTILINE)
    outside = {name: re.sub(r"\(.*?\)", "", cell) for name, cell in lines}
    return {name: set(re.findall(r"`([\w.]+)`", cell)) for name, cell in outside.items()}
