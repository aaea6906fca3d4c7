"""Checks of the page's unit: its start, its user, its memory, and its sandbox."""

from __future__ import annotations

from typing import Final

from tests.system.rig.bench import Bench, Check
from tests.system.rig.box import SLOW, text
from tests.system.rig.guest import wait_until
from tests.system.rig.installing import EXPOSURE
from tests.system.rig.intruding import intrude
from tests.system.rig.measuring import wakeups
from tests.system.rig.needs import need_box, need_empty_box
from tests.system.rig.release import PYTHON

UNIT: Final = "companion-page"
MAX_MEGABYTES: Final = 30
VISIT: Final = f"""{PYTHON} -c '
import time, urllib.request
begun = time.monotonic()
with urllib.request.urlopen("http://127.0.0.1/", timeout={SLOW:.0f}) as page:
    print(page.status, b"<main" in page.read(), time.monotonic() - begun)
'"""


def _ends(bench: Bench) -> None:
    bench.guest.run(f"systemctl stop {UNIT}.service; systemctl reset-failed {UNIT}.service")


def the_page_starts_when_the_first_phone_comes(bench: Bench) -> None:
    _ends(bench)
    assert bench.box.shown("ActiveState", f"{UNIT}.socket") == "active"
    assert bench.box.shown("ActiveState", f"{UNIT}.service") == "inactive"

    status, whole, seconds = bench.guest.run(VISIT).split()

    assert (status, whole) == ("200", "True")
    assert bench.box.shown("ActiveState", f"{UNIT}.service") == "active"
    pid = bench.box.shown("MainPID", f"{UNIT}.service")
    assert bench.guest.run(f"stat -c %U /proc/{pid}").strip() == UNIT
    memory = int(bench.guest.run(f"awk '/VmRSS/ {{print $2}}' /proc/{pid}/status")) / 1024
    bench.row("page: from a cold socket to its end", f"{float(seconds):.2f} s")
    bench.most("page: memory", round(memory, 1), MAX_MEGABYTES, "MB")
    bench.most("page: wakeups a second without phones", wakeups(bench, pid), 0.2)


def the_box_wakes_the_page_for_whoever_opens_phones(bench: Bench) -> None:
    bench.box.start("restart")
    _ends(bench)

    bench.box.press("down", "down", "ok")  # new game, rules, phones

    assert wait_until(lambda: _scans(bench), SLOW), "there is no code to scan"
    assert bench.box.shown("ActiveState", f"{UNIT}.service") == "active"
    bench.box.press("back")


def _scans(bench: Bench) -> bool:
    """Return True if the display shows a QR code with the page's address."""
    frame = bench.box.look()
    return frame is not None and any(row.startswith("1/2") for row in text(frame))


def the_page_is_verified_and_sandboxed(bench: Bench) -> None:
    bench.verify(EXPOSURE, f"{UNIT}.service", f"{UNIT}.socket")


def a_page_that_was_taken_over_reaches_nothing_but_the_door(bench: Bench) -> None:
    intrude(bench, UNIT)


CHECKS: Final = (
    Check(the_page_starts_when_the_first_phone_comes, need_box),
    Check(the_box_wakes_the_page_for_whoever_opens_phones, need_empty_box),
    Check(the_page_is_verified_and_sandboxed, need_box),
    Check(a_page_that_was_taken_over_reaches_nothing_but_the_door, need_box),
)
