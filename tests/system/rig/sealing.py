"""Checks of a read-only system: power cuts, and updates by companion-root."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path
from typing import Final

from tests.system.rig.bench import Bench
from tests.system.rig.box import SLOW
from tests.system.rig.cutting import kept, starts
from tests.system.rig.guest import wait_until
from tests.system.rig.needs import begin

MIB: Final = 2**20
START: Final = 1
"""MiB before the system on a card."""
ROOM: Final = 1100
"""Free MiB behind the system, for the partition of 1 GiB that is never lost."""
SYSTEM: Final = "/dev/vda1"
INITRD: Final = "/boot/initrd.img"
SWITCH: Final = "/etc/overlayroot.local.conf"
LOST_FILES: Final = ("/etc/lost", "/usr/lib/lost", "/root/lost")
"""Files that are written while the system is read-only, and must be lost."""


def partitioned(system: Path) -> Path:
    """Return a card's image with a file system in its partition, and free space behind it."""
    card = system.with_name("card.img")
    size = system.stat().st_size // MIB
    card.unlink(missing_ok=True)
    with card.open("wb") as file:
        file.truncate((START + size + ROOM) * MIB)
    layout = f"start={START}MiB, size={size}MiB, type=83\n"
    subprocess.run(["/sbin/sfdisk", "--quiet", card], input=layout, text=True, check=True)
    into = (f"of={card}", f"seek={START}", "bs=1M", "conv=notrunc,sparse", "status=none")
    copy = ["dd", f"if={system}", *into]
    subprocess.run(copy, check=True)
    return card


def digest(bench: Bench) -> str:
    """Return the checksum of the system's partition while the guest is off."""
    size = bench.guest.image.stat().st_size // MIB - START - ROOM
    disk, raw = bench.guest.folder / "disk.qcow2", bench.guest.folder / "system.raw"
    part = ("bs=1M", f"skip={START}", f"count={START + size}", f"if={disk}", f"of={raw}")
    copy = ["qemu-img", "dd", "-O", "raw", *part]
    subprocess.run(copy, check=True)
    with raw.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    raw.unlink()
    return found


def restart(bench: Bench) -> None:
    bench.guest.stop()
    bench.guest.start()
    bench.box.power_on()
    starts(bench)


def is_read_only(bench: Bench) -> bool:
    """Return True if the system is read-only and its partition is unchanged since the start."""
    if bench.guest.run("findmnt -n -o SOURCE /") != "overlayroot":
        return False
    written = bench.guest.run(f"cat /sys/class/block/{SYSTEM.rpartition('/')[2]}/stat").split()[4]
    assert written == "0", f"{written} writes"
    return True


def sealed(bench: Bench) -> None:
    """Make the guest start from Debian's own initramfs, as a Pi does."""
    assert wait_until(lambda: bench.guest.status(f"test -e {SWITCH}") == 0, 3 * SLOW)
    bench.guest.run(f"mkinitramfs -o {INITRD}")
    bench.guest.initrd = bench.guest.folder / "initrd.img"
    bench.guest.pull(INITRD, bench.guest.initrd)


def a_pulled_plug_hurts_nothing(bench: Bench) -> None:
    """After a power cut the system's partition is unchanged, and only the game is saved."""
    bench.guest.stop()
    before = digest(bench)
    bench.guest.start()
    bench.box.power_on()
    starts(bench)
    assert is_read_only(bench)
    begin(bench)
    played = kept(bench.box.record(bench.new_folder()))
    bench.guest.run(f"touch {' '.join(LOST_FILES)}; sync; test -e {LOST_FILES[0]}")
    assert is_read_only(bench)
    bench.guest.cut()
    assert digest(bench) == before
    bench.guest.start()
    bench.box.power_on()
    starts(bench)
    assert is_read_only(bench)
    assert kept(bench.box.record(bench.new_folder())) == played
    for path in LOST_FILES:
        assert bench.guest.status(f"test -e {path}"), path


def an_update_needs_a_writable_system(bench: Bench, package: Path) -> None:
    """dpkg refuses while the system is read-only; then an update keeps the game, as on any box."""
    bench.guest.push(package, "/root/new.deb")
    refused, said = bench.guest.both("dpkg --install /root/new.deb")
    assert refused
    assert "companion-root writable" in said
    played = kept(bench.box.record(bench.new_folder()))
    bench.guest.run("companion-root writable")
    restart(bench)
    assert not is_read_only(bench)
    bench.guest.push(package, "/root/new.deb")
    bench.guest.run("dpkg --install /root/new.deb")
    starts(bench)
    bench.guest.run("companion-root read-only")
    restart(bench)
    assert is_read_only(bench)
    assert bench.guest.status("test -e /root/new.deb") == 0
    assert kept(bench.box.record(bench.new_folder())) == played


def a_box_without_its_games_place_does_not_play(bench: Bench) -> None:
    """It would lose its games. The machine runs, and the doctor states the reason."""
    bench.guest.run("e2label /dev/vda2 other; sync")
    bench.guest.stop()
    bench.guest.start()
    bench.box.power_on()
    assert not wait_until(bench.box.runs, 2 * SLOW)  # longer than systemd waits for a disk
    status, said = bench.guest.both("companion doctor </dev/null")
    assert status
    assert "companion-root" in said, said
    bench.guest.run("e2label /dev/vda2 companion")
    restart(bench)


def proved(bench: Bench, package: Path) -> None:
    """Run all checks of this module on a guest after its first start."""
    sealed(bench)
    a_pulled_plug_hurts_nothing(bench)
    assert "OK    disk" in bench.guest.both("companion doctor </dev/null")[1]
    an_update_needs_a_writable_system(bench, package)
    a_box_without_its_games_place_does_not_play(bench)
