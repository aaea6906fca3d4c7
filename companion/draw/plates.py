"""Frames of the box itself in front of any game: a held chord, lock, end, repair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.draw.canvas import Canvas
from hardware.ports import WIDTH

if TYPE_CHECKING:
    from companion.say.words import Words

FRAMED: Final = 120
"""Columns (pixels) of the bar."""
SOLID, POINT, FLOOR = b"\x7e", b"\x18\x18", b"\x40"
"""Columns of a bar: filled, the point of an empty cell (two columns), and empty."""


def holding(name: str, step: int, steps: int, words: Words) -> bytes:
    """Return the frame of two held buttons: their function, and the progress as a bar."""
    canvas = _plate(words(f"box.chord.{name}.title"), words(f"box.chord.{name}.text"))
    cell = FRAMED // steps
    full = SOLID * (cell - 2) + bytes(2)
    empty = bytes(cell // 2 - 2) + POINT + bytes(cell - cell // 2)
    canvas.fill(6, (WIDTH - FRAMED) // 2, full * step + empty * (steps - step))
    canvas.text(7, 0, words("box.legend.holding"))
    return canvas.frame


def mending(percent: int, words: Words) -> bytes:
    """Return the frame of a record's repair, with the progress in percent."""
    canvas = _plate(words("box.mending.title"), words("box.mending.text"))
    full = FRAMED * percent // 100
    canvas.fill(6, (WIDTH - FRAMED) // 2, SOLID * full + FLOOR * (FRAMED - full))
    canvas.centre(7, words("box.mending.percent", percent=percent))
    return canvas.frame


def locked_frame(words: Words) -> bytes:
    """Return the frame of a locked box, which says how to unlock it."""
    canvas = _plate(words("box.locked.title"), words("box.locked.text"))
    canvas.text(7, 0, words("box.legend.locked"))
    return canvas.frame


def unlocked_frame(words: Words) -> bytes:
    """Return the frame of a box that was just unlocked."""
    canvas = _plate(words("box.unlocked.title"), words("box.unlocked.text"))
    canvas.text(7, 0, words("box.legend.notice"))
    return canvas.frame


def safe(words: Words) -> bytes:
    """Return the last frame before a machine is switched off, which stays while there is power."""
    canvas = _plate(words("box.off.title"), words("box.off.text"))
    canvas.centre(7, words("box.goodbye"))
    return canvas.frame


def _plate(title: str, text: str) -> Canvas:
    canvas = Canvas()
    canvas.centre(1, title, "medium")
    canvas.lines(3, text, 4, centred=True)
    return canvas
