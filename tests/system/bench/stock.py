"""The usual libraries for comparison: gpiozero.Button, SQLite, Pillow's fonts, luma.oled."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from gpiozero import Button
from gpiozero.pins.mock import MockFactory
from luma.oled.device import ssd1306
from PIL import Image, ImageDraw, ImageFont

from companion.draw import screens
from companion.draw.canvas import Canvas, load_font
from companion.games.barney_miller.shown.face import FACE
from tests.system.bench.box import Table

PIN: Final = 17


class Text(NamedTuple):
    """A text of a screen, with the column and row of its first pixel."""

    x: int
    y: int
    text: str
    size: int


def question(table: Table) -> bytes:
    """Return our frame of the pending question."""
    cursor, prompt = table.table.cursor, table.prompt
    assert prompt is not None
    return screens.question_frame(
        table.session.standing.snapshot, prompt, cursor, table.words, FACE
    )


def texts(table: Table) -> list[Text]:
    """Return all texts of the `question` frame."""
    return written(table, partial(question, table))


def written(table: Table, do: Callable[[], object]) -> list[Text]:
    """Return all texts written while a function runs, up to its first frame."""
    found: list[Text] = []
    text, shown = Canvas.draw_text, table.screen.frames

    def note(canvas: Canvas, page: int, x: int, words: str, *face: str) -> Any:
        if table.screen.frames == shown:
            found.append(Text(x, 8 * page, words, 8 * load_font(*face or ("small",)).pages))
        return text(canvas, page, x, words, *face)

    with patch.object(Canvas, "draw_text", note):
        do()
    return found


def draw(screen: list[Text]) -> Image.Image:
    """Draw the texts with Pillow's TrueType font at equal height."""
    image = Image.new("1", (128, 64))
    pen = ImageDraw.Draw(image)
    for x, y, text, size in screen:
        pen.text((x, y), text, fill=1, font=truetype(size))
    return image


_FONTS: dict[int, Any] = {}


def truetype(size: int) -> Any:
    if size not in _FONTS:
        _FONTS[size] = ImageFont.load_default(size)
    return _FONTS[size]


class Wire:
    """luma's serial interface that counts bytes."""

    def __init__(self) -> None:
        self.sent = 0

    def command(self, *bytes_: int) -> None:
        self.sent += len(bytes_)

    def data(self, bytes_: list[int]) -> None:
        self.sent += len(bytes_)

    def cleanup(self) -> None:
        """Do nothing."""


class Stock:
    """A button whose press saves an answer, then draws and sends the screen."""

    def __init__(self, path: Path) -> None:
        self.screen: list[Text] = []
        self.wire = Wire()
        self.device = ssd1306(self.wire)
        self.db = sqlite3.connect(path)
        self.db.execute("CREATE TABLE answer(id INTEGER PRIMARY KEY, value TEXT)")
        factory = MockFactory()
        self.button = Button(PIN, pin_factory=factory)
        self.button.when_pressed = self._pressed
        self.pin = factory.pin(PIN)
        self.when = 0.0

    def _pressed(self) -> None:
        with self.db:
            self.db.execute("INSERT INTO answer(value) VALUES ('1')")
        self.device.display(draw(self.screen))
        self.when = perf_counter()

    def press(self, screen: list[Text]) -> float:
        """Press and release; return the seconds from the edge to the end of `display`."""
        self.screen = screen
        begun = perf_counter()
        self.pin.drive_low()
        took = self.when - begun
        self.pin.drive_high()
        return took

    def close(self) -> None:
        self.button.close()
        self.db.close()
