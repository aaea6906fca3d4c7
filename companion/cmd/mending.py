"""A damaged record is being repaired: wherever somebody may look, how far that is.

The first frame waits for it, and so does systemd, which would end a start that says nothing.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from companion.box import system
from companion.cmd import places
from companion.draw import plates
from companion.record.journal import Journal
from companion.say.words import Words
from hardware import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hardware import Display

PATIENCE: Final = 120
"""Seconds that systemd waits for the next word."""


def opened(displays: tuple[Display, ...] = (), path: Path | None = None) -> Journal:
    """The record of this box, or the one at `path`.

    A repair is shown on the displays, or in the terminal if it has none.
    Raises JournalError.
    """
    tell = on_displays(displays) if displays else in_terminal()
    return Journal(path or places.record(), places.wall(), tell, named=path is not None)


def on_displays(displays: tuple[Display, ...]) -> Callable[[int], None]:
    """Shows a bar that fills, and keeps systemd waiting."""
    words = Words(places.language())

    def tell(percent: int) -> None:
        patience = f"EXTEND_TIMEOUT_USEC={PATIENCE * 1_000_000}"
        system.notify(f"{patience}\nWATCHDOG=1\nSTATUS=Repairing the record: {percent} %")
        for display in displays:
            with suppress(HardwareError):  # the first frame tries again, and tells it
                display.show(plates.mending(percent, words))

    return tell


def in_terminal() -> Callable[[int], None]:
    """Says it on standard error; how far it is, in a terminal only."""
    words, said = Words(places.language()), set[int]()

    def tell(percent: int) -> None:
        if not said:
            sys.stderr.write(f"companion: {words('box.mending.text').replace('|', ' ')}\n")
        if percent not in said and sys.stderr.isatty():
            sys.stderr.write(f"\r{words('box.mending.percent', percent=percent)} ")
            sys.stderr.flush()
        said.add(percent)

    return tell
