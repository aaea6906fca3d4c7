"""Tests of the reference for authors of games: complete names, and the present sizes."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

import companion
from book import blocks, reference
from companion.catalog import packages
from companion.draw.parts import MAX_LIST_ANSWER_LETTERS, MEDIUM_ROW_LETTERS, ROW_LETTERS
from companion_testing import keys
from companion_testing.saying import MAX_CURTAIN_TEXT_ROWS, MAX_HINT_ROWS, MAX_INLINE_ANSWER_LETTERS
from companion_testing.showing import ROWS_BELOW_SHORT_TITLE
from tests.source import syntax_nodes

ROOT: Final = Path(companion.__file__).parents[1]
PAGE: Final = blocks.replace_blocks_by_directives(
    (ROOT / "docs/reference/games.md").read_text("utf-8")
)
LISTED: Final = [line.split() for line in re.findall(r"^```\{api\} (.*)$", PAGE, re.MULTILINE)]
SHOWN: Final = {
    module: reference.format_module_reference(module, *names) for module, *names in LISTED
}
WHOLE: Final = ("core.game", "core.prompts", "core.fold", "say.facts", "draw.face")
"""Modules whose public names must all be listed."""


def imported() -> Iterator[tuple[str, str]]:
    """Yield each module outside the game, and each name that a game imports from it."""
    folders = (ROOT / "companion" / "games", ROOT / "examples")
    for file in (file for folder in folders for file in folder.rglob("*.py")):
        for node in syntax_nodes(file):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("companion."):
                yield from ((str(node.module), name.name) for name in node.names)


def test_all_that_is_public_in_a_module_is_listed() -> None:
    for module in WHOLE:
        for name in reference.public_names_of_module(f"companion.{module}"):
            if not reference.is_type_variable(vars(import_module(f"companion.{module}"))[name]):
                assert re.search(rf"`?\b{name}\b", SHOWN[f"companion.{module}"]), (module, name)


@pytest.mark.long
def test_all_that_a_game_of_ours_imports_is_listed_but_what_prints_boards() -> None:
    others = {"companion.catalog.editions", "companion.catalog"}  # for boards that players teach
    missing = {
        (module, name)
        for module, name in imported()
        if not module.startswith("companion.games") and module not in others
        if hasattr(import_module(module), name)  # some names exist for mypy alone
        if f"{module}.{name}" not in SHOWN  # `name` is itself a listed module
        if not re.search(rf"^(?:### )?`{name}\b", SHOWN.get(module, ""), re.MULTILINE)
    }
    assert not missing


def test_each_field_of_what_is_public_is_explained() -> None:
    for module in WHOLE:
        its = import_module(f"companion.{module}")
        for kind in vars(its).values():
            own = inspect.isclass(kind) and kind.__module__ == f"companion.{module}"
            for field in getattr(kind, "_fields", ()) if own else ():
                told = f"{inspect.getdoc(kind)} {its.__doc__}"
                assert re.search(rf"`{field}\b", told), f"{kind.__name__}.{field} of {module}"


def test_every_constant_of_those_modules_says_what_it_is() -> None:
    for module in WHOLE:
        assert not re.findall(r"^`.*`\n: *$", SHOWN[f"companion.{module}"], re.MULTILINE)


def rooms() -> dict[str, list[str]]:
    """Return the sizes of texts on the page, by the key of the sentence."""
    found: dict[str, list[str]] = {}
    for key, room in re.findall(r"^\| `([\w.]+)` \| ([\dx ]*)\|", PAGE, re.MULTILINE):
        found.setdefault(key, []).append(room.strip())
    return found


def test_every_key_that_the_box_looks_up_is_listed_with_its_room() -> None:
    found = rooms()
    first = {key.partition(".")[0] for key in found}
    assert first == {
        *keys.QUESTION_KEY_PARTS,
        *keys.ANSWER_KEY_PARTS,
        *keys.BOX_KEY_PARTS,
        "cue",
    } - {"any", "peep"}
    assert {key.rpartition(".")[2] for key in found if key.startswith("cue.")} == {
        *keys.EVENT_KEY_ENDS
    }
    line, row = str(MAX_LIST_ANSWER_LETTERS), str(ROW_LETTERS)
    assert {key: room for key, room in found.items() if any(room)} == {
        "name": [line], "setting.OPTION.VALUE": [line], "menu.FORM": [line],
        "about.OPTION.VALUE": [f"{MAX_HINT_ROWS} x {row}"],
        "option.QUESTION.VALUE": [line, str(MAX_INLINE_ANSWER_LETTERS)],
        "ask.QUESTION": [row], "legend.QUESTION": [row], "status": [row],
        "curtain.QUESTION": [f"{MAX_CURTAIN_TEXT_ROWS} x {row}"], "curtain.peep": [row],
        "cue.FACT.title": [f"2 x {MEDIUM_ROW_LETTERS}"],
        "cue.FACT.text": [f"{ROWS_BELOW_SHORT_TITLE} x {row}"],
        "rule.CLAUSE": [f"{ROWS_BELOW_SHORT_TITLE} x {row}"],
    }  # fmt: skip


def test_what_a_game_can_not_be_called_is_listed() -> None:
    told = SHOWN[packages.__name__]
    assert all(repr(owner) in told for owner in packages.RESERVED_NAMES)


def test_a_module_is_listed_with_how_its_names_are_called_and_what_they_are() -> None:
    cue = reference.format_module_reference("companion.core.game", "Cue")
    assert "    clause: str | None = None,\n" in cue
    assert "An event in a game." in cue
    throw = reference.format_module_reference("companion.core.prompts", "PRESSED_ROLL_QUESTION")
    assert "`PRESSED_ROLL_QUESTION = 'throw'`" in throw
    assert reference.format_module_reference(
        "companion.say.facts", "make_field_variant_function"
    ).startswith(
        "`make_field_variant_function(field: str) -> Callable[[Cue], str]`\n: Return a function"
    )


@pytest.mark.long
def test_the_fonts_are_listed_with_their_size_and_every_letter() -> None:
    small, *_, large = reference.format_font_table("en").splitlines()[2:]
    assert small.startswith("| `small` | 6x8 | 21 |")
    assert all(sign in small for sign in "aZ9éÉ▸★\\|")
    assert "| 24x40 | 5 |" in large
    assert "é" not in large
