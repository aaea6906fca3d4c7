"""Packages with games in a folder of Python's path, as `pip` installs them."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

import companion
from companion.catalog import registry
from tests.typed import COMPANION_COMMAND

ROOT: Final = Path(companion.__file__).parents[1]
GAME_SOURCE: Final = """
from companion.core.game import Cue, Game, Option, Outcome
from companion.core.prompts import Number

def view(state, player):
    return {{"total": state[1]}}

def on_more(state, value):
    total = state[1] + value
    return (state[0], total), (Cue("added", {{"who": state[0][0], "total": total}}),)

def outcome(state):
    return Outcome(state[0][:1], dict.fromkeys(state[0], 0)) if state[1] >= {target} else None

GAME = Game(
    name={name!r}, seats=range(2, 4), options=({options}),
    setup=lambda players, options, edition: (players, 0),
    ask=lambda state: None if state[1] >= {target} else Number("more", state[0][0], 1, 3, 1),
    on={{"more": on_more}}, view=view, outcome=outcome, names=("Ann", "Bob", "Cy"), {more}
)
"""
"""A game with one question: the players add numbers until the sum reaches `target`."""


class PackageShop:
    """A folder of packages that `install` and `remove` change as `pip` does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(
        self,
        name: str = "sum-up",
        *,
        package: str = "companion-sum-up",
        version: str = "1.0",
        source: str | None = None,
        target: int = 5,
        options: str = "",
        more: str = "",
    ) -> Path:
        """Install a package with a game; return the game's folder."""
        self.remove(package)
        module = re.sub(r"\W", "_", package).lower()
        info = self.folder / f"{module}-{version}.dist-info"
        for folder in (info, self.folder / module):
            folder.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
        )
        (info / "entry_points.txt").write_text(f"[companion.games]\n{name} = {module}\n")
        text = (
            GAME_SOURCE.format(name=name, target=target, options=options, more=more)
            if source is None
            else source
        )
        (self.folder / module / "__init__.py").write_text(text)
        registry.packaged_games.cache_clear()
        return self.folder / module

    def remove(self, package: str) -> None:
        """Uninstall a package, and remove its modules from Python's cache."""
        module = re.sub(r"\W", "_", package).lower()
        for folder in (*self.folder.glob(f"{module}-*.dist-info"), self.folder / module):
            shutil.rmtree(folder, ignore_errors=True)
        self.forget(module)
        registry.packaged_games.cache_clear()

    def fail_at(self, total: int, module: str = "companion_sum_up") -> None:
        """Make the installed game raise an exception when its sum is `total`."""
        file = self.folder / module / "__init__.py"
        failing = f'{{"total": state[1], "odd": 1 / (state[1] - {total})}}'
        file.write_text(file.read_text().replace('{"total": state[1]}', failing))
        self.forget(module)

    def forget(self, module: str = "companion_sum_up") -> None:
        """Remove a module from Python's cache, as if the companion started again."""
        importlib.invalidate_caches()
        for name in [*sys.modules]:
            if name.partition(".")[0] == module:
                del sys.modules[name]


@contextmanager
def add_to_path(folder: Path) -> Iterator[None]:
    """Add a folder of packages to Python's path, and remove it at the end of the block."""
    known = {*sys.modules}
    sys.path.insert(0, str(folder))
    registry.packaged_games.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in {*sys.modules} - known:
            if name.startswith("companion_"):
                del sys.modules[name]
        registry._KEPT.clear()
        registry.packaged_games.cache_clear()


def shop(folder: Path) -> Iterator[PackageShop]:
    """Yield a package shop in Python's path, as a fixture."""
    with add_to_path(folder):
        yield PackageShop(folder)


def clone_project(folder: Path) -> Path:
    """Return a checkout of this tree, like a clone without tags. Skip the test without git."""
    if shutil.which("git") is None:
        pytest.skip("no checkout without git: install git")
    left = shutil.ignore_patterns("__pycache__", "*.mo")
    for name in ("companion", "checked_input", "hardware", "sounds", "examples"):
        shutil.copytree(ROOT / name, folder / name, ignore=left)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    git = ("git", "-C", folder, "-c", "user.name=Ann", "-c", "user.email=ann@localhost")
    for command in (["init"], ["add", "--all"], ["commit", "--message", "All"]):
        subprocess.run([*git, *command], check=True, capture_output=True)
    return folder


def pip_install(project: Path, site: Path) -> None:
    """Install a project into a folder by `pip`, without a network.

    `site` is new in Python's path: add it first for this process, or start another process.
    """
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "--no-deps", "--no-index", "--no-build-isolation", "--target", site, project],
        check=True, capture_output=True,
    )  # fmt: skip


class StrangerAccount:
    """The folder of a user who has installed the companion; `site` is pip's folder of packages."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.site = folder, folder / "site"
        names = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
        homes = {name: str(folder / name) for name in names}
        self.env = {**os.environ, **homes, "PYTHONPATH": str(self.site), "LC_ALL": "C.UTF-8"}
        self.env.pop("STATE_DIRECTORY", None)

    def run(self, *arguments: str, said: str = "") -> str:
        """Return the output of a Python command; it must succeed."""
        return subprocess.run(
            arguments, input=said, capture_output=True, encoding="utf-8", env=self.env,
            cwd=self.folder, timeout=600, check=True,
        ).stdout  # fmt: skip

    def says(self, *arguments: str, said: str = "") -> str:
        """Return the output of a command of the companion."""
        return self.run(*COMPANION_COMMAND, *arguments, said=said)
