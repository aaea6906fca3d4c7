"""Change the rules of games, one at a time, and report whether the tests fail.

Run `python -m tests.mutate`. The program applies each mutant of tests/mutants to a copy of the
tree, and runs the tests of the mutant's game there until one fails. The exit status is 1 if a
mutant survives, and 2 if a mutant cannot be applied or tested.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeAlias

import click

from tests.mutants import Mutant, baretta, barney_miller, evening, kojak, probe

ROOT: Final = Path(__file__).parents[1]
MUTANTS: Final = {
    "barney_miller": barney_miller.MUTANTS,
    "baretta": baretta.MUTANTS,
    "kojak": kojak.MUTANTS,
    "probe": probe.MUTANTS,
    "evening": evening.MUTANTS,
}
"""The mutants of each game, and of the evening at many tables."""
CLUB_FOLDER: Final = "packages/companion-club"
PURE_SELECTIONS: Final = tuple(
    f"{CLUB_FOLDER}/tests/evening/test_{name}.py" for name in ("plan", "evenings")
)
"""The tests of an evening that need neither a broker nor a box."""
IGNORE_PATTERNS: Final = shutil.ignore_patterns(
    ".git", ".venv", ".*_cache", "__pycache__", "dist", "build"
)
PASSED, FAILED, INTERRUPTED, NOTHING_TO_RUN = 0, 1, 2, 5
"""Exit codes of pytest."""
TIMEOUT_SECONDS: Final = 1800
"""Time limit of a test run (s). A mutant whose tests do not end in time is caught."""
CAUGHT, SURVIVED, BROKEN = "caught", "SURVIVED", "BROKEN"

Selection: TypeAlias = tuple[str, ...]
"""Arguments that select pytest's tests."""
WHOLE_SELECTIONS: Final[tuple[Selection, ...]] = (
    ("tests", "--ignore=tests/mutants"),
)  # its test fails for every mutant
QUICK_OPTIONS: Final[Selection] = ("-m", "not long")
"""Options that run a selection as `make test` does."""
ALL_LANES_OPTIONS: Final[Selection] = ("--hypothesis-profile=long",)
"""Options that run a selection as `make test-all` does: properties with all their examples."""


class Trial(NamedTuple):
    """A mutant, the folder of its game, and the selections of tests to run."""

    game: str
    mutant: Mutant
    runs: tuple[Selection, ...]


class Verdict(NamedTuple):
    """The result of a trial. `by`: the first test that failed, or why the mutant is broken."""

    what: str
    by: str = ""


class UnfitTests(click.ClickException):
    """The tests cannot judge mutants: they fail without a mutant, or there are none."""

    exit_code = 2


# --- Selecting tests ------------------------------------------------------------------------------


def selections(root: Path, game: str) -> tuple[Selection, ...]:
    """Return the tests of a game as selections: first its own files, then tests by name.

    The second selection has every other test whose name or parameters mention the game.
    """
    if game == "evening":
        return (PURE_SELECTIONS,)
    paths = [path.relative_to(root).as_posix() for path in (root / "tests").rglob("test_*.py")]
    files = [path for path in paths if game in path.replace("-", "_")]
    files.sort(key=lambda path: ("rules" not in path, path))
    names = " or ".join(dict.fromkeys((game, game.replace("_", "-"))))
    others = ("tests", "-k", names, *(f"--ignore={path}" for path in files))
    return (tuple(files), others) if files else (others,)


def find_failing(root: Path, runs: tuple[Selection, ...]) -> str | None:
    """Return the first test that fails in a copy of the tree; None if all pass."""
    codes = set()
    for selection in runs:
        command = [sys.executable, "-m", "pytest", "-x", "--tb=no", "-rfE", *selection]
        try:
            ran = _run(root, command)
        except subprocess.TimeoutExpired:
            return f"no end within {TIMEOUT_SECONDS} s"
        if ran.returncode in (FAILED, INTERRUPTED):
            first = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", ran.stdout, re.MULTILINE)
            return first[1] if first else ran.stdout.strip().splitlines()[-1]
        if ran.returncode not in (PASSED, NOTHING_TO_RUN):
            raise UnfitTests(f"pytest did not run: {ran.stdout}{ran.stderr}")
        codes.add(ran.returncode)
    if PASSED not in codes:
        raise UnfitTests(f"There is no test to run in {' '.join(runs[-1])}.")
    return None


def _run(root: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command with the copy of the tree first in Python's path."""
    env = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / CLUB_FOLDER}"}
    return subprocess.run(
        command,
        cwd=root,
        env=env,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )


# --- The tree, and its copies ---------------------------------------------------------------------


def count_places(root: Path, trial: Trial) -> list[Path]:
    """Return the file of each occurrence of a mutant's old text; exactly one is valid."""
    games, club = root / "companion" / "games", root / CLUB_FOLDER / "companion_club"
    folder = club if trial.game == "evening" else games / trial.game
    paths, old = folder.rglob("*.py"), trial.mutant.old
    return [path for path in sorted(paths) for _ in range(path.read_text("utf-8").count(old))]


def misplacement_reason(trial: Trial) -> str:
    """Return why a mutant does not fit the tree; "" if it does."""
    found = [path.relative_to(ROOT).as_posix() for path in count_places(ROOT, trial)]
    if len(found) == 1:
        return ""
    where = f"stands more than once: {', '.join(sorted(set(found)))}"
    where = where if found else "stands nowhere in the game"
    mutant = trial.mutant
    return f"{trial.game}, {mutant.clause}, {mutant.claim}: {mutant.old!r} {where}"


@contextmanager
def copied_tree(tree: Path) -> Iterator[Path]:
    """Yield a copy of everything that the tests need, with compiled catalogues."""
    with TemporaryDirectory(prefix="companion-mutant-") as folder:
        root = Path(folder).resolve() / "tree"
        shutil.copytree(tree, root, ignore=IGNORE_PATTERNS)
        yield root


def check_unchanged(tree: Path, runs: tuple[Selection, ...]) -> None:
    """Check that the tests pass in an unchanged copy of the tree, and that they test the copy."""
    with copied_tree(tree) as root:
        used = _run(root, [sys.executable, "-c", "import companion; print(companion.__file__)"])
        if not Path(used.stdout.strip()).is_relative_to(root):
            raise UnfitTests(f"The tests would not try the copy, but {used.stdout}")
        if (test := find_failing(root, runs)) is not None:
            raise UnfitTests(f"Without any mutant a test fails: {test}")


def try_mutant(tree: Path, trial: Trial) -> Verdict:
    """Make a mutant in a copy of the tree, and run the tests."""
    with copied_tree(tree) as root:
        (path,), mutant = count_places(root, trial), trial.mutant
        path.write_text(path.read_text("utf-8").replace(mutant.old, mutant.new), "utf-8")
        check = [sys.executable, "-m", "ruff", "check", "--isolated", "--output-format=concise"]
        checked = _run(root, [*check, "--select=E9,F821", str(path)])  # syntax, names
        if checked.returncode:
            return Verdict(BROKEN, checked.stdout.partition("\n")[0] or checked.stderr.strip())
        test = find_failing(root, trial.runs)
        return Verdict(SURVIVED) if test is None else Verdict(CAUGHT, test)


# --- The table ------------------------------------------------------------------------------------


def format_verdict(trial: Trial, verdict: Verdict) -> str:
    told = f"{trial.game:<13} {trial.mutant.clause:<5} {trial.mutant.claim:<78}"
    return f"{told} {verdict.what:<8} {verdict.by}".rstrip()


def try_mutants(trials: list[Trial], workers: int) -> Iterator[Verdict]:
    """Yield the result of each trial, in order.

    The tree is copied first, so that you can edit it during the trials. Raise UnfitTests if the
    tests fail without a mutant.
    """
    with copied_tree(ROOT) as root, ThreadPoolExecutor(workers) as pool:
        list(pool.map(partial(check_unchanged, root), {trial.runs for trial in trials}))
        yield from pool.map(partial(try_mutant, root), trials)


@click.command()
@click.argument("games", nargs=-1, type=click.Choice(list(MUTANTS)))
@click.option("--all", "everything", is_flag=True, help="Run the whole suite, not a game's tests.")
@click.option("--quick", is_flag=True, help="Of those tests, run what `make test` runs.")
@click.option("--workers", default=2, show_default=True, help="How many mutants at a time.")
def main(games: tuple[str, ...], workers: int, *, everything: bool, quick: bool) -> None:
    """Apply wrong rules of GAMES (default: all games) one by one, and report if tests fail."""
    lane = QUICK_OPTIONS if quick else ALL_LANES_OPTIONS
    runs = {
        game: tuple(
            (*run, *lane) for run in (WHOLE_SELECTIONS if everything else selections(ROOT, game))
        )
        for game in games or MUTANTS
    }
    trials = [Trial(game, mutant, runs[game]) for game in runs for mutant in MUTANTS[game]]
    if lost := [message for trial in trials if (message := misplacement_reason(trial))]:
        click.echo("\n".join(lost), err=True)
        sys.exit(2)
    whats = []
    for trial, verdict in zip(trials, try_mutants(trials, workers), strict=True):
        click.echo(format_verdict(trial, verdict))
        whats.append(verdict.what)
    click.echo(f"{whats.count(CAUGHT)} of {len(whats)} caught")
    sys.exit(2 if BROKEN in whats else int(SURVIVED in whats))


if __name__ == "__main__":
    main()
