"""What all measurements share: a row of the table, and how a child process is started."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT: Final = Path(__file__).parents[2]
FIRST: Final = str(Path(__file__).with_name("first.py"))


class Row(NamedTuple):
    """A line of the table; without a limit it only informs, and `met` is None."""

    what: str
    figure: str
    limit: str = ""
    met: bool | None = None


class MissingTool(Exception):  # noqa: N818 - the fact
    """A measurement needs a program that is not installed."""


if TYPE_CHECKING:
    Measurement = Callable[[Path], Iterator[Row]]


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise MissingTool(f"needs {name}: apt install {name}")
    return found


def command(job: str, *arguments: object) -> list[str]:
    """The command line of a job of `child.py`."""
    return [sys.executable, "-m", "tests.bench.child", job, *map(str, arguments)]


def environment(folder: Path) -> dict[str, str]:
    """As installed: with compiled modules (kept in `folder`), and the same hashes every time."""
    own = {"PYTHONPYCACHEPREFIX": str(folder / "pyc"), "PYTHONHASHSEED": "0"}
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | own


def run(folder: Path, arguments: Sequence[str]) -> str:
    """What a child prints, once it has ended well."""
    done = subprocess.run(
        arguments, cwd=ROOT, env=environment(folder), check=True, capture_output=True, text=True
    )
    return done.stdout
