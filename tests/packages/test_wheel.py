"""The wheel and the source distribution, as an index of packages has them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from tests.packages.commands import BOT, run

BUILD: Final = (sys.executable, "-m", "hatchling", "build", "--directory")


def built(folder: Path) -> dict[str, bytes]:
    """Both, built anew: what they are called, and their bytes."""
    run(*BUILD, folder)
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_two_builds_are_the_same_bytes(tmp_path: Path) -> None:
    first = built(tmp_path / "first")
    assert sorted(Path(name).suffix for name in first) == [".gz", ".whl"]
    assert built(tmp_path / "second") == first


def test_a_fresh_environment_plays_from_the_names_of_an_index_alone(tmp_path: Path) -> None:
    built(tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    programs = tmp_path / "venv" / "bin"
    run(programs / "pip", "install", "--quiet", "--isolated", f"{wheel}[terminal]")
    version = run(programs / "companion", "--version", folder=tmp_path).split()[-1]
    assert wheel.name.startswith(f"tabletop_companion-{version}-")
    assert run(programs / "companion", "play", folder=tmp_path)
    run(programs / "python", "-c", "import textual, pygame", folder=tmp_path)
    bot = BOT.replace('["companion"', f'["{programs}/companion"')
    assert "won" in run(programs / "python", "-c", bot, folder=tmp_path)
