"""`make bench`: does the box keep its limits? Counts where possible; times only as ratios.

What is compared is measured side by side in this run, so that the machine does not matter. Ends
with 1 if a limit is missed; a measurement whose tool is not installed says so, and is left out.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from tests.bench import bus, heard, inside, outside
from tests.bench.row import MissingTool, Row

if TYPE_CHECKING:
    from tests.bench.row import Measurement

MEASUREMENTS: Final[tuple[Measurement, ...]] = (
    inside.frames,
    outside.instructions,
    inside.press,
    inside.burst,
    outside.idle,
    heard.cues,
    heard.speech,
    heard.processes,
    heard.frames,
    heard.idle,
    outside.record,
    outside.syncs,
    inside.playouts,
    inside.presses,
    bus.single,
    bus.played,
)
VERDICT: Final = {None: "", True: "ok", False: "NOT MET"}


def main() -> None:
    missed = False
    _print(Row("what", "figure", "limit"), "")
    with TemporaryDirectory(prefix="companion-bench-") as folder:
        for number, measure in enumerate(MEASUREMENTS):
            own = Path(folder) / str(number)
            own.mkdir()
            try:
                for row in measure(own):
                    _print(row, VERDICT[row.met])
                    missed = missed or row.met is False
            except MissingTool as error:
                _print(Row(measure.__name__, str(error)), "skipped")
    sys.exit(missed)


def _print(row: Row, verdict: str) -> None:
    line = f"{row.what:<54} {row.figure:<32} {row.limit:<8} {verdict}"
    sys.stdout.write(f"{line.rstrip()}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
