"""What a board needs of the Pi's firmware: lines of its `config.txt`, and how they get there.

Without that file nothing starts at all, so it is replaced whole, and stays as it was in a copy.
(Raspberry Pi, config.txt documentation: `dtparam`, `dtoverlay`, `gpio`.)
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardware.display.bus import device

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hardware.wiring import Board

PLACES: Final = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
"""Where it is: today's systems, and those before them."""
BEFORE: Final = ".before-companion"
"""What a copy of the file as it was ends with; the installer's, too."""


def config(places: Iterable[Path] = PLACES) -> Path | None:
    """The firmware's file on this machine; None if there is none."""
    return next((place for place in places if place.is_file()), None)


def lacking(board: Board, text: str, there: Callable[[Path], bool] = Path.exists) -> list[str]:
    """The lines that a board needs, and `text` has not. `there`: whether there is such a device.

    A bus that is there needs none, however it was switched on. I2C is the installer's.
    """
    needed = []
    bus = device(board.display)
    if board.display.bus == "spi" and bus is not None and not there(bus):
        needed.append("dtparam=spi=on")
    if board.sound is not None:
        needed.append(f"dtoverlay={board.sound.overlay}")
        needed += (f"gpio={pin}=op,dh" for pin in board.sound.high)
    has = {line.partition("#")[0].strip() for line in text.splitlines()}
    return [line for line in needed if line not in has]


def add(file: Path, lines: Iterable[str]) -> Path:
    """Write lines at the end of the file, for every Pi; where it is as it was. Raises OSError."""
    copy = file.with_name(file.name + BEFORE)
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
