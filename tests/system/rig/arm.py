"""A Debian for arm64 on an emulated board with a Pi's processor, but without its other parts."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.system.packages.commands import BOT
from tests.system.rig.guest import CACHE

KERNEL: Final = "linux-image-arm64"
"""The kernel's package, without which this Debian does not start."""
SMALL: Final = (
    "mkdir -p $1/etc/initramfs-tools/conf.d $1/usr/share/initramfs-tools/modules.d; "
    "echo MODULES=list >$1/etc/initramfs-tools/conf.d/rig; "
    "printf 'virtio_blk\\next4\\n' >$1/usr/share/initramfs-tools/modules.d/rig"
)
"""A hook before the kernel's installation: an initramfs of all modules takes half an hour."""
HOUR: Final = 3600.0
"""Time limit of the machine (s); it takes six minutes on a busy host."""
UNIT: Final = """\
[Unit]
After=multi-user.target

[Service]
Type=oneshot
ExecStart=/root/tried

[Install]
WantedBy=multi-user.target
"""
TRIED: Final = """\
#!/bin/sh
exec >/dev/console 2>&1
echo "multi-user: $(uname -m), $(cut -d' ' -f1 /proc/uptime) s"
companion --version
companion doctor </dev/null
python3 /root/bot.py
echo "ended: $?"
systemctl poweroff
"""
"""The program at the end of the start; its output appears on the console."""


def prepare(root: Path) -> None:
    """Make a Debian run the program after its start."""
    (root / "etc/fstab").write_text("LABEL=root / ext4 defaults,noatime 0 1\n", "utf-8")
    (root / "etc/systemd/system/tried.service").write_text(UNIT, "utf-8")
    (root / "root/bot.py").write_text(BOT, "utf-8")
    (root / "root/tried").write_text(TRIED, "utf-8")
    (root / "root/tried").chmod(0o755)
    subprocess.run(["/bin/systemctl", f"--root={root}", "enable", "tried.service"], check=True)


def machine(root: Path, disk: Path, log: Path) -> list[str]:
    """Return the emulator's command line: its own kernel and initramfs, 1 GB, two cores."""
    (kernel,) = (root / "boot").glob("vmlinuz-*")
    (initrd,) = (root / "boot").glob("initrd.img-*")
    return [
        "qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "1024",
        "-accel", "tcg,thread=multi", "-display", "none", "-nic", "none", "-no-reboot",
        "-kernel", str(kernel), "-initrd", str(initrd),
        "-append", "console=ttyAMA0 root=LABEL=root quiet systemd.show_status=0 audit=0",
        "-drive", f"file={disk},if=none,id=card,format=raw", "-device", "virtio-blk-pci,drive=card",
        "-device", "virtio-rng-pci", "-serial", f"file:{log}",
    ]  # fmt: skip


def started(tar: Path) -> str:
    """Start the machine; return the console's output until it has switched itself off."""
    with TemporaryDirectory(dir=CACHE) as folder:
        root, disk, log = (Path(folder, name) for name in ("root", "disk", "log"))
        root.mkdir()
        unpack = ["tar", "-C", str(root), "-xf", str(tar)]
        subprocess.run(unpack, check=True)
        prepare(root)
        with disk.open("wb") as file:
            file.truncate(4 * 2**30)
        subprocess.run(
            ["/sbin/mke2fs", "-q", "-t", "ext4", "-L", "root", "-d", root, disk], check=True
        )
        subprocess.run(machine(root, disk, log), check=True, timeout=HOUR)
        return log.read_text("utf-8", errors="replace")
