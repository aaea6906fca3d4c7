"""Run `companion …` in a process of its own, forked from a process with all imports.

A new Python needs 0.2 s to import the modules of a command, and tests run hundreds of commands.
Tests of the start of a process and of signals use `COMPANION_COMMAND`, a new Python.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

import companion
from companion.catalog import registry
from companion.cmd import cli

ROOT: Final = Path(companion.__file__).parents[1]
COMPANION_COMMAND: Final = (sys.executable, "-c", "from companion.cmd.cli import main; main()")
PATH_VARIABLE: Final = "PYTHONPATH"
STANDARD_STREAMS: Final = (("stdin", os.O_RDONLY), ("stdout", os.O_WRONLY), ("stderr", os.O_WRONLY))


def run_companion(
    *arguments: str, given: bytes = b"", env: Mapping[str, str] = os.environ, cwd: Path = ROOT
) -> subprocess.CompletedProcess[bytes]:
    """Return the exit status and the output of a command with `given` as its input."""
    with tempfile.TemporaryDirectory() as name:
        stdin, stdout, stderr = files = [Path(name, stream) for stream, _ in STANDARD_STREAMS]
        for file in files:
            file.write_bytes(given if file is stdin else b"")
        places = {"cwd": str(cwd), "files": [*map(str, files)]}
        status = _server()({"arguments": arguments, "env": dict(env), **places})
        return subprocess.CompletedProcess(
            arguments, status, stdout.read_bytes(), stderr.read_bytes()
        )


@cache
def _server() -> Callable[[object], int]:
    """Start this test process's server. Return a function that sends it a command to run."""
    anywhere = {name: value for name, value in os.environ.items() if name != PATH_VARIABLE}
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.typed"], cwd=ROOT, bufsize=1, encoding="utf-8",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=anywhere,
    )  # fmt: skip
    atexit.register(server.communicate)  # closes its input, which ends it

    def call(what: object) -> int:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(what) + "\n")
        return int(server.stdout.readline())

    return call


def _serve() -> None:
    """Fork for each line of standard input, and print the exit status of the fork."""
    for line in sys.stdin:
        if (child := os.fork()) == 0:
            _become(**json.loads(line))
            return
        sys.stdout.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        sys.stdout.flush()


def _become(arguments: list[str], env: dict[str, str], cwd: str, files: list[str]) -> None:
    """Run the command in this process."""
    for number, ((stream, how), file) in enumerate(zip(STANDARD_STREAMS, files, strict=True)):
        os.dup2(os.open(file, how), number)
        setattr(sys, stream, open(number, "r" if number == 0 else "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - stays open
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.path[1:1] = [place for place in env.get(PATH_VARIABLE, "").split(os.pathsep) if place]
    sys.argv[1:] = arguments
    cli.main()


def _warm() -> None:
    """Import all modules that commands need, and exclude them from garbage collection."""
    for module in pkgutil.iter_modules([str(ROOT / "companion" / "cmd")], "companion.cmd."):
        import_module(module.name)
    for game in registry.BUILT_IN_GAMES:
        registry.find_game(game)
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    _warm()
    _serve()
