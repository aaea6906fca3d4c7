"""Access to a game's sentences and frames, so that other modules of the kit import no face."""

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


def game_words(game: str, language: str, edition: Edition, *, own: bool = False) -> Words:
    """Return the Words of a game for an edition.

    - `own`: if True, the players use their own cards.
    """
    return Words(language, load_face(game), edition, game=game, own=own)


def is_answered_on_wheel(game: str, prompt: Prompt) -> bool:
    """Return True if a wheel on row 6 shows the answers to a question one at a time."""
    return is_drawn_as_wheel(prompt) or prompt.name in load_face(game).on_wheel


def is_drawn_by_game(cues: Cues, words: Words) -> bool:
    """Return True if the game draws these facts and chooses the words in the picture."""
    return cues[0].name in load_face(words.game).pictures


def has_long_sentence(cue: Cue, words: Words, most: int) -> bool:
    """Return True if a fact's spoken sentence has more than `most` words.

    A name or a list counts as one word.
    """
    return len(re.findall(r"[\w{][^ ]*", sentence_template(cue, words, "speech"))) > most


def sentence_template(cue: Cue, words: Words, use: str) -> str:
    """Return a fact's sentence with unfilled placeholders."""
    return words._sentence(words._cue(cue, use))  # noqa: SLF001


def fields_added_by_face(cue: Cue, words: Words) -> Mapping[str, Any]:
    """Return the placeholder values that the game's face adds to a fact's sentences."""
    return words._wording.fields(words, dict(cue.facts))  # noqa: SLF001


class RecordingCanvas(Canvas):
    """A canvas that records its texts (row, column, text, font) and the texts that do not fit."""

    last: RecordingCanvas

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[tuple[int, int, str, str]] = []
        self.cut: list[str] = []
        RecordingCanvas.last = self

    def draw_text(self, page: int, x: int, text: str, face: str = "small") -> None:
        """Draw and record a text. Also record the text in `cut` if it exceeds the display."""
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
    def recorded_words(self) -> list[str]:
        """Return the words on rows 0 to 6, in the order of drawing."""
        rows = (text for page, _, text, _ in self.texts if page < DISPLAY_PAGES - 1)
        return [word for text in rows for word in text.split(" ") if word]


@contextmanager
def record_drawn_texts() -> Iterator[None]:
    """Draw every frame in this context on a RecordingCanvas.

    `RecordingCanvas.last` is the canvas of the latest frame.
    """
    with patch.object(screens, "Canvas", RecordingCanvas):
        yield
