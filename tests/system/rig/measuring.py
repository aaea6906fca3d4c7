"""Measure the cost and speed of the box, and of the usual libraries in the same guest."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from statistics import median
from typing import Final, NamedTuple

from companion.catalog.registry import BUILT_IN_GAMES
from hardware.ports import BUTTONS, DOWN, UP
from tests.system.rig.bench import Bench, Check
from tests.system.rig.box import SLOW, line
from tests.system.rig.guest import BAD_SWITCH, BOUNCY_SWITCH, HERE, noise, presses, wait_until
from tests.system.rig.needs import need_box
from tests.system.rig.panel import messages
from tests.system.rig.playing import played
from tests.system.rig.release import PYTHON

LUMA_FRAME_BYTES: Final = 1034
"""Bytes of each frame of stock luma."""
QUIET_SECONDS: Final = 30
"""Duration of a count of wakeups (s)."""
DISPLAY_ON_COMMAND: Final = 0xAF
"""The last command of a display's first frame: on."""
BOOTS: Final = 3
BOOT_MILESTONES: Final = (
    ("begun", "the start of our process"),
    ("pixels", "the first question, as it was left"),
    ("frame", "the box's own first screen"),
    ("ready", "all that the box does at its start"),
)
"""The milestones of a start, with their texts."""
THINKING_SECONDS: Final = 1.5
"""Maximum thinking time of a strong computer player for an answer (s)."""
PEAK: Final = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)
"""Runs a command, and prints the maximum of its memory (KiB)."""
PRESS_TRIALS: Final = 24
HELD: Final = 200
"""Duration of a press whose frame is measured (ms), too short for a repetition."""


def the_bytes_of_a_played_game_are_few(bench: Bench) -> None:
    game = bench.pressed
    assert len(game) > 20, "no game was played"
    total = sum(traffic.bytes for traffic in game)
    frames = sum(traffic.bytes > 0 for traffic in game)
    changed = sum(traffic.changed for traffic in game)
    bench.row("bytes, a typical press (median)", f"{median(t.bytes for t in game):g}")
    bench.most("bytes, the most of any press", max(t.bytes for t in game), 2 * 1090)
    bench.row(
        "stock luma's bytes beside a whole game's, times",
        f"{frames * LUMA_FRAME_BYTES / total:.1f}",
    )
    bench.row("a whole game's bytes beside those that changed", f"{total / changed:.2f}")


def nothing_is_sent_while_nothing_changes(bench: Bench) -> None:
    bench.box.start("restart")
    time.sleep(5)
    bench.box.forget()
    time.sleep(QUIET_SECONDS)
    bench.box.look()
    bench.most(f"bytes on the bus in {QUIET_SECONDS} quiet seconds", bench.box.traffic().bytes, 0)


# --- wakeups --------------------------------------------------------------------------------------


def wakeups(bench: Bench, pid: str) -> float:
    """Return the number of times a second that the threads of a process are scheduled."""

    def count() -> int:
        return int(
            bench.guest.run(
                f"awk '/ctxt_switches/ {{n += $2}} END {{print n}}' /proc/{pid}/task/*/status"
            )
        )

    first = count()
    time.sleep(QUIET_SECONDS)
    return round((count() - first) / QUIET_SECONDS, 2)


def stock(bench: Bench) -> str:
    """Start the usual libraries in place of the box; return the process id."""
    bench.box.stop()
    bench.guest.run(
        "systemctl reset-failed stock 2>/dev/null; mkdir -p /run/stock; "
        "systemd-run -q --unit=stock "
        "-p WorkingDirectory=/run/stock -p StandardOutput=file:/run/stock/out "
        "/opt/stock/venv/bin/python /opt/stock/stock.py"
    )
    assert wait_until(lambda: bench.guest.status("grep -q ready /run/stock/out") == 0, SLOW)
    return bench.box.shown("MainPID", "stock")


def an_idle_box_sleeps(bench: Bench) -> None:
    bench.box.start("restart")
    time.sleep(20)  # the chime, and the mixer's last seconds
    bench.most("wakeups a second of the idle box", wakeups(bench, bench.box.shown("MainPID")), 1)
    pid = stock(bench)
    time.sleep(3)
    bench.row("  of gpiozero.Button on lgpio, idle", f"{wakeups(bench, pid):g}")
    bench.guest.run("systemctl stop stock; rm -f /run/stock/out")


# --- presses --------------------------------------------------------------------------------------


def count_heard_presses(bench: Bench, *scripts: str) -> dict[str, tuple[int, int]]:
    """Return the presses and releases that the box's buttons receive while scripts play."""
    bench.guest.run(
        "rm -f /run/heard; systemctl reset-failed listen 2>/dev/null; "
        f"systemd-run -q --unit=listen -p StandardOutput=file:/run/heard {PYTHON} /root/listen.py"
    )
    assert wait_until(lambda: bench.guest.status("grep -q ready /run/heard") == 0, SLOW)
    bench.guest.drive(*scripts)
    time.sleep(0.5)
    bench.guest.run("systemctl stop listen")
    rows = (row.split() for row in bench.guest.run("cat /run/heard").splitlines()[1:])
    return {name: (int(downs), int(ups)) for name, downs, ups in rows}


def no_press_is_lost_or_doubled(bench: Bench) -> None:
    bench.box.stop()
    bench.guest.push(HERE / "inside/listen.py", "/root/listen.py")
    for ms in (30, 80, 300):
        for kind, switch in (("clean", (1, 0.0)), ("bouncy", BOUNCY_SWITCH), ("bad", BAD_SWITCH)):
            name = BUTTONS[ms % len(BUTTONS)]
            count = count_heard_presses(bench, presses(line(name), ms, 100, 120, switch, seed=ms))[
                name
            ]
            what = f"presses heard of 100 of {ms} ms, {kind} switch"
            bench.least(what, count[0] if count[0] == count[1] else 0, 100)
            bench.most("  heard too often", max(0, count[0] - 100), 0)
    taps = count_heard_presses(bench, presses(line(DOWN), 40, 20, 40, BOUNCY_SWITCH))[DOWN]
    bench.least("quick taps heard of 20 in 1.6 s", taps[0], 20)
    storm = f"{line(UP)} " + " ".join(
        f"{noise(line(UP), 8, 5, n).split(' ', 1)[1]} - 200000" for n in range(40)
    )
    bench.most("presses heard in 40 bursts of noise", count_heard_presses(bench, storm)[UP][0], 0)
    bench.box.start()


# --- quickness ------------------------------------------------------------------------------------


def press_delays(bench: Bench) -> tuple[float, float]:
    """Return the median milliseconds from a press of UP to the first and last byte of the frame."""
    first, last = [], []
    for _ in range(PRESS_TRIALS):
        _, position = bench.guest.log(1 << 62)
        bench.guest.drive(presses(line(UP), HELD, gap=600))
        released = int(bench.guest.line(line(UP))["t_ns"])
        raw, _ = bench.guest.log(position)
        found = [m for m in messages(raw) if m.begun < released]
        if found:
            pressed = released - HELD * 1_000_000
            first.append((found[0].begun - pressed) / 1e6)
            last.append((found[-1].ended - pressed) / 1e6)
    assert len(first) > PRESS_TRIALS // 2, "presses brought no frame"
    return median(first), median(last)


def a_press_is_seen_three_times_sooner_than_the_stock_way(bench: Bench) -> None:
    bench.guest.set("hz", 400_000)
    stock(bench)
    _, theirs = press_delays(bench)
    bench.guest.run("systemctl stop stock; rm -f /run/stock/out")
    bench.box.start()
    time.sleep(10)
    ours, whole = press_delays(bench)
    bench.guest.set("hz", 0)
    bench.row("ms, press to the last byte, the stock way (400 kHz)", f"{theirs:.1f}")
    bench.row("ms, press to the last byte, the box", f"{whole:.1f}")
    bench.most("ms, press to the first byte, the box", round(ours, 1), round(theirs / 3, 1))


class Boot(NamedTuple):
    """Seconds from power-on to the kernel's end and to each later milestone."""

    kernel: float
    begun: float
    """The start of the box's process."""
    pixels: float
    """The saved screen with the first question."""
    frame: float
    """The box's own first screen."""
    ready: float
    """The box listens to its buttons, and has opened its door."""


def display_on_times(bench: Bench) -> list[float]:
    """Return when the display was switched on (s): for the saved screen, and by the box."""
    bench.box.look()
    return [
        m.ended / 1e9 for m in bench.box.sent if m.acknowledged and m.data[-1] == DISPLAY_ON_COMMAND
    ]


def boot_guest(bench: Bench, off: Callable[[], None]) -> Boot:
    """Restart the guest after `off`; return its boot times."""
    off()
    bench.guest.start()
    bench.box.power_on()
    assert wait_until(lambda: bench.box.runs() and len(display_on_times(bench)) > 1, 3 * SLOW)
    told = bench.guest.run("systemd-analyze time | head -1")
    kernel = re.search(r"([0-9.]+)s \(kernel\)", told)
    assert kernel, told
    begun, ready = (
        int(bench.box.shown(f"{what}TimestampMonotonic")) / 1e6
        for what in ("ExecMainStart", "ActiveEnter")
    )
    assert bench.box.panel.chip.went_dark == 0, "the display was dark between its first pictures"
    pixels, frame, *_ = display_on_times(bench)
    return Boot(float(kernel[1]), begun, pixels, frame, ready)


def power_on_to_the_first_question(bench: Bench) -> None:
    for what, off in (("a stop", bench.guest.stop), ("a cut", bench.guest.cut)):
        boots = [boot_guest(bench, off) for _ in range(BOOTS)]
        kernel = median(boot.kernel for boot in boots)
        bench.row(f"s, the kernel's own time after {what} (median of {BOOTS})", f"{kernel:.2f}")
        for name, said in BOOT_MILESTONES:
            times = [getattr(boot, name) for boot in boots]
            ratios = [time / boot.kernel for time, boot in zip(times, boots, strict=True)]
            figure = f"{median(times):.2f}, {median(ratios):.2f} times the kernel's"
            bench.row(f"  power-on to {said}", figure)


def bare_interpreter_milliseconds(bench: Bench) -> float:
    """Return the milliseconds of an empty interpreter in the box's sandbox."""
    bench.guest.run("systemctl restart bare")
    begun, ended = (
        int(bench.box.shown(f"ExecMain{which}TimestampMonotonic", "bare"))
        for which in ("Start", "Exit")
    )
    return (ended - begun) / 1000


def own_start_milliseconds(bench: Bench) -> float:
    """Return the milliseconds from the start of our process to the end of its first frame."""
    bench.box.stop()
    bench.box.forget()
    bench.box.start()
    assert wait_until(lambda: len(display_on_times(bench)) > 1, SLOW)
    begun = int(bench.box.shown("ExecMainStartTimestampMonotonic")) / 1e6
    return (display_on_times(bench)[0] - begun) * 1e3


def our_share_is_at_most_three_bare_interpreters(bench: Bench) -> None:
    bench.sandboxed("bare", f"{PYTHON} -c pass")
    both = [(bare_interpreter_milliseconds(bench), own_start_milliseconds(bench)) for _ in range(7)]
    theirs, ours = (median(column) for column in zip(*both, strict=True))
    bench.row("ms, a bare interpreter in the box's sandbox (median)", f"{theirs:.0f}")
    bench.row("ms, process start to the first frame (median)", f"{ours:.0f}")
    bench.most("  beside a bare interpreter, times", round(ours / theirs, 1), 3)


# --- a computer player ----------------------------------------------------------------------------


def a_seat_that_the_box_plays_thinks_in_time_and_in_little_memory(bench: Bench) -> None:
    """Play a whole game of each kind. The process contains the table and both players."""
    for game in BUILT_IN_GAMES:
        limits = f"--games 1 --seconds {THINKING_SECONDS}"
        arena = f"companion arena {game} --seats strong,friend {limits} --json"
        told, memory = bench.guest.run(f"python3 -c '{PEAK}' {arena}").splitlines()
        seconds = json.loads(told)["seconds_a_move"]["0:strong"]
        bench.most(f"s, a move of a strong seat in {game}", round(seconds, 2), THINKING_SECONDS)
        bench.most("  memory of its process at most", int(memory) // 1024, 60, "MB")


# --- the devices of other boards and kernels ------------------------------------------------------

FIRST_SCREEN_FILE: Final = "/var/cache/companion/first"
BOARD: Final = "/etc/companion/board.toml"
REPLACE_DEVICES_COMMANDS: Final = (
    f"mv {BOARD} /root/board.toml 2>/dev/null; echo 'like = \"waveshare-oled-hat\"' > {BOARD}",
    "mv /dev/i2c-1 /dev/hidden",
    "mknod -m 660 /dev/spidev0.0 c 153 0 && chgrp spi /dev/spidev0.0",
    "mv /dev/gpiochip0 /dev/gpiochip11",
)
"""Commands that leave the devices of a board on SPI, and of a Pi 5 with a newer kernel."""
RESTORE_DEVICES_COMMANDS: Final = (
    "mv /dev/gpiochip11 /dev/gpiochip0",
    "rm -f /dev/spidev0.0",
    "mv /dev/hidden /dev/i2c-1",
    f"rm {BOARD}; mv /root/board.toml {BOARD} 2>/dev/null || true",
)
MAX_WAIT_SECONDS: Final = 5.0
"""Maximum seconds more than a usual start; a start that waits for a device takes ten more."""


def started(bench: Bench) -> float:
    """Start the service; return the seconds until it was ready, or had failed."""
    bench.guest.run("systemctl stop companion; systemctl reset-failed companion")
    begun = time.monotonic()
    bench.guest.both("systemctl start companion")
    return time.monotonic() - begun


def a_start_waits_for_no_device_of_another_board_or_kernel(bench: Bench) -> None:
    usual = median(started(bench) for _ in range(BOOTS))
    for command in REPLACE_DEVICES_COMMANDS:
        bench.guest.run(command)
    try:
        for last in ("no last run", "a last run with these devices"):
            if last == "no last run":
                bench.guest.run(f"rm -f {FIRST_SCREEN_FILE}")
            more = started(bench) - usual
            bench.most(
                f"a start on SPI with gpiochip11, {last}, more than a usual one",
                more,
                MAX_WAIT_SECONDS,
                "s",
            )
    finally:
        for command in RESTORE_DEVICES_COMMANDS:
            bench.guest.run(command)
        bench.guest.run(f"rm -f {FIRST_SCREEN_FILE}")
        bench.box.start("restart")


CHECKS: Final = (
    Check(the_bytes_of_a_played_game_are_few, played),
    Check(nothing_is_sent_while_nothing_changes, need_box),
    Check(an_idle_box_sleeps, need_box),
    Check(no_press_is_lost_or_doubled, need_box),
    Check(a_press_is_seen_three_times_sooner_than_the_stock_way, need_box),
    Check(power_on_to_the_first_question, need_box),
    Check(a_start_waits_for_no_device_of_another_board_or_kernel, need_box),
    Check(our_share_is_at_most_three_bare_interpreters, need_box),
    Check(a_seat_that_the_box_plays_thinks_in_time_and_in_little_memory, need_box),
)
