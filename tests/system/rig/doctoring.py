"""Checks of `companion doctor` with all parts, and without each part in turn."""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from tests.system.rig.bench import Bench, Check
from tests.system.rig.box import line
from tests.system.rig.guest import BAD_SWITCH, DEBUG, noise, presses, wait_until
from tests.system.rig.needs import need_box

PARTS: Final = (
    "pins", "bus", "display", "sound", "voice", "disk", "clock", "service", "door",
    "phones", "unit", "dictionary",
)  # fmt: skip

BOARD: Final = "/etc/companion/board.toml"
FIRMWARE: Final = "/boot/firmware/config.txt"
UNKNOWN: Final = {"up": 22, "down": 23, "ok": 24, "back": 25}
"""The pin of each button of an unknown board."""


class Harm(NamedTuple):
    """Commands that remove and restore a part. `running`: the box runs meanwhile."""

    part: str
    breaks: str
    mends: str
    running: bool = True


GPIOMON: Final = "gpiomon -c gpiochip0 5 || gpiomon gpiochip0 5"
"""Occupies the pin of UP, with libgpiod 2 or 1."""
HARMS: Final = (
    Harm("pins", f"systemd-run -q --unit=thief sh -c '{GPIOMON}'", "systemctl stop thief", False),
    Harm("pins", f"echo '{line('ok')} 0' > {DEBUG}/drive", f"echo '{line('ok')} z' > {DEBUG}/drive",
         running=False),
    Harm("bus", "modprobe -r i2c-dev", "modprobe i2c-dev; udevadm settle", running=False),
    Harm("display", f"echo 0 > {DEBUG}/present", f"echo 1 > {DEBUG}/present"),
    Harm("sound", "modprobe -r snd-dummy", "modprobe snd-dummy; udevadm settle", running=False),
    Harm("voice", "mv /usr/bin/espeak-ng /root/", "mv /root/espeak-ng /usr/bin/"),
    Harm("disk", "cd /var/lib/companion; cp -a games.db keep; echo x | dd of=games.db conv=notrunc",
         "cd /var/lib/companion; mv keep games.db", running=False),
    Harm("service", "systemctl stop companion", "systemctl start companion"),
    Harm("door", "mv /run/companion/door.sock /run/companion/shut",
         "mv /run/companion/shut /run/companion/door.sock"),
    Harm("phones", "systemctl stop companion-page.socket", "systemctl start companion-page.socket"),
    Harm("dictionary", "mv /usr/share/dict/french /root/", "mv /root/french /usr/share/dict/"),
)  # fmt: skip


def verdicts(said: str) -> dict[str, bool]:
    """Return the doctor's verdict on each part: False if one of the part's rows is NOT."""
    words = [row.split(maxsplit=2) for row in said.splitlines()]
    rows = [found for found in words if found and found[0] in ("OK", "NOT")]
    missing = {part for verdict, part, *_ in rows if verdict == "NOT"}
    return {part: part not in missing for _, part, *_ in rows}


def doctor_finds_nothing_where_all_is_well(bench: Bench) -> None:
    bench.box.start("restart")

    status, said = bench.guest.both("companion doctor </dev/null")

    assert verdicts(said) == dict.fromkeys(PARTS, True), said
    assert status == 0


def doctor_names_each_part_that_is_missing(bench: Bench) -> None:
    for harm in HARMS:
        if harm.running:
            bench.box.start("restart")
        else:
            bench.box.stop()
        bench.guest.run(harm.breaks)
        status, said = bench.guest.both("companion doctor </dev/null")
        bench.guest.run(harm.mends)
        found = verdicts(said)
        assert status == 1, said
        assert found.keys() == set(PARTS), said
        expected = {harm.part} | (set() if harm.running else {"service"})
        missing = {part for part, fine in found.items() if not fine}
        also = {"display"} if harm.part == "bus" else set()  # the display is on this bus
        assert expected <= missing <= expected | also, f"{harm.breaks}: {said}"
    bench.box.start("restart")


def the_button_tester_counts_presses_and_bounces(bench: Bench) -> None:
    bench.box.stop()
    bench.guest.run("rm -f /root/table; mkfifo -m600 /root/stop 2>/dev/null; true")
    bench.guest.run(
        "systemd-run -q --unit=tester -p KillSignal=SIGINT -p StandardOutput=file:/root/table "
        "companion doctor --buttons"
    )
    assert wait_until(lambda: "Ctrl-C" in bench.guest.run("cat /root/table"), 60)
    bench.guest.drive(presses(line("up"), 80, 10), presses(line("ok"), 80, 10, switch=BAD_SWITCH))
    bench.guest.drive(noise(line("back"), 8, 5, 0))
    bench.guest.run("systemctl stop tester")
    rows = {
        row.split()[0]: row.split()[1:3]
        for row in bench.guest.run("cat /root/table").splitlines()[1:]
    }

    assert rows["up"] == ["10", "0"], rows
    assert rows["ok"][0] == "10", rows
    assert int(rows["ok"][1]) > 100, rows
    assert rows["back"][0] == "0", rows
    assert rows["down"] == ["0", "0"], rows
    bench.box.start()


def the_buttons_of_an_unknown_board_are_found_by_pressing_them(bench: Bench) -> None:
    bench.box.stop()
    bench.guest.run(f"echo no > /root/answer; rm -f {BOARD}")
    bench.guest.run(
        "systemd-run -q --unit=finder -p StandardInput=file:/root/answer "
        "-p StandardOutput=truncate:/root/asked companion doctor --find"
    )
    for count, (button, pin) in enumerate(UNKNOWN.items(), 1):
        assert wait_until(partial(has_asked_for, bench, count), 60), button
        bench.guest.drive(presses(pin, 80))
    assert wait_until(lambda: bench.guest.status("systemctl is-active finder") != 0, 60)
    found = bench.guest.run(f"sed -n '/buttons/,$p' {BOARD}")
    bench.guest.run("systemctl start companion")
    heard = wait_until(lambda: bench.guest.line(UNKNOWN["ok"])["irq"] == "on", 60)
    bench.guest.run(f"rm {BOARD}")
    bench.box.start("restart")

    assert found == "\n".join(["[buttons]", *(f"{name} = {pin}" for name, pin in UNKNOWN.items())])
    assert heard, "the box does not listen where its buttons are"


def has_asked_for(bench: Bench, count: int) -> bool:
    """Return True if doctor has asked for a number of buttons."""
    rows = bench.guest.run("cat /root/asked").splitlines()
    return sum(row.startswith("Press") for row in rows) >= count


def the_lines_that_a_board_needs_are_written_on_a_yes(bench: Bench) -> None:
    bench.box.stop()
    bench.guest.run(f"cp -a {FIRMWARE} /root/config.txt; echo 'like = \"pirate-audio\"' > {BOARD}")
    answered = "yes | script -qec 'companion doctor' /dev/null"
    _, first = bench.guest.both(answered)
    written = bench.guest.run(f"cat {FIRMWARE}").splitlines()
    _, second = bench.guest.both(answered)
    again = bench.guest.run(f"cat {FIRMWARE}").splitlines()
    copied = bench.guest.status(f"test -e {FIRMWARE}.before-companion")
    bench.guest.run(f"rm {BOARD}; cp -a /root/config.txt {FIRMWARE}")
    bench.box.start("restart")

    needed = ("dtparam=spi=on", "dtoverlay=hifiberry-dac", "gpio=25=op,dh")
    assert [written.count(row) for row in needed] == [1, 1, 1], first
    assert written == again, second
    assert copied == 0


CHECKS: Final = (
    Check(doctor_finds_nothing_where_all_is_well, need_box),
    Check(doctor_names_each_part_that_is_missing, need_box),
    Check(the_button_tester_counts_presses_and_bounces, need_box),
    Check(the_buttons_of_an_unknown_board_are_found_by_pressing_them, need_box),
    Check(the_lines_that_a_board_needs_are_written_on_a_yes, need_box),
)
