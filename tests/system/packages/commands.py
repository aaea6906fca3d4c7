"""Commands for the tests of packages, and the game that they play."""

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
    """Return the exit status and output of a command."""
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
    """Return the output of a command, which must succeed."""
    status, said = both(*command, folder=folder)
    assert status == 0, f"{command}:\n{said}"
    return said
