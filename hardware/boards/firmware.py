"""The lines that a board needs in the Pi's `find_config_file.txt`.

Without that file the Pi does not start, so it is replaced in one step, with a backup. Source:
Raspberry Pi documentation of config.txt (`dtparam`, `dtoverlay`, `gpio`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from hardware.display.bus import bus_device
from hardware.wiring import Board

CONFIG_FILES: Final = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
"""The paths of the file on current and older systems."""
BACKUP_SUFFIX: Final = ".before-companion"
"""The suffix of the backup, which the installer uses too."""


def find_config_file(places: Iterable[Path] = CONFIG_FILES) -> Path | None:
    """Return the path of the firmware's file on this machine; None if there is no such file."""
    return next((place for place in places if place.is_file()), None)


def missing_lines(
    board: Board, text: str, there: Callable[[Path], bool] = Path.exists
) -> list[str]:
    """Return the lines of `find_config_file.txt` that a board needs and `text` does not have.

    `there` returns True if a device file exists: a bus that exists needs no line. The line for I2C
    is never returned, because the installer enables I2C.
    """
    needed = []
    bus = bus_device(board.display)
    if board.display.bus == "spi" and bus is not None and not there(bus):
        needed.append("dtparam=spi=on")
    if board.sound is not None:
        needed.append(f"dtoverlay={board.sound.overlay}")
        needed += (f"gpio={pin}=op,dh" for pin in board.sound.high)
    has = {line.partition("#")[0].strip() for line in text.splitlines()}
    return [line for line in needed if line not in has]


def append_lines(file: Path, lines: Iterable[str]) -> Path:
    """Append lines for all Pi models; return the path of the backup. Raise OSError."""
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
