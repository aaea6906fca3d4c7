"""The card's layer on a Debian for this machine: built by mmdebstrap, and started on the rig.

    RIG_CACHE=FOLDER python -m tests.rig.image dist/companion_*+deb13_amd64.deb

FOLDER is a cache of its own. What systemd/image tells rpi-image-gen is done as it stands there, but
for the name of the processor; what only a Raspberry Pi has, its firmware's folder, is made before.
Of a package for another processor than the rig's the Debian is made, and not started: its programs
run under qemu-user, which needs arch-test and an hour.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import yaml

from tests.rig.box import SLOW, Box, first_screen
from tests.rig.guest import CACHE, HERE, Guest, build, until

IMAGE: Final = HERE.parents[1] / "systemd" / "image"
SUITE: Final = "trixie"
OURS: Final = "amd64"
"""The rig's processor."""
PACKAGES: Final = HERE / "packages.txt"
SSH: Final = 'chroot "$1" systemctl is-enabled ssh.service && exit 1; '
"""It is off, as the layer says; the rig's shell needs it on."""


def layer() -> dict[str, Any]:
    """What the layer asks of mmdebstrap: packages, and hooks in the shell."""
    text = (IMAGE / "layer" / "companion.yaml").read_text("utf-8")
    found: dict[str, Any] = yaml.safe_load(text)["mmdebstrap"]
    return found


def hooks(arch: str) -> list[str]:
    """Those of the layer for a kind of processor, between what the rig needs."""
    ours = [hook.replace("_arm64.deb", f"_{arch}.deb") for hook in layer()["customize-hooks"]]
    after = f'{SSH}chroot "$1" systemctl enable ssh.service'
    made = [f"--customize-hook={hook}" for hook in (*ours, after)]
    return ["--essential-hook=mkdir -p $1/boot/firmware", *made]


def debian(package: Path, arch: str, target: Path) -> None:
    """Make the Debian with the layer: a folder, or a tar of it."""
    names = [*PACKAGES.read_text("utf-8").split(), *layer()["packages"]]
    with TemporaryDirectory() as source:
        shutil.copy(package, source)
        command = ["mmdebstrap", "--variant=minbase", f"--arch={arch}", *hooks(arch)]
        subprocess.run(
            [*command, f"--include={','.join(names)}", SUITE, str(target)],
            check=True,
            env={**os.environ, "SRCROOT": source},
        )


def main() -> None:
    """Build it, start it on the rig, and wait until the box is there by itself."""
    package = Path(sys.argv[1])
    arch = package.stem.rpartition("_")[2]
    if arch != OURS:
        CACHE.mkdir(parents=True, exist_ok=True)
        debian(package, arch, CACHE / f"{arch}.tar")
        return
    os.environ["RIG_SUITE"] = SUITE
    CACHE.mkdir(parents=True, exist_ok=True)
    system = CACHE / "system.tar"
    system.unlink(missing_ok=True)
    debian(package, arch, system)
    digest = hashlib.sha256(PACKAGES.read_bytes()).hexdigest()
    system.with_suffix(".tar.made-of").write_text(f"{digest}  {PACKAGES.name}\n", "utf-8")
    build()
    guest = Guest("card", port=2223)
    guest.start(fresh=True)
    box = Box(guest)
    assert box.shows(first_screen(), 3 * SLOW), box.look()
    assert until(box.runs, SLOW)
    sys.stdout.write(guest.both("companion doctor </dev/null")[1])
    guest.stop()


if __name__ == "__main__":
    main()
