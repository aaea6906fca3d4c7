"""What frames are made of: a list of answers, a wheel of letters, a verdict; for games, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.draw.canvas import short, wrap
from companion.press.wheel import wheel

if TYPE_CHECKING:
    from companion.core.game import Cues
    from companion.core.prompts import Prompt, Spell
    from companion.draw.canvas import Canvas
    from companion.press.cursor import Cursor
    from companion.say.words import View, Words

COLUMNS: Final = 21
"""Small letters in a row."""
BIG_COLUMNS: Final = 16
"""Medium letters in a row."""
LIST: Final = 4
"""Lines of a list that are shown at once."""


def listing(
    canvas: Canvas,
    prompt: Prompt,
    cursor: Cursor,
    words: Words,
    view: View,
    *,
    x: int = 0,
    page: int = 1,
) -> None:
    """A list of up to four lines with a marker; it moves under the cursor when it is longer."""
    answers = wheel(prompt)
    first = min(max(0, cursor.at - LIST // 2), max(0, len(answers) - LIST))
    columns = (128 - x) // 6 - 2
    for row, value in enumerate(answers[first : first + LIST]):
        if first + row == cursor.at:
            canvas.text(page + row, x, "▸")
        canvas.text(page + row, x + 12, short(words.label(prompt.name, value, view), columns))
    _more(canvas, x + 6, page, first, len(answers))


def _more(canvas: Canvas, x: int, page: int, first: int, answers: int) -> None:
    """Small arrows before the first and the last line of a list that goes on."""
    if first > 0:
        canvas.text(page, x, "▴")
    if first + LIST < answers:
        canvas.text(page + LIST - 1, x, "▾")


def spelling(canvas: Canvas, prompt: Spell, cursor: Cursor) -> None:
    """The word so far, and the wheel of letters with its neighbours."""
    letters = wheel(prompt, cursor.text)
    offsets = range(-4, 5) if len(letters) > len(range(-4, 5)) else range(len(letters))
    canvas.centre(
        1, cursor.text if len(cursor.text) == prompt.longest else f"{cursor.text}_", "medium"
    )
    for offset in offsets:
        letter = letters[(cursor.at + offset) % len(letters)]
        canvas.text(4, 13 + 12 * (4 + offset), letter)
    canvas.text(3, 13 + 12 * 4 - 1, "▾")
    canvas.text(5, 13 + 12 * 4 - 1, "▴")


def verdict(canvas: Canvas, cues: Cues, words: Words) -> None:
    """The title in big letters, and what it means."""
    lead, used = cues[0], 1
    if lead.clause:
        canvas.right(0, lead.clause)
    for row in wrap(words.title(lead), BIG_COLUMNS)[:2]:
        canvas.centre(used, row, "medium")
        used += 2
    centred = lead.name != "why"
    for text in filter(None, (words.alone(lead), *map(words.text, cues[1:]))):
        used += canvas.lines(used, text, 7 - used, centred=centred)
