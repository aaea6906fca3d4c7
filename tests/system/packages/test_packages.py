"""Tests of all four Debian packages; the package for arm64 runs under an emulator."""

from __future__ import annotations

import os
import shutil
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from systemd.deb import build
from tests.system.packages import debs
from tests.system.packages.commands import BOT, both, run
from tests.system.packages.roots import foreign, over

HOME: Final = build.INSTALL_FOLDER
ALL: Final = pytest.mark.parametrize(
    ("suite", "arch"), [*product(build.SUITES, build.ARCHITECTURES)]
)


def test_two_builds_of_a_commit_are_the_same_bytes(tmp_path: Path) -> None:
    suite = next(iter(build.SUITES))
    assert debs.built(tmp_path, suite).read_bytes() == debs.ready(tmp_path, suite).read_bytes()


@ALL
def test_lintian_finds_no_error_and_no_warning(suite: str, arch: str, tmp_path: Path) -> None:
    if shutil.which("lintian") is None:
        pytest.skip("no lintian: apt install lintian")
    package = debs.ready(tmp_path, suite, arch)
    status, said = both("lintian", "--allow-root", "--fail-on", "error,warning", package)
    assert status == 0, said


@ALL
def test_a_package_is_at_most_fifteen_megabytes(suite: str, arch: str, tmp_path: Path) -> None:
    assert debs.ready(tmp_path, suite, arch).stat().st_size < 15_000_000


@pytest.mark.parametrize("suite", build.SUITES)
def test_the_package_for_arm64_plays_a_whole_game_under_an_emulator(
    suite: str, tmp_path: Path
) -> None:
    """The package is unpacked but not installed: qemu runs the program, and no script of dpkg."""
    qemu = shutil.which("qemu-aarch64-static")
    if os.geteuid() != 0 or qemu is None or shutil.which("mmdebstrap") is None:
        pytest.skip("not root, or not there: apt install mmdebstrap qemu-user-static")
    package = debs.ready(tmp_path, suite, "arm64")
    with over(tmp_path / "layers", foreign(suite)) as machine:
        run("dpkg-deb", "--extract", package, machine.folder)
        shutil.copy(qemu, machine.folder / "usr" / "bin")
        (tree,) = (machine.folder / HOME[1:]).iterdir()
        (machine.folder / HOME[1:] / "current").symlink_to(tree.name)
        python = f"{HOME}/current/bin/python"
        command = ["chroot", f"{machine.folder}", "/usr/bin/qemu-aarch64-static", python]
        load = "import pygame.mixer, PIL.ImageDraw, gpiod, cbor2, tornado.speedups"
        run(*command, "-c", load)
        companion = [*command, f"{HOME}/current/bin/companion"]
        assert tree.name in run(*companion, "--version")
        bot = BOT.replace('["companion",', f"[*{companion!r},")
        assert "won" in run("python3", "-c", bot)
