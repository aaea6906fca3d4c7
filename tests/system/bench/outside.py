"""Measurements of child processes."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

from companion.box.loop import Loop
from companion.box.system import Machine
from companion.catalog import editions
from companion.core.chance import Chance
from companion.core.fold import apply_answer_to_prompt
from companion.games.barney_miller import GAME
from companion.games.barney_miller.rules.state import State
from companion.play import simulate
from companion.record.journal import Entry, Journal
from hardware.display import saved_frame
from hardware.mock import FakeBox
from hardware.wiring import DEFAULT_BOARD
from tests.system.bench.box import OPTIONS, PLAYERS, SEED
from tests.system.bench.row import (
    FIRST_SCRIPT,
    ROOT,
    Row,
    find_tool,
    has_proc,
    job_command,
    job_environment,
    run_job,
)

HEAVY = ("difflib", "textual", "pygame", "click", "PIL", "luma", "gpiozero", "asyncio", "logging")


def drawing(folder: Path) -> Iterator[Row]:
    """Yield row 2: the instructions for a screen."""
    n = 20
    run_job(folder, job_command("draw", 1))  # compiles
    _, ours, theirs, *_ = instructions(folder, job_command("draw", n))
    figure = f"1/{theirs / ours:.1f} ({ours / n:,.0f} of {theirs / n:,.0f})"
    met = theirs >= 3 * ours
    yield Row("Instructions to draw a screen, against Pillow", figure, "1/3", met)


def press(folder: Path) -> Iterator[Row]:
    """Yield row 3: the instructions for a press, from the edge to the end of the commit.

    The usual libraries only draw equal texts and save an answer. The box also applies the rules,
    words and times the announcements, and saves the undo history. The disk's time is not counted.
    """
    n = 6
    _, *parts, theirs, _ = instructions(folder, job_command("press", folder, n))
    assert len(parts) == 2 * n, "a press was not committed"
    ours = sum(parts[::2])
    figure = f"1/{theirs / ours:.1f} ({ours / n / 1e6:.2f} of {theirs / n / 1e6:.2f} million)"
    met = theirs >= 5.5 * ours
    yield Row("Instructions of a press, against the stock way", figure, "1/5.5", met)


def instructions(folder: Path, job: Sequence[str]) -> list[int]:
    """Return the instructions of a job before each mark and after the last, from valgrind."""
    out = folder / "callgrind"
    counting = ["--tool=callgrind", "--dump-before=getppid", f"--callgrind-out-file={out}"]
    run_job(folder, [find_tool("valgrind"), *counting, *job])
    dumps = sorted(folder.glob("callgrind.*"), key=lambda dump: int(dump.suffix[1:]))
    return [int(re.findall(r"\ntotals: (\d+)", dump.read_text())[0]) for dump in (*dumps, out)]


CALLED = """
import io, sys
sys.argv = ["companion", *sys.argv[1:]]
sys.stdin = io.TextIOWrapper(io.BytesIO(b'{"rule": "swiss", "games": 3, "which_total": "game", '
    b'"players": ["Ann", "Bob", "Cy", "Di"], "seed": "00", "rounds": []}'))
from companion.cmd.cli import main
main()
"""
"""A program that runs a command, with an evening's data as its input."""
LIMITS: Final = {("--version",): 6, ("--help",): 8, ("evening", "plan"): 8}
"""Frequent commands, with the maximum cost of each relative to an empty Python program.

A ratio of 8 takes 0.1 s on a desktop computer. `import click` alone has a ratio of 4.
"""


def commands(folder: Path) -> Iterator[Row]:
    """Yield the instructions of frequent commands, compared with an empty Python program."""
    nothing = [sys.executable, "-c", "pass"]
    run_job(folder, nothing)  # compiles
    (bare,) = instructions(folder, nothing)
    for words, limit in LIMITS.items():
        run_job(folder, [sys.executable, "-c", CALLED, *words])  # compiles
        (ours,) = instructions(folder, [sys.executable, "-c", CALLED, *words])
        figure = f"{ours / bare:.1f} ({ours / 1e6:.0f} of {bare / 1e6:.0f} million)"
        what = f"Instructions of `companion {' '.join(words)}`, against `python -c pass`"
        yield Row(what, figure, f"{limit}", ours <= limit * bare)


IDLE = """
import sys
from companion.page import without_ssl
without_ssl.block_openssl_imports()
from tests.system.bench.child import idle
idle(*sys.argv[1:])
"""
"""A program that runs a box without OpenSSL, as `companion` does."""


def idle(folder: Path) -> Iterator[Row]:
    """Yield rows 5 and 6: a waiting box in the middle of a game."""
    has_proc()
    arguments = [sys.executable, "-c", IDLE, str(folder / "idle.db")]
    run_job(folder, [*arguments, "once"])  # compiles, and looks for packages
    with subprocess.Popen(
        arguments, cwd=ROOT, env=job_environment(folder), stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        languages = child.stdout.readline().strip()
        time.sleep(0.5)
        before = switches(child.pid)
        time.sleep(10)
        wakeups = switches(child.pid) - before
        memory = status(child.pid, child.pid, "VmRSS") / 1024
        child.kill()
    yield Row("Idle in a game, 10 s: wakeups", str(wakeups), "0", wakeups == 0)
    met = memory <= 27 and languages == "2"
    yield Row(f"RSS in a game, {languages} languages loaded", f"{memory:.1f} MB", "27 MB", met)


def switches(pid: int) -> int:
    return sum(
        status(pid, int(task.name), f"{kind}voluntary_ctxt_switches")
        for task in Path(f"/proc/{pid}/task").iterdir()
        for kind in ("", "non")
    )


def status(pid: int, task: int, key: str) -> int:
    text = Path(f"/proc/{pid}/task/{task}/status").read_text()
    found = re.search(rf"\n{key}:\s+(\d+)", text)
    assert found is not None
    return int(found[1])


def syncs(folder: Path) -> Iterator[Row]:
    """Yield row 8: a commit needs one sync."""
    out = folder / "strace"
    calls = ["-f", "-qq", "-o", str(out), "-e", "trace=fsync,fdatasync,sync,syncfs"]
    run_job(folder, [find_tool("strace"), *calls, *job_command("play", folder / "syncs.db", 200)])
    n = len(re.findall(r"sync\w*\(", out.read_text()))
    yield Row("Syncs an answer, 200 answers, start and end", f"{n / 200:.3f}", "1.1", n <= 220)


def record(folder: Path) -> Iterator[Row]:
    """Yield rows 7 and 9: the first frame and resuming, with a short and a long record."""
    has_proc()
    short, long = folder / "short.db", folder / "long.db"
    number, _ = _record(short, 0)
    games, answers = _record(long, 100_000)
    yield from _first_frame(folder, short, long)
    reads = [
        int(run_job(folder, job_command("resume", *pair)))
        for pair in ((short, number), (long, games))
    ]
    figure = f"{reads[1] / reads[0]:.2f} ({reads[1]:,} of {reads[0]:,} bytes)"
    met = reads[1] <= 2 * reads[0]
    yield Row(f"Read to resume beside {games - 1:,} games, {answers:,} answers", figure, "2", met)


def _first_frame(folder: Path, short: Path, long: Path) -> Iterator[Row]:
    """Yield the time to the saved screen, to the box's screen, and to a press's frame.

    Each is compared with an empty Python program, in turns.
    """
    jobs = {
        "left": [FIRST_SCRIPT, "left", str(_left(folder))],
        "frame": [FIRST_SCRIPT, "frame", str(short)],
        "beside": [FIRST_SCRIPT, "frame", str(long)],
        "answered": [FIRST_SCRIPT, "answered", str(short)],
    }
    bare, took = list[float](), {name: list[float]() for name in jobs}
    for _ in range(30):
        begun = time.monotonic()
        run_job(folder, [sys.executable, "-c", "pass"])
        bare.append(time.monotonic() - begun)
        for name, job in jobs.items():
            begun = time.monotonic()
            took[name].append(float(run_job(folder, [sys.executable, *job])) - begun)
    times = {name: min(seconds) / min(bare) for name, seconds in took.items()}
    figure = f"{times['left']:.2f} ({min(took['left']) * 1e3:.0f} of {min(bare) * 1e3:.0f} ms)"
    what = "First frame and question against `python -c pass`"
    yield Row(f"{what}, best of 30", figure, "3", times["left"] <= 3)
    what, own = "The box's own first frame, behind it", times["frame"]
    yield Row(what, f"{own:.2f}", "7", own <= 7)  # 12.5 if all modules are imported before it
    yield Row("The same with the long record of the next row", f"{times['beside']:.2f}")
    yield Row("The answer to a press of before", f"{times['answered']:.2f}")
    modules = run_job(folder, [sys.executable, *jobs["frame"], "modules"]).split()
    heavy = sorted({name.split(".")[0] for name in modules}.intersection(HEAVY))
    yield Row("Heavy modules before its own", " ".join(heavy) or "none", "none", not heavy)


def _left(folder: Path) -> Path:
    """Write a saved first screen for a bus that accepts any message; return its file."""
    kept: list[tuple[bytes, str]] = []
    box = FakeBox().box._replace(save_screen=lambda frame, asks: kept.append((frame, asks)))
    Loop(box, Journal(None), Machine(lambda: 0.0, lambda: 0)).start()
    file = folder / "first"
    with patch.object(saved_frame, "bus_device_path", return_value=Path("/dev/null")):
        saved_frame.save_frame_for_display(DEFAULT_BOARD.display, *kept[-1], "", file)
    return file


def counted(folder: Path) -> Iterator[Row]:
    """Yield the instructions for the first frame, which do not depend on other processes."""
    short = folder / "short.db"
    _record(short, 0)
    job = [sys.executable, FIRST_SCRIPT, "frame", str(short)]
    run_job(folder, job)  # compiles
    (bare,) = instructions(folder, [sys.executable, "-c", "pass"])
    (ours,) = instructions(folder, job)
    figure = f"{ours / bare:.2f} ({ours / 1e6:.0f} of {bare / 1e6:.0f} million)"
    yield Row("Instructions of the box's own first frame, against `python -c pass`", figure)


def _record(path: Path, least: int) -> tuple[int, int]:
    """Write finished games with at least `least` answers, and an unfinished one."""
    journal, random, answers = Journal(path), Random(1), 0
    edition = editions.load_edition(GAME.name)
    header = {
        "game": GAME.name,
        "players": PLAYERS,
        "options": OPTIONS,
        "edition": edition,
        "seed": SEED,
        "commitment": Chance(SEED).seed_commitment,
        "mixing": True,
    }
    first = GAME.setup(PLAYERS, OPTIONS, edition)
    while answers < least:
        entries = list(_answers(first, random))
        journal.save_new_game(header, [*entries, Entry("over", value=list(PLAYERS[:1]))], 0)
        answers += len(entries)
    begun = list(islice(_answers(first, Random(1)), 30))
    number = journal.save_new_game(header, begun, 0)
    journal.close()
    return number, answers + len(begun)


def _answers(state: State, random: Random) -> Iterator[Entry]:
    """Yield the answers of a random game."""
    while (prompt := GAME.ask(state)) is not None:
        value = simulate.random_answer(prompt, random)
        yield Entry("answer", prompt.name, prompt.who, value)
        state, _ = apply_answer_to_prompt(GAME, state, prompt, value)
