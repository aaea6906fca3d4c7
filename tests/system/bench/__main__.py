"""Measure the box against its limits (`make bench`), by counts or by ratios of times.

A ratio compares two measurements of one run, so that the machine does not matter. The exit
status is 1 if a limit is missed. A measurement whose tool is missing is skipped; the last lines
name the packages to install. `python -m tests.system.bench voices paced` measures two files.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from tests.system.bench import (
    bus,
    colour,
    cues,
    door,
    heard,
    inside,
    listening,
    long,
    mending,
    opened,
    outside,
    paced,
    phones,
    pressed,
    tables,
    voices,
    web,
)
from tests.system.bench.row import MissingTool, Row

if TYPE_CHECKING:
    from tests.system.bench.row import Measurement

MEASUREMENTS: Final[tuple[Measurement, ...]] = (
    inside.frames,
    outside.drawing,
    outside.press,
    outside.commands,
    inside.press,
    inside.burst,
    outside.idle,
    door.watched,
    heard.cues,
    cues.sets,
    heard.speech,
    heard.processes,
    heard.frames,
    heard.idle,
    paced.paced,
    listening.listened,
    voices.engines,
    voices.tones,
    outside.record,
    outside.counted,
    outside.syncs,
    opened.first_frame_rows,
    mending.repairs,
    long.lengths,
    inside.playouts,
    inside.presses,
    pressed.counts,
    bus.single,
    bus.played,
    colour.turns,
    phones.waiting,
    phones.painted,
    phones.killed,
    phones.flooded,
    phones.thinking,
    tables.small,
    web.browser,
    web.computer_players,
)
VERDICT: Final = {None: "", True: "ok", False: "NOT MET"}


def main(*wanted: str) -> None:
    missed, packages = False, set[str]()
    _print(Row("what", "figure", "limit"), "")
    with TemporaryDirectory(prefix="companion-bench-") as folder:
        for number, measure in enumerate(MEASUREMENTS):
            part = measure.__module__.rpartition(".")[2]
            if wanted and part not in wanted:
                continue
            own = Path(folder) / str(number)
            own.mkdir()
            try:
                for row in measure(own):
                    _print(row, VERDICT[row.met])
                    missed = missed or row.met is False
            except MissingTool as error:
                _print(Row(f"{part}: {measure.__name__}", str(error)), "skipped")
                packages |= {error.package} if error.package else set()
    if packages:
        sys.stdout.write(f"For what was skipped: apt install {' '.join(sorted(packages))}\n")
    sys.exit(missed)


def _print(row: Row, verdict: str) -> None:
    line = f"{row.what:<54} {row.figure:<32} {row.limit:<8} {verdict}"
    sys.stdout.write(f"{line.rstrip()}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
