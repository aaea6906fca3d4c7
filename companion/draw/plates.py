"""Frames of the box itself in front of any game: two buttons held, lock, end, repair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.draw.canvas import Canvas
from hardware.ports import WIDTH

if TYPE_CHECKING:
    from companion.say.words import Words

FRAMED: Final = 120
"""Columns of the bar."""
SOLID, POINT, FLOOR = b"\x7e", b"\x18\x18", b"\x40"
"""A column of a bar that is filled, the two of a point in a cell that is not, and an empty one."""


def holding(name: str, step: int, steps: int, words: Words) -> bytes:
    """Two buttons are held: what for, and how far they have come."""
    canvas = _plate(words(f"box.chord.{name}.title"), words(f"box.chord.{name}.text"))
    cell = FRAMED // steps
    full = SOLID * (cell - 2) + bytes(2)
    empty = bytes(cell // 2 - 2) + POINT + bytes(cell - cell // 2)
    canvas.fill(6, (WIDTH - FRAMED) // 2, full * step + empty * (steps - step))
    canvas.text(7, 0, words("box.legend.holding"))
    return canvas.frame


def mending(percent: int, words: Words) -> bytes:
    """The record is being repaired, and how far that is."""
    canvas = _plate(words("box.mending.title"), words("box.mending.text"))
    full = FRAMED * percent // 100
    canvas.fill(6, (WIDTH - FRAMED) // 2, SOLID * full + FLOOR * (FRAMED - full))
    canvas.centre(7, words("box.mending.percent", percent=percent))
    return canvas.frame


def locked_frame(words: Words) -> bytes:
    """The box is locked, and how to unlock it."""
    canvas = _plate(words("box.locked.title"), words("box.locked.text"))
    canvas.text(7, 0, words("box.legend.locked"))
    return canvas.frame


def unlocked_frame(words: Words) -> bytes:
    """The box is not locked any more."""
    canvas = _plate(words("box.unlocked.title"), words("box.unlocked.text"))
    canvas.text(7, 0, words("box.legend.notice"))
    return canvas.frame


def safe(words: Words) -> bytes:
    """The last frame of a machine that is switched off: it stays while there is power."""
    canvas = _plate(words("box.off.title"), words("box.off.text"))
    canvas.centre(7, words("box.goodbye"))
    return canvas.frame


def _plate(title: str, text: str) -> Canvas:
    canvas = Canvas()
    canvas.centre(1, title, "medium")
    canvas.lines(3, text, 4, centred=True)
    return canvas
