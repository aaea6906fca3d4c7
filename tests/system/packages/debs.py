"""Packages and repositories for tests: the package of these sources and variants of it."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from pathlib import Path
from typing import Final

from systemd.deb import build
from tests.system.packages.commands import ROOT, run
from tests.system.packages.conftest import REQUEST_VARIABLE

DEB: Final = ROOT / "systemd" / "deb"
ARCH: Final = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
KEY: Final = "packages@companion.test"
BROKEN: Final = "raise SystemExit('broken on purpose')\n"


def ready(folder: Path, suite: str, arch: str = ARCH) -> Path:
    """Return the package of these sources that `make deb` has built, or a new one."""
    number = build.SUITES[suite].number
    found = [*Path(os.environ[REQUEST_VARIABLE]).glob(f"companion_*+deb{number}_{arch}.deb")]
    return (
        max(found, key=lambda path: path.stat().st_mtime) if found else built(folder, suite, arch)
    )


def built(folder: Path, suite: str, arch: str = ARCH) -> Path:
    """Build and return the package of these sources."""
    said = run(sys.executable, DEB / "build.py", folder, "--suite", suite, "--arch", arch)
    return Path(said.splitlines()[-1])


def other(package: Path, version: str, folder: Path, *, broken: str | None = None) -> Path:
    """Return the package with another version; `broken`: a module that ends the program."""
    scratch = folder / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    run("dpkg-deb", "--raw-extract", package, scratch)
    home = scratch / "usr" / "lib" / "companion"
    (tree,) = home.iterdir()
    for file in (scratch / "DEBIAN").iterdir():
        text = file.read_text("utf-8")
        text = re.sub(r"^(Version: ).*(\+deb\d+)$", rf"\g<1>{version}\2", text, flags=re.MULTILINE)
        file.write_text(text.replace(tree.name, version), "utf-8")
    tree = tree.rename(home / version)
    if broken is not None:
        (module,) = tree.glob(f"lib/python3.*/site-packages/{broken}")
        module.write_text(BROKEN, "utf-8")
    suite = re.findall(r"\+deb\d+", package.name)[0]
    made = folder / f"companion_{version}{suite}_{ARCH}.deb"
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", scratch, made)
    shutil.rmtree(scratch)
    return made


def repository(folder: Path, *packages: Path) -> None:
    """Add packages to a signed repository; make its key if necessary."""
    home = folder / "gnupg"
    with_key = ("env", f"GNUPGHOME={home}")
    if not home.exists():
        home.mkdir(mode=0o700)
        made = ("--quick-generate-key", KEY, "ed25519", "sign", "never")
        run(*with_key, "gpg", "--batch", "--quiet", "--passphrase", "", *made)
    run(*with_key, DEB / "repository.sh", folder / "apt", KEY, *packages)
