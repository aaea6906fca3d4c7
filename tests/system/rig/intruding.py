"""Check that a compromised service can only play and switch the machine off."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.system.rig.bench import Bench, Check
from tests.system.rig.inside.intrude import attempts
from tests.system.rig.needs import need_box
from tests.system.rig.release import PYTHON

HERE: Final = Path(__file__).resolve().parent
TOOL: Final = "/usr/local/lib/companion-intrude.py"


def a_service_that_was_taken_over_reaches_nothing_outside(bench: Bench) -> None:
    intrude(bench, "companion")


def intrude(bench: Bench, unit: str) -> None:
    """Check that all attempts fail in the sandbox of a unit, as the unit's user."""
    bench.guest.push(HERE / "inside" / "intrude.py", TOOL)
    bench.sandboxed("intrude", f"{PYTHON} -I {TOOL} {unit}", unit)
    since = bench.guest.run("date +%s.%N")
    try:
        status = bench.guest.status("systemctl start intrude")
        said = bench.guest.run(f"journalctl -q --no-pager -o cat -u intrude --since @{since}")
    finally:
        bench.guest.run(f"systemctl stop intrude; rm -f {TOOL} /run/systemd/system/intrude.service")
        bench.guest.run("systemctl daemon-reload")
    lines = said.splitlines()
    tried = len(attempts(unit))

    assert status == 0, said
    assert f"tried {tried}" in lines, said
    assert not [line for line in lines if line.startswith("could: ")], said
    bench.row(f"attempts of {unit} if it was taken over", f"{tried}, none had success")


CHECKS: Final = (Check(a_service_that_was_taken_over_reaches_nothing_outside, need_box),)
