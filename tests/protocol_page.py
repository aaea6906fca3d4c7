"""docs/protocol.md, with the sections of the games that `book.blocks` writes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import companion
from companion.catalog import registry

PROTOCOL_PAGE: Final = Path(companion.__file__).parents[1] / "docs" / "protocol.md"
BLOCK_PATTERN: Final = re.compile(
    r"^<!-- lines (\S+) (\S+) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE
)
FIELDS_ROW_PATTERN: Final = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| ([^|]*)\|", re.MULTILINE)
"""A row of a table that begins with names: its first two cells."""
ITEM_PATTERN: Final = re.compile(
    r"^- (`\w+`(?:, `\w+`)*)(?: \([^)]*\))?:?(.*?)(?:\bCue (.*))?$", re.MULTILINE
)
"""An item of a generated list that begins with names: names, fields or meaning, cues."""


@cache
def read_page() -> str:
    return PROTOCOL_PAGE.read_text("utf-8")


def section_text(heading: str, game: str) -> str:
    """Return the text under a heading, ignoring the sections of other games than `game`."""
    sections = re.split(r"^(?=## )", read_page(), flags=re.MULTILINE)
    others = {f"## {name}\n" for name in registry.BUILT_IN_GAMES} - {f"## {game}\n"}
    text = "".join(part for part in sections if not part.startswith(tuple(others)))
    pattern = rf"^#+ `?{re.escape(heading)}`?\n(.*?)(?=^#|\Z)"
    (found,) = re.findall(pattern, text, re.DOTALL | re.MULTILINE)
    return str(found)


def names_in_code(text: str) -> set[str]:
    """Return the names in a text, without those in brackets."""
    return set(re.findall(r"`([\w.]+)`", re.sub(r"\(.*?\)", "", text)))


def field_rows(heading: str, game: str) -> dict[str, set[str]]:
    """Return the table or the list under a heading: each name, and the names in its row."""
    text = section_text(heading, game)
    lines = [*FIELDS_ROW_PATTERN.findall(text), *(item[:2] for item in ITEM_PATTERN.findall(text))]
    return {name: names_in_code(cell) for first, cell in lines for name in names_in_code(first)}


def sounds_of_events(game: str) -> dict[str, set[str]]:
    """Return the events that play each cue of a game, including the events of every game."""
    events: dict[str, set[str]] = {}
    text = section_text("Events of every game", game) + section_text("Events", game)
    for first, _, cell in ITEM_PATTERN.findall(text):
        for cue in names_in_code(cell):
            events.setdefault(cue, set()).update(names_in_code(first))
    return events
