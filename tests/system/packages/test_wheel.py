"""Tests of the wheel and the source distribution, as an index of packages offers them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from tests.system.packages.commands import BOT, run

BUILD: Final = (sys.executable, "-m", "hatchling", "build", "--directory")


def test_a_fresh_environment_plays_from_the_names_of_an_index_alone(tmp_path: Path) -> None:
    run(*BUILD, tmp_path)
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
