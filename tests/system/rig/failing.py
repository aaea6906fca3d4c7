"""Checks of faults: unplugged parts, power cuts, a hanging loop, a program that fails to start."""

from __future__ import annotations

import random
import signal
import time
from typing import Final

from companion.cmd.repair_screens import make_box_stopped_frame
from companion.play.session import resume_recorded_game
from companion.play.simulate import random_answer
from companion.say.words import Words
from hardware.display.panel import REINITIALISE_AFTER_SECONDS
from hardware.ports import BACK, OK, UP
from tests.system.rig.bench import Bench, Check
from tests.system.rig.box import SLOW, Both, line
from tests.system.rig.guest import DEBUG, presses, wait_until
from tests.system.rig.needs import begin, need_box, need_game
from tests.system.rig.playing import go_on, play
from tests.system.rig.release import PYTHON

CUTS: Final = 20
SOUND_STATUS_FILE: Final = "/proc/asound/card0/pcm0p/sub0/status"
"""ALSA's state of the sound output."""
LATEST: Final = 0.5
"""Maximum seconds from a press to the power cut, if the check does not wait for a sound."""


def a_new_game(bench: Bench, players: int = 2) -> Both:
    """Begin a game up to its first question."""
    begin(bench, players)
    return go_on(bench)


def resume(bench: Bench) -> Both:
    """Resume the unfinished game from the first screen, on the real box too."""
    assert bench.box.is_up(), "no frame, or no presses received"
    both = Both(bench.box, bench.box.record(bench.new_folder()), alone=True)
    both.choose("resume")
    bench.box.press(OK)
    both.alone = False
    both.settle()
    return both


def answers(bench: Bench) -> int:
    """Return the number of answers and rolls of the game on the disk."""
    journal = bench.box.record(bench.new_folder())
    session, changed = resume_recorded_game(journal, journal.game_numbers()[0], 0)
    assert changed is None, changed
    return session.standing.snapshot.position


def answer(both: Both, chance: random.Random) -> list[str]:
    """Give an answer on the fake box only; return its presses."""
    prompt = both.session.standing.pending_prompt
    assert prompt is not None
    both.alone, both.way = True, []
    both.choose(random_answer(prompt, chance))
    both.alone = False
    return both.way


# --- the display ----------------------------------------------------------------------------------


def a_game_goes_on_without_its_display_and_is_seen_again_when_it_is_back(bench: Bench) -> None:
    both = a_new_game(bench)
    before = answers(bench)
    bench.guest.set("present", 0)

    bench.box.press(*answer(both, random.Random(2)))
    assert wait_until(lambda: answers(bench) == before + 1, SLOW)
    bench.box.plug_in()

    both.settle()
    play(both, random.Random(3), 1)
    assert bench.box.shown("NRestarts") == "0"


def a_display_that_lost_its_power_unseen_is_seen_again_after_a_press(bench: Bench) -> None:
    both = a_new_game(bench)
    bench.guest.set("present", 0)
    bench.box.plug_in()
    time.sleep(REINITIALISE_AFTER_SECONDS + 1)

    both.press(UP)


def a_bus_that_fails_now_and_then_leaves_no_trace(bench: Bench) -> None:
    both = a_new_game(bench)
    for n in (1, 2, 3):
        bench.guest.set("fail", n)
        bench.box.press(*answer(both, random.Random(n)))  # the display may miss turning dice
        both.settle()


def a_slow_bus_does_not_slow_the_game(bench: Bench) -> None:
    both = a_new_game(bench)
    bench.guest.set("hz", 10_000)
    try:
        play(both, random.Random(4), 2)
    finally:
        bench.guest.set("hz", 0)


# --- the program ----------------------------------------------------------------------------------


def a_loop_that_hangs_is_started_again_by_the_watchdog_with_its_game(bench: Bench) -> None:
    both = a_new_game(bench)
    play(both, random.Random(5), 2)
    before, pid = answers(bench), bench.box.shown("MainPID")

    bench.guest.run(f"kill -STOP {pid}")

    assert wait_until(lambda: bench.box.shown("NRestarts") == "1" and bench.box.runs(), 3 * SLOW)
    assert bench.box.shown("MainPID") not in ("0", pid)
    assert answers(bench) == before
    play(resume(bench), random.Random(6), 1)


def a_box_that_does_not_start_says_so_on_its_display_until_it_does(bench: Bench) -> None:
    bench.box.stop()
    bench.guest.run("chmod 000 /var/lib/companion/games.db")
    bench.guest.status("systemctl start companion")

    assert bench.box.shows(make_box_stopped_frame(Words("en")), 3 * SLOW)
    assert bench.box.shown("ActiveState") == "failed"
    assert bench.box.shown("ActiveState", "companion-stopped") == "active"

    bench.guest.run("chmod 600 /var/lib/companion/games.db")
    bench.box.start()
    assert bench.box.shown("ActiveState", "companion-stopped") == "inactive"
    resume(bench)


def it_leaves_the_display_dark_within_two_seconds_and_then_ends(bench: Bench) -> None:
    bench.box.start("restart")
    time.sleep(5)  # the chime of the start
    bench.box.forget()

    up = "cut -d' ' -f1 /proc/uptime"
    begun, ended = bench.guest.run(f"{up}; systemctl stop companion; {up}").split()

    frame = bench.box.look()
    assert frame is None or not any(frame)
    assert bench.box.shown("Result") == "success"
    dark = bench.box.sent[-1].ended / 1e9 - float(begun)
    bench.most("s, SIGTERM to the dark display", round(dark, 2), 2)
    bench.row("s, SIGTERM to the end of the goodbye", f"{float(ended) - float(begun):.2f}")
    bench.box.start()


# --- the power ------------------------------------------------------------------------------------


def cut_power(bench: Bench, chance: random.Random, *, heard: bool) -> tuple[int, int, int]:
    """Answer, and cut the power at a random moment.

    Return the numbers of answers on the disk: before, at least expected afterwards, and afterwards.
    """
    both = resume(bench)
    before = answers(bench)
    *way, last = answer(both, chance)
    if way:
        bench.box.press(*way)
    assert wait_until(lambda: "RUNNING" not in bench.guest.run(f"cat {SOUND_STATUS_FILE}"), SLOW), (
        "the box still speaks"
    )
    bench.guest.run(f"echo '&{presses(line(last), 150)}' > {DEBUG}/drive")
    if heard:
        is_playing = f"grep -q RUNNING {SOUND_STATUS_FILE}"
        wait = f"for i in $(seq 600); do {is_playing} && exit; sleep 0.02; done; exit 1"
        assert bench.guest.status(wait) == 0, "no sound"
    else:
        time.sleep(chance.uniform(0, LATEST))
    bench.guest.cut()
    bench.guest.start()
    bench.box.power_on()
    assert wait_until(bench.box.runs, 3 * SLOW), "the box does not start"
    return before, before + heard, answers(bench)


def the_power_is_cut_at_20_moments_and_the_game_is_there_at_the_last_cue_or_later(
    bench: Bench,
) -> None:
    a_new_game(bench, players=4)
    bench.box.start("restart")
    chance, lost, later = random.Random(7), 0, 0
    for n in range(CUTS):
        before, least, found = cut_power(bench, chance, heard=n % 2 == 0)
        assert before <= found <= before + 1, (before, found)
        lost += found < least
        later += found > before
    bench.row(f"{CUTS} power cuts: answers that were on the disk", f"{later} of {CUTS}")
    bench.most("  games behind the last cue that was heard", lost, 0)


def the_service_may_switch_the_machine_off_and_nothing_else(bench: Bench) -> None:
    bench.sandboxed("other", "/usr/bin/systemctl --no-ask-password restart ssh")
    assert bench.guest.status("systemctl start other") != 0
    off = f'{PYTHON} -c "from companion.box import system; system.power_off()"'
    bench.sandboxed("off", off)
    bench.guest.status("systemctl start --no-block off")
    assert bench.guest.wait_off(3 * SLOW)
    bench.guest.start()
    bench.box.power_on()


def back_and_ok_held_for_three_seconds_switch_the_machine_off(bench: Bench) -> None:
    bench.box.start("restart")

    bench.guest.drive(f"{line(BACK)} 0", wait=False)
    bench.guest.drive(f"{line(OK)} 0", wait=False)

    off = bench.guest.wait_off(3 * SLOW)
    if not off:
        bench.guest.drive(f"{line(BACK)} z")
        bench.guest.drive(f"{line(OK)} z")
    assert off
    bench.guest.start()
    bench.box.power_on()
    last = bench.guest.run("journalctl -b -1 -u companion -o cat | tail -5")
    assert "Deactivated successfully" in last, last
    assert signal.SIGKILL.name not in last, last


CHECKS: Final = (
    Check(a_game_goes_on_without_its_display_and_is_seen_again_when_it_is_back, need_box),
    Check(a_display_that_lost_its_power_unseen_is_seen_again_after_a_press, need_box),
    Check(a_bus_that_fails_now_and_then_leaves_no_trace, need_box),
    Check(a_slow_bus_does_not_slow_the_game, need_box),
    Check(a_loop_that_hangs_is_started_again_by_the_watchdog_with_its_game, need_box),
    Check(a_box_that_does_not_start_says_so_on_its_display_until_it_does, need_game),
    Check(it_leaves_the_display_dark_within_two_seconds_and_then_ends, need_box),
    Check(the_power_is_cut_at_20_moments_and_the_game_is_there_at_the_last_cue_or_later, need_box),
    Check(the_service_may_switch_the_machine_off_and_nothing_else, need_box),
    Check(back_and_ok_held_for_three_seconds_switch_the_machine_off, need_box),
)
