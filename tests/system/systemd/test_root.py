"""Tests of the read-only system: the command's changes, the layer, the unit and the package."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

FOLDER: Final = Path(__file__).parents[3] / "systemd"
SCRIPT: Final = (FOLDER / "root.sh").read_text("utf-8")
SWITCH: Final = "etc/overlayroot.local.conf"
FSTAB: Final = "LABEL=root / ext4 defaults 0 1\n"
STATE, CACHE = "var/lib/companion", "var/cache/companion"
INITRAMFS: Final = "etc/initramfs-tools/conf.d/companion-root"
UNCHECKED: Final = "fastboot=y"
CLOCK: Final = "/var/lib/systemd/timesync"
"""The folder in which systemd saves the time."""


class Machine:
    """A box with fake programs that log their calls. Mounts and disks are not real."""

    def __init__(self, root: Path) -> None:
        self.root, self.noted = root, root / "noted"
        for name in ("bin", "etc", "proc", "usr/sbin", STATE, CACHE):
            (root / name).mkdir(parents=True)
        self.write("etc/fstab", FSTAB)
        self.write("proc/cmdline", "root=LABEL=root\n")
        self.write(f"{STATE}/games.db", "a game")
        self.program("id", "echo 0")
        self.program("findmnt", "echo /dev/vda1")
        self.program("lsblk", "case $* in *PKNAME*) echo vda;; *) echo /dev/vda2;; esac")
        self.program("systemctl", "echo systemctl $* >>NOTED; echo active")
        self.program("sync", "")
        self.program("sfdisk", "cat >/dev/null; echo sfdisk $* >>NOTED")
        for name in ("partx", "udevadm", "mkfs.ext4", "mount", "mountpoint", "findfs"):
            self.program(name, f"echo {name} $* >>NOTED")
        self.program("update-initramfs", f"cat {root}/{INITRAMFS} >>NOTED")
        chroot = self.program("overlayroot-chroot", 'echo in the chroot >>NOTED; exec "$@"')
        chroot.rename(root / "usr/sbin/overlayroot-chroot")

    def program(self, name: str, script: str) -> Path:
        path = self.root / "bin" / name
        path.write_text(f"#!/bin/sh\n{script.replace('NOTED', str(self.noted))}\n", "utf-8")
        path.chmod(0o755)
        return path

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def read(self, name: str) -> str:
        return (self.root / name).read_text("utf-8")

    def files(self) -> set[str]:
        """Return all files in /etc."""
        found = (self.root / "etc").rglob("*")
        return {str(path.relative_to(self.root)) for path in found if path.is_file()}

    def call(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command on this machine's folders."""
        text = re.sub("(?<![a-z-])/(etc|var|media|proc|usr)/", rf"{self.root}/\1/", SCRIPT)
        path = f"{self.root}/bin:{self.root}/usr/sbin:{os.environ['PATH']}"
        return subprocess.run(
            ["/bin/bash", "-c", text, "companion-root", *arguments],
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, "PATH": path},
        )

    def said(self) -> list[str]:
        return self.noted.read_text("utf-8").splitlines() if self.noted.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def written() -> set[str]:
    """Return the folders in which our units store data permanently."""
    found = set()
    for path in FOLDER.glob("*.service"):
        text = path.read_text("utf-8")
        private = "private/" if "DynamicUser=yes" in text else ""
        for kind, name in re.findall("^(State|Cache)Directory=(.*)$", text, re.MULTILINE):
            found.add(f"/var/lib/{private}{name}" if kind == "State" else f"/var/cache/{name}")
    return found


@pytest.mark.long
def test_all_that_a_unit_keeps_stays_and_the_rest_of_the_system_is_read_only(
    machine: Machine,
) -> None:
    found = machine.call("read-only")
    assert found.returncode == 0, found.stderr
    assert machine.read(SWITCH) == 'overlayroot="tmpfs:recurse=0"\n'  # recurse=0 saves the games
    first, data, *folders = machine.read("etc/fstab").splitlines()
    assert first == FSTAB.strip()
    assert data.startswith("LABEL=companion ")
    root = str(machine.root)
    assert {line.split()[1].removeprefix(root) for line in folders} == written() | {CLOCK}
    for line in (data, *folders):
        assert len(line.split()) == 6  # overlayroot needs six fields
        assert "nofail" in line
    assert machine.read(f"media/companion{machine.root}/{STATE}/games.db") == "a game"


@pytest.mark.long
def test_nobody_writes_games_while_they_move(machine: Machine) -> None:
    machine.call("read-only")
    told = [line for line in machine.said() if re.match("systemctl (stop|start)|mount", line)]
    stop, *mounts, start = [line for line in told if "mountpoint" not in line]
    assert stop.startswith("systemctl stop companion.service")
    assert [line.split()[-1].removeprefix(str(machine.root)) for line in mounts] == [
        "/var/lib/companion", "/var/cache/companion", "/var/lib/private/companion-evening",
        CLOCK,
    ]  # fmt: skip
    assert start == "systemctl start companion.service"


@pytest.mark.long
def test_it_may_be_said_twice(machine: Machine) -> None:
    machine.call("read-only")
    fstab = machine.read("etc/fstab")
    assert machine.call("read-only").returncode == 0
    assert machine.read("etc/fstab") == fstab
    assert machine.said().count(UNCHECKED) == 1  # only one new initramfs, which takes minutes


@pytest.mark.long
def test_games_that_are_there_already_are_those_of_a_card_before_this_one(
    machine: Machine,
) -> None:
    kept = f"media/companion{machine.root}/{STATE}/games.db"
    machine.write(kept, "many games")
    machine.call("read-only")
    assert machine.read(kept) == "many games"
    assert machine.read(f"{STATE}/games.db") == "a game"


def test_without_a_place_for_games_nothing_changes(machine: Machine) -> None:
    machine.program("findfs", "exit 1")
    found = machine.call("read-only")
    assert found.returncode == 1
    assert "mkfs.ext4 -L companion" in found.stderr
    assert machine.files() == {"etc/fstab"}
    assert machine.read("etc/fstab") == FSTAB
    assert machine.said() == []


@pytest.mark.long
def test_a_place_is_made_only_where_that_is_said_and_never_over_another(machine: Machine) -> None:
    machine.program("findfs", "exit 1")
    assert machine.call("read-only", "--partition").returncode == 0
    made = [line for line in machine.said() if re.match("sfdisk|partx|mkfs", line)]
    assert [line.split()[0] for line in made] == ["sfdisk", "partx", "mkfs.ext4"]
    assert "--append" in made[0]
    assert made[2].endswith("-L companion /dev/vda2")


def test_without_room_for_a_place_nothing_is_formatted(machine: Machine) -> None:
    machine.program("findfs", "exit 1")
    machine.program("sfdisk", "exit 1")
    found = machine.call("read-only", "--partition")
    assert "there is no room" in found.stderr
    assert machine.files() == {"etc/fstab"}
    assert not [line for line in machine.said() if "mkfs" in line]


@pytest.mark.long
def test_writable_takes_back_all_but_where_the_games_are(machine: Machine) -> None:
    machine.call("read-only")
    fstab = machine.read("etc/fstab")
    machine.program("findmnt", "echo overlayroot")
    assert machine.call("writable").returncode == 0
    assert "in the chroot" in machine.said()  # changes the card, not the layer in memory
    assert machine.files() == {"etc/fstab", INITRAMFS}  # with it, systemd checks a writable system
    assert machine.read("etc/fstab") == fstab


@pytest.mark.parametrize("verb", ["read-only", "writable"])
def test_an_overlay_that_forgets_the_games_is_told(machine: Machine, verb: str) -> None:
    machine.write("proc/cmdline", "overlayroot=tmpfs root=LABEL=root\n")
    found = machine.call(verb)
    assert found.returncode == 1
    assert "raspi-config" in found.stderr


def test_without_a_verb_it_explains_itself() -> None:
    for arguments, status in (((), 1), (("--help",), 0)):
        command = [FOLDER / "root.sh", *arguments]
        found = subprocess.run(command, check=False, capture_output=True, text=True)
        assert found.returncode == status
        assert "companion-root writable" in found.stdout


# --- its layer, its unit, the package -------------------------------------------------------------


def test_the_image_has_the_option_and_it_is_off() -> None:
    config = (FOLDER / "image/config/companion.yaml").read_text("utf-8")
    assert yaml.safe_load(config)["layer"] == {"base": "companion-preseed"}
    on: dict[str, Any] = yaml.safe_load(config.replace("# root:", "root:"))
    option = on["layer"]["root"]
    layer = (FOLDER / f"image/layer/{option}.yaml").read_text("utf-8")
    assert f"# X-Env-Layer-Name: {option}\n# " in layer
    assert "# X-Env-Layer-Requires: companion\n" in layer
    asked = yaml.safe_load(layer)["mmdebstrap"]
    assert {"overlayroot", "fdisk", "e2fsprogs"} <= {*asked["packages"]}
    unchecked, _, hook = asked["customize-hooks"]
    assert unchecked == f'echo {UNCHECKED} >"$1/{INITRAMFS}"'
    assert INITRAMFS in SCRIPT
    unit = (FOLDER / hook.split()[-1]).read_text("utf-8")
    assert "\nExecStart=/usr/sbin/companion-root read-only --partition\n" in unit
    assert hook.split()[-1] in SCRIPT  # the script disables the unit, so that writable lasts


def test_a_version_that_would_be_forgotten_is_refused(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.program("findmnt", "echo overlayroot")
    head = f"set -euo pipefail\nversion=1 size=1 home={tmp_path} units={tmp_path}\n"
    found = subprocess.run(
        ["/bin/bash", "-c", head + (FOLDER / "deb/preinst.sh").read_text("utf-8"), "x", "upgrade"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"},
    )
    assert found.returncode == 1
    assert "companion-root writable" in found.stderr
