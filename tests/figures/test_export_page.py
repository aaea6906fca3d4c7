"""Tests of the export format on the page docs/history.md."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import companion
from companion.figures import export, recorded
from companion.figures.line_checks import ENTRY_KINDS, OPTIONAL_HEADER_FIELDS
from tests.helpers import OWN_PARTS_OPTIONS, begin_game, setup_for

PAGE: Final = Path(companion.__file__).parents[1] / "docs" / "history.md"


def row(first_words: str) -> str:
    """Return the second cell of a row in the table of the export's lines."""
    lines = PAGE.read_text("utf-8").splitlines()
    (found,) = (line for line in lines if line.startswith(f"| {first_words}"))
    return found.split(" | ")[1]


def exported() -> list[dict[str, Any]]:
    """Return the lines of a game with one answer."""
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS), [7])
    game = recorded.load_recorded_game(journal, 1)
    return [json.loads(line) for line in export.game_export_lines(game, open_=True)]


def test_the_page_names_the_fields_of_an_exported_game() -> None:
    header, *_ = exported()
    fields = re.findall(r"`(\w+)`", row("`game`, oldest first"))
    assert {*fields} == (header.keys() | {*OPTIONAL_HEADER_FIELDS}) - {"type"}


def test_the_page_names_the_fields_and_kinds_of_an_entry() -> None:
    _, *entries = exported()
    assert {*re.findall(r"`(\w+)`", row("`entry`"))} == entries[0].keys() - {"type"}
    assert (*re.findall(r'"(\w+)"', row("`entry`")),) == ENTRY_KINDS
