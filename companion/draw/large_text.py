"""Drawings of names and numbers that are large enough to be read across the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.prompts import Prompt
from companion.draw.canvas import Canvas, load_font, shorten_text
from companion.draw.letters import transliterate_uncomposable_letters
from companion.draw.parts import MAX_LIST_ANSWERS, draw_answer_list
from companion.press.cursor import Cursor
from companion.press.wheel import wheel_answers_and_symbols
from companion.say.words import Words
from hardware.ports import DISPLAY_WIDTH

if TYPE_CHECKING:
    from companion.core.snapshot import View

NAME_FONTS: Final = ("tall", "wide", "medium", "small")
"""Names of the fonts for a player's name, the largest font first."""
BODY_ROWS: Final = 5
"""Number of rows (8 pixels high) for the content of a question, which are rows 1 to 5."""
MIN_NAME_ROWS: Final = 2
"""Minimum number of rows (8 pixels high) for a player's name above a list."""
NUMBER_TEXT_GAP: Final = 4
"""Width in pixels of the gap between a large number and its text.

The gap shrinks if space is short.
"""
MAX_DIGITS_BESIDE_NAME: Final = 2
"""Maximum number of digits of a running total beside which a name still fits."""


def largest_fitting_font_name(text: str, width: int, pages: int) -> str:
    """Return the name of the largest font in which `text` fits; "small" if no font fits.

    - `width`: the width of the area for the text in pixels.
    - `pages`: the height of the area in rows of 8 pixels.
    """
    fitting = (
        name
        for name in NAME_FONTS
        if load_font(name).pages <= pages and len(text) * load_font(name).width <= width
    )
    return next(fitting, NAME_FONTS[-1])


def draw_fitted_text(
    canvas: Canvas,
    page: int,
    pages: int,
    text: str,
    x: int = 0,
    edge: int = DISPLAY_WIDTH,
    *,
    centred: bool = False,
) -> None:
    """Write a text in the largest font that fits, from column `x` to column `edge`.

    - `page`: the first row (8 pixels high) of the area for the text.
    - `pages`: the number of rows of the area.
    """
    text, width = transliterate_uncomposable_letters(text), edge - x
    face = largest_fitting_font_name(text, width, pages)
    letters = load_font(face)
    text = shorten_text(text, width // letters.width)
    left = x + (width - len(text) * letters.width) // 2 if centred else x
    canvas.draw_text(page + (pages - letters.pages + 1) // 2, left, text, face)


def draw_player_name(canvas: Canvas, who: str, page: int = 2, pages: int = 3) -> None:
    """Write a player's name, centred in an area of `pages` rows (8 pixels high).

    The first row of the area is row `page`.
    """
    draw_fitted_text(canvas, page, pages, who.upper(), centred=True)


def draw_running_total(canvas: Canvas, figure: int | str, who: str, below: str = "") -> int:
    """Draw a running total in large digits, with the player's name beside it.

    The text `below` is drawn under the name. Return the column at which the name begins.
    """
    canvas.draw_text(1, 0, str(figure), "large")
    x = len(str(figure)) * load_font("large").width
    if (
        x
        + NUMBER_TEXT_GAP
        + len(transliterate_uncomposable_letters(who)) * load_font("medium").width
        <= DISPLAY_WIDTH
    ):
        x += NUMBER_TEXT_GAP
    draw_fitted_text(canvas, 1, 3, who.upper(), x)
    if below:
        draw_fitted_text(canvas, 4, 2, below, x)
    return x


def draw_answers_below_name(
    canvas: Canvas,
    prompt: Prompt,
    cursor: Cursor,
    words: Words,
    view: View,
    *,
    page: int = 1,
    last: int = BODY_ROWS,
) -> None:
    """Draw a prompt's answers as a list that ends at row `last`, below the active player's name.

    If the prompt asks all players, draw no name, and begin the list at row `page`. The name begins
    at row `page`, or at row 0 if there are exactly four answers, because four answers need more
    rows. If there are more answers than free rows, the list scrolls.

    `page`: the first free row (8 pixels high).
    """
    answers = len(wheel_answers_and_symbols(prompt))
    if prompt.who is None:
        draw_answer_list(canvas, prompt, cursor, words, view, page=page)
        return
    if answers == MAX_LIST_ANSWERS and page > 0:
        canvas.erase_rectangle(0, 0, DISPLAY_WIDTH, 8 * page)
        page = 0
    rows = min(answers, last + 1 - page - MIN_NAME_ROWS)
    free = last + 1 - page - rows
    draw_player_name(canvas, prompt.who, page, free)
    draw_answer_list(canvas, prompt, cursor, words, view, page=page + free, rows=rows)
