"""Play random evenings, and print the findings: `python -m tests.system.soak`.

The variable MINUTES is the duration (default: 10), and SEED is the first evening's seed. The
program stops at a finding, and prints its seed; `make soak MINUTES=0 SEED=...` repeats it.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.system.soak.evening import spend
from tests.system.soak.faults import TABLE

STEPS: Final = 1500
"""Number of actions in an evening."""


def main() -> int:
    """Play evenings; return 1 if a fault was found."""
    begun, minutes = time.monotonic(), float(os.environ.get("MINUTES") or 10)
    seed, evenings = int(os.environ.get("SEED") or time.time()), 0
    tried: Counter[str] = Counter()
    found = ""
    while not found and (not evenings or time.monotonic() - begun < 60 * minutes):
        try:
            with TemporaryDirectory(prefix="companion-soak-") as folder:
                tried += spend(Path(folder), seed + evenings, STEPS, TABLE)
        except Exception:  # noqa: BLE001 - every exception is a finding
            found = traceback.format_exc()
        evenings += 1
    for what, times in tried.most_common():
        sys.stdout.write(f"{times:9,}  {what}\n")
    last = seed + evenings - 1
    again = f"make soak MINUTES=0 SEED={last}"
    sys.stdout.write(f"{found}{evenings} evenings, seeds {seed} to {last}: ")
    sys.stdout.write(f"one finding; to repeat it: {again}\n" if found else "no finding\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
