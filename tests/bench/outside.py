"""What is measured on child processes, from outside."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from random import Random
from statistics import median
from typing import TYPE_CHECKING

from companion import editions, simulate
from companion.chance import Chance
from companion.core import step
from companion.games.barney_miller import GAME
from companion.journal import Entry, Journal
from tests.bench.box import OPTIONS, PLAYERS, SEED
from tests.bench.row import FIRST, ROOT, Row, command, environment, run, tool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAVY = ("pydantic", "textual", "pygame", "click", "PIL", "tomllib", "luma", "gpiozero", "asyncio")


def instructions(folder: Path) -> Iterator[Row]:
    """Row 2: what the processor does for a screen; valgrind counts between two marks."""
    out, n = folder / "callgrind", 20
    counting = ["--tool=callgrind", "--dump-before=getppid", f"--callgrind-out-file={out}"]
    run(folder, command("draw", 1))  # compiles
    run(folder, [tool("valgrind"), *counting, *command("draw", n)])
    ours, theirs = (
        int(re.findall(r"^totals: (\d+)", (folder / f"callgrind.{dump}").read_text(), re.M)[0]) / n
        for dump in (2, 3)
    )
    figure = f"1/{theirs / ours:.1f} ({ours:,.0f} of {theirs:,.0f})"
    met = theirs >= 3 * ours
    yield Row("Instructions to draw a screen, against Pillow", figure, "1/3", met)


def idle(folder: Path) -> Iterator[Row]:
    """Rows 5 and 6: a box that waits, in the middle of a game."""
    arguments = command("idle", folder / "idle.db")
    with subprocess.Popen(
        arguments, cwd=ROOT, env=environment(folder), stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        languages = child.stdout.readline().strip()
        time.sleep(0.5)
        before = _switches(child.pid)
        time.sleep(10)
        wakeups = _switches(child.pid) - before
        memory = _status(child.pid, child.pid, "VmRSS") / 1024
        child.kill()
    yield Row("Idle in a game, 10 s: wakeups", str(wakeups), "0", wakeups == 0)
    met = memory <= 45 and languages == "2"
    yield Row(f"RSS in a game, {languages} languages loaded", f"{memory:.1f} MB", "45 MB", met)


def _switches(pid: int) -> int:
    return sum(
        _status(pid, int(task.name), f"{kind}voluntary_ctxt_switches")
        for task in (ROOT / f"/proc/{pid}/task").iterdir()
        for kind in ("", "non")
    )


def _status(pid: int, task: int, key: str) -> int:
    text = (ROOT / f"/proc/{pid}/task/{task}/status").read_text()
    found = re.search(rf"^{key}:\s+(\d+)", text, re.M)
    assert found is not None
    return int(found[1])


def first_frame(folder: Path) -> Iterator[Row]:
    """Row 7: from nothing to the first screen, against a Python that does nothing."""
    path = folder / "first.db"
    run(folder, command("play", path, 20))
    shows = [sys.executable, FIRST, str(path)]
    loaded = {name.split(".")[0] for name in run(folder, [*shows, "modules"]).split()}
    ours, bare = [], []
    for _ in range(30):
        begun = time.monotonic()
        run(folder, [sys.executable, "-c", "pass"])
        bare.append(time.monotonic() - begun)
        begun = time.monotonic()
        ours.append(float(run(folder, shows)) - begun)
    ratio = median(ours) / median(bare)
    figure = f"{ratio:.2f} ({median(ours) * 1e3:.0f} of {median(bare) * 1e3:.0f} ms)"
    yield Row("First frame, p50, against `python -c pass`", figure, "5", ratio <= 5)
    heavy = sorted(loaded.intersection(HEAVY))
    yield Row("Heavy modules before it", " ".join(heavy) or "none", "none", not heavy)


def syncs(folder: Path) -> Iterator[Row]:
    """Row 8: a commit costs one sync."""
    out = folder / "strace"
    calls = ["-f", "-qq", "-o", str(out), "-e", "trace=fsync,fdatasync,sync,syncfs"]
    run(folder, [tool("strace"), *calls, *command("play", folder / "syncs.db", 200)])
    n = len(re.findall(r"sync\w*\(", out.read_text()))
    yield Row("Syncs an answer, 200 answers, start and end", f"{n / 200:.3f}", "1.1", n <= 220)


def resume(folder: Path) -> Iterator[Row]:
    """Row 9: a long record costs no more to go on with than a short one."""
    read = []
    for answers in (0, 100_000):
        path = folder / f"{answers}.db"
        number, written = _record(path, answers)
        read.append(int(run(folder, command("resume", path, number))))
    figure = f"{read[1] / read[0]:.2f} ({read[1]:,} of {read[0]:,} bytes)"
    met = read[1] <= 2 * read[0]
    yield Row(f"Read to resume beside {number - 1:,} games, {written:,} answers", figure, "2", met)


def _record(path: Path, least: int) -> tuple[int, int]:
    """Finished games of at least so many answers, and half a game: its number, and how many."""
    journal, random, answers = Journal(path), Random(1), 0
    edition = editions.load(GAME.name)
    chance = Chance(SEED)
    header = {"game": GAME.name, "players": PLAYERS, "options": OPTIONS, "edition": edition}
    header |= {"seed": SEED, "commitment": chance.commitment, "mixing": True}
    first = GAME.setup(PLAYERS, OPTIONS, edition)

    def game() -> Iterator[Entry]:
        state = first
        while (prompt := GAME.ask(state)) is not None:
            value = simulate.pick(prompt, random)
            yield Entry("answer", prompt.name, prompt.who, value)
            state, _ = step(GAME, state, prompt, value)

    while answers < least:
        entries = list(game())
        journal.begin(header, [*entries, Entry("over", value=list(PLAYERS[:1]))], 0)
        answers += len(entries)
    half = list(Random(2).sample([list(game()) for _ in range(20)], 1)[0])[:20]
    number = journal.begin(header, half, 0)
    journal.close()
    return number, answers + len(half)
