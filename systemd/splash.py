"""The first pixels after power-on: sends to the display what the box has left behind for that.

It runs before most of the system is there, without any package, not even ours. What the file holds
is said in `hardware/splash.py`. Whatever is wrong is one line in the log; the box says the rest.
"""

import fcntl
import os
import sys

SLAVE = 0x0703  # ioctl: the address that is meant from now on


def show(file: str) -> None:
    """Send a file's messages to the first address that answers. Raises OSError or ValueError."""
    with open(file, encoding="utf-8") as lines:  # noqa: PTH123 - pathlib would be read from the card
        device, *addresses = lines.readline().split()
        first, *others = [bytes.fromhex(line) for line in lines]
    bus = os.open(device, os.O_RDWR | os.O_CLOEXEC)
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


def main() -> None:
    """Show the file that is named. That it can not be shown is no failure."""
    try:
        show(sys.argv[1])
    except (OSError, ValueError) as error:
        sys.stderr.write(f"No first picture: {error}\n")


if __name__ == "__main__":
    main()
