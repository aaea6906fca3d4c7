"""Attack from inside a unit's sandbox: print `could: …` for each attempt that succeeds.

The argument is the unit: the box, or the page or the evening, which may use a network but not the
games. The program runs in the unit's sandbox as the unit's user. Only the reboot, the last of
`CALLS`, does harm if it succeeds.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

LIBC: Final = ctypes.CDLL(None, use_errno=True)
ATTACH, TRACE_ME, NEW_USERS, NEW_MOUNTS, NEW_PIDS = 16, 0, 0x10000000, 0x20000, 0x20000000
READ: Final = (
    "/etc/shadow", "/root", "/home/pi", "/etc/ssh/ssh_host_ed25519_key", "/dev/mem", "/dev/kmsg",
    "/dev/vda", "/dev/sda", "/dev/mmcblk0", "/proc/1/environ", "/proc/1/maps", "/proc/kcore",
)  # fmt: skip
WRITE: Final = (
    "/etc", "/etc/cron.d", "/etc/companion", "/usr/local/bin", "/usr/lib/companion", "/boot",
    "/boot/firmware", "/var", "/var/spool", "/run", "/run/systemd/system", "/root", "/home",
    "/sys/kernel", "/dev",
)  # fmt: skip
KNOBS: Final = (
    "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/sys/power/state",
    "/sys/fs/cgroup/cgroup.procs", "/proc/1/oom_score_adj",
)  # fmt: skip
LOGIN: Final = "org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager"
SYSTEM: Final = (
    "org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager"
)
HOST: Final = "org.freedesktop.hostname1 /org/freedesktop/hostname1 org.freedesktop.hostname1"
TIME: Final = "org.freedesktop.timedate1 /org/freedesktop/timedate1 org.freedesktop.timedate1"
CALLS: Final = (
    "systemctl --no-ask-password restart ssh",
    "systemd-run --no-ask-password --wait true",
    f"busctl call {SYSTEM} Reload",
    f"busctl call {HOST} SetHostname sb intruder false",
    f"busctl call {TIME} SetTime xbb 1 true false",
    "sudo -n true",
    "pkexec --disable-internal-agent true",
    f"busctl call {LOGIN} Reboot b false",
)
"""Requests to other programs. The box may switch the machine off, so this is not tried.

This right includes the message to users of a shell before the machine switches off.
"""


def call(*arguments: object) -> None:
    """Call a function of the C library by name. Raise OSError."""
    name, *given = arguments
    if getattr(LIBC, str(name))(*given) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def read(path: str) -> None:
    if Path(path).is_dir():
        os.listdir(path)  # noqa: PTH208 - names are enough
    else:
        with Path(path).open("rb") as file:
            file.read(1)


def write(folder: str) -> None:
    """Create a file in a folder, and delete it."""
    file = Path(folder) / "intruder"
    file.write_text("was here\n", "utf-8")
    file.unlink()


def turn(knob: str) -> None:
    """Open a kernel parameter for writing, without a change."""
    os.close(os.open(knob, os.O_WRONLY))


def ask(command: str) -> None:
    """Run a command that asks another program to act."""
    done = subprocess.run(command.split(), check=False, capture_output=True, timeout=30)
    if done.returncode:
        raise OSError(done.stderr.decode(errors="replace"))


def send(kind: int) -> None:
    """Open a socket that leads out of the sandbox."""
    socket.socket(kind, socket.SOCK_DGRAM if kind != socket.AF_PACKET else socket.SOCK_RAW).close()


def listen() -> None:
    """Listen on a port for connections."""
    with socket.socket() as listening:
        listening.bind(("", 8081))
        listening.listen()


def go_out() -> None:
    """Send data to a machine outside of the local network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as going:
        going.sendto(b"was here", ("192.0.2.1", 53))


def signal_others() -> None:
    """Send a signal to a process of root."""
    os.kill(1, 0)


def run_written_code() -> None:
    """Map memory that is writable and executable."""
    mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_READ | mmap.PROT_EXEC).close()


def become_root() -> None:
    os.setuid(0)
    if os.getuid():
        raise OSError("still nobody")


ATTEMPTS: Final[Mapping[str, Callable[[], object]]] = {
    **{f"read {path}": partial(read, path) for path in READ},
    **{f"write to {path}": partial(write, path) for path in WRITE},
    **{f"turn {knob}": partial(turn, knob) for knob in KNOBS},
    **{f"ask: {command}": partial(ask, command) for command in CALLS},
    "packets": partial(send, socket.AF_PACKET),
    "trace the first process": partial(call, "ptrace", ATTACH, 1, 0, 0),
    "be traced": partial(call, "ptrace", TRACE_ME, 0, 0, 0),
    "users of its own": partial(call, "unshare", NEW_USERS),
    "mounts of its own": partial(call, "unshare", NEW_MOUNTS),
    "processes of its own": partial(call, "unshare", NEW_PIDS),
    "mount": partial(call, "mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "another root": partial(os.chroot, "/tmp"),  # noqa: S108 - an attempt
    "signal others": signal_others,
    "run what it has written": run_written_code,
    "become root": become_root,
}


GAMES: Final[Mapping[str, Callable[[], object]]] = {
    "read the games": partial(read, "/var/lib/companion"),
    "read what the box keeps": partial(read, "/var/cache/companion"),
    "write beside the door": partial(write, "/run/companion"),
}
OWN: Final[Mapping[str, Mapping[str, Callable[[], object]]]] = {
    "companion": {
        "IPv4": partial(send, socket.AF_INET),
        "IPv6": partial(send, socket.AF_INET6),
        "netlink": partial(send, socket.AF_NETLINK),
    },
    "companion-evening": {**GAMES, "netlink": partial(send, socket.AF_NETLINK)},
    "companion-page": {
        **GAMES,
        "a port of its own": listen,
        "a machine elsewhere": go_out,
    },
}
"""Attempts that must fail in one unit, but may succeed in another."""


def attempts(unit: str) -> Mapping[str, Callable[[], object]]:
    """Return all attempts for a unit's sandbox."""
    return {**ATTEMPTS, **OWN[unit]}


def main() -> None:
    found = attempts(sys.argv[1])
    for what, attempt in found.items():
        try:
            attempt()
        except (OSError, subprocess.SubprocessError):
            continue
        sys.stdout.write(f"could: {what}\n")
    sys.stdout.write(f"tried {len(found)}\n")


if __name__ == "__main__":
    main()
