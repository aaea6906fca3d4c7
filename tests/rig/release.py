"""A release of these very sources: its wheel, the wheels that it needs, its archive."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.rig.guest import CACHE

if TYPE_CHECKING:
    from tests.rig.bench import Bench

ROOT: Final = Path(__file__).resolve().parents[2]
PINNED: Final = ROOT / "systemd" / "requirements.txt"
WHEELS: Final = "/root/wheels"
RELEASE: Final = "/root/companion"
INSTALL: Final = f"{RELEASE}/systemd/install.sh"
INSTALLED: Final = "/root/installed"
"""Which wheel the installer has put in: its checksum."""
PLATFORMS: Final = ("manylinux_2_34_x86_64", "manylinux_2_28_x86_64", "manylinux2014_x86_64")


def pip(*arguments: str | Path) -> None:
    """Run this environment's pip."""
    subprocess.run([sys.executable, "-m", "pip", "-qq", *map(str, arguments)], check=True)


def wheel(folder: Path) -> Path:
    """Our own wheel, as a release has it."""
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT)
    return next(folder.glob("tabletop_companion-*.whl"))


def wheels(bench: Bench) -> Path:
    """A folder with our own wheel and all that it needs on the guest's Python; made once a run."""
    if bench.wheels is not None:
        return bench.wheels
    version = bench.guest.run("python3 -c 'import sys; print(*sys.version_info[:2], sep=\"\")'")
    key = hashlib.sha256(PINNED.read_bytes()).hexdigest()[:12]
    kept = CACHE / f"box-{version}-{key}"
    ours = wheel(bench.new_folder())
    if not kept.exists():
        part = kept.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        platforms = [word for name in PLATFORMS for word in ("--platform", name)]
        only = ("--only-binary", ":all:", "--python-version", version, *platforms)
        pip("download", "--dest", part, *only, "--require-hashes", "--requirement", PINNED)
        part.rename(kept)
    for old in kept.glob("tabletop_companion-*.whl"):
        old.unlink()
    shutil.copy(ours, kept)
    bench.wheels = kept
    return kept


def archive(folder: Path) -> Path:
    """A release's archive, unpacked."""
    build = [sys.executable, "-m", "hatchling", "build", "--target", "sdist"]
    subprocess.run([*build, "--directory", folder], check=True, cwd=ROOT, capture_output=True)
    shutil.unpack_archive(next(folder.glob("*.tar.gz")), folder)
    return next(path for path in folder.iterdir() if path.is_dir())


def unpack_release(bench: Bench) -> None:
    """Put a release's folder into the guest."""
    bench.guest.push(archive(bench.new_folder()), RELEASE)


def install(bench: Bench) -> tuple[int, str]:
    """Run the installer of a release of these sources; its exit status, and what it said."""
    unpack_release(bench)
    bench.guest.push(wheels(bench), WHEELS)
    status, said = bench.guest.both(f"{INSTALL} --wheels {WHEELS} --bus 400")
    if status == 0:
        bench.guest.run(f"echo {_checksum(bench)} > {INSTALLED}")
    return status, said


def is_installed(bench: Bench) -> bool:
    """Whether the guest has a box of these very sources."""
    found = f"test -e /opt/companion/venv && grep -qx {_checksum(bench)} {INSTALLED}"
    return bench.guest.status(found) == 0


def _checksum(bench: Bench) -> str:
    ours = next(wheels(bench).glob("tabletop_companion-*.whl"))
    return hashlib.sha256(ours.read_bytes()).hexdigest()


def broken(ours: Path, module: str) -> None:
    """Make a wheel with a module that ends the program when it is imported."""
    with zipfile.ZipFile(ours) as old:
        files = {info: old.read(info) for info in old.infolist()}
        assert module in old.namelist(), f"{module} is not in the wheel"
    with zipfile.ZipFile(ours, "w", zipfile.ZIP_DEFLATED) as new:
        for info, content in files.items():
            ending = b"\nraise SystemExit('broken on purpose')\n"
            is_it = info.filename == module
            new.writestr(info, content + ending if is_it else content)
