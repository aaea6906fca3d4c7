"""Checks of power cuts during an update and during a repair."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any, Final

from companion.record.journal import Journal
from tests.system.bench.mending import write
from tests.system.rig.bench import Bench, Check
from tests.system.rig.box import SLOW, STATE
from tests.system.rig.failing import CUTS
from tests.system.rig.guest import wait_until
from tests.system.rig.needs import forget_games, need_box, need_game
from tests.system.rig.release import HOME, INSTALL, OTHER, PACKAGE, give_other, install

UPDATE: Final = f"systemd-run --quiet --collect --unit=update {INSTALL}"
HARMED: Final = "/root/harmed.db"
GAMES: Final = 1_000
TIMEOUT_SECONDS: Final = 1200.0
"""Time limit of an update, or of a repair, in the guest of a busy host (s)."""
CHANGEOVER_SECONDS: Final = 10.0
"""Maximum duration of the change from one version to the next (s)."""


def kept(journal: Journal) -> dict[int, Any]:
    """Return every game of a record, line by line."""
    return {game: journal.read_lines_of_game(game) for game in journal.game_numbers()}


def seconds_of(does: Callable[[], object]) -> float:
    """Return the duration of a function (s)."""
    begun = time.monotonic()
    does()
    return time.monotonic() - begun


def cut(bench: Bench) -> None:
    """Cut the power, and start the guest again."""
    bench.guest.cut()
    bench.guest.start()
    bench.box.power_on()


def starts(bench: Bench, seconds: float = 3 * SLOW) -> None:
    """Check that the box starts by itself and is playable."""
    assert wait_until(bench.box.runs, seconds), bench.guest.run(
        "journalctl -b -u companion | tail -20"
    )
    assert bench.box.is_up(), "no frame, or no presses received"


# --- in an update ---------------------------------------------------------------------------------


def is_updating(bench: Bench) -> bool:
    """Return True if the installer is running."""
    return bench.box.shown("ActiveState", "update") in ("active", "activating")


def updated(bench: Bench, package: str) -> None:
    """Run a whole update, and wait for its end."""
    bench.guest.run(f"{UPDATE} {package}")
    assert wait_until(lambda: not is_updating(bench), TIMEOUT_SECONDS)


def the_power_is_cut_at_20_moments_of_an_update_and_the_box_starts_with_every_game(
    bench: Bench,
) -> None:
    assert install(bench)[0] == 0
    give_other(bench, "99.0")
    games = kept(bench.box.record(bench.new_folder()))
    whole = seconds_of(lambda: updated(bench, OTHER))
    chance, within = random.Random(9), 0
    for n in range(CUTS):
        bench.guest.run(f"{UPDATE} {(PACKAGE, OTHER)[n % 3 == 2]}")
        if n % 2 == 0:
            time.sleep(chance.uniform(0, whole))
        else:  # while the box is stopped
            assert wait_until(
                lambda: not (bench.box.runs() and is_updating(bench)), TIMEOUT_SECONDS
            )
            time.sleep(chance.uniform(0, CHANGEOVER_SECONDS))
        within += is_updating(bench)
        cut(bench)
        starts(bench)
        assert kept(bench.box.record(bench.new_folder())) == games

    updated(bench, PACKAGE)
    starts(bench)
    assert kept(bench.box.record(bench.new_folder())) == games
    versions = bench.guest.run(f"ls {HOME}").split()
    assert len(versions) == 2, versions  # the version, and its link
    bench.row(f"power cuts in an update of {whole:.0f} s, before its end", f"{within} of {CUTS}")


# --- in a repair ----------------------------------------------------------------------------------


def harm(bench: Bench) -> None:
    """Replace the box's record by a damaged one, and start the box."""
    bench.box.stop()
    bench.guest.run(
        f"rm -f {STATE}/games*.db*; install -m600 -o companion -g companion {HARMED} "
        f"{STATE}/games.db; sync; systemctl reset-failed companion; "
        "systemctl start --no-block companion"
    )


def the_power_is_cut_at_20_moments_of_a_repair_and_the_box_starts_with_every_game(
    bench: Bench,
) -> None:
    here = bench.new_folder()
    here.mkdir()
    write(here / "harmed.db", GAMES)
    bench.guest.push(here / "harmed.db", HARMED)
    games = kept(Journal(here / "harmed.db"))
    assert len(games) == GAMES

    harm(bench)
    whole = seconds_of(lambda: starts(bench, TIMEOUT_SECONDS))
    chance, within = random.Random(10), 0
    for _ in range(CUTS):
        if bench.box.runs():  # the repair ended before the cut
            assert kept(bench.box.record(bench.new_folder())) == games
            harm(bench)
        time.sleep(chance.uniform(0, whole / 2))
        within += bench.box.shown("ActiveState") == "activating"
        cut(bench)

    starts(bench, TIMEOUT_SECONDS)
    assert kept(bench.box.record(bench.new_folder())) == games
    assert bench.guest.status(f"ls {STATE}/games.db-new*") != 0
    bench.row(f"power cuts in a repair of {whole:.0f} s, before its end", f"{within} of {CUTS}")
    forget_games(bench)


CHECKS: Final = (
    Check(
        the_power_is_cut_at_20_moments_of_an_update_and_the_box_starts_with_every_game, need_game
    ),
    Check(the_power_is_cut_at_20_moments_of_a_repair_and_the_box_starts_with_every_game, need_box),
)
