"""Lines that a board needs in the firmware file `config.txt` of a Raspberry Pi.

A Raspberry Pi does not start without `config.txt`. This module therefore makes a backup first,
and replaces `config.txt` in one step. The Raspberry Pi documentation of config.txt describes
the lines (`dtparam`, `dtoverlay`, `gpio`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from hardware.display.bus import bus_device_path
from hardware.wiring import Board

CONFIG_FILES: Final = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
"""Possible paths of the firmware file `config.txt`: on current systems, and on older systems."""
BACKUP_SUFFIX: Final = ".before-companion"
"""Suffix of the file name of the backup of `config.txt`. The installer uses this suffix, too."""


def find_firmware_config_file(places: Iterable[Path] = CONFIG_FILES) -> Path | None:
    """Return the first path in `places` that is a file, or None if no path is a file.

    By default, `places` has the possible paths of the firmware file `config.txt`.
    """
    return next((place for place in places if place.is_file()), None)


def missing_config_lines(
    board: Board, text: str, there: Callable[[Path], bool] = Path.exists
) -> list[str]:
    """Return the lines that a board needs in `config.txt` and that `text` lacks.

    - `text`: the content of `config.txt`.
    - `there`: function that returns True if a device file exists. If the device file of a bus
      exists, the bus needs no line in `config.txt`.

    The returned list contains no line for I2C, because the installer enables I2C.
    """
    needed = []
    bus = bus_device_path(board.display)
    if board.display.bus == "spi" and bus is not None and not there(bus):
        needed.append("dtparam=spi=on")
    if board.sound is not None:
        needed.append(f"dtoverlay={board.sound.overlay}")
        needed += (f"gpio={pin}=op,dh" for pin in board.sound.high)
    has = {line.partition("#")[0].strip() for line in text.splitlines()}
    return [line for line in needed if line not in has]


def append_config_lines(file: Path, lines: Iterable[str]) -> Path:
    """Append lines to the firmware file `config.txt`, and return the path of the backup.

    The appended lines apply to all models of the Raspberry Pi. Raise OSError if a file cannot be
    read or written.
    """
    copy = file.with_name(file.name + BACKUP_SUFFIX)
    if not copy.exists():
        shutil.copy2(file, copy)
    text = file.read_text("utf-8", "surrogateescape")
    ended = text if text.endswith("\n") or not text else f"{text}\n"
    new = file.with_name(f"{file.name}.with-companion")
    with new.open("w", encoding="utf-8", errors="surrogateescape") as made:
        made.write(f"{ended}[all]\n" + "".join(f"{line}\n" for line in lines))
        made.flush()
        os.fsync(made.fileno())
    new.replace(file)
    return copy
