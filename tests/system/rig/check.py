"""The checks of `make rig` on the simulated Pi. The last line is `N passed, N failed`.

They run in order on one guest, so that most find the guest prepared by the check before.
"""

from __future__ import annotations

import sys
import time
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.system.rig import (
    cutting,
    doctoring,
    failing,
    gathering,
    installing,
    intruding,
    measuring,
    paging,
    playing,
    seating,
)
from tests.system.rig.bench import Bench, Check
from tests.system.rig.guest import Guest, build

CHECKS: Final[tuple[Check, ...]] = (
    *installing.CHECKS,
    *playing.CHECKS,
    *failing.CHECKS,
    *intruding.CHECKS,
    *paging.CHECKS,
    *gathering.CHECKS,
    *seating.CHECKS,
    *doctoring.CHECKS,
    *measuring.CHECKS,
    *cutting.CHECKS,
    *installing.LAST,
)


def main(guest: Guest, names: tuple[str, ...]) -> int:
    """Run all checks, or those whose claims contain one of `names`; return 1 if one fails."""
    chosen = [c for c in CHECKS if not names or any(name in c.name for name in names)]
    if not chosen:
        say("No check's claim contains that. There are:", *(check.name for check in CHECKS))
        return 1
    build()
    with TemporaryDirectory(prefix="companion-rig-") as folder:
        bench = Bench(guest, Path(folder))
        if not guest.pid:
            guest.start(fresh=not names)
        elif not names:
            guest.cut()
            guest.start(fresh=True)
        failed = sum(not passes(check, bench) for check in chosen)
        if not names:
            guest.stop()
    for row in bench.rows:
        say(str(row))
    missed = sum(row.met is False for row in bench.rows)
    limits = sum(row.met is not None for row in bench.rows)
    say(f"{len(chosen) - failed + limits - missed} passed, {failed + missed} failed")
    return int(failed + missed > 0)


def passes(check: Check, bench: Bench) -> bool:
    """Prepare and run a check, and print its result. Return True if it passes."""
    begun = time.monotonic()
    wrong = ""
    try:
        check.needs(bench)
        check.run(bench)
    except Exception as error:  # noqa: BLE001 - the other checks must run
        where = traceback.extract_tb(error.__traceback__)[-1]
        wrong = f"\n        {Path(where.filename).name}, line {where.lineno}: "
        wrong += f"{type(error).__name__}: {error or where.line}"
    seconds = time.monotonic() - begun
    say(f"{'FAILED' if wrong else 'passed'}  {check.name} ({seconds:.0f} s){wrong}")
    return not wrong


def say(*lines: str) -> None:
    sys.stdout.write("\n".join((*lines, "")))
    sys.stdout.flush()
