"""The first frame: show the screen that the last run saved, before the box is imported.

`hardware/display/saved_frame.py` writes the file and describes its lines. They are sent unchanged.
Then the kernel is asked to record presses with their times until the box is ready. Only modules
that Python itself has loaded already are imported here.
"""

from __future__ import annotations

import binascii
import fcntl
import os
import stat
import sys
import time

I2C_ADDRESS_IOCTL = 0x0703
"""The ioctl that selects the I2C address for what follows (linux/i2c-dev.h)."""
CHIP_INFO_IOCTL, REQUEST_LINES_IOCTL = 0x8044B401, 0xC250B407
"""The ioctls that describe a GPIO chip, and request its lines (linux/gpio.h, version 2)."""
LABEL_BYTES = slice(32, 64)
"""The position of the chip's label in its description."""
AWAITED_DEVICES_VARIABLE = "COMPANION_AWAITS"
"""The environment variable that names the devices to wait for, if the last run saved none.

All of its words must be available. A word is one path, or several with commas of which one is
enough. A path that ends in `*` stands for every device whose name begins like that.
"""
DEVICE_TIMEOUT_SECONDS = 10.0
"""The time in seconds to wait for devices; after it the box reports what is missing."""
MORE_DEVICES_TIMEOUT_SECONDS = 1.0
"""The time in seconds to wait for the last run's devices after those of `AWAITED_DEVICES_VARIABLE`
are available.

They never appear if the board was replaced, or if the kernel numbers its chips differently.
"""
POLL_SECONDS = 0.02
FILE_FORMAT = "screen 1"
"""The beginning of the file's first line. If the lines change, raise the number here and in
`hardware/display/saved_frame.py`.
"""
MAX_FILE_CHARACTERS = 1 << 16
"""The maximum number of characters in the file; a normal one has about 5,000."""


def show_saved_screen() -> tuple[str, float, int | None] | None:
    """Show the saved screen; return its question, its time (s) and the file of recorded presses.

    Return None if nothing is shown. An error is one line on stderr; the box starts without the
    screen.
    """
    used, *lines = read_saved_lines() or [""]
    if awaits := os.environ.get(AWAITED_DEVICES_VARIABLE, ""):
        wait_for_devices(used.split(), awaits.split())
    if not lines:
        return None
    try:
        return send_messages(lines)
    except FileNotFoundError:
        return None  # there is no bus
    except Exception as error:  # noqa: BLE001 - a file of any shape ends no start
        sys.stderr.write(f"companion: no first picture: {error}\n")
        return None


def read_saved_lines() -> list[str]:
    """Return the lines that the last run saved; empty without them. Report damage on stderr."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - see above
    try:
        return read_lines(f"{cache}/companion/first")
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        sys.stderr.write(f"companion: no first picture: {error}\n")
        return []


def wait_for_devices(used: list[str], kinds: list[str]) -> None:
    """Wait until udev has given the box access to its devices, for up to `DEVICE_TIMEOUT_SECONDS`.

    `used` are the devices of the last run, in the form of `AWAITED_DEVICES_VARIABLE`; `kinds`
    replace them if empty.
    """
    end = time.monotonic() + DEVICE_TIMEOUT_SECONDS
    while not all(map(is_device_usable, used or kinds)) and time.monotonic() < end:
        if used and all(map(is_device_usable, kinds)):
            end = min(end, time.monotonic() + MORE_DEVICES_TIMEOUT_SECONDS)
        time.sleep(POLL_SECONDS)


def is_device_usable(word: str) -> bool:
    """Return True if the box may use a device that a word of `AWAITED_DEVICES_VARIABLE` names."""
    return any(
        os.access(device, os.R_OK | os.W_OK)
        for path in word.split(",")
        for device in (matching_devices(path) if path.endswith("*") else [path])
    )


def matching_devices(pattern: str) -> list[str]:
    """Return the devices whose path begins like `pattern`, which ends in `*`."""
    folder, _, start = pattern[:-1].rpartition("/")
    try:
        return [f"{folder}/{name}" for name in os.listdir(folder) if name.startswith(start)]  # noqa: PTH208 - see above
    except OSError:
        return []


def read_lines(file: str) -> list[str]:
    """Return the lines of the file. Raise OSError, or ValueError if its checksum is wrong."""
    with open(file, encoding="utf-8", opener=_open_regular) as stream:
        head, _, text = stream.read(MAX_FILE_CHARACTERS + 1).partition("\n")
    if not head.startswith(f"{FILE_FORMAT} "):
        raise ValueError(f"{file} is of another version")
    if (
        len(text) >= MAX_FILE_CHARACTERS
        or "\0" in text
        or head != f"{FILE_FORMAT} {binascii.crc32(text.encode()):x}"
    ):
        raise ValueError(f"{file} is damaged")
    return text.splitlines()


def _open_regular(path: str, flags: int) -> int:
    """Open a regular file. Raise OSError, or ValueError if it is another kind of file."""
    # opening a FIFO would block until a writer exists
    file = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise ValueError(f"{path} is no regular file")
    return file


def _open_device(path: str) -> int:
    """Open a character device. Raise OSError, or ValueError if it is another kind of file."""
    if not stat.S_ISCHR(os.stat(path).st_mode):  # noqa: PTH116 - likewise
        raise ValueError(f"{path} is no device")
    return os.open(path, os.O_RDWR | os.O_CLOEXEC)


def send_messages(lines: list[str]) -> tuple[str, float, int | None]:
    """Send the messages to the first address that answers. Raise OSError or ValueError."""
    head, asks, presses, *messages = lines
    device, *addresses = head.split()
    first, *others = map(bytes.fromhex, messages)
    bus = _open_device(device)
    try:
        for address in addresses:
            fcntl.ioctl(bus, I2C_ADDRESS_IOCTL, int(address, 16))
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
    return asks, time.monotonic(), record_presses(presses) if presses else None


def record_presses(presses: str) -> int | None:
    """Have the kernel record presses, if the GPIO chip is the one of the last run.

    `presses` is the chip's device, its label and the request of its lines. A chip's number may
    change with the kernel. Without the record, presses count from when the box itself listens.
    """
    try:
        path, label, request = presses.split()
        chip = _open_device(path)
        try:
            if (
                fcntl.ioctl(chip, CHIP_INFO_IOCTL, bytes(68))[LABEL_BYTES].rstrip(b"\0")
                != label.encode()
            ):
                return None
            asked = bytearray.fromhex(request)
            fcntl.ioctl(chip, REQUEST_LINES_IOCTL, asked)
        finally:
            os.close(chip)
    except Exception as error:  # noqa: BLE001 - a line of any shape ends no start
        sys.stderr.write(f"companion: no first presses: {error}\n")
        return None
    return int.from_bytes(asked[-4:], sys.byteorder)
