"""Commands that the tests of packages run, and the game that they play."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
PROTOCOL: Final = (ROOT / "docs" / "protocol.md").read_text("utf-8")
(BOT,) = re.findall(r"^```python\n(.*?)^```$", PROTOCOL, re.DOTALL | re.MULTILINE)
"""The program of the protocol's page: it plays a whole game with `companion` on the path."""


def both(*command: str | Path, folder: Path = ROOT) -> tuple[int, str]:
    """The exit status of a command, and what it said."""
    done = subprocess.run(
        [*map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        cwd=folder,
    )
    return done.returncode, done.stdout


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """What a command says; it must end well."""
    status, said = both(*command, folder=folder)
    assert status == 0, f"{command}:\n{said}"
    return said
