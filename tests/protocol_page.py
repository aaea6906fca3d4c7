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
FIELDS: Final = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| ([^|]*)\|", re.MULTILINE)
"""A row of a table that begins with names: its first two cells."""
ITEMS: Final = re.compile(
    r"^- (`\w+`(?:, `\w+`)*)(?: \([^)]*\))?:?(.*?)(?:\bCue (.*))?$", re.MULTILINE
)
"""An item of a generated list that begins with names: names, fields or meaning, cues."""


@cache
def page() -> str:
    """Return the English page."""
    return PAGE.read_text("utf-8")


def under(heading: str, game: str) -> str:
    """Return the text under a heading; of the headings of games, under the one of `game`."""
    sections = re.split(r"^(?=## )", page(), flags=re.MULTILINE)
    others = {f"## {name}\n" for name in registry.BUILT_IN_GAMES} - {f"## {game}\n"}
    text = "".join(part for part in sections if not part.startswith(tuple(others)))
    pattern = rf"^#+ `?{re.escape(heading)}`?\n(.*?)(?=^#|\Z)"
    (found,) = re.findall(pattern, text, re.DOTALL | re.MULTILINE)
    return str(found)


def names(text: str) -> set[str]:
    """Return the names in a text, without those in brackets."""
    return set(re.findall(r"`([\w.]+)`", re.sub(r"\(.*?\)", "", text)))


def rows(heading: str, game: str) -> dict[str, set[str]]:
    """Return the table or the list under a heading: each name, and the names in its row."""
    text = under(heading, game)
    lines = [*FIELDS.findall(text), *(item[:2] for item in ITEMS.findall(text))]
    return {name: names(cell) for first, cell in lines for name in names(first)}


def cues(game: str) -> dict[str, set[str]]:
    """Return the events of each cue of a game."""
    events: dict[str, set[str]] = {}
    for first, _, cell in ITEMS.findall(under("Events", game)):
        for cue in names(cell):
            events.setdefault(cue, set()).update(names(first))
    return events
