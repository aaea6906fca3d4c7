"""Functions through which the test kit reads a game's sentences and records its frames."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from companion.core.game import Cue, Cues, Edition
from companion.core.prompts import Prompt
from companion.draw import screens
from companion.draw.canvas import Canvas, load_font
from companion.draw.face import load_face
from companion.press.wheel import is_drawn_as_wheel
from companion.say.words import Words

DISPLAY_WIDTH, DISPLAY_PAGES = 128, 8


def game_words_for_edition(
    game: str, language: str, edition: Edition, *, own: bool = False
) -> Words:
    """Return a game's sentences in a language, with the printed names of an edition.

    - `own`: if True, the players use their own cards.
    """
    return Words(language, load_face(game), edition, game=game, own=own)


def is_answered_on_wheel(game: str, prompt: Prompt) -> bool:
    """Return True if the display's row 6 shows one answer to the question at a time (a wheel)."""
    return is_drawn_as_wheel(prompt) or prompt.name in load_face(game).on_wheel


def is_picture_drawn_by_game(cues: Cues, words: Words) -> bool:
    """Return True if the game, and not the box, draws the picture of these events."""
    return cues[0].name in load_face(words.game).pictures


def has_too_long_spoken_sentence(cue: Cue, words: Words, most: int) -> bool:
    """Return True if the spoken sentence about an event has more than `most` words.

    A placeholder counts as one word, even if its value is a list of names.
    """
    return len(re.findall(r"[\w{][^ ]*", sentence_template(cue, words, "speech"))) > most


def sentence_template(cue: Cue, words: Words, use: str) -> str:
    """Return the sentence about an event with unfilled placeholders.

    - `use`: the kind of sentence, such as "speech".
    """
    return words._sentence(words._cue(cue, use))  # noqa: SLF001


def placeholder_values_from_face(cue: Cue, words: Words) -> Mapping[str, Any]:
    """Return the placeholder values that the game's `Face` adds to sentences about an event."""
    return words._wording.fields(words, dict(cue.facts))  # noqa: SLF001


class RecordingCanvas(Canvas):
    """A canvas that records drawn texts (row, column, text, font), and texts that do not fit."""

    last: RecordingCanvas

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[tuple[int, int, str, str]] = []
        self.cut: list[str] = []
        RecordingCanvas.last = self

    def draw_text(self, page: int, x: int, text: str, face: str = "small") -> None:
        """Draw and record a text.

        If the text exceeds the display, also record the text in `cut`.
        """
        letters = load_font(face)
        if (
            page + letters.pages > DISPLAY_PAGES
            or x < 0
            or x + len(text) * letters.width > DISPLAY_WIDTH
        ):
            self.cut.append(text)
        self.texts.append((page, x, text, face))
        super().draw_text(page, x, text, face)

    @property
    def words_above_bottom_row(self) -> list[str]:
        """Return the words on the display's rows 0 to 6, in the order of drawing."""
        rows = (text for page, _, text, _ in self.texts if page < DISPLAY_PAGES - 1)
        return [word for text in rows for word in text.split(" ") if word]


@contextmanager
def draw_frames_on_recording_canvas() -> Iterator[None]:
    """Draw every frame in this context on a RecordingCanvas.

    `RecordingCanvas.last` is the canvas of the latest frame.
    """
    with patch.object(screens, "Canvas", RecordingCanvas):
        yield
