"""What dpkg's scripts do while one version takes another's place, with a systemd that is played.

Root needs another user for the games: `nobody` stands for the user `companion`.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import pytest

from companion.say import catalogues
from systemd.deb import build
from tests.systemd.test_updating import Machine

if TYPE_CHECKING:
    from collections.abc import Iterator

UNIT: Final = "companion.service"
STARTS: Final = "case $* in *MainPID*) echo 7;; is-active*) echo active;; esac"
"""A systemd for which the box runs, whatever version it is."""


class Dpkg:
    """A machine with the package `old`, and `new` to come; the scripts work on its folders."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.home = machine, machine.root / "lib"
        self.units = machine.root / "units"
        self.units.mkdir()
        (machine.root / "run").mkdir()
        self.tree("old")
        (self.home / "current").symlink_to("old")
        for name in ("systemd-sysusers", "deb-systemd-helper", "deb-systemd-invoke", "modprobe"):
            machine.program(name, "exit 0")
        self.systemd(STARTS)

    def tree(self, version: str) -> None:
        """Unpack a version's folder."""
        tree = self.home / version
        for folder in ("bin", "lib", "systemd"):
            (tree / folder).mkdir(parents=True)
        for name in ("python", "companion"):
            (tree / "bin" / name).write_text("#!/bin/sh\nexit 0\n", "utf-8")
            (tree / "bin" / name).chmod(0o755)
        (tree / "systemd" / UNIT).write_text(f"[Unit]\nDescription={version}\n", "utf-8")

    def systemd(self, does: str) -> None:
        """Play systemd: every call is written down, and answered so."""
        note = f'echo "$@ with $(readlink {self.home}/current)" >>{self.machine.said}'
        self.machine.program("systemctl", f"{note}; {does}")

    def run(
        self, name: str, *arguments: str, version: str = "new", after: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a script as dpkg does; `after`: what is in force before it begins."""
        text = build.script(name, version)
        for place, ours in {
            build.HOME: self.home,
            "/etc/systemd/system": self.units,
            "/var/lib/companion": self.machine.state,
            "/run/systemd/system": self.machine.root / "run",
        }.items():
            text = text.replace(place, str(ours))
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
            env={"PATH": f"{self.machine.root}/bin:{os.environ['PATH']}"},
        )

    def unpack(self) -> None:
        """All that dpkg does before it configures."""
        found = self.run("preinst", "upgrade", "old")
        assert found.returncode == 0, found.stderr
        self.tree("new")
        for file in sorted((self.home / "old").rglob("*"), reverse=True):
            if file.is_dir():
                file.rmdir()
            else:
                file.unlink()
        (self.home / "old").rmdir()

    @property
    def running(self) -> str:
        """Which version starts the next time, by its own unit."""
        tree = (self.home / "current").resolve()
        return (tree / "systemd" / UNIT).read_text("utf-8").partition("=")[2].strip()

    @property
    def games(self) -> bytes:
        return (self.machine.state / "games.db").read_bytes()


@pytest.fixture
def dpkg() -> Iterator[Dpkg]:
    """In a folder of its own: no other user may enter those of pytest."""
    with TemporaryDirectory(dir="/tmp") as folder:
        yield Dpkg(Machine(Path(folder)))


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
    (backup,) = (dpkg.machine.state / "backups").iterdir()
    assert (backup / "games.db").read_bytes() == b"games"


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
    assert "The version before runs again." in found.stdout
    assert dpkg.running == "old"
    assert "Description=old" in (dpkg.units / UNIT).read_text("utf-8")


def test_games_that_the_new_version_has_spoilt_come_back(dpkg: Dpkg) -> None:
    dpkg.unpack()
    spoil = (
        f"runs() {{ runs() {{ :; }}; printf spoilt >{dpkg.machine.state}/games.db; return 1; }}\n"
    )
    found = dpkg.run("postinst", "configure", "old", after=spoil)
    assert found.returncode != 0
    assert dpkg.running == "old"
    assert dpkg.games == b"games"


def test_a_version_whose_command_fails_stops_no_box(dpkg: Dpkg) -> None:
    dpkg.unpack()
    (dpkg.home / "new" / "bin" / "python").write_text("#!/bin/sh\nexit 1\n", "utf-8")
    found = dpkg.run("postinst", "configure", "old")
    assert found.returncode != 0
    assert dpkg.running == "old"
    assert not dpkg.machine.said.exists()


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
    assert "start companion.service" not in dpkg.machine.said.read_text("utf-8")


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


@pytest.mark.parametrize(
    ("ours", "debian"),
    [
        ("0.1.0", "0.1.0+deb12"),
        ("0.1.1.dev5+gabc", "0.1.1~dev5.gabc+deb12"),
        ("1.0rc1", "1.0~rc1+deb12"),
    ],
)
def test_debian_orders_versions_as_python_does(ours: str, debian: str) -> None:
    assert build.debian_version(ours, build.SUITES["bookworm"]) == debian


def test_a_compiled_catalogue_does_not_say_when_it_was_made(tmp_path: Path) -> None:
    source = tmp_path / "x.po"
    source.write_text('msgid ""\nmsgstr "Language: en\\n"\n\nmsgid "a"\nmsgstr "b"\n', "utf-8")
    catalogues.write(source)
    made = source.with_suffix(".mo").read_bytes()
    assert made.count(b"1970-01-01 00:00+0000") == made.count(b"-Date:") == 2


def test_the_packages_units_are_those_of_the_installer_with_other_folders() -> None:
    for path in build.SYSTEMD.glob("*.service"):
        found = build.unit(path)
        assert "/opt/" not in found
        assert found.replace(f"{build.HOME}/current", "/opt/companion/venv") == path.read_text()
