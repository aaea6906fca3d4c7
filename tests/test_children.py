"""Test that each Python process of the project ignores modules in the current folder."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from companion.core.subcommands import COMMAND_PREFIX
from tests.source import syntax_nodes

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = ("book", "companion", "checked_input", "hardware", "packages", "sounds", "systemd")
SAFE: Final = ("-P", "-I")
"""Python's options that remove the current folder from the search path of modules."""
CALL: Final = re.compile(r"python3?\"? (?!-[PI]\b)[-\"$]")
"""A Python command in a shell script or a unit whose first option is not in SAFE."""


def sources() -> Iterator[Path]:
    for folder in SOURCES:
        for path in ROOT.joinpath(folder).rglob("*.py"):
            if "tests" not in path.parts:
                yield path


def following(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line of each use of `sys.executable`, and the word after it or ""."""
    used = [
        n for n in syntax_nodes(path) if isinstance(n, ast.Attribute) and n.attr == "executable"
    ]
    after: dict[int, str] = {}
    for node in syntax_nodes(path):
        words = getattr(node, "elts", None) or getattr(node, "args", None)
        if isinstance(words, list):
            for word, option in pairwise(words):
                if isinstance(option, ast.Constant):
                    after[id(word)] = str(option.value)
    yield from ((node.lineno, after.get(id(node), "")) for node in used)


@pytest.mark.long
def test_every_python_that_is_started_ignores_the_current_folder() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}": option
        for path in sources()
        for line, option in following(path)
    }
    assert len(found) >= len(SAFE)
    assert {where for where, option in found.items() if option not in SAFE} == set()


def test_every_python_of_a_script_or_unit_ignores_the_current_folder() -> None:
    files = [
        path
        for path in ROOT.joinpath("systemd").rglob("*")
        if path.suffix in (".sh", ".service", ".yaml")
    ]
    assert {
        f"{path.name}: {line.strip()}"
        for path in files
        for line in path.read_text("utf-8").splitlines()
        if CALL.search(line) and not line.lstrip().startswith("#")
    } == set()


def test_a_command_in_a_folder_of_another_runs_nothing_of_it(tmp_path: Path) -> None:
    for name in ("companion", "click", "gc", "typing", "tornado"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(7)\n")
    told = subprocess.run(
        [*COMMAND_PREFIX, "--version"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (told.returncode, told.stderr) == (0, "")
