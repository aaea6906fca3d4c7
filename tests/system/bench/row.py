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

ROOT: Final = Path(__file__).parents[3]
FIRST_SCRIPT: Final = str(Path(__file__).with_name("first.py"))


class Row(NamedTuple):
    """A line of the table; without a limit it only informs, and `met` is None."""

    what: str
    figure: str
    limit: str = ""
    met: bool | None = None


class MissingTool(Exception):
    """A measurement needs a tool that is not here; `package` is where Debian has it, if it does."""

    def __init__(self, name: str, package: str | None) -> None:
        super().__init__(f"needs {name}")
        self.package = package


if TYPE_CHECKING:
    Measurement = Callable[[Path], Iterator[Row]]


def find_tool(name: str) -> str:
    """Where a program is, whose Debian package is named as it is. Raises MissingTool."""
    found = shutil.which(name)
    if found is None:
        raise MissingTool(name, name)
    return found


def has_proc() -> None:
    """See that the system tells of its processes. Raises MissingTool."""
    if not Path("/proc/self/io").exists():
        raise MissingTool("Linux", None)


def job_command(job: str, *arguments: object) -> list[str]:
    """The command line of a job of `child.py`."""
    return [sys.executable, "-m", "tests.system.bench.child", job, *map(str, arguments)]


def job_environment(folder: Path) -> dict[str, str]:
    """As installed: with compiled modules (kept in `folder`), and the same hashes every time."""
    own = {"PYTHONPYCACHEPREFIX": str(folder / "pyc"), "PYTHONHASHSEED": "0"}
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | own


def run_job(folder: Path, arguments: Sequence[str]) -> str:
    """What a child prints, once it has ended well."""
    done = subprocess.run(
        arguments, cwd=ROOT, env=job_environment(folder), check=True, capture_output=True, text=True
    )
    return done.stdout
