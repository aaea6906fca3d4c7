"""The first pixels: what the box has left behind for this start, before anything else is imported.

What the file holds is said in `hardware/splash.py`, which writes it. Nothing is imported here that
a bare Python does not have inside.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time

SLAVE = 0x0703  # ioctl: the address that is meant from now on
AWAITS = "COMPANION_AWAITS"
"""In the environment: devices that may come later than the box, which starts with the machine."""
PATIENCE = 10.0
"""Seconds that they are waited for: without them the box says what is missing."""
STEP = 0.02


def show() -> None:
    """Show what was left, if anything was. What is wrong is one line; the box says the rest."""
    wait(os.environ.get(AWAITS, "").split())
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - see above
    try:
        send(f"{cache}/companion/splash")
    except FileNotFoundError:
        pass  # nobody has left anything, or there is no bus
    except (OSError, ValueError) as error:
        sys.stderr.write(f"companion: no first picture: {error}\n")


def wait(devices: list[str]) -> None:
    """Wait until all of them are there, and udev has let the box to them."""
    end = time.monotonic() + PATIENCE
    for device in devices:
        while not os.access(device, os.R_OK | os.W_OK) and time.monotonic() < end:
            time.sleep(STEP)


def send(file: str) -> None:
    """Send a file's messages to the first address that answers. Raises OSError or ValueError."""
    with open(file, encoding="utf-8") as lines:  # noqa: PTH123 - likewise
        device, *addresses = lines.readline().split()
        first, *others = [bytes.fromhex(line) for line in lines]
    bus = os.open(device, os.O_RDWR | os.O_CLOEXEC)
    try:
        for address in addresses:
            fcntl.ioctl(bus, SLAVE, int(address, 16))
            try:
                os.write(bus, first)
            except OSError:
                if address == addresses[-1]:
                    raise
            else:
                break
        for message in others:
            os.write(bus, message)
    finally:
        os.close(bus)
