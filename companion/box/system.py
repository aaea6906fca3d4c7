"""The machine on which the box runs, and the notifications to systemd.

Without systemd, notifications have no effect. The manual page sd_notify(3) describes systemd's
socket.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.box.events import HardwareTrouble
from companion.say.dictionary import Dictionary
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from companion.box.events import HintJob, StatisticsJob, TurningPointJob
    from hardware.ports import Speaker


class Machine(NamedTuple):
    """The machine of the box: its clocks, its folders, and the programs that it can start.

    - `clock`: returns the time in seconds, on the clock that also times the button edges.
    - `wall`: returns seconds since 1970, or 0 if unknown.
    - `hour`: returns the local hour from 0 to 23, or None if unknown.
    - `folder`: the folder with the users' own edition files.
    - `taught`: the folder for boards that players entered. If `taught` is None, the box saves no
      boards.
    - `language`: the language of the box until a player selects a language.
    - `dictionary`: creates the word lists at the first look-up of a word.
    - `loudspeaker`: creates an additional speaker after the first frame.
    - `counting`, `advising`, `weighing`: compute statistics, hints and turning points.
    - `pulse`: sends heartbeats to systemd while the loop runs.
    - `power_off`: switches off the machine, or None if the machine has other purposes than the box.
    - `examines`: if True, `companion doctor` can examine the parts of the box.
    """

    clock: Callable[[], float]
    wall: Callable[[], int]
    hour: Callable[[], int | None] = lambda: 12
    folder: Path | None = None
    taught: Path | None = None
    language: str = "en"
    dictionary: Callable[[], Dictionary] | None = None
    loudspeaker: Callable[[Callable[[HardwareTrouble], None]], Speaker] | None = None
    counting: StatisticsJob | None = None
    advising: HintJob | None = None
    weighing: TurningPointJob | None = None
    pulse: WatchdogHeartbeat | None = None
    power_off: Callable[[], None] | None = None
    examines: bool = True


def notify_systemd(state: str) -> None:
    """Send a state to systemd: "READY=1", "WATCHDOG=1" or "STOPPING=1"."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return

    with (
        suppress(OSError),  # ignore errors: the box also works without systemd
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as wire,
    ):
        wire.sendto(state.encode(), address.replace("@", "\0", 1))


def watchdog_heartbeat_interval() -> float | None:
    """Return the seconds between two heartbeats, or None without a watchdog.

    The interval is half of the time limit of systemd's watchdog.
    """
    patience = os.environ.get("WATCHDOG_USEC", "")
    meant = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(patience) / 2e6 if patience.isdecimal() and meant else None


class WatchdogHeartbeat:
    """Timer that sends a heartbeat to systemd every `interval` seconds of `clock`.

    If `interval` is None, the timer sends nothing.
    """

    def __init__(self, clock: Callable[[], float], interval: float | None = None) -> None:
        self._clock, self._interval = clock, interval
        self.due = None if interval is None else clock()

    def send_if_due(self) -> None:
        """Send a heartbeat to systemd if a heartbeat is due."""
        if self._interval is not None and self.due is not None and self.due <= self._clock():
            self.due = self._clock() + self._interval
            notify_systemd("WATCHDOG=1")


def power_off() -> None:
    """Switch off the machine on which the box runs.

    The file `systemd/50-companion.rules` allows the box's user to switch off the machine. The
    function returns at once, and systemd then sends SIGTERM to the box. Raise HardwareError with
    systemd's message if systemd refuses.
    """
    command = ["systemctl", "--no-ask-password", "poweroff"]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=10)  # noqa: S603
    except subprocess.CalledProcessError as error:
        raise HardwareError(f"Not switched off: {error.stderr.strip()}", "power") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HardwareError(f"Not switched off: {error}", "power") from error
