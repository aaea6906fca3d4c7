"""Tests of the installer: the package that it chooses, and its calls of (fake) programs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

import pytest

INSTALLER: Final = Path(__file__).parents[3] / "systemd" / "install.sh"
CONFIG: Final = "# as on Raspberry Pi OS\n#dtparam=i2c_arm=on\n"
OLD, NEW, OTHER = (
    "companion_0.1.0~dev9+deb12_arm64.deb",
    "companion_0.1.0+deb12_arm64.deb",
    "companion_0.2.0+deb13_arm64.deb",
)


class Machine:
    """A Raspberry Pi with Debian 12."""

    def __init__(self, root: Path) -> None:
        self.root, self.noted = root, root / "noted"
        for folder in ("bin", "boot", "updates", "packages"):
            (root / folder).mkdir()
        self.config = root / "boot" / "config.txt"
        self.config.write_text(CONFIG, "utf-8")
        self.debian("bookworm", "12")
        note = f'echo "${{0##*/}} $@" >>{self.noted}'
        self.program("id", "echo 0")
        self.program("dpkg", f"case $1 in --print*) echo arm64;; *) {note};; esac")
        self.program("apt-get", note)
        self.program("dpkg-query", "exit 1")
        self.program("debconf-set-selections", f"sed 's/^/debconf /' >>{self.noted}")
        self.program(
            "python3", f'case $3 in venv) mkdir -p "$4/bin"; cp {root}/builds $4/bin/python;; esac'
        )
        self.builds(f'touch "$3/{NEW}"; {note}')

    def debian(self, name: str, number: str) -> None:
        text = f"VERSION_CODENAME={name}\nVERSION_ID={number}\n"
        (self.root / "os-release").write_text(text, "utf-8")

    def program(self, name: str, script: str) -> Path:
        path = self.root / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)
        return path

    def builds(self, script: str) -> None:
        """Add a fake build of the package."""
        self.program("../builds", script)

    def packages(self, *names: str) -> Path:
        for name in names:
            (self.root / "packages" / name).touch()
        return self.root / "packages"

    def install(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run the installer on this machine's folders."""
        text = INSTALLER.read_text("utf-8").replace("/boot/firmware/", f"{self.root}/boot/")
        text = text.replace("/etc/os-release", f"{self.root}/os-release")
        text = text.replace("/var/lib/dpkg/updates", f"{self.root}/updates")
        text = text.replace("/etc/companion/", f"{self.root}/etc/")
        text = text.replace("/usr/lib/companion/current/bin/python", f"{self.root}/bin/board")
        given = {name: value for name, value in os.environ.items() if name != "SUDO_USER"}
        return subprocess.run(
            ["/bin/bash", "-c", text, str(INSTALLER), *map(str, arguments)],
            check=False,
            capture_output=True,
            text=True,
            env={**given, "PATH": f"{self.root}/bin:{os.environ['PATH']}"},
        )

    def said(self) -> list[str]:
        """Return the logged calls that change something."""
        lines = self.noted.read_text("utf-8").splitlines() if self.noted.exists() else []
        return [line for line in lines if "--simulate" not in line]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_of_a_folder_the_newest_package_for_this_machine_is_installed(machine: Machine) -> None:
    folder = machine.packages(NEW, OLD, OTHER)
    found = machine.install(folder, "--bus", "400")
    assert found.returncode == 0, found.stderr
    (line,) = machine.said()
    assert line.startswith("apt-get -qq -y ")
    assert line.endswith(f"install --reinstall --allow-downgrades {folder / NEW}")


def test_a_file_is_taken_as_it_is(machine: Machine) -> None:
    file = machine.packages(OTHER) / OTHER
    assert machine.install(file).returncode == 0
    assert machine.said()[-1].endswith(f" {file}")


def test_without_a_package_that_of_these_sources_is_built_for_this_machine(
    machine: Machine,
) -> None:
    found = machine.install()
    assert found.returncode == 0, found.stderr
    built, installed = machine.said()
    assert f"{INSTALLER.parent}/deb/build.py" in built
    assert built.endswith("--suite bookworm --arch arm64")
    assert installed.endswith(f"/{NEW}")
    assert not Path(installed.rpartition(" ")[2]).parent.exists()


def test_what_can_not_be_built_changes_nothing(machine: Machine) -> None:
    machine.builds("exit 1")
    found = machine.install()
    assert found.returncode == 1
    assert "Companion was not installed or updated" in found.stderr
    assert machine.said() == []
    assert machine.config.read_text("utf-8") == CONFIG


def test_a_folder_without_a_package_for_this_machine_is_told(machine: Machine) -> None:
    found = machine.install(machine.packages(OTHER))
    assert found.returncode == 1
    assert "there is no companion_*+deb12_arm64.deb" in found.stderr
    assert machine.said() == []


@pytest.mark.parametrize(
    ("name", "number", "arch"), [("sid", "", "arm64"), ("trixie", "13", "armhf")]
)
def test_a_machine_that_no_package_is_for_is_told(
    machine: Machine, name: str, number: str, arch: str
) -> None:
    machine.debian(name, number)
    machine.program("dpkg", f"echo {arch}")
    found = machine.install(machine.packages(NEW))
    assert found.returncode == 1
    assert f"this is Debian {name} for {arch}" in found.stderr
    assert machine.said() == []


def test_what_apt_does_not_install_is_no_success(machine: Machine) -> None:
    machine.program("apt-get", "exit 100")
    found = machine.install(machine.packages(NEW))
    assert found.returncode == 1
    assert "it continues to run" in found.stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize("left", ["unpacked", "half-configured", "half-installed"])
def test_a_version_that_is_half_there_is_dpkgs_to_install_again(
    machine: Machine, left: str
) -> None:
    machine.program("dpkg-query", f"echo {left}")
    file = machine.packages(NEW) / NEW
    assert machine.install(file).returncode == 0
    assert machine.said() == [f"dpkg --install {file}"]


def test_an_update_that_lost_its_power_is_ended_first(machine: Machine) -> None:
    (machine.root / "updates" / "0001").touch()
    assert machine.install(machine.packages(NEW)).returncode == 0
    assert machine.said()[0] == "dpkg --configure -a"


@pytest.mark.long
def test_the_bus_is_switched_on_once_and_at_the_speed_that_was_asked_for(machine: Machine) -> None:
    folder = machine.packages(NEW)
    assert "sudo reboot" in machine.install(folder, "--bus", "400").stdout
    lines = machine.config.read_text("utf-8").splitlines()
    assert lines.count("dtparam=i2c_arm=on") == 1
    assert lines.count("dtparam=i2c_arm_baudrate=400000") == 1
    assert "sudo reboot" not in machine.install(folder).stdout
    assert machine.config.read_text("utf-8").splitlines() == lines
    machine.install(folder, "--bus", "100")
    assert "dtparam=i2c_arm_baudrate=100000" in machine.config.read_text("utf-8").splitlines()
    assert machine.config.with_name("config.txt.before-companion").read_text("utf-8") == CONFIG


@pytest.mark.long
def test_a_board_on_spi_has_its_bus_switched_on_once_and_no_other(machine: Machine) -> None:
    machine.program("board", "echo spi")
    folder = machine.packages(NEW)
    for _ in range(2):
        assert machine.install(folder, "--board", "pirate-audio").returncode == 0
    lines = machine.config.read_text("utf-8").splitlines()
    assert lines.count("dtparam=spi=on") == 1
    assert not any(line.startswith("dtparam=i2c") for line in lines)
    assert (machine.root / "etc" / "board.toml").read_text("utf-8") == 'like = "pirate-audio"\n'


def test_a_board_of_the_owners_own_stays(machine: Machine) -> None:
    own = machine.root / "etc" / "board.toml"
    own.parent.mkdir()
    own.write_text("[buttons]\n", "utf-8")
    found = machine.install(machine.packages(NEW), "--board", "pirate-audio")
    assert "stays as it is" in found.stdout
    assert own.read_text("utf-8") == "[buttons]\n"


def test_a_board_that_is_not_known_is_told_with_those_that_are(machine: Machine) -> None:
    found = machine.install(machine.packages(NEW), "--board", "pirate")
    assert found.returncode == 1
    assert "there is no board 'pirate'" in found.stderr
    assert "pirate-audio" in found.stderr
    assert machine.said() == []


def test_taking_it_away_is_apts_and_games_go_only_when_told(machine: Machine) -> None:
    assert machine.install("--uninstall").returncode == 0
    assert machine.install("--uninstall", "--forget-games").returncode == 0
    removed, told, purged = machine.said()
    assert removed.endswith("remove companion")
    assert told == "debconf companion companion/forget-games boolean true"
    assert purged.endswith("purge companion")
