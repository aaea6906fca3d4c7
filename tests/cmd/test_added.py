"""Packages add commands by entry points; without any package the companion starts and plays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.testing import CliRunner

import companion
from companion.cmd import commands
from companion.core.plugins import plugins

if TYPE_CHECKING:
    import pytest

ROOT: Final = Path(companion.__file__).parents[1]
ALONE: Final = """
import sys
sys.path[:0] = [{root!r}, {site!r}]
sys.argv[0] = "companion"
from companion.cmd.cli import main
main()
"""
"""The companion without what the editable install puts on the path: no folder of `packages/`."""
SOURCE: Final = '''
import click

@click.command()
def greet() -> None:
    """Greet the table."""
    click.echo("Good evening.")
'''


def alone(*arguments: str, given: str = "") -> str:
    """What a command prints where the packages beside the box are not there."""
    code = ALONE.format(root=str(ROOT), site=str(Path(click.__file__).parents[1]))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, *arguments],
        input=given, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert not done.stderr
    return done.stdout


def test_the_companion_starts_and_plays_without_the_packages_beside_it() -> None:
    listed = alone("--help")
    assert "  simulate " in listed
    assert commands.added().keys() >= {"check", "new-game"}
    assert not [name for name in commands.added() if f"  {name} " in listed]
    assert "2 games of kojak" in alone("simulate", "kojak", "--games", "2", "--fast")
    told = alone("stdio", "kojak", "--players", "Ann,Bob", "--seed", "ab").splitlines()
    assert '"hello"' in told[0]
    assert any('"ask"' in line for line in told)


def test_a_package_adds_a_command_without_a_change_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "greeting").mkdir()
    (tmp_path / "greeting" / "__init__.py").write_text("raise SystemExit\n", "utf-8")
    (tmp_path / "greeting" / "table.py").write_text(SOURCE, "utf-8")
    info = tmp_path / "greeting-1.0.dist-info"
    info.mkdir()
    points = "greet = greeting.table:greet\nplay = greeting.table:greet\ngone = nowhere:greet\n"
    text = f"[console_scripts]\na = b:c\n\n[companion.commands]\n{points}\n[other]\nd = e:f\n"
    (info / "entry_points.txt").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    commands.added.cache_clear()
    try:
        assert "greet" in commands.Names()
        assert commands.added().keys().isdisjoint({"a", "d", "gone", "play"})
        assert commands.unread("greet").help == "Greet the table."  # nothing is imported
        listed = CliRunner().invoke(commands.cli, ["--help"]).stdout.split(f"{commands.ADDED}:\n")
        assert [line.split()[0] for line in listed[1].splitlines()] == ["greet"]
    finally:
        commands.added.cache_clear()


def test_a_built_in_command_reads_no_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    commands.added.cache_clear()
    monkeypatch.setattr(commands, "plugins", lambda _: 1 / 0)
    assert "simulate" in commands.Names()
    assert commands.cli.commands["simulate"].name == "simulate"


def test_the_modules_of_our_entry_points_are_installed() -> None:
    assert all(plugin.file for plugin in plugins(commands.GROUP))
