"""Build a Debian with the card's layers for this machine, and start it on the rig.

    RIG_CACHE=FOLDER python -m tests.system.rig.image [--read-only] dist/companion_*+deb13_amd64.deb

FOLDER is a separate cache. mmdebstrap executes the layers of systemd/image unchanged, except the
processor's name; before them it makes the firmware's folder, which only a Raspberry Pi has. A
package for arm64 makes a Debian for arm64 under qemu-user (arch-test, an hour). That Debian starts
on a board of qemu-system-arm without pins, and plays a game with itself.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import yaml

from tests.system.rig import arm
from tests.system.rig.bench import Bench
from tests.system.rig.box import SLOW, first_screen
from tests.system.rig.guest import CACHE, HERE, Guest, build, wait_until
from tests.system.rig.sealing import partitioned, proved

IMAGE: Final = HERE.parents[2] / "systemd" / "image"
LAYERS: Final = ("companion", "companion-read-only")
"""The layer of every image, and the optional layer."""
SUITE: Final = "trixie"
OURS: Final = "amd64"
"""The rig's processor."""
PACKAGES: Final = HERE / "packages.txt"
SSH: Final = 'chroot "$1" systemctl is-enabled ssh.service && exit 1; '
"""Check that the layer has switched ssh off. The rig's shell needs ssh."""


def layer(name: str) -> dict[str, Any]:
    """Return a layer's arguments for mmdebstrap: packages and shell hooks."""
    text = (IMAGE / "layer" / f"{name}.yaml").read_text("utf-8")
    found: dict[str, Any] = yaml.safe_load(text)["mmdebstrap"]
    return found


def hooks(arch: str, names: tuple[str, ...]) -> list[str]:
    """Return the hooks of the layers for a processor, between the hooks of the rig."""
    asked = [hook for name in names for hook in layer(name)["customize-hooks"]]
    ours = [hook.replace("_arm64.deb", f"_{arch}.deb") for hook in asked]
    after = f'{SSH}chroot "$1" systemctl enable ssh.service'
    made = [f"--customize-hook={hook}" for hook in (*ours, after)]
    before = ["mkdir -p $1/boot/firmware", *([] if arch == OURS else [arm.SMALL])]
    return [*(f"--essential-hook={hook}" for hook in before), *made]


def debian(package: Path, arch: str, target: Path, names: tuple[str, ...], *more: str) -> None:
    """Build a Debian with the layers and more packages, as a folder or a tar archive."""
    asked = [package for name in names for package in layer(name)["packages"]]
    include = ",".join((*PACKAGES.read_text("utf-8").split(), *asked, *more))
    with TemporaryDirectory() as source:
        shutil.copy(package, source)
        command = ["mmdebstrap", "--variant=minbase", f"--arch={arch}", *hooks(arch, names)]
        subprocess.run(
            [*command, f"--include={include}", SUITE, str(target)],
            check=True,
            env={**os.environ, "SRCROOT": source},
        )


def main() -> None:
    """Build the image, start it on the rig, and wait until the box runs."""
    parser = argparse.ArgumentParser(prog="tests.system.rig.image")
    parser.add_argument("package", type=Path)
    parser.add_argument("--read-only", action="store_true", help="with the option, and its proof")
    asked = parser.parse_args()
    names = LAYERS if asked.read_only else LAYERS[:1]
    arch = asked.package.stem.rpartition("_")[2]
    CACHE.mkdir(parents=True, exist_ok=True)
    if arch != OURS:
        target = CACHE / f"{arch}.tar"
        debian(asked.package, arch, target, names, arm.KERNEL)
        said = arm.started(target)
        sys.stdout.write(said)
        assert "\nended: 0" in said.replace("\r", "")
        return
    os.environ["RIG_SUITE"] = SUITE
    system = CACHE / "system.tar"
    for old in (system, CACHE / "root.img"):
        old.unlink(missing_ok=True)
    debian(asked.package, arch, system, names)
    digest = hashlib.sha256(PACKAGES.read_bytes()).hexdigest()
    system.with_suffix(".tar.made-of").write_text(f"{digest}  {PACKAGES.name}\n", "utf-8")
    build()
    guest = Guest("card", port=2223)
    if asked.read_only:
        guest.image = partitioned(guest.image)
    guest.start(fresh=True)
    with TemporaryDirectory() as folder:
        bench = Bench(guest, Path(folder))
        assert bench.box.shows(first_screen(), 3 * SLOW), bench.box.look()
        assert wait_until(bench.box.runs, SLOW)
        if asked.read_only:
            proved(bench, asked.package)
        sys.stdout.write(guest.both("companion doctor </dev/null")[1])
    guest.stop()


if __name__ == "__main__":
    main()
