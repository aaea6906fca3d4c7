"""Tests that a sign means one thing in all frames and sentences."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import companion
from tests.source import syntax_nodes

ROOT: Final = Path(companion.__file__).parent
NAMED: Final = ("draw/default_face.py",)
"""Files in which `_` is a part of names."""
SPOKEN: Final = ("table/aloud.py",)
"""Files with the spoken names of signs."""
DRAWN: Final = {
    "▲▼": {"draw/phones.py", *SPOKEN},  # the buttons, in a separate legend
    "▴▾": {"draw/parts.py", "draw/screens.py"},  # a list or a wheel has more options
    "●○": {
        "games/probe/shown/words.py",
        "games/probe/shown/face.py",
        "games/probe/shown/racks.py",
    },  # dots
    "_": {"draw/parts.py", *NAMED},  # a letter that is not spelt yet
}
"""Files that draw each sign."""


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Return each text in the project's files, with its file."""
    return tuple(
        (str(file.relative_to(ROOT)), node.value)
        for file in ROOT.rglob("*.py")
        for node in syntax_nodes(file)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def drawing(signs: str) -> set[str]:
    """Return the files with a text that has one of these signs, except names with `_`."""
    return {
        file for file, text in texts() if {*signs} & {*text} and not re.search(r"\w_|_\w", text)
    }


@pytest.mark.long
def test_a_sign_is_drawn_for_one_thing_only() -> None:
    found = {signs: drawing(signs) - where for signs, where in DRAWN.items()}
    found["_"] = {file for file in found["_"] if file.startswith(("draw/", "games/"))}
    assert {signs: files for signs, files in found.items() if files} == {}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_triangle_in_a_sentence_is_a_button_and_a_disc_a_dot(language: str) -> None:
    for file in ROOT.rglob(f"locale/{language}/LC_MESSAGES/*.po"):
        pairs = re.findall(r'^msgid "(.+)"\nmsgstr "(.*)"$', file.read_text("utf-8"), re.MULTILINE)
        for key, sentence in pairs:
            assert not {*"▴▾↑↓"} & {*sentence} or key.startswith("face."), key
            assert "●" not in sentence or key.startswith("probe."), key
