"""Fresh Debians for installations, made once and then only read.

`PACKAGES_CACHE` is their folder (default: ~/.cache/companion-packages).
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.system.packages.commands import both, run

CACHE: Final = Path(os.environ.get("PACKAGES_CACHE") or Path.home() / ".cache/companion-packages")
NEEDED: Final = (
    "alsa-utils,apt-utils,debconf,espeak-ng,passwd,polkitd,python3,systemd,udev,"
    "wamerican,wbritish,wfrench"
)
"""The package's dependencies in Debian itself, without libraries."""
GLIB: Final = {"bookworm": "libglib2.0-0", "trixie": "libglib2.0-0t64"}
LISTED: Final = ("etc", "opt", "usr", "var/lib/companion", "var/cache/companion", "var/lib/systemd")


def kept(suite: str, how: tuple[str, ...], finish: Callable[[Path], object]) -> Path:
    """Return mmdebstrap's root of a suite, finished by `finish` when it is made first."""
    made = CACHE / f"{suite}-{hashlib.sha256(repr(how).encode()).hexdigest()[:8]}"
    if not made.exists():
        part = made.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        CACHE.mkdir(parents=True, exist_ok=True)
        run("mmdebstrap", *how, suite, part, "http://deb.debian.org/debian")
        finish(part)
        part.rename(made)
    return made


def root(suite: str) -> Path:
    """Return a new Debian with the package's dependencies."""
    how = ("--variant=apt", f"--include={NEEDED},{GLIB[suite]}")
    return kept(suite, how, lambda made: (made / "etc/apt/sources.list").write_text(""))


def foreign(suite: str) -> Path:
    """Return an unpacked Debian for arm64 with a Python's dependencies."""
    include = f"--include=python3,libstdc++6,zlib1g,{GLIB[suite]}"
    return kept(suite, ("--variant=extract", "--arch=arm64", "--mode=root", include), _link)


def _link(made: Path) -> None:
    for name in ("bin", "lib", "sbin"):
        if not (made / name).exists():  # because no script of dpkg has run
            (made / name).symlink_to(f"usr/{name}")


class Machine:
    """A Debian in writable layers over a read-only one. systemd does not run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def both(self, script: str, **environment: str) -> tuple[int, str]:
        """Return the exit status and output of a shell script run by root."""
        said = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8", **environment}
        given = [f"{name}={value}" for name, value in said.items()]
        begin = f'mount -t proc proc "{self.folder}/proc" && exec chroot "{self.folder}" "$@"'
        path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
        inside = ("/usr/bin/env", "-i", path, *given, "/bin/bash", "-euc", script)
        return both("unshare", "--mount", "--pid", "--fork", "sh", "-c", begin, "sh", *inside)

    def do(self, script: str, **environment: str) -> str:
        """Return the output of a shell script run by root, which must succeed."""
        status, said = self.both(script, **environment)
        assert status == 0, said
        return said

    def files(self) -> set[str]:
        """Return all files in places where a package could leave one."""
        found = self.do(f"cd /; find {' '.join(LISTED)} 2>/dev/null || true")
        return {line for line in found.splitlines() if not line.startswith("etc/apt")}


@contextmanager
def over(folder: Path, *below: Path) -> Iterator[Machine]:
    """Yield a machine over other layers, the uppermost first; it writes into `folder`/upper."""
    upper, work, merged = (folder / name for name in ("upper", "work", "merged"))
    for path in (upper, work, merged):
        path.mkdir(parents=True)
    lower = ":".join(map(str, below))
    layers = f"lowerdir={lower},upperdir={upper},workdir={work}"
    run("mount", "-t", "overlay", "overlay", "-o", layers, merged)
    try:
        yield Machine(merged)
    finally:
        run("umount", "--lazy", merged)
