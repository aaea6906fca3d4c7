"""Functions that draw a list of answers, the rows of letters for spelling, or an event's text.

The drawing functions of games can also use this module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from companion.core.game import Cues
from companion.core.prompts import Prompt, Spell
from companion.draw.canvas import (
    ELLIPSIS,
    Canvas,
    load_font,
    shorten_names_distinctly,
    shorten_text,
    wrap_text,
)
from companion.draw.letters import transliterate_uncomposable_letters
from companion.press.cursor import Cursor, reachable_answers_and_symbols, selected_answer
from companion.press.wheel import (
    COMMAND_PLACES,
    MAX_ROW_LETTERS,
    closed_letter_row_text,
    letter_rows,
    wheel_answers_and_symbols,
)
from companion.say.words import Words
from hardware.ports import DISPLAY_WIDTH

if TYPE_CHECKING:
    from companion.core.snapshot import View

ROW_LETTERS: Final = 21
"""Number of small letters in a row of the display."""
MAX_LIST_ANSWER_LETTERS: Final = ROW_LETTERS - 2
"""Maximum number of small letters of an answer in a list.

The cursor's marker precedes the answer.
"""
MEDIUM_ROW_LETTERS: Final = 16
"""Number of medium letters in a row of the display."""
MIN_NAME_LETTERS: Final = 2
"""Minimum number of letters for a name in a column that contains names and values."""
MAX_LIST_ANSWERS: Final = 4
"""Maximum number of answers that a list shows at once; each answer has one row."""
LETTER_ROWS_PAGES: Final = 4
"""Number of text rows (8 pixels high) for the letters from which a player spells a word."""
SPELLING_COMMANDS_X: Final = (MAX_ROW_LETTERS + 3) * 6
"""Column (pixels) at which the spelling commands begin, to the right of the rows of letters."""


def draw_answer_list(
    canvas: Canvas,
    prompt: Prompt,
    cursor: Cursor,
    words: Words,
    view: View,
    *,
    x: int = 0,
    page: int = 1,
    rows: int = MAX_LIST_ANSWERS,
) -> None:
    """Draw a list of up to `rows` answers with a marker at the cursor; a longer list scrolls."""
    answers = wheel_answers_and_symbols(prompt)
    first = min(max(0, cursor.at - rows // 2), max(0, len(answers) - rows))
    columns = (128 - x) // 6 - 2
    for row, value in enumerate(answers[first : first + rows]):
        if first + row == cursor.at:
            canvas.draw_text(page + row, x, "▸")
        canvas.draw_text(
            page + row,
            x + 12,
            shorten_answer(words.answer_label(prompt.name, value, view), columns),
        )
    if first > 0:
        canvas.draw_text(page, x + 6, "▴")
    if first + rows < len(answers):
        canvas.draw_text(page + rows - 1, x + 6, "▾")


def shorten_answer(label: str, columns: int) -> str:
    """Return the text of an answer, cut to `columns` letters.

    A list of names is cut after the last whole name that fits, and ends with an ellipsis.
    """
    names = label.split(", ")
    cut = (", ".join((*names[:n], ELLIPSIS)) for n in range(len(names) - 1, 0, -1))
    fitting = (
        text for text in (label, *cut) if len(transliterate_uncomposable_letters(text)) <= columns
    )
    return next(fitting, shorten_text(label, columns))


def draw_word_entry(canvas: Canvas, prompt: Spell, cursor: Cursor, title: str = "") -> None:
    """Draw a typed word on rows 0 and 1, with the text `title` to the left of the word.

    The letters from which the player chooses are drawn below. Rows are 8 pixels high.
    """
    face = load_font("medium").width
    x = max(0, DISPLAY_WIDTH - face * (prompt.longest + 1))
    for page, line in enumerate(wrap_text(title, x // load_font("small").width)[:2] if x else ()):
        canvas.draw_text(page, 0, line)
    full = len(cursor.text) == prompt.longest
    canvas.draw_text(0, x, cursor.text if full or cursor.back else f"{cursor.text}_", "medium")
    if cursor.back:
        canvas.invert_rectangle(x + face * len(cursor.letters_before_caret), 0, face, 16)
    draw_letter_rows(canvas, 2, prompt, cursor)


def draw_letter_rows(
    canvas: Canvas, page: int, prompt: Spell, cursor: Cursor, mark: Callable[[str], str] = str
) -> None:
    """Draw the rows of letters from row `page` down, with the spelling commands beside them.

    After a player chooses a row, draw the letters of this row large, the neighbouring rows small,
    and no spelling commands. All rows together are `LETTER_ROWS_PAGES` times 8 pixels high.

    `mark`: function that converts a letter to the text that is drawn for the letter.
    """
    rows, here = letter_rows(prompt, cursor.text, cursor.back), selected_answer(prompt, cursor)
    if cursor.row:
        at = rows.index(cursor.row)
        _row(canvas, page, rows[at - 1] if at else "", mark)
        _open_row(canvas, page + 1, cursor.row, here, mark)
        _row(canvas, page + LETTER_ROWS_PAGES - 1, "".join(rows[at + 1 : at + 2]), mark)
        return
    for n, row in enumerate(rows):
        _row(canvas, page + n, row, mark, marked=row == here)
    others = [
        str(place) for place in reachable_answers_and_symbols(prompt, cursor) if place not in rows
    ]
    if not rows and (few := [place for place in others if place not in COMMAND_PLACES]):
        _open_row(canvas, page + 1, "".join(few), str(here), mark)
        others = others[len(few) :]
    for n, place in enumerate(others, start=page + LETTER_ROWS_PAGES - len(others)):
        canvas.draw_text(n, SPELLING_COMMANDS_X, f"{'▸' if place == here else ' '}{place}")


def _row(
    canvas: Canvas, page: int, row: str, mark: Callable[[str], str], *, marked: bool = False
) -> None:
    canvas.draw_text(
        page, 0, f"{'▸' if marked else ' '}{''.join(map(mark, closed_letter_row_text(row)))}"
    )


def _open_row(canvas: Canvas, page: int, row: str, here: str, mark: Callable[[str], str]) -> None:
    width = load_font("medium").width
    step = min(2 * width, (DISPLAY_WIDTH - width) // max(1, len(row)))
    for n, letter in enumerate(row):
        x = width // 2 + n * step + (step - width) // 2
        canvas.draw_text(page, x, mark(letter), "medium")
        if letter == here:
            canvas.invert_rectangle(x, 8 * page, width, 16)


def answer_without_price(label: str) -> str:
    """Return an answer's text without the price in brackets: "yes" for "yes (-50)"."""
    return label.partition(" (")[0]


def draw_corrected_number(canvas: Canvas, was: int, n: int, *, x: int = 0) -> None:
    """Draw the correction of a number as "old → new" on rows 1 to 4 (8 pixels high).

    - `was`: the present value.
    - `n`: the new value.
    """
    for text, face in (
        (f"{was} → {n}", "double"),
        (f"{was}→{n}", "double"),
        (f"{was}→{n}", "medium"),
    ):
        left = DISPLAY_WIDTH - x - len(text) * load_font(face).width
        if left >= 0:
            canvas.draw_text(1 + (face == "medium"), x + left // 2, text, face)
            return


def fit_names_in_rows(names: Sequence[str], rows: int, between: str = ", ") -> str:
    """Return the names as a text that fits into `rows` rows of small letters.

    If the names do not fit, long names are cut to an equal length.

    `between`: the text between two names.
    """
    longest = max(len(transliterate_uncomposable_letters(name)) for name in names)
    texts = (between.join(shorten_names_distinctly(names, n)) for n in range(longest, 0, -1))
    fitting = (text for text in texts if len(wrap_text(text, ROW_LETTERS)) <= rows)
    return next(fitting, " ".join(shorten_names_distinctly(names, 1)))


def letters_per_column(beside: int) -> int:
    """Return the number of small letters that fit in one column of the display.

    `beside`: the number of equally wide columns.
    """
    return (ROW_LETTERS + 1) // beside - 1


def name_value_rows(values: Mapping[str, Sequence[str]], beside: int) -> list[str]:
    """Return rows of text with names and their values, arranged in columns.

    The names fill the first column from top to bottom, then the next column.

    `beside`: the number of columns.
    """
    widths = [max(map(len, column)) for column in zip(*values.values(), strict=True)]
    texts = [
        "".join(f" {v:>{w}}" for v, w in zip(row_values, widths, strict=True))
        for row_values in values.values()
    ]
    wide = letters_per_column(beside)
    if wide - len(texts[0]) < MIN_NAME_LETTERS:  # too narrow: omit the leading space
        texts = [shorten_text(text[1:], wide - 1) for text in texts]
    room = wide - max(map(len, texts))
    cells = [
        f"{who:<{room}}{text}"
        for who, text in zip(shorten_names_distinctly([*values], room), texts, strict=True)
    ]
    rows = -(-len(cells) // beside)
    return [" ".join(cells[row::rows]) for row in range(rows)]


def draw_fact_text(canvas: Canvas, cues: Cues, words: Words) -> None:
    """Draw the first event's title in medium letters, and the event's clause at the top right.

    Draw the sentences of all events below the title.
    """
    lead, used = cues[0], 1
    if lead.clause:
        canvas.draw_right_aligned_text(0, lead.clause)
    for row in wrap_text(words.fact_title(lead), MEDIUM_ROW_LETTERS)[:2]:
        canvas.draw_centred_text(used, row, "medium")
        used += 2
    centred = lead.name != "why"
    for text in filter(None, (words.fact_text_below_title(lead), *map(words.fact_text, cues[1:]))):
        used += canvas.draw_wrapped_text(used, text, 7 - used, centred=centred)
