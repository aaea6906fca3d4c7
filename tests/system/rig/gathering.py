"""Checks of a club's evening under systemd: the start, the end and the rights of its process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.system.rig.bench import Bench, Check
from tests.system.rig.box import SLOW, text
from tests.system.rig.guest import wait_until
from tests.system.rig.installing import EXPOSURE
from tests.system.rig.intruding import intrude
from tests.system.rig.measuring import wakeups
from tests.system.rig.needs import need_box, need_empty_box
from tests.system.rig.release import PYTHON

UNIT: Final = "companion-evening"
STATE: Final = f"/var/lib/{UNIT}"
SETTINGS: Final = "/etc/companion/evening.env"
QUICK: Final = f"/run/systemd/system/{UNIT}.service.d"
QUIET: Final = 20.0
"""Idle seconds after which the process ends in these checks, instead of ten minutes."""
SETTLED: Final = 45
"""Seconds after which the process tries a missing broker only once a minute."""
ACCOUNTS: Final = range(61184, 65520)
"""User ids that systemd assigns to units while they run."""
MAX_MEGABYTES: Final = 40
HURRIED: Final = (
    "from companion.cmd.cli import main; from companion_club import attendant; "
    f"attendant.IDLE_SECONDS = {QUIET}; main()"
)
SOONER: Final = f"""mkdir -p {QUICK}; cat >{QUICK}/sooner.conf <<'END'
[Service]
ExecStart=
ExecStart={PYTHON} -c "{HURRIED}" evening attend --socket /run/companion/door.sock
END
systemctl daemon-reload"""
COMMAND: Final = "companion evening"
AT: Final = f"--evening club --folder {STATE}/club"
NOWHERE: Final = "127.0.0.1:9"
"""An address without a broker."""
JOINED: Final = f"""mkdir -p /etc/companion; cat >{SETTINGS} <<'END'
COMPANION_EVENING=club
COMPANION_EVENING_TABLE=1
COMPANION_EVENING_BROKER={NOWHERE}
COMPANION_EVENING_FOLDER={STATE}/club
END
{COMMAND} open Club --games 1 {AT}; {COMMAND} sign Ada Bob Cy Di {AT}
chown -R --reference={STATE}/ {STATE}/club"""
OPENED: Final = ("down", "down", "down", "ok")
"""Presses from the first screen to the menu of evenings: past new game, rules, phones."""


@contextmanager
def _hall(bench: Bench) -> Iterator[str]:
    """Make the evening's process end sooner, and yield the time. Remove all traces afterwards."""
    bench.guest.run(f"systemctl stop {UNIT}.service; systemctl reset-failed {UNIT}.service")
    bench.guest.run(SOONER)
    try:
        yield bench.guest.run("date +%s.%N")
    finally:
        bench.guest.run(f"systemctl stop {UNIT}.service; rm -rf {QUICK} {SETTINGS} {STATE}/*")
        bench.guest.run("systemctl daemon-reload")


def _state(bench: Bench) -> str:
    return bench.box.shown("ActiveState", f"{UNIT}.service")


def _has_ended_well(bench: Bench, since: str) -> None:
    """Check that the process ends by itself, is not started again, and has logged nothing."""
    assert wait_until(lambda: _state(bench) == "inactive", QUIET + SLOW), "it still runs"
    assert not wait_until(lambda: _state(bench) != "inactive", 5), "it was started again"
    assert bench.box.shown("Result", f"{UNIT}.service") == "success"
    assert bench.box.shown("NRestarts", f"{UNIT}.service") == "0"
    log = f"journalctl -q --no-pager -o cat _SYSTEMD_UNIT={UNIT}.service --since @{since}"
    assert bench.guest.run(log) == ""


def _reads(bench: Bench, line: str) -> bool:
    frame = bench.box.look()
    return frame is not None and any(line in row for row in text(frame))


def the_menu_of_evenings_starts_its_process_which_ends_when_nobody_wants_it(bench: Bench) -> None:
    with _hall(bench) as since:
        bench.box.start("restart")
        assert bench.box.shown("ActiveState", f"{UNIT}.socket") == "active"
        assert _state(bench) == "inactive"

        bench.box.press(*OPENED)

        assert wait_until(lambda: _state(bench) == "active", SLOW), "nobody starts it"
        pid = bench.box.shown("MainPID", f"{UNIT}.service")
        assert int(bench.guest.run(f"stat -c %u /proc/{pid}")) in ACCOUNTS
        bench.box.press("back")
        _has_ended_well(bench, since)


def an_evening_that_runs_starts_it_with_the_box_and_to_leave_it_ends_it(bench: Bench) -> None:
    with _hall(bench) as since:
        bench.guest.run(f"systemctl start {UNIT}.service; systemctl stop {UNIT}.service; {JOINED}")
        bench.box.start("restart")
        bench.box.press(*OPENED)
        assert wait_until(lambda: _reads(bench, "Table 1: "), SLOW), (
            "the seats at the table are not shown"
        )
        bench.guest.run(f"systemctl stop {UNIT}.service")

        bench.box.start("restart")

        assert wait_until(lambda: _state(bench) == "active", SLOW), "the box does not start it"
        pid = bench.box.shown("MainPID", f"{UNIT}.service")
        time.sleep(SETTLED)
        idle = wakeups(bench, pid)
        bench.most("evening: wakeups a second without a broker", idle, 1)
        memory = int(bench.guest.run(f"awk '/VmRSS/ {{print $2}}' /proc/{pid}/status")) / 1024
        bench.most("evening: memory", round(memory, 1), MAX_MEGABYTES, "MB")
        bench.box.press(*OPENED)
        assert wait_until(lambda: _reads(bench, "Play at table 1"), SLOW), (
            "the evening is not shown"
        )
        bench.box.press("up", "ok", "down", "ok")  # the last line: leave; yes
        assert wait_until(lambda: _reads(bench, "Open an evening"), SLOW), "it is still open"
        _has_ended_well(bench, since)


def the_evening_is_verified_and_sandboxed(bench: Bench) -> None:
    bench.verify(EXPOSURE, f"{UNIT}.service", f"{UNIT}.socket")


def an_evening_that_was_taken_over_reaches_the_door_and_the_network_alone(bench: Bench) -> None:
    intrude(bench, UNIT)


CHECKS: Final = (
    Check(the_menu_of_evenings_starts_its_process_which_ends_when_nobody_wants_it, need_empty_box),
    Check(an_evening_that_runs_starts_it_with_the_box_and_to_leave_it_ends_it, need_empty_box),
    Check(the_evening_is_verified_and_sandboxed, need_box),
    Check(an_evening_that_was_taken_over_reaches_the_door_and_the_network_alone, need_box),
)
