"""The order of a prompt's answers for the cursor: as a wheel, a list, or rows."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from companion.core.prompts import (
    COVERED_LETTER,
    Answer,
    Cell,
    Choose,
    Prompt,
    Spell,
    legal_answers,
    likeliest_index,
)
from hardware.ports import SEATS

ALPHABET_ROWS: Final = ("AÀÂBCÇDEÈÉÊËFG", "HIÎÏJKLMN", "OÔPQRSTUÙÛ", "VWXYZ.-'")
"""Rows of letters: seven of the alphabet each, accents beside their letter."""
ALPHABET_LETTERS: Final = frozenset("".join(ALPHABET_ROWS))
NAME_LETTERS: Final = "".join(ALPHABET_ROWS).replace(".", "")
"""The letters of names."""
DONE_PLACE: Final = "✓"
END_PLACE: Final = "→"
"""The place that moves the caret after the last letter."""
ERASE_PLACE: Final = "×"
"""The place that erases the letter at the caret."""
COMMAND_PLACES: Final = (END_PLACE, ERASE_PLACE, DONE_PLACE)
"""Places of a word that are no letters."""
MAX_ROW_LETTERS: Final = 7
"""Maximum number of letters of the alphabet in a row."""
MIN_LETTERS_FOR_NAMES: Final = 2
"""Number of letters after which known names are offered."""
MAX_KNOWN_NAMES: Final = 3
"""Maximum number of known names that are offered at once; each has a line beside the rows."""


def up_increases(prompt: Prompt) -> bool:
    """Return True if UP selects a larger answer, as for a number.

    In lists, UP moves to the line above.
    """
    match prompt:
        case Choose():
            return not prompt.cells and {*map(type, prompt.options)} <= {int}
        case Spell():
            return False
        case _:
            return True


def is_wheel(prompt: Prompt) -> bool:
    """Return True if only the selected answer is drawn, as on a wheel: a number or a letter.

    Words and options in rows are drawn as lists.
    """
    match prompt:
        case Choose():
            letters = len(prompt.options) > len(SEATS) and ALPHABET_LETTERS.issuperset(
                prompt.options
            )
            return letters or up_increases(prompt)
        case _:
            return True


def wheel_places(prompt: Prompt, text: str = "", row: str = "", back: int = 0) -> Sequence[Answer]:
    """Return the places that the cursor can reach, in the order of DOWN.

    Options in rows are in column order, so that each row is near. A word with letters `text` is
    spelt from rows: first the row, then a letter of that `row`. `back` is the number of letters
    after the caret. END_PLACE and ERASE_PLACE (inside a word) or known names that begin with `text`
    are below the rows. DONE_PLACE is last, since holding OK does the same everywhere.
    """
    if isinstance(prompt, Choose):
        if prompt.cells:
            return _columns(prompt.options, prompt.cells)
        if prompt.options and prompt.options[0] in ALPHABET_LETTERS and is_wheel(prompt):
            return tuple("".join(split_into_rows("".join(map(str, prompt.options)))))
        return prompt.options
    if not isinstance(prompt, Spell):
        return legal_answers(prompt)
    if row:
        return tuple(row)
    before = text[: len(text) - back]
    if prompt.open:
        if len(before) >= len(prompt.open):
            return (DONE_PLACE,)
        seen = prompt.open[len(before)]
        return _offered(prompt) if seen == COVERED_LETTER else (seen,)
    beside = (END_PLACE, ERASE_PLACE) if back else completions(prompt, text)
    offered = _offered(prompt) if len(before) < prompt.longest else ()
    return (*offered, *beside, *([DONE_PLACE] if text else []))


def _offered(prompt: Spell) -> tuple[str, ...]:
    """Return the rows of letters, or single letters if all fit into one row."""
    rows = split_into_rows(prompt.letters or NAME_LETTERS)
    return rows if len(rows) > 1 else tuple("".join(rows))


def letter_rows(prompt: Prompt, text: str = "", back: int = 0) -> tuple[str, ...]:
    """Return the rows of letters among a word's places; () if the letters are listed one by one."""
    if not isinstance(prompt, Spell):
        return ()
    offered = _offered(prompt)
    places = wheel_places(prompt, text, "", back)
    return offered if len(offered[0]) > 1 and places[:1] == offered[:1] else ()


def first_letter_place(prompt: Prompt, text: str = "", back: int = 0) -> int:
    """Return the cursor's place for the next letter: the row H to N of the alphabet."""
    return max(0, len(letter_rows(prompt, text, back)) - 1) // 2


def completions(prompt: Spell, text: str) -> tuple[str, ...]:
    """Return the known names that begin with `text`, ignoring case and accents."""
    if len(text) < MIN_LETTERS_FOR_NAMES:
        return ()
    begun = _folded(text)
    names = (name for name in prompt.known if _folded(name).startswith(begun) and name != text)
    return tuple(islice(names, MAX_KNOWN_NAMES))


def _folded(text: str) -> str:
    parts = unicodedata.normalize("NFD", text)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


@lru_cache(maxsize=64)
def split_into_rows(letters: str) -> tuple[str, ...]:
    """Return letters as rows of the alphabet. A few letters, or unusual ones, are a single row."""
    lies = {letter.upper(): letter for letter in letters}
    rows = ["".join(lies.pop(letter) for letter in row if letter in lies) for row in ALPHABET_ROWS]
    others = "".join(lies.values())
    rows += [others[n : n + MAX_ROW_LETTERS] for n in range(0, len(others), MAX_ROW_LETTERS)]
    few = len(letters) <= MAX_ROW_LETTERS
    return ("".join(rows),) if few else tuple(filter(None, rows))


def close_row(row: str) -> str:
    """Return the text of a closed row: its letters without those with accents."""
    return row if len(row) <= MAX_ROW_LETTERS else "".join(filter(str.isascii, row))


@lru_cache(maxsize=64)
def _columns(options: tuple[Answer, ...], cells: tuple[Cell | None, ...]) -> tuple[Answer, ...]:
    """Return options in column order; options in no row come first."""
    lies = [(-1, -1) if cell is None else (cell[1], cell[0]) for cell in cells]
    return tuple(options[i] for i in sorted(range(len(options)), key=lies.__getitem__))


def count_presses(prompt: Prompt, value: Answer) -> int:
    """Return the number of presses for an answer, starting at the likeliest one, OK included.

    A secret question needs one more press to select the first option.
    """
    places = wheel_places(prompt)
    away = (places.index(value) - _first(prompt, places)) % len(places)
    return min(away, len(places) - away) + 1 + prompt.private


def row_of_option(prompt: Choose, value: Answer) -> int | None:
    """Return the row of an option, from 0; None if it is in no row."""
    cell = dict(zip(prompt.options, prompt.cells, strict=True))[value]
    return None if cell is None else cell[0]


def likeliest_place(prompt: Prompt | None) -> int:
    """Return the index of the likeliest answer, where the cursor starts."""
    return 0 if prompt is None else _first(prompt, wheel_places(prompt))


def _first(prompt: Prompt, places: Sequence[Answer]) -> int:
    """Return the likeliest answer's index in `places`, or the place of a word's first letter."""
    if isinstance(prompt, Spell):
        return first_letter_place(prompt)
    return places.index(legal_answers(prompt)[likeliest_index(prompt)])
