"""The simulated Pi: a virtual machine with pins and a display bus that the host controls.

This module does not know the box. Each call to the guest goes through ssh as root. Times of the
guest are nanoseconds since its start.
"""

from __future__ import annotations

import os
import random
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
CACHE: Final = Path(os.environ.get("RIG_CACHE", Path.home() / ".cache/pirig"))
"""The folder of the built files and of the guests' disks."""
DEBUG: Final = "/sys/kernel/debug/pirig"
PACE_FACTOR: Final = 1.5
"""Maximum ratio of the guest's clock to the host's: a start on a busy host misjudges the clock."""
BOOT_TIMEOUT_SECONDS: Final = 300.0
"""Time limit of a start (s); 12 s on an idle host."""
BOUNCY_SWITCH: Final = (9, 4.5)
"""A common switch: the number of edges, and their duration (ms)."""
BAD_SWITCH: Final = (15, 15.0)
"""A bad switch: the number of edges, and their duration (ms)."""


class RigError(Exception):
    """An operation on the guest failed."""


def build() -> None:
    """Build the missing parts of the guest; a complete build takes a minute."""
    subprocess.run([HERE / "build.sh"], check=True)


def wait_until(true: Callable[[], bool], seconds: float, every: float = 0.2) -> bool:
    """Check a condition repeatedly; return False if it does not hold in time."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(every)
    return True


def is_gone(pid: int) -> bool:
    """Return True if a process and all its threads have ended."""
    try:
        if len([*Path(f"/proc/{pid}/task").iterdir()]) > 1:
            return False
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def edges(level: str, other: str, n: int, ms: float, chance: random.Random) -> list[str]:
    """Return `n` (odd) quick edges within `ms` that end at `level`, with their microseconds."""
    parts = [chance.uniform(0.2, 1) for _ in range(n - 1)]
    times = [max(15, int(ms * 1000 * part / sum(parts))) for part in parts] + [0]
    return [f"{level if i % 2 == 0 else other} {us}" for i, us in enumerate(times)]


def presses(
    line: int,
    ms: float,
    n: int = 1,
    gap: float = 100,
    switch: tuple[int, float] = (1, 0),
    seed: int = 0,
) -> str:
    """Return the module's script of `n` presses to ground, `ms` long and `gap` ms apart."""
    chance = random.Random(seed)
    steps = [str(line)]
    for _ in range(n):
        for level, other, rest in (("0", "z", ms), ("z", "0", gap)):
            steps += edges(level, other, *switch, chance)
            steps += [f"- {int((rest - switch[1]) * 1000)}"]
    return " ".join(steps)


def noise(line: int, n: int, ms: float, seed: int) -> str:
    """Return `n` edges within `ms` milliseconds that end at the first level."""
    return f"{line} " + " ".join(edges("z", "0", n + 1, ms, random.Random(seed))[1:])


class Guest:
    """One virtual machine with a disk. Several guests can run, each on its `port`.

    The disk begins as `image`, whose system `initrd` finds by its label.
    """

    def __init__(self, name: str = "state", port: int = 2222) -> None:
        self.folder, self.port = CACHE / name, port
        self.image, self.initrd = CACHE / "root.img", CACHE / "initrd.gz"
        self.folder.mkdir(parents=True, exist_ok=True)

    # --- power ---

    @property
    def pid(self) -> int | None:
        """Return the process id of the running guest; None if it is off."""
        try:
            pid = int((self.folder / "qemu.pid").read_text())
            alive = str(self.folder / "disk.qcow2") in Path(f"/proc/{pid}/cmdline").read_text()
        except (OSError, ValueError):
            return None
        return pid if alive else None

    def start(self, *, fresh: bool = False) -> float:
        """Switch the guest on, `fresh` with a new disk; return the start time (s)."""
        if self.pid:
            raise RigError("It is running already.")
        begun = time.monotonic()
        self._hang_up()
        disk = self.folder / "disk.qcow2"
        if fresh or not disk.exists() or disk.stat().st_ctime < self.image.stat().st_mtime:
            disk.unlink(missing_ok=True)
            create = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b"]
            subprocess.run([*create, str(self.image), str(disk)], check=True)
        subprocess.run(self._machine(disk), check=True)
        self._wait_for_ssh()
        if self.status(f"test -e {DEBUG}/drive"):
            raise RigError("It runs, but its module is not loaded.")
        took = time.monotonic() - begun
        up = float(self.run("cut -d ' ' -f 1 /proc/uptime"))
        if up > PACE_FACTOR * (time.monotonic() - begun):  # the kernel has misjudged its clock
            self.cut()
            return self.start()
        return took

    def _machine(self, disk: Path) -> list[str]:
        kernel = (
            "console=ttyS0 quiet loglevel=4 net.ifnames=0 panic=5 mitigations=off "
            "systemd.show_status=0 tsc=reliable audit=0 root=LABEL=root"
        )
        return [  # with a high priority: a stalled guest seems to lose presses
            "nice", "-n", "-10",
            "qemu-system-x86_64", "-machine", "q35", "-accel", "tcg,thread=multi,tb-size=512",
            "-cpu", "max", "-smp", "2", "-m", "1024", "-nodefaults", "-no-user-config",
            "-display", "none", "-no-reboot", "-kernel", str(CACHE / "vmlinuz"),
            "-initrd", str(self.initrd), "-append", kernel,
            "-drive", f"file={disk},if=virtio,format=qcow2,cache=writeback",
            "-netdev", f"user,id=n0,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:22",
            "-device", "virtio-net-pci,netdev=n0,romfile=", "-device", "virtio-rng-pci",
            "-serial", f"file:{self.folder}/serial.log", "-pidfile", f"{self.folder}/qemu.pid",
            "-daemonize",
        ]  # fmt: skip

    def _wait_for_ssh(self) -> None:
        def greeted() -> bool:
            if not self.pid:
                raise RigError(f"qemu has ended: see {self.folder}/serial.log")
            try:  # qemu accepts connections before the guest listens: wait for the greeting
                with socket.create_connection(("127.0.0.1", self.port), 2) as wire:
                    wire.settimeout(2)
                    return wire.recv(4) == b"SSH-"
            except OSError:
                return False

        if not wait_until(greeted, BOOT_TIMEOUT_SECONDS):
            raise RigError(f"No shell answers: see {self.folder}/serial.log")

    def stop(self) -> None:
        self.status("systemctl poweroff")
        if not self.wait_off(60):
            self.cut()
        self._hang_up()

    def wait_off(self, seconds: float) -> bool:
        """Wait until the guest has switched itself off; return False if it has not."""
        pid = self.pid
        return wait_until(lambda: pid is None or is_gone(pid), seconds)

    def cut(self) -> None:
        """Cut the power: unwritten data is lost."""
        pid = self.pid
        if pid is None:
            raise RigError("It is off.")
        os.kill(pid, signal.SIGKILL)
        if not wait_until(lambda: is_gone(pid), 60):
            raise RigError("qemu does not end.")
        self._hang_up()

    # --- shell ---

    def _ssh(self, command: str) -> list[str]:
        options = (
            "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "ConnectTimeout=30",
            "ServerAliveInterval=15", "ServerAliveCountMax=20",  # a guest stalls on a busy machine
            "ControlMaster=auto", "ControlPersist=yes",
            f"ControlPath={self.folder}/mux",
        )  # fmt: skip
        given = [word for option in options for word in ("-o", option)]
        key = ["-i", str(CACHE / "id"), "-p", str(self.port)]
        return ["ssh", "-q", *key, *given, "root@127.0.0.1", command]

    def _hang_up(self) -> None:
        (self.folder / "mux").unlink(missing_ok=True)

    def status(self, command: str) -> int:
        """Return the exit status of a command."""
        found = subprocess.run(self._ssh(command), check=False, capture_output=True)
        return found.returncode

    def read(self, command: str) -> bytes:
        """Return the standard output of a command as bytes. Raise RigError if it fails."""
        found = subprocess.run(self._ssh(command), check=False, capture_output=True)
        if found.returncode:
            said = (found.stdout + found.stderr).decode(errors="replace").strip()
            raise RigError(f"`{command}` failed ({found.returncode}): {said}")
        return found.stdout

    def run(self, command: str) -> str:
        """Return the output of a command as text without the last newline. Raise RigError."""
        return self.read(command).decode().rstrip("\n")

    def both(self, command: str) -> tuple[int, str]:
        """Return exit status and output of a command, with its errors."""
        found = subprocess.run(self._ssh(f"{command} 2>&1"), check=False, capture_output=True)
        return found.returncode, found.stdout.decode(errors="replace")

    def show(self, command: str) -> int:
        """Run a command with its output on this terminal."""
        return subprocess.run(self._ssh(command), check=False).returncode

    def push(self, source: Path, to: str) -> None:
        """Copy a file or folder into the guest as `to`."""
        source = source.resolve()
        unpack = (
            f"set -e; d=$(mktemp -d); tar -C $d --warning=no-timestamp --no-same-owner -xf -; "
            f"mkdir -p $(dirname {shlex.quote(to)}); cp -aT $d/{shlex.quote(source.name)} "
            f"{shlex.quote(to)}; rm -rf $d"
        )
        pack = ["tar", "-C", str(source.parent), "-cf", "-", source.name]
        with subprocess.Popen(pack, stdout=subprocess.PIPE) as tar:
            subprocess.run(self._ssh(unpack), check=True, stdin=tar.stdout)

    def pull(self, source: str, to: Path) -> None:
        """Copy a file out of the guest."""
        to.write_bytes(self.read(f"cat {shlex.quote(source)}"))

    # --- pins and bus ---

    def set(self, knob: str, value: int) -> None:
        """Set a parameter of the module: `present`, `hz` or `fail`."""
        self.run(f"echo {value} > {DEBUG}/{knob}")

    def drive(self, *scripts: str, wait: bool = True) -> None:
        """Play scripts on their lines at once. If `wait`, return when all have ended."""
        into = f"dd of={DEBUG}/drive bs=256k iflag=fullblock status=none"  # a script is one write
        mark = "" if wait else "&"
        played = [f"echo '{mark}{script}' | {into}" for script in scripts]
        self.run(" & ".join(reversed(played)) + " && wait")

    def line(self, number: int) -> dict[str, str]:
        """Return the module's facts about a line: level, pull, edges, time of the last edge."""
        for text in self.run(f"cat {DEBUG}/lines").splitlines():
            found, *facts = text.split()
            if int(found) == number:
                return dict(fact.split("=", 1) for fact in facts)
        raise RigError(f"There is no line {number}.")

    def log(self, position: int) -> tuple[bytes, int]:
        """Return the raw I2C log from a position on, and its end."""
        head, _, raw = self.read(f"pirig log {position}").partition(b"\n")
        begin, end = map(int, head.split())
        if begin > position:
            sys.stderr.write(f"{begin - position} bytes of the log were lost.\n")
        return raw, end
