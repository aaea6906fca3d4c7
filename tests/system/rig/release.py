"""The package of these sources, built outside of the guest, which has no network."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from systemd.deb import build
from tests.system.packages.debs import other
from tests.system.rig.bench import Bench

ROOT: Final = Path(__file__).resolve().parents[3]
RELEASE: Final = "/root/companion"
INSTALL: Final = f"{RELEASE}/systemd/install.sh"
PACKAGE: Final = "/root/companion.deb"
OTHER: Final = "/root/other.deb"
HOME: Final = build.INSTALL_FOLDER
CURRENT: Final = f"{HOME}/current"
PYTHON: Final = f"{CURRENT}/bin/python"
INSTALLED: Final = "/root/installed"
"""The file with the checksum of the installed package."""


def package(bench: Bench) -> Path:
    """Return the package of these sources for the guest's Debian; it is built once."""
    if bench.package is None:
        suite = bench.guest.run(". /etc/os-release; echo $VERSION_CODENAME")
        make = [sys.executable, ROOT / "systemd/deb/build.py", bench.new_folder()]
        done = subprocess.run(
            [*map(str, make), "--suite", suite, "--arch", "amd64"],
            check=True,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        bench.package = Path(done.stdout.splitlines()[-1])
    return bench.package


def archive(folder: Path) -> Path:
    """Return the folder of an unpacked release archive."""
    make = [sys.executable, "-m", "hatchling", "build", "--target", "sdist"]
    subprocess.run([*make, "--directory", folder], check=True, cwd=ROOT, capture_output=True)
    shutil.unpack_archive(next(folder.glob("*.tar.gz")), folder)
    return next(path for path in folder.iterdir() if path.is_dir())


def unpack_release(bench: Bench) -> None:
    """Copy a release's folder into the guest."""
    bench.guest.push(archive(bench.new_folder()), RELEASE)


def install(bench: Bench) -> tuple[int, str]:
    """Run the installer of these sources; return its exit status and output."""
    unpack_release(bench)
    bench.guest.push(package(bench), PACKAGE)
    status, said = bench.guest.both(f"{INSTALL} {PACKAGE} --bus 400")
    if status == 0:
        bench.guest.run(f"echo {_checksum(bench)} > {INSTALLED}")
    return status, said


def is_installed(bench: Bench) -> bool:
    """Return True if the guest has a box of these sources."""
    found = f"test -e {CURRENT}/bin/companion && grep -qx {_checksum(bench)} {INSTALLED}"
    return bench.guest.status(found) == 0


def give_other(bench: Bench, version: str, broken: str | None = None) -> None:
    """Copy a package of another version into the guest; `broken`: a module that fails."""
    folder = bench.new_folder()
    folder.mkdir()
    bench.guest.push(other(package(bench), version, folder, broken=broken), OTHER)


def version(bench: Bench) -> str:
    """Return the folder of the version that the next start runs, or `before`."""
    return bench.guest.run(f"readlink {CURRENT}")


def _checksum(bench: Bench) -> str:
    return hashlib.sha256(package(bench).read_bytes()).hexdigest()
