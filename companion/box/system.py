"""A word with systemd: the box is up, its loop still turns, it is leaving; switch the machine off.

Without systemd all of it but the last is silence. See sd_notify(3) for the socket.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from hardware import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable


def notify(state: str) -> None:
    """Tell systemd one of its words: "READY=1", "WATCHDOG=1", "STOPPING=1"."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    import socket  # noqa: PLC0415 - for the service only

    with (
        suppress(OSError),  # a game does not end because nobody listens
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as wire,
    ):
        wire.sendto(state.encode(), address.replace("@", "\0", 1))


def interval() -> float | None:
    """Seconds between two beats: half of what the watchdog waits; None: none waits."""
    patience = os.environ.get("WATCHDOG_USEC", "")
    meant = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(patience) / 2e6 if patience.isdecimal() and meant else None


class Pulse:
    """The loop's sign of life, every `interval` seconds of `clock`; never, if that is None."""

    def __init__(self, clock: Callable[[], float], interval: float | None = None) -> None:
        self._clock, self._interval = clock, interval
        self.due = None if interval is None else clock()

    def beat(self) -> None:
        """Tell the watchdog that the loop still turns, if it is time to."""
        if self._interval is not None and self.due is not None and self.due <= self._clock():
            self.due = self._clock() + self._interval
            notify("WATCHDOG=1")


def power_off() -> None:
    """Switch the machine off; the box's user may (systemd/50-companion.rules).

    Returns at once: SIGTERM follows. Raises HardwareError with what systemd said.
    """
    import subprocess  # noqa: PLC0415 - for a press that ends all

    command = ["systemctl", "--no-ask-password", "poweroff"]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=10)  # noqa: S603
    except subprocess.CalledProcessError as error:
        raise HardwareError(f"Not switched off: {error.stderr.strip()}", "power") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HardwareError(f"Not switched off: {error}", "power") from error
