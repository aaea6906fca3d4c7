"""Checks of computer players of an external engine under systemd."""

from __future__ import annotations

import shlex
from typing import Final

from tests.system.rig.bench import Bench, Check
from tests.system.rig.box import SLOW, STATE
from tests.system.rig.guest import wait_until
from tests.system.rig.installing import EXPOSURE
from tests.system.rig.needs import need_box
from tests.system.rig.release import PYTHON

UNIT: Final = "companion-seats"
ENGINES: Final = "/usr/local/lib/companion-engines"
SEATS: Final = ("Bob", "Cat", "Dan")
"""The computer players; Ann is a person."""
THREADS: Final = 50
"""Threads of the engine in each seat, as many as Java's runtime has."""
ENGINE: Final = f"""#!/usr/bin/env python3
import json, mmap, subprocess, sys, threading, time
seat = sys.argv[sys.argv.index("--seat") + 1]
print(seat, "started", file=sys.stderr, flush=True)
for _ in range({THREADS}):
    threading.Thread(target=time.sleep, args=(9999,), daemon=True).start()
mmap.mmap(-1, 1 << 20, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
heap = bytearray(20 << 20)
subprocess.Popen(["sleep", "9999"])  # it does not end with its input
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "ask" and message["who"] == seat:
        print(seat, "answers", file=sys.stderr, flush=True)
        answer = {{"answer": message["choices"][0]["value"], "id": message["id"]}}
        print(json.dumps(answer), flush=True)
time.sleep(9999)
"""
GAME: Final = f"""
from contextlib import closing
from pathlib import Path
from companion.catalog import editions, registry
from companion.play import begin
from companion.play.session import Session
from companion.record.journal import Journal
game = registry.find_game("barney-miller")
options = {{option.name: option.proposed_value for option in game.options}}
options |= {{"deck": "virtual", "die": "press"}}
programs = dict.fromkeys({SEATS}, "friend")
players, edition = ("Ann", *{SEATS}), editions.load_edition(game.name)
setup = begin.new_game_setup(game.name, players, options, edition, programs)
with closing(Journal(Path("{STATE}/games.db"))) as journal:
    Session.begin(journal, setup._replace(mixing=False), 0)
"""


def _logged(bench: Bench, what: str) -> list[str]:
    """Return the seats whose engine has logged a text since the unit's last start."""
    run = f"_SYSTEMD_INVOCATION_ID=$(systemctl show -P InvocationID {UNIT})"
    said = bench.guest.run(f"journalctl {run} -o cat | grep -E ' {what}$' || true")
    return sorted(line.split()[0] for line in said.splitlines())


def _left(bench: Bench) -> str:
    """Return the running processes of engines."""
    return bench.guest.run("pgrep -f '[c]ompanion-engines|[s]leep 9999' || true")


def an_engine_plays_three_seats_under_the_unit_and_leaves_nothing_behind(bench: Bench) -> None:
    """Each engine starts once, rolls for the first turn, and ends with the box and its children."""
    bench.box.stop()
    bench.guest.run(
        f"rm -f {STATE}/games.db*; mkdir -p {ENGINES} /etc/companion; "
        f"printf %s {shlex.quote(ENGINE)} >{ENGINES}/engine; chmod 755 {ENGINES}/engine; "
        f"""echo 'engine = "{ENGINES}/engine"' >/etc/companion/seats.toml; """
        f"cd /; runuser -u companion -- {PYTHON} -c {shlex.quote(GAME)}"
    )
    bench.box.start()
    bench.box.press("ok")  # resume: Ann is asked first, so no seat is late while engines start
    begun = wait_until(lambda: _logged(bench, "started") == [*SEATS], 4 * SLOW)
    assert begun, bench.guest.run(f"journalctl -u {UNIT} -b | tail -20")

    def thrown() -> bool:
        bench.box.press("ok")  # the board, Ann's roll, its result
        return {*_logged(bench, "answers")} == {*SEATS}

    assert wait_until(thrown, 2 * SLOW), bench.guest.run(f"journalctl -u {UNIT} -b | tail -20")
    assert _logged(bench, "started") == [*SEATS]
    bench.row("tasks of three engines", bench.box.shown("TasksCurrent", f"{UNIT}.service"))
    memory = int(bench.box.shown("MemoryCurrent", f"{UNIT}.service")) >> 20
    bench.row("memory of three engines", f"{memory} MB")

    bench.box.stop()
    assert wait_until(lambda: not _left(bench), SLOW), _left(bench)
    bench.guest.run(f"rm -r /etc/companion/seats.toml {ENGINES}; rm -f {STATE}/games.db*")
    bench.box.start()


def the_unit_of_the_seats_is_verified_and_sandboxed(bench: Bench) -> None:
    bench.verify(EXPOSURE, f"{UNIT}.service", f"{UNIT}.socket")


CHECKS: Final = (
    Check(an_engine_plays_three_seats_under_the_unit_and_leaves_nothing_behind, need_box),
    Check(the_unit_of_the_seats_is_verified_and_sandboxed, need_box),
)
