"""Frames that belong to no game, such as the frames of a locked box or of a record's repair."""

from __future__ import annotations

from typing import Final

from companion.draw.canvas import Canvas
from companion.say.words import Words
from hardware.ports import DISPLAY_WIDTH

PROGRESS_BAR_COLUMNS: Final = 120
"""Width of the progress bar in columns (pixels)."""
FILLED_COLUMN, POINT_COLUMNS, EMPTY_COLUMN = b"\x7e", b"\x18\x18", b"\x40"
"""Columns of the progress bar as display bytes, one byte for each column.

FILLED_COLUMN: a filled column. POINT_COLUMNS: two dotted columns. EMPTY_COLUMN: an empty column.
"""


def held_buttons_frame(name: str, step: int, steps: int, words: Words) -> bytes:
    """Return the frame for two held buttons: the effect of holding, and a progress bar.

    - `step`: the number of filled parts of the progress bar.
    - `steps`: the number of all parts of the progress bar.
    """
    canvas = _plate(words(f"box.chord.{name}.title"), words(f"box.chord.{name}.text"))
    cell = PROGRESS_BAR_COLUMNS // steps
    full = FILLED_COLUMN * (cell - 2) + bytes(2)
    empty = bytes(cell // 2 - 2) + POINT_COLUMNS + bytes(cell - cell // 2)
    canvas.copy_columns(
        6, (DISPLAY_WIDTH - PROGRESS_BAR_COLUMNS) // 2, full * step + empty * (steps - step)
    )
    canvas.draw_text(7, 0, words("box.legend.holding"))
    return canvas.frame


def repair_progress_frame(percent: int, words: Words) -> bytes:
    """Return the frame that is shown while a record is repaired, with the progress in percent."""
    canvas = _plate(words("box.mending.title"), words("box.mending.text"))
    full = PROGRESS_BAR_COLUMNS * percent // 100
    canvas.copy_columns(
        6,
        (DISPLAY_WIDTH - PROGRESS_BAR_COLUMNS) // 2,
        FILLED_COLUMN * full + EMPTY_COLUMN * (PROGRESS_BAR_COLUMNS - full),
    )
    canvas.draw_centred_text(7, words("box.mending.percent", percent=percent))
    return canvas.frame


def locked_box_frame(words: Words) -> bytes:
    """Return the frame of a locked box, with the buttons that unlock the box."""
    canvas = _plate(words("box.locked.title"), words("box.locked.text"))
    canvas.draw_text(7, 0, words("box.legend.locked"))
    return canvas.frame


def unlocked_box_frame(words: Words) -> bytes:
    """Return the frame of a box that was just unlocked."""
    canvas = _plate(words("box.unlocked.title"), words("box.unlocked.text"))
    canvas.draw_text(7, 0, words("box.legend.notice"))
    return canvas.frame


def power_off_frame(words: Words) -> bytes:
    """Return the last frame before the machine is switched off.

    The display shows this frame until the power supply ends.
    """
    canvas = _plate(words("box.off.title"), words("box.off.text"))
    canvas.draw_centred_text(7, words("box.goodbye"))
    return canvas.frame


def _plate(title: str, text: str) -> Canvas:
    canvas = Canvas()
    canvas.draw_centred_text(1, title, "medium")
    canvas.draw_wrapped_text(3, text, 4, centred=True)
    return canvas
