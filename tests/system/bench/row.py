"""Rows of the table of measurements, and the start of child processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

ROOT: Final = Path(__file__).parents[3]
FIRST_SCRIPT: Final = str(Path(__file__).with_name("first.py"))


class Row(NamedTuple):
    """A row of the table. Without a limit it only informs, and `met` is None."""

    what: str
    figure: str
    limit: str = ""
    met: bool | None = None


class MissingTool(Exception):
    """A measurement needs a missing tool; `package` is its Debian package, if any."""

    def __init__(self, name: str, package: str | None) -> None:
        super().__init__(f"needs {name}")
        self.package = package


if TYPE_CHECKING:
    Measurement = Callable[[Path], Iterator[Row]]


def find_tool(name: str) -> str:
    """Return the path of a program. Raise MissingTool."""
    found = shutil.which(name)
    if found is None:
        raise MissingTool(name, name)
    return found


def has_proc() -> None:
    """Check that /proc is available. Raise MissingTool."""
    if not Path("/proc/self/io").exists():
        raise MissingTool("Linux", None)


def job_command(job: str, *arguments: object) -> list[str]:
    """Return the command line of a job of `child.py`."""
    return [sys.executable, "-m", "tests.system.bench.child", job, *map(str, arguments)]


def job_environment(folder: Path) -> dict[str, str]:
    """Return an environment with compiled modules in `folder` and fixed hashes."""
    own = {"PYTHONPYCACHEPREFIX": str(folder / "pyc"), "PYTHONHASHSEED": "0"}
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | own


def run_job(folder: Path, arguments: Sequence[str]) -> str:
    """Return the output of a child process, which must succeed."""
    done = subprocess.run(
        arguments, cwd=ROOT, env=job_environment(folder), check=True, capture_output=True, text=True
    )
    return done.stdout
