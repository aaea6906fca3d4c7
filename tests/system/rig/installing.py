"""Checks of the real installer in the guest, with a package and without a network."""

from __future__ import annotations

from typing import Final

from companion.cmd.repair_screens import make_box_stopped_frame
from companion.record.schema import VERSION
from companion.say.words import Words
from tests.system.rig.bench import Bench, Check
from tests.system.rig.box import SLOW, STATE, first_screen
from tests.system.rig.guest import wait_until
from tests.system.rig.needs import need_bare_guest, need_box, need_empty_box, need_game
from tests.system.rig.panel import Panel
from tests.system.rig.release import (
    HOME,
    INSTALL,
    OTHER,
    PACKAGE,
    PYTHON,
    give_other,
    install,
    unpack_release,
    version,
)

EXPOSURE: Final = 2.0
RECORD: Final = f"{STATE}/games.db"
LAST_WORDS: Final = "journalctl --no-pager -u companion -n 60"


def without_a_network_the_installer_says_so_and_changes_nothing(bench: Bench) -> None:
    unpack_release(bench)
    before = bench.guest.run("find /etc /opt /var/lib -newer /proc/1 | sort | md5sum")

    status, said = bench.guest.both(INSTALL)

    assert status == 1, said
    assert "no network" in said, said
    assert "Companion was not installed or updated" in said, said
    assert bench.guest.status(f"test -e {HOME}") == 1
    assert bench.guest.run("find /etc /opt /var/lib -newer /proc/1 | sort | md5sum") == before


def the_installer_installs_a_release_from_its_package(bench: Bench) -> None:
    status, said = install(bench)

    assert status == 0, said
    config = bench.guest.run("cat /boot/firmware/config.txt").splitlines()
    assert config.count("dtparam=i2c_arm=on") == 1
    assert config.count("dtparam=i2c_arm_baudrate=400000") == 1
    assert bench.guest.run("ls /var/cache/companion/words/*.words | wc -l") == "3"
    assert bench.box.runs()
    assert bench.box.shown("UnitFileState") == "enabled"


def the_first_screen_is_there_pixel_for_pixel(bench: Bench) -> None:
    assert bench.box.shows(first_screen())


def the_units_are_verified_and_sandboxed(bench: Bench) -> None:
    bench.verify(EXPOSURE, "companion.service", "companion-stopped.service")


def nobody_else_can_read_the_games(bench: Bench) -> None:
    assert bench.guest.run("find /var/lib/companion -name games.db") != ""
    assert bench.guest.status("runuser -u pi -- ls /var/lib/companion") != 0
    readable = "find /var/lib/companion /var/cache/companion /run/companion -type f -perm /077"
    assert bench.guest.run(readable) == ""


def an_update_keeps_settings_and_games_and_backs_them_up(bench: Bench) -> None:
    give_other(bench, "0.0.9")
    status, said = bench.guest.both(f"{INSTALL} {OTHER}")
    assert status == 0, said
    assert version(bench) == "0.0.9"
    before = bench.box.record(bench.new_folder())

    status, said = bench.guest.both(f"{INSTALL} {PACKAGE}")

    assert status == 0, said
    assert version(bench) != "0.0.9"
    assert bench.box.runs()
    after = bench.box.record(bench.new_folder())
    assert after.game_numbers() == before.game_numbers()
    assert after.all_settings() == before.all_settings()
    assert bench.guest.run("ls /var/lib/companion/backups") != ""
    assert len(bench.guest.run(f"ls {HOME}").split()) == 2  # the version, and the link to it
    config = bench.guest.run("cat /boot/firmware/config.txt").splitlines()
    assert config.count("dtparam=i2c_arm_baudrate=400000") == 1


def update_with(bench: Bench, module: str) -> tuple[int, str]:
    """Run the installer of a release with a broken module; return its exit status and output."""
    give_other(bench, "99.1", module)
    return bench.guest.both(f"{INSTALL} {OTHER}")


def a_version_that_does_not_run_at_all_changes_nothing(bench: Bench) -> None:
    pid = bench.box.shown("MainPID")

    status, said = update_with(bench, "companion/cmd/cli.py")

    assert status == 1, said
    assert "does not run here" in said, said
    assert "it continues to run" in said, said
    assert "unbound" not in said, said
    assert bench.box.shown("MainPID") == pid
    assert version(bench) == "before"


def an_update_that_does_not_start_is_taken_back(bench: Bench) -> None:
    before = bench.box.record(bench.new_folder())

    status, said = update_with(bench, "gpiozero/__init__.py")  # the installer does not test pins

    assert status == 1, said
    assert "going back" in said, said
    assert version(bench) == "before"
    assert bench.box.runs()
    assert bench.box.record(bench.new_folder()).game_numbers() == before.game_numbers()


def an_older_program_on_a_newer_record_says_so_and_changes_nothing(bench: Bench) -> None:
    bench.box.stop()
    bench.guest.run(f"cp -a {RECORD} /root/games.db; rm -f {RECORD}-wal {RECORD}-shm")
    newer = f"db=sqlite3.connect('{RECORD}'); db.execute('PRAGMA user_version = {VERSION + 1}')"
    bench.guest.run(f'{PYTHON} -c "import sqlite3; {newer}"')
    before = bench.guest.run(f"md5sum {RECORD}")
    bench.guest.run("systemctl reset-failed companion; systemctl start companion --no-block")

    told = wait_until(
        lambda: f"this version reads up to {VERSION}" in bench.guest.run(LAST_WORDS), SLOW
    )
    shown = bench.box.shows(make_box_stopped_frame(Words("en")), 2 * SLOW)
    after = bench.guest.run(f"md5sum {RECORD}")
    bench.box.stop()
    bench.guest.run(f"rm -f {RECORD}-wal {RECORD}-shm; cp -a /root/games.db {RECORD}")
    bench.box.start()

    assert told, bench.guest.run(LAST_WORDS)
    assert shown, "the display does not say that it has stopped"
    assert after == before
    assert bench.box.record(bench.new_folder()).game_numbers()


def uninstalling_keeps_the_games_until_told_otherwise(bench: Bench) -> None:
    bench.guest.run(f"{INSTALL} --uninstall")

    assert bench.guest.status(f"test -e {HOME}") == 1
    assert bench.guest.status("systemctl cat companion") != 0
    assert bench.box.record(bench.new_folder()).game_numbers()

    bench.guest.run(f"{INSTALL} --uninstall --forget-games")

    assert bench.guest.status("test -e /var/lib/companion") == 1
    assert bench.guest.status("id companion") == 1
    bench.box.panel = Panel()


CHECKS: Final = (
    Check(without_a_network_the_installer_says_so_and_changes_nothing, need_bare_guest),
    Check(the_installer_installs_a_release_from_its_package, need_bare_guest),
    Check(the_first_screen_is_there_pixel_for_pixel, need_empty_box),
    Check(the_units_are_verified_and_sandboxed, need_box),
    Check(nobody_else_can_read_the_games, need_box),
)
LAST: Final = (
    Check(an_update_keeps_settings_and_games_and_backs_them_up, need_game),
    Check(a_version_that_does_not_run_at_all_changes_nothing, need_box),
    Check(an_update_that_does_not_start_is_taken_back, need_box),
    Check(an_older_program_on_a_newer_record_says_so_and_changes_nothing, need_game),
    Check(uninstalling_keeps_the_games_until_told_otherwise, need_game),
)
