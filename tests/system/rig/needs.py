"""Preconditions of checks: each function establishes one if it does not hold."""

from __future__ import annotations

from typing import Final

from companion.games.barney_miller import GAME
from companion.play.session import resume_recorded_game
from companion.record.journal import Journal
from tests.system.rig.bench import Bench
from tests.system.rig.box import SLOW, STATE, Both
from tests.system.rig.guest import DEBUG, wait_until
from tests.system.rig.release import install, is_installed

SOON_SECONDS: Final = 10.0
"""Seconds until a running box must be playable."""


def need_bare_guest(bench: Bench) -> None:
    """Provide a running guest without an installation."""
    _on(bench)
    if bench.guest.status("test -e /usr/lib/companion -o -e /var/lib/companion") == 0:
        bench.guest.cut()
        bench.guest.start(fresh=True)
        bench.box.power_on()


def need_box(bench: Bench) -> None:
    """Provide a running box of these sources, without effects of earlier checks."""
    _on(bench)
    _mend(bench)
    if not is_installed(bench):
        status, said = install(bench)
        assert status == 0, f"the installer ended with {status}: {said}"
    if not (bench.box.runs() and bench.box.is_up(SOON_SECONDS)):
        bench.box.start("restart")


def need_empty_box(bench: Bench) -> None:
    """Provide a box at its first screen without a game."""
    need_box(bench)
    if bench.box.record(bench.new_folder()).game_numbers():
        forget_games(bench)


def need_game(bench: Bench) -> None:
    """Provide a box with an unfinished game in its record."""
    need_box(bench)
    if not bench.box.record(bench.new_folder()).recent_unfinished_game_numbers():
        begin(bench)


def _mend(bench: Bench) -> None:
    """Restore the display and its bus after a failed check."""
    if bench.guest.run(f"cat {DEBUG}/present") == "0":
        bench.box.plug_in()
    for knob in ("fail", "hz"):
        bench.guest.set(knob, 0)


def _on(bench: Bench) -> None:
    if not bench.guest.pid:
        bench.guest.start()
        bench.box.power_on()


def forget_games(bench: Bench) -> None:
    """Start the box with an empty record and without described boards."""
    bench.box.stop()
    bench.guest.run(f"rm -rf {STATE}/games.db* {STATE}/editions")
    bench.box.start()


def begin(bench: Bench, players: int = 2) -> None:
    """Begin a game with an empty record, from the first screen to the first question."""
    forget_games(bench)
    menus = Both(bench.box, Journal(None), taught=bench.new_folder())
    menus.read()
    menus.choose("new")
    if menus.page == "game":
        menus.choose("barney-miller")
    menus.choose(players)
    for name in GAME.names[:players]:
        menus.choose(name)
    menus.choose("start")
    menus.turn_to("assumed")  # the board
    bench.box.press("ok", "ok")  # answer, and go on
    assert wait_until(lambda: _mixes(bench), SLOW), f"no game has begun: {bench.box.reads}"


def _mixes(bench: Bench) -> bool:
    """Press for the chance of all players; return True if all have pressed."""
    bench.box.press("ok")
    return _is_mixed(bench)


def _is_mixed(bench: Bench) -> bool:
    """Return True if the newest unfinished game waits for no press that mixes its chance."""
    journal = bench.box.record(bench.new_folder())
    if not journal.recent_unfinished_game_numbers():
        return False
    session, _ = resume_recorded_game(journal, journal.recent_unfinished_game_numbers()[0], 0)
    return (
        session.standing.pending_prompt is not None
        and session.standing.pending_prompt.name != "mix"
    )
