"""A move of a recorded game as lines of a terminal."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from companion.core.prompts import by_box
from companion.draw import screens
from companion.draw.face import face_of
from companion.play.header import setup_of
from companion.press.cursor import Cursor
from companion.say.words import Words
from hardware.pixels import braille

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.figures.recorded import Recorded
    from companion.figures.story import Move


def words_of(game: Recorded, language: str) -> Words:
    """The words of a recorded game, with the names that were printed on its board."""
    name = str(game.header["game"])
    return Words(language, face_of(name).wording(name), setup_of(game.header).edition)


def lines_of(move: Move, words: Words) -> Iterator[str]:
    """What happened, each fact with its rule; what was taken back is marked."""
    when = time.strftime("%H:%M", time.localtime(move.at))
    if move.entry.kind in ("undo", "redo"):
        yield f"{move.n:4d}  {when}  {words(f'box.figures.{move.entry.kind}')}"
    for cue in move.cues:
        if text := words.text(cue).replace("|", " "):
            clause = f"  [{cue.clause}]" if cue.clause else ""
            yield f"{move.n:4d}  {when}  {text}{clause}"


def frame_of(move: Move, words: Words) -> list[str]:
    """What the display showed then; nothing, while the box itself had to answer.

    Where it asked somebody alone, that is how the game stood.
    """
    snapshot = move.after
    face, cursor, prompt = face_of(snapshot.game), Cursor(), snapshot.prompt
    if by_box(prompt):
        return []
    if prompt is None or prompt.private:
        return braille(screens.standing(snapshot, words, cursor, face))
    return braille(screens.question(snapshot, prompt, cursor, words, face))
