"""A move of a recorded game as lines of a terminal."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from companion.box.past import seen
from companion.core.prompts import by_box
from hardware.pixels import braille

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.figures.story import Move
    from companion.say.words import Words


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
    return [] if by_box(move.after.prompt) else braille(seen(move.after, words))
