"""Tests of `companion new-game`: the written game is installed and then checked."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Final

import pytest

from companion.cmd import commands
from companion.core.game import API_VERSION, Game
from companion.draw.face import Face
from companion.page.files import GAME_FILES
from companion_testing.commands import new_game
from tests.installed import ROOT, StrangerAccount, add_to_path, pip_install

EXAMPLES: Final = [file.parent for file in sorted(ROOT.glob("examples/*/pyproject.toml"))]


@pytest.mark.long
@pytest.mark.parametrize("package", [False, True], ids=["folder", "package"])
def test_a_new_game_runs_at_once(tmp_path: Path, *, package: bool) -> None:
    stranger = StrangerAccount(tmp_path)
    said = stranger.says("new-game", "first-to-five", *["--package"] * package)
    root = "companion-first-to-five" if package else "first-to-five"
    assert said.splitlines()[1:] == [
        f"pip install -e './{root}[play,test]'", "companion play",
    ]  # fmt: skip
    pip_install(tmp_path / root, stranger.site)
    game = json.loads(stranger.says("games", "--json"))[-1]
    assert game == {
        "name": "first-to-five", "title": "First to five", "version": "0.1.0",
        "package": "companion-first-to-five", "seats": [2, 4], "api": 1, "ok": True, "why": None,
    }  # fmt: skip
    assert "20 games of first-to-five, target=5" in stranger.says(
        "simulate", "first-to-five", "--games", "20"
    )
    answers = '{"answer": 5}\n' * 2 + '{"answer": "Ann"}\n' * 5
    told = [
        json.loads(line)
        for line in stranger.says("stdio", "first-to-five", said=answers).splitlines()
    ]
    assert told[0]["edition"] == {}
    assert told[-1]["type"] == "over"
    assert told[-1]["winners"] == ["Ann"]
    tests = stranger.run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", root)
    assert "passed" in tests
    checked = stranger.says("check", "first-to-five")
    assert "not kept" not in checked


def test_the_folder_and_the_package_lie_alike(tmp_path: Path) -> None:
    ways = (False, True)
    roots = [
        new_game.write_new_game("first-to-five", tmp_path, package=package) for package in ways
    ]
    texts = [
        {
            str(file.relative_to(root)): file.read_text("utf-8")
            for file in root.rglob("*")
            if file.is_file()
        }
        for root in roots
    ]
    other = [name for name in texts[0] | texts[1] if texts[0].get(name) != texts[1].get(name)]
    assert other == ["pyproject.toml"]
    assert "readme =" in texts[1]["pyproject.toml"]


def test_what_playing_in_a_terminal_and_testing_need_is_asked_for_by_a_new_game_and_the_examples(
    tmp_path: Path,
) -> None:
    roots = (new_game.write_new_game("first-to-five", tmp_path, package=False), *EXAMPLES)
    for root in roots:
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
        extras = project["optional-dependencies"]
        assert extras["play"] == ["tabletop-companion[page,terminal]"]
        assert any(one.startswith("pytest") for one in extras["test"])
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert any(one.startswith("textual") for one in ours["optional-dependencies"]["terminal"])


def test_a_new_game_has_a_secret_a_french_name_and_a_word_on_every_part_that_it_may_have(
    tmp_path: Path,
) -> None:
    root = new_game.write_new_game("first-to-five", tmp_path, package=False, french="Cinq d’abord")
    module = root / "companion_first_to_five"
    fr = (module / "locale/fr/LC_MESSAGES/first-to-five.po").read_text("utf-8")
    assert 'msgid "first-to-five.name"\nmsgstr "Cinq d’abord"' in fr
    whole = (module / "__init__.py").read_text("utf-8")
    needed = {"name", "seats", "options", "setup", "ask", "on", "view", "outcome", "names", "api"}
    optional = (
        {*Game._fields} - needed - {"entered_board_values"}
    )  # only for games that read a board
    assert [part for part in optional if f"{part}=" not in whole and f"- {part}" not in whole] == []
    assert "private=True" in (module / "rules.py").read_text("utf-8")
    drawn = (module / "face.py").read_text("utf-8")
    more = {field.name for field in fields(Face)} - {"facts", "printed_names", "names", "to_act"}
    assert [part for part in more if not re.search(rf"(?:- |; |, ){part}\b", drawn)] == []
    readme = (root / "README.md").read_text("utf-8")
    for file in ("clauses.toml", "figures.py", "sounds/", *GAME_FILES.values()):
        assert f"`{file}`" in readme


@pytest.mark.parametrize("french", ["x" * 20, 'un "jeu"', "a\nb", "{who}"])
def test_a_french_title_that_will_not_do_is_one_line(french: str, tmp_path: Path) -> None:
    with pytest.raises(new_game.InvalidGameName, match=r"is not a title: up to 19 letters"):
        new_game.write_new_game("hearts", tmp_path, package=False, french=french)
    assert not [*tmp_path.iterdir()]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("package", [False, True], ids=["folder", "package"])
def test_a_new_game_is_written_as_ruff_would_write_it(tmp_path: Path, *, package: bool) -> None:
    root = new_game.write_new_game("first-to-five", tmp_path, package=package)
    ignored = "D,COM812,CPY001,S101,INP001,ANN401,PLR2004"
    for check in (("check", "--select", "ALL", "--ignore", ignored), ("format", "--check")):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *check, "--no-cache", "--isolated", "."], cwd=root,
            capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "hearts").mkdir()
    with pytest.raises(new_game.NewGamePathExists, match="hearts exists: choose another name"):
        new_game.write_new_game("hearts", tmp_path, package=False)
    assert not [*(tmp_path / "hearts").iterdir()]
    assert (
        new_game.write_new_game("hearts", tmp_path, package=True) == tmp_path / "companion-hearts"
    )


@pytest.mark.parametrize(
    "name", ["Hearts", "1st", "he arts", "../x", "-", "a--b", "", "x" * 20, "cœur", "a_b"]
)
def test_a_name_that_will_not_do_says_which_would(name: str, tmp_path: Path) -> None:
    with pytest.raises(new_game.InvalidGameName, match=r"is not a name for a game: .*my-game"):
        new_game.write_new_game(name, tmp_path, package=False)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name", ["probe", "box", "stdio"])
def test_a_name_that_is_taken_says_where_the_names_are(name: str, tmp_path: Path) -> None:
    with pytest.raises(new_game.InvalidGameName, match=f"{name} is taken: `companion games` lists"):
        new_game.write_new_game(name, tmp_path, package=False)


def test_a_folder_that_can_not_be_written_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hearts").write_text("a file")
    with pytest.raises(new_game.NewGamePathExists):
        commands.run_companion_command(["new-game", "hearts"], debug=False)
    assert capsys.readouterr().out == ""
    assert (tmp_path / "hearts").read_text() == "a file"


@pytest.mark.parametrize(
    ("name", "mark"), [("hearts", "HE"), ("first-to-five", "FT"), ("running-tricks", "RT")]
)
def test_a_clause_is_marked_with_the_initials_of_the_game(
    name: str, mark: str, tmp_path: Path
) -> None:
    root = new_game.write_new_game(name, tmp_path, package=False)
    module = f"companion_{name.replace('-', '_')}"
    assert f'"{mark}-1"' in (root / module / "rules.py").read_text("utf-8")


def test_a_new_game_imports_only_names_that_exist(tmp_path: Path) -> None:
    root = new_game.write_new_game("first-to-five", tmp_path, package=False)
    with add_to_path(root):
        assert importlib.import_module("companion_first_to_five").GAME.api == API_VERSION
        for file in root.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.ImportFrom) and str(node.module).startswith("companion"):
                    names = ", ".join(alias.name for alias in node.names)
                    exec(f"from {node.module} import {names}", {})  # noqa: S102 - our own template
