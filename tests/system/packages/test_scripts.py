"""Tests of dpkg's scripts while a version replaces another, with a fake systemd.

Root needs another user for the games: `nobody` stands for the user `companion`.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from systemd.deb import build

pytestmark = pytest.mark.long

UNIT: Final = "companion.service"
SIZE: Final = 30_000
IS_ROOT: Final = os.geteuid() == 0
NOBODY: Final = 65534
RUNUSER: Final = 'shift 3; exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"'
"""A fake `runuser -u companion -- COMMAND...` for root. Other users run the command themselves."""
STARTS: Final = "case $* in *MainPID*) echo 7;; is-active*) echo active;; esac"
"""A fake systemd that reports every version of the box as running."""


class Dpkg:
    """A machine with the package `old`, before an update to `new`. The scripts use its folders."""

    def __init__(self, root: Path) -> None:
        self.root, self.state, self.home = root, root / "state", root / "lib"
        self.units, self.before = root / "units", root / "opt"
        self.said = root / "systemctl.log"
        for folder in (self.units, self.state, root / "bin", root / "run"):
            folder.mkdir()
        self.state.chmod(0o700)
        for folder in (root, root / "bin"):  # the box's user needs access, too
            folder.chmod(0o755)
        self.give(self.state)
        self.play(b"games")
        self.tree("old")
        (self.home / "current").symlink_to("old")
        self.program("runuser", RUNUSER if IS_ROOT else 'shift 3; exec "$@"')
        for name in (
            "systemd-sysusers", "deb-systemd-helper", "deb-systemd-invoke", "modprobe", "udevadm",
            "sleep", "sync", "raspi-config",
        ):  # fmt: skip
            self.program(name, "exit 0")
        self.systemd(STARTS)

    def program(self, name: str, script: str) -> None:
        """Write a program that is found before this machine's programs."""
        path = self.root / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)

    def give(self, path: Path) -> None:
        """Make the box's user the owner of a file."""
        if IS_ROOT:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)

    def play(self, games: bytes) -> None:
        """Give the box a record."""
        (self.state / "games.db").write_bytes(games)
        self.give(self.state / "games.db")

    def tree(self, version: str) -> None:
        """Unpack a version's folder."""
        tree = self.home / version
        for folder in ("bin", "lib", "systemd"):
            (tree / folder).mkdir(parents=True)
        for name in ("python", "companion"):
            (tree / "bin" / name).write_text("#!/bin/sh\nexit 0\n", "utf-8")
            (tree / "bin" / name).chmod(0o755)
        (tree / "systemd" / UNIT).write_text(f"[Unit]\nDescription={version}\n", "utf-8")
        (tree / "systemd" / "companion.avahi.xml").write_text(version, "utf-8")

    def systemd(self, does: str) -> None:
        """Add a fake systemctl that logs each call, and then runs `does`."""
        note = f'echo "$@ with $(readlink {self.home}/current)" >>{self.said}'
        self.program("systemctl", f"{note}; {does}")

    def run(
        self, name: str, *arguments: str, version: str = "new", after: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a script as dpkg does; `after`: shell code that runs before the script's commands."""
        text = build.maintainer_script(name, version, SIZE)
        for place, ours in {
            build.INSTALL_FOLDER: self.home,
            "/etc/systemd/system": self.units,
            "/var/lib/companion": self.state,
            "/run/systemd/system": self.root / "run",
            "/opt/companion": self.before,
            "/usr/local/bin": self.root / "bin",
        }.items():
            text = text.replace(place, str(ours))
        text = re.sub(r"(?<![\w}])/(?=(etc|opt|run|var)/)", f"{self.root}/", text)
        head, case, tail = text.partition("\ncase $1 in\n")
        return subprocess.run(
            [
                "/bin/bash",
                "-c",
                f"{head}\nfold_words() {{ :; }}\n{after}{case}{tail}",
                name,
                *arguments,
            ],
            check=False,
            capture_output=True,
            text=True,
            env={"PATH": f"{self.root}/bin:{os.environ['PATH']}"},
            timeout=60,
        )

    def unpack(self) -> None:
        """Perform dpkg's steps before it configures a package."""
        found = self.run("preinst", "upgrade", "old")
        assert found.returncode == 0, found.stderr
        self.tree("new")
        if not (self.home / "old").exists():
            return
        for file in sorted((self.home / "old").rglob("*"), reverse=True):
            if file.is_dir():
                file.rmdir()
            else:
                file.unlink()
        (self.home / "old").rmdir()

    @property
    def running(self) -> str:
        """Return the version that starts next, as its unit states."""
        tree = (self.home / "current").resolve()
        return (tree / "systemd" / UNIT).read_text("utf-8").partition("=")[2].strip()

    @property
    def games(self) -> bytes:
        return (self.state / "games.db").read_bytes()


@pytest.fixture
def dpkg() -> Iterator[Dpkg]:
    """Yield a machine in a folder outside of pytest's, which other users may not enter."""
    with TemporaryDirectory(dir="/tmp") as folder:
        yield Dpkg(Path(folder))


def test_what_runs_is_kept_whole_with_its_unit_while_dpkg_unpacks(dpkg: Dpkg) -> None:
    dpkg.unpack()
    assert dpkg.running == "old"
    assert "Description=old" in (dpkg.units / UNIT).read_text("utf-8")


def test_a_version_that_starts_is_taken_and_nothing_of_the_one_before_stays(dpkg: Dpkg) -> None:
    dpkg.unpack()
    found = dpkg.run("postinst", "configure", "old")
    assert found.returncode == 0, found.stderr
    assert dpkg.running == "new"
    assert {path.name for path in dpkg.home.iterdir()} == {"new", "current"}
    assert [*dpkg.units.iterdir()] == []
    (backup,) = (dpkg.state / "backups").iterdir()
    assert (backup / "games.db").read_bytes() == b"games"


@pytest.mark.parametrize("there", [True, False])
def test_the_box_is_known_by_name_where_the_machine_has_avahi(dpkg: Dpkg, *, there: bool) -> None:
    services = dpkg.root / "etc/avahi/services"
    if there:
        services.mkdir(parents=True)
    dpkg.unpack()
    assert dpkg.run("postinst", "configure").returncode == 0
    told = {path.name: path.read_text("utf-8") for path in services.glob("*")}
    assert told == ({"companion.service": "new"} if there else {})


@pytest.mark.parametrize(
    "fails",
    ["start*with?new) exit 1", "show*with?new) echo $$; exit 0", "is-active*with?new) exit 3"],
    ids=["it ends at once", "it ends and is started again", "it has failed"],
)
def test_a_service_that_does_not_go_on_gives_way_to_the_one_before(dpkg: Dpkg, fails: str) -> None:
    dpkg.unpack()
    now = f'"$* with $(readlink {dpkg.home}/current)"'
    dpkg.systemd(f"case {now} in {fails};; esac; {STARTS}")

    found = dpkg.run("postinst", "configure", "old")

    assert found.returncode != 0
    assert "The previous version runs again." in found.stdout
    assert dpkg.running == "old"
    assert "Description=old" in (dpkg.units / UNIT).read_text("utf-8")


def test_games_that_the_new_version_has_spoilt_come_back(dpkg: Dpkg) -> None:
    dpkg.unpack()
    spoil = f"runs() {{ runs() {{ :; }}; printf spoilt >{dpkg.state}/games.db; return 1; }}\n"
    found = dpkg.run("postinst", "configure", "old", after=spoil)
    assert found.returncode != 0
    assert dpkg.running == "old"
    assert dpkg.games == b"games"


def test_games_that_come_back_are_on_the_disk_before_those_there_are_go(dpkg: Dpkg) -> None:
    dpkg.unpack()
    (dpkg.state / "games.db-wal").write_bytes(b"of the old")
    dpkg.give(dpkg.state / "games.db-wal")
    spoil = f"runs() {{ :; }}; cd {dpkg.state}; printf spoilt >games.db; rm games.db-wal; return 1"
    (dpkg.root / "seen").touch()
    dpkg.give(dpkg.root / "seen")
    seen = f"cat {dpkg.state}/games.db {dpkg.state}/returning/* >>{dpkg.root}/seen 2>/dev/null"
    dpkg.program("sync", f"{seen}; true")
    found = dpkg.run("postinst", "configure", "old", after=f"runs() {{ {spoil}; }}\n")
    assert found.returncode != 0
    assert b"spoiltgamesof the old" in (dpkg.root / "seen").read_bytes(), found.stderr
    assert dpkg.games == b"games"
    assert {path.name for path in dpkg.state.iterdir()} == {"games.db", "games.db-wal", "backups"}


@pytest.mark.parametrize("known", ["unit", "unit.new"])
def test_a_unit_is_on_the_disk_before_it_takes_the_place_of_the_one_before(
    dpkg: Dpkg, known: str
) -> None:
    name = UNIT + known.removeprefix("unit")
    (dpkg.units / name).write_text("Description=a cut left this\n", "utf-8")
    dpkg.program("sync", f'case $* in *.new) cat "$@" >{dpkg.root}/seen; exit 1;; esac')
    kept = f"{dpkg.home}/old/systemd/{UNIT}"
    assert dpkg.run("preinst", "none", after=f"keep_unit {kept}\n").returncode == 1
    assert "Description=old" in (dpkg.root / "seen").read_text("utf-8")
    (dpkg.root / "bin" / "sync").unlink()
    assert dpkg.run("preinst", "none", after=f"keep_unit {kept}\n").returncode == 0
    assert "Description=old" in (dpkg.units / UNIT).read_text("utf-8")
    assert [path.name for path in dpkg.units.iterdir()] == [UNIT]


def test_a_version_whose_command_fails_stops_no_box(dpkg: Dpkg) -> None:
    dpkg.unpack()
    (dpkg.home / "new" / "bin" / "python").write_text("#!/bin/sh\nexit 1\n", "utf-8")
    found = dpkg.run("postinst", "configure", "old")
    assert found.returncode != 0
    assert dpkg.running == "old"
    assert not dpkg.said.exists()


@pytest.mark.parametrize("cut", ["exec >/dev/full 2>&1", "kill -HUP $$", "kill -TERM $$"])
def test_a_line_that_is_cut_brings_the_version_before_back(dpkg: Dpkg, cut: str) -> None:
    dpkg.unpack()
    once = f"drop_units() {{ unset -f drop_units; {cut}; return 1; }}\n"
    found = dpkg.run("postinst", "configure", "old", after=once)
    assert found.returncode != 0
    assert dpkg.running == "old"


def test_the_next_version_heals_what_a_broken_one_left(dpkg: Dpkg) -> None:
    dpkg.unpack()
    assert dpkg.run("postinst", "configure", "old", after="runs() { return 1; }\n").returncode != 0
    found = dpkg.run("preinst", "upgrade", "new")  # the same folder, built again
    assert found.returncode == 0, found.stderr
    assert dpkg.running == "old"
    assert dpkg.run("postinst", "configure", "old").returncode == 0
    assert dpkg.running == "new"
    assert [*dpkg.units.iterdir()] == []


def test_a_box_that_its_owner_has_stopped_stays_so(dpkg: Dpkg) -> None:
    dpkg.unpack()
    dpkg.systemd("case $* in is-active*) echo inactive; exit 3;; esac")
    assert dpkg.run("postinst", "configure", "old").returncode == 0
    assert dpkg.running == "new"
    assert "start companion.service" not in dpkg.said.read_text("utf-8")


def test_a_unit_of_the_machines_owner_is_never_touched(dpkg: Dpkg) -> None:
    (dpkg.units / UNIT).write_text("[Unit]\nDescription=mine\n", "utf-8")
    dpkg.unpack()
    assert dpkg.run("postinst", "configure", "old").returncode == 0
    assert (dpkg.units / UNIT).read_text("utf-8") == "[Unit]\nDescription=mine\n"


def test_what_could_not_be_unpacked_leaves_the_old_version_in_its_own_place(dpkg: Dpkg) -> None:
    assert dpkg.run("preinst", "upgrade", "old").returncode == 0
    assert (dpkg.home / "current").readlink() == Path("before")
    found = dpkg.run("postinst", "abort-upgrade", "new", version="old")
    assert found.returncode == 0, found.stderr
    assert (dpkg.home / "current").readlink() == Path("old")
    assert [*dpkg.units.iterdir()] == []


# --- free space and backups -----------------------------------------------------------------------


def test_where_there_is_no_room_nothing_is_changed(dpkg: Dpkg) -> None:
    dpkg.program("df", "echo Avail; echo 60100")  # enough for twice SIZE and the games
    assert dpkg.run("preinst", "upgrade", "old").returncode == 0
    dpkg.play(bytes(1 << 20))
    found = dpkg.run("preinst", "upgrade", "old")
    assert found.returncode != 0
    assert "only 58 MB are free, and 59 are needed" in found.stderr


@pytest.mark.skipif(not IS_ROOT, reason="only root can be led to write where others may not")
def test_a_planted_link_does_not_lead_root_out_of_the_boxs_folder(dpkg: Dpkg) -> None:
    precious = dpkg.root / "cron.d"
    precious.mkdir(mode=0o755)
    (dpkg.state / "backups").symlink_to(precious)
    dpkg.give(dpkg.state / "backups")
    dpkg.unpack()

    assert dpkg.run("postinst", "configure", "old").returncode != 0
    assert not list(precious.iterdir())
    assert precious.stat().st_uid == 0


def test_what_is_no_file_is_not_backed_up_and_holds_up_no_update(dpkg: Dpkg) -> None:
    os.mkfifo(dpkg.state / "games.db-wal")
    (dpkg.state / "games.db-shm").symlink_to("/dev/zero")
    dpkg.unpack()
    found = dpkg.run("postinst", "configure", "old")
    assert (found.returncode, dpkg.running) == (0, "new"), found.stderr
    (backup,) = (dpkg.state / "backups").iterdir()
    assert {path.name for path in backup.iterdir()} == {"games.db"}


def test_a_backup_that_takes_for_ever_ends_and_so_does_the_update(dpkg: Dpkg) -> None:
    dpkg.unpack()
    dpkg.program("cp", "read never </dev/tty1 || tail -f /dev/null")
    found = dpkg.run("postinst", "configure", "old", after="limit=1\n")
    assert (found.returncode != 0, dpkg.running) == (True, "old")
    assert "cannot be backed up" in found.stderr


def test_a_crafted_name_deletes_nothing_but_old_backups(dpkg: Dpkg) -> None:
    (dpkg.root / "precious").mkdir()
    backups = dpkg.state / "backups"
    old = [f"2016010{n}-120000000" for n in range(1, 6)]
    for name in (*old, "0 precious", "it's mine", "-rf", "1-\n."):
        (backups / name).mkdir(parents=True)
    for path in (backups, *backups.iterdir()):
        dpkg.give(path)
    dpkg.unpack()

    found = dpkg.run("postinst", "configure", "old")

    assert found.returncode == 0, found.stderr
    assert (dpkg.root / "precious").is_dir()
    assert {path.name for path in backups.iterdir()} >= {"0 precious", "it's mine", *old[-2:]}
    assert not (backups / old[0]).exists()


@pytest.mark.parametrize("fails", ["as_companion", "point_to", "drop_units", "reload"])
def test_whatever_fails_while_the_box_stands_still_brings_the_version_before_back(
    dpkg: Dpkg, fails: str
) -> None:
    dpkg.unpack()
    once = (
        f'eval "real_$(declare -f {fails})"\n'
        f'{fails}() {{ {fails}() {{ real_{fails} "$@"; }}; return 1; }}\n'
    )

    found = dpkg.run("postinst", "configure", "old", after=once)

    assert found.returncode != 0
    assert "The previous version runs again." in found.stdout
    assert dpkg.running == "old"
    assert dpkg.games == b"games"


def test_whoever_the_games_belong_to_gets_no_terminal_to_type_in(dpkg: Dpkg) -> None:
    dpkg.unpack()
    told = 'cut -d" " -f6 "/proc/$$/stat"; tty || echo none'  # the session; ps can be missing
    asks = f"as_companion '{told}'; echo \"mine $$\"; exit 0\n"
    session, *rest = dpkg.run("postinst", "configure", "old", after=asks).stdout.split()
    assert session not in rest
    assert "none" in rest
    script = "".join(path.read_text("utf-8") for path in build.SYSTEMD.rglob("*.sh"))
    (line,) = (line for line in script.splitlines() if "runuser " in line)
    assert line.lstrip().startswith("setsid --wait ")


# --- a box that is older than the packages --------------------------------------------------------


@pytest.fixture
def older(dpkg: Dpkg) -> Dpkg:
    """Return a machine whose version is in /opt, with its unit in the owner's folder."""
    (dpkg.home / "current").unlink()
    (dpkg.before / "releases").mkdir(parents=True)
    (dpkg.home / "old").rename(dpkg.before / "releases" / "old")
    dpkg.home.rmdir()
    (dpkg.before / "venv").symlink_to(dpkg.before / "releases" / "old")
    (dpkg.root / "bin" / "companion").symlink_to(dpkg.before / "venv" / "bin" / "companion")
    (dpkg.units / UNIT).write_text("[Unit]\nDescription=old\n", "utf-8")
    return dpkg


def test_a_box_of_before_there_were_packages_becomes_the_packages(older: Dpkg) -> None:
    older.unpack()
    assert older.running == "old"
    assert older.run("postinst", "configure").returncode == 0
    assert older.running == "new"
    assert not older.before.exists()
    assert not (older.root / "bin" / "companion").is_symlink()
    assert [*older.units.iterdir()] == []
    assert older.games == b"games"


def test_a_box_of_before_there_were_packages_runs_on_if_the_first_does_not_start(
    older: Dpkg,
) -> None:
    older.unpack()
    found = older.run("postinst", "configure", after="runs() { return 1; }\n")
    assert found.returncode != 0
    assert older.running == "old"
    assert "Description=old" in (older.units / UNIT).read_text("utf-8")
