"""Functions that show a saved first frame before the modules of the box are imported.

The last run of the box saved this frame. The module `hardware/display/saved_frame.py` writes the
file, and describes the lines of the file. This module sends the lines to the display unchanged, and
asks the kernel to record button presses until the box is ready. To be fast, this module imports
only small modules of Python's standard library.
"""

from __future__ import annotations

import binascii
import fcntl
import os
import stat
import sys
import time

I2C_ADDRESS_IOCTL = 0x0703
"""Number of the ioctl that selects an I2C address for all later writes (linux/i2c-dev.h)."""
CHIP_INFO_IOCTL, REQUEST_LINES_IOCTL = 0x8044B401, 0xC250B407
"""CHIP_INFO_IOCTL: number of the ioctl that describes a GPIO chip (linux/gpio.h).

REQUEST_LINES_IOCTL: number of the ioctl that requests lines of a GPIO chip (version 2).
"""
CHIP_LABEL_SLICE = slice(32, 64)
"""Position of a GPIO chip's label in the bytes that describe the chip."""
AWAITED_DEVICES_VARIABLE = "COMPANION_AWAITS"
"""Environment variable that names the devices to wait for.

If the variable is not set, the box waits for no devices. If the last run saved its devices, the box
waits for these saved devices instead (see `wait_for_devices`). The value is a list of words. Each
word is the path of a device, or several paths separated by commas. The wait for a word ends when
one of its paths is available. A path that ends in `*` stands for all paths that begin with the text
before `*`.
"""
DEVICE_TIMEOUT_SECONDS = 10.0
"""Maximum seconds to wait for devices. After this time the box reports the missing devices."""
REMEMBERED_DEVICES_TIMEOUT_SECONDS = 1.0
"""Maximum seconds to wait for the devices that the last run used.

The wait begins when the devices in `AWAITED_DEVICES_VARIABLE` are available. The devices of the
last run never appear if the board was replaced, or if the kernel numbers its chips differently.
"""
POLL_SECONDS = 0.02
FILE_FORMAT = "screen 1"
"""Name and version number of the format of the file with the saved frame.

The first line of the file begins with this text. If the format changes, increase the number here
and in `hardware/display/saved_frame.py`.
"""
MAX_FILE_CHARACTERS = 1 << 16
"""Maximum number of characters in the file with the saved frame. About 5,000 are normal."""


def show_saved_screen() -> tuple[str, float, int | None] | None:
    """Show the screen that the last run saved.

    If no screen is shown, return None. Otherwise, return a tuple of three values:
    - the identifier of the question that the screen asks,
    - the monotonic time (s) at which the screen appeared,
    - the file descriptor from which recorded button presses are read, or None if the kernel records
      no presses.

    An error is printed as one line on stderr, and the box starts without the saved screen.
    """
    used, *lines = read_saved_screen_lines() or [""]
    if awaits := os.environ.get(AWAITED_DEVICES_VARIABLE, ""):
        wait_for_devices(used.split(), awaits.split())
    if not lines:
        return None
    try:
        return send_saved_display_messages(lines)
    except FileNotFoundError:
        return None  # the display's bus does not exist
    except Exception as error:  # noqa: BLE001 - no error in the saved file may stop the start
        sys.stderr.write(f"companion: no first picture: {error}\n")
        return None


def read_saved_screen_lines() -> list[str]:
    """Return the lines that the last run saved, or an empty list if no lines are saved.

    A damaged file is reported on stderr.
    """
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - see above
    try:
        return read_checksummed_lines(f"{cache}/companion/first")
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        sys.stderr.write(f"companion: no first picture: {error}\n")
        return []


def wait_for_devices(used: list[str], kinds: list[str]) -> None:
    """Wait up to `DEVICE_TIMEOUT_SECONDS` until the box is allowed to open its devices.

    - `used`: the devices of the last run, in the form of `AWAITED_DEVICES_VARIABLE`.
    - `kinds`: the devices to wait for if `used` is empty. Otherwise, the wait ends at the latest
      `REMEMBERED_DEVICES_TIMEOUT_SECONDS` after these devices are available.
    """
    end = time.monotonic() + DEVICE_TIMEOUT_SECONDS
    while not all(map(is_device_usable, used or kinds)) and time.monotonic() < end:
        if used and all(map(is_device_usable, kinds)):
            end = min(end, time.monotonic() + REMEMBERED_DEVICES_TIMEOUT_SECONDS)
        time.sleep(POLL_SECONDS)


def is_device_usable(word: str) -> bool:
    """Return True if the box can open a device that a word of `AWAITED_DEVICES_VARIABLE` names."""
    return any(
        os.access(device, os.R_OK | os.W_OK)
        for path in word.split(",")
        for device in (find_devices_by_prefix(path) if path.endswith("*") else [path])
    )


def find_devices_by_prefix(pattern: str) -> list[str]:
    """Return the paths of all devices that match `pattern`, which ends in `*`."""
    folder, _, start = pattern[:-1].rpartition("/")
    try:
        return [f"{folder}/{name}" for name in os.listdir(folder) if name.startswith(start)]  # noqa: PTH208 - see above
    except OSError:
        return []


def read_checksummed_lines(file: str) -> list[str]:
    """Return the lines of the saved file without the first line, which contains the checksum.

    Raise OSError if the file cannot be read. Raise ValueError if the checksum of the file is wrong.
    """
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
    """Open a regular file. Raise ValueError if the path is another kind of file."""
    # add O_NONBLOCK: opening a FIFO would otherwise block until a writer exists
    file = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise ValueError(f"{path} is no regular file")
    return file


def _open_device(path: str) -> int:
    if not stat.S_ISCHR(os.stat(path).st_mode):  # noqa: PTH116 - see above
        raise ValueError(f"{path} is no device")
    return os.open(path, os.O_RDWR | os.O_CLOEXEC)


def send_saved_display_messages(lines: list[str]) -> tuple[str, float, int | None]:
    """Send the saved messages to the first I2C address at which a display answers.

    Return the identifier of the screen's question, the present monotonic time (s), and the file
    descriptor of the recorded button presses (None if no presses are recorded).

    Raise OSError if no address answers. Raise ValueError if a line is not valid.
    """
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
    return asks, time.monotonic(), record_presses_in_kernel(presses) if presses else None


def record_presses_in_kernel(presses: str) -> int | None:
    """If the GPIO chip is the chip of the last run, ask the kernel to record button presses.

    The kernel can number its chips differently after a start. If the kernel does not record
    presses, the presses that players make before the box reads the buttons are lost.

    `presses`: a text of three words: the path of the chip's device, the chip's label, and the
    request for the chip's lines in hexadecimal digits.

    Return the file descriptor of the recorded presses, or None if no presses are recorded.
    """
    try:
        path, label, request = presses.split()
        chip = _open_device(path)
        try:
            if (
                fcntl.ioctl(chip, CHIP_INFO_IOCTL, bytes(68))[CHIP_LABEL_SLICE].rstrip(b"\0")
                != label.encode()
            ):
                return None
            asked = bytearray.fromhex(request)
            fcntl.ioctl(chip, REQUEST_LINES_IOCTL, asked)
        finally:
            os.close(chip)
    except Exception as error:  # noqa: BLE001 - no error in the saved line may stop the start
        sys.stderr.write(f"companion: no first presses: {error}\n")
        return None
    return int.from_bytes(asked[-4:], sys.byteorder)
