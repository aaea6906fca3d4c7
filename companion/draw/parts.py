"""The parts of frames: a list of answers, rows of letters, a verdict. Games use them too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.draw.canvas import ELLIPSIS, apart, font, short, wrap
from companion.draw.letters import drawable
from companion.press.cursor import current_answer, places
from companion.press.wheel import SIGNS, WIDE, close_row, letter_rows, wheel
from hardware.ports import WIDTH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.core.game import Cues
    from companion.core.prompts import Prompt, Spell
    from companion.core.snapshot import View
    from companion.draw.canvas import Canvas
    from companion.press.cursor import Cursor
    from companion.say.words import Words

COLUMNS: Final = 21
"""Small letters in a row."""
LINE: Final = COLUMNS - 2
"""Small letters of an answer in a list, after its marker."""
BIG_COLUMNS: Final = 16
"""Medium letters in a row."""
LEAST: Final = 2
"""Fewest letters of a name before a gap."""
LIST: Final = 4
"""Lines of a list that are shown at once."""
ROWS_OF_LETTERS: Final = 4
"""Pages that the rows of letters use."""
BESIDE_ROWS: Final = (WIDE + 3) * 6
"""Column (pixels) of the places beside the rows of letters."""


def listing(
    canvas: Canvas,
    prompt: Prompt,
    cursor: Cursor,
    words: Words,
    view: View,
    *,
    x: int = 0,
    page: int = 1,
    rows: int = LIST,
) -> None:
    """Draw a list of up to `rows` answers with a marker; a longer one moves under the cursor."""
    answers = wheel(prompt)
    first = min(max(0, cursor.at - rows // 2), max(0, len(answers) - rows))
    columns = (128 - x) // 6 - 2
    for row, value in enumerate(answers[first : first + rows]):
        if first + row == cursor.at:
            canvas.text(page + row, x, "▸")
        canvas.text(page + row, x + 12, in_line(words.label(prompt.name, value, view), columns))
    if first > 0:
        canvas.text(page, x + 6, "▴")
    if first + rows < len(answers):
        canvas.text(page + rows - 1, x + 6, "▾")


def in_line(label: str, columns: int) -> str:
    """Return an answer cut to a line; of too many names, the first ones whole and an ellipsis."""
    names = label.split(", ")
    cut = (", ".join((*names[:n], ELLIPSIS)) for n in range(len(names) - 1, 0, -1))
    fitting = (text for text in (label, *cut) if len(drawable(text)) <= columns)
    return next(fitting, short(label, columns))


def spelling(canvas: Canvas, prompt: Spell, cursor: Cursor, title: str = "") -> None:
    """Draw the word so far on pages 0 and 1, beside a title, and the rows of letters below it."""
    face = font("medium").width
    x = max(0, WIDTH - face * (prompt.longest + 1))
    for page, line in enumerate(wrap(title, x // font("small").width)[:2] if x else ()):
        canvas.text(page, 0, line)
    full = len(cursor.text) == prompt.longest
    canvas.text(0, x, cursor.text if full or cursor.back else f"{cursor.text}_", "medium")
    if cursor.back:
        canvas.reverse(x + face * len(cursor.before), 0, face, 16)
    letters(canvas, 2, prompt, cursor)


def letters(
    canvas: Canvas, page: int, prompt: Spell, cursor: Cursor, mark: Callable[[str], str] = str
) -> None:
    """Draw the rows of letters on four pages, with the commands of spelling beside them.

    An open row is in large letters between its neighbours. `mark` returns a letter as it is drawn.
    """
    found, here = letter_rows(prompt, cursor.text, cursor.back), current_answer(prompt, cursor)
    if cursor.row:
        at = found.index(cursor.row)
        _row(canvas, page, found[at - 1] if at else "", mark)
        _open_row(canvas, page + 1, cursor.row, here, mark)
        _row(canvas, page + ROWS_OF_LETTERS - 1, "".join(found[at + 1 : at + 2]), mark)
        return
    for n, row in enumerate(found):
        _row(canvas, page + n, row, mark, marked=row == here)
    others = [str(place) for place in places(prompt, cursor) if place not in found]
    if not found and (few := [place for place in others if place not in SIGNS]):
        _open_row(canvas, page + 1, "".join(few), str(here), mark)
        others = others[len(few) :]
    for n, place in enumerate(others, start=page + ROWS_OF_LETTERS - len(others)):
        canvas.text(n, BESIDE_ROWS, f"{'▸' if place == here else ' '}{place}")


def _row(
    canvas: Canvas, page: int, row: str, mark: Callable[[str], str], *, marked: bool = False
) -> None:
    canvas.text(page, 0, f"{'▸' if marked else ' '}{''.join(map(mark, close_row(row)))}")


def _open_row(canvas: Canvas, page: int, row: str, here: str, mark: Callable[[str], str]) -> None:
    """Draw letters as large as they fit, on two pages, with the one under the cursor inverted."""
    width = font("medium").width
    step = min(2 * width, (WIDTH - width) // max(1, len(row)))
    for n, letter in enumerate(row):
        x = width // 2 + n * step + (step - width) // 2
        canvas.text(page, x, mark(letter), "medium")
        if letter == here:
            canvas.reverse(x, 8 * page, width, 16)


def bare(label: str) -> str:
    """Return an answer without its price: "no dot" for "no dot (-50)"."""
    return label.partition(" (")[0]


def becomes(canvas: Canvas, was: int, n: int, *, x: int = 0) -> None:
    """Draw a number that is being corrected behind its present value, on pages 1 to 4."""
    for text, face in (
        (f"{was} → {n}", "double"),
        (f"{was}→{n}", "double"),
        (f"{was}→{n}", "medium"),
    ):
        left = WIDTH - x - len(text) * font(face).width
        if left >= 0:
            canvas.text(1 + (face == "medium"), x + left // 2, text, face)
            return


def people(names: Sequence[str], rows: int, between: str = ", ") -> str:
    """Return names in `rows` rows of small letters, cut to an equal length if necessary."""
    longest = max(len(drawable(name)) for name in names)
    texts = (between.join(apart(names, n)) for n in range(longest, 0, -1))
    fitting = (text for text in texts if len(wrap(text, COLUMNS)) <= rows)
    return next(fitting, " ".join(apart(names, 1)))


def share(beside: int) -> int:
    """Return the small letters of each of `beside` columns in a row, without the gaps."""
    return (COLUMNS + 1) // beside - 1


def in_rows(values: Mapping[str, Sequence[str]], beside: int) -> list[str]:
    """Return names with their values in `beside` columns, ordered down the columns."""
    widths = [max(map(len, column)) for column in zip(*values.values(), strict=True)]
    told = [
        "".join(f" {v:>{w}}" for v, w in zip(own, widths, strict=True)) for own in values.values()
    ]
    wide = share(beside)
    if wide - len(told[0]) < LEAST:  # too narrow for a name and a gap
        told = [short(one[1:], wide - 1) for one in told]
    room = wide - max(map(len, told))
    cells = [f"{who:<{room}}{own}" for who, own in zip(apart([*values], room), told, strict=True)]
    rows = -(-len(cells) // beside)
    return [" ".join(cells[row::rows]) for row in range(rows)]


def verdict(canvas: Canvas, cues: Cues, words: Words) -> None:
    """Draw the title of a fact in large letters, and its sentence."""
    lead, used = cues[0], 1
    if lead.clause:
        canvas.right(0, lead.clause)
    for row in wrap(words.title(lead), BIG_COLUMNS)[:2]:
        canvas.centre(used, row, "medium")
        used += 2
    centred = lead.name != "why"
    for text in filter(None, (words.text_below_title(lead), *map(words.text, cues[1:]))):
        used += canvas.lines(used, text, 7 - used, centred=centred)
