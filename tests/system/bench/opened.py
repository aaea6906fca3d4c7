"""Count the files and bytes that are read before the first frame."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.system.bench.row import FIRST_SCRIPT, Row, find_tool, run_job

TRACE_LINE_PATTERN: Final = re.compile(r"(open|openat|read|pread64)\((.*)\) += (\d+)")
STRACE_CALLS: Final = "trace=open,openat,read,pread64"
MAX_FILES: Final = 40
"""Files that may be opened before the first frame; a bare interpreter opens about 25."""
MAX_KILOBYTES: Final = 100
"""Maximum kilobytes read from the files. Libraries are mapped, not read."""


class Reading(NamedTuple):
    """The number of different opened files, and the bytes read from them."""

    files: int
    bytes: int


def reading(folder: Path, command: Sequence[str]) -> Reading:
    """Return the files and bytes that a command and its threads read, counted by strace."""
    out = folder / "strace"
    counting = ["-f", "-qq", "-e", STRACE_CALLS, "-e", "status=successful", "-o", str(out)]
    run_job(folder, [find_tool("strace"), *counting, *command])
    calls = TRACE_LINE_PATTERN.findall(out.read_text("utf-8", "replace"))
    files = {what.split('"')[1] for name, what, _ in calls if name.startswith("open")}
    return Reading(len(files), sum(int(n) for name, _, n in calls if not name.startswith("open")))


def first_frame_rows(folder: Path) -> Iterator[Row]:
    """Yield the files and bytes read before the saved screen, and before the box's own screen."""
    box = [sys.executable, FIRST_SCRIPT, "frame", str(folder / "box.db")]
    run_job(folder, box)  # compiles
    before = reading(folder, [sys.executable, "-c", "import companion.cmd.cli"])
    bare, own = reading(folder, [sys.executable, "-c", "pass"]), reading(folder, box)
    figure = f"{before.files} (a bare Python: {bare.files})"
    yield Row(
        "Files opened before the first frame", figure, f"{MAX_FILES}", before.files <= MAX_FILES
    )
    figure = f"{before.bytes / 1000:.0f} kB (a bare Python: {bare.bytes / 1000:.0f})"
    met = before.bytes <= 1000 * MAX_KILOBYTES
    yield Row("Read of them", figure, f"{MAX_KILOBYTES} kB", met)
    yield Row("Before the box's own", f"{own.files}, {own.bytes / 1000:.0f} kB")
