"""The order in which the cursor visits a prompt's answers: a wheel, a list, or rows."""

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
    cursor_start_answer_index,
    legal_answers,
)
from hardware.ports import SEATS

ALPHABET_ROWS: Final = ("AÀÂBCÇDEÈÉÊËFG", "HIÎÏJKLMN", "OÔPQRSTUÙÛ", "VWXYZ.-'")
"""Letter rows: up to seven plain letters each, with accented letters beside their plain letter."""
SPELLABLE_CHARACTERS: Final = frozenset("".join(ALPHABET_ROWS))
NAME_LETTERS: Final = "".join(ALPHABET_ROWS).replace(".", "")
"""All letters that a player can use in a name."""
DONE_PLACE: Final = "✓"
"""Symbol in the spelling list that completes the word."""
CARET_TO_END_PLACE: Final = "→"
"""Symbol in the spelling list that moves the caret to the end of the word."""
ERASE_PLACE: Final = "×"
"""Symbol in the spelling list that erases the letter at the caret."""
COMMAND_PLACES: Final = (CARET_TO_END_PLACE, ERASE_PLACE, DONE_PLACE)
"""Symbols in the spelling list that are commands and not letters."""
MAX_ROW_LETTERS: Final = 7
"""Maximum number of letters without accents in a row of letters."""
MIN_LETTERS_FOR_COMPLETION: Final = 2
"""Minimum number of spelt letters before the box suggests known names."""
MAX_NAME_COMPLETIONS: Final = 3
"""Maximum number of known names that the spelling list suggests at a time."""


def should_up_select_larger(prompt: Prompt) -> bool:
    """Return True if UP selects a larger answer, as in questions for a number.

    In a list, UP selects the line above, so the result is False.
    """
    match prompt:
        case Choose():
            return not prompt.cells and {*map(type, prompt.options)} <= {int}
        case Spell():
            return False
        case _:
            return True


def is_drawn_as_wheel(prompt: Prompt) -> bool:
    """Return True if the display shows only the selected answer, as on a wheel.

    Options that are words, and options in rows, are drawn as lists, so the result is False.
    """
    match prompt:
        case Choose():
            letters = len(prompt.options) > len(SEATS) and SPELLABLE_CHARACTERS.issuperset(
                prompt.options
            )
            return letters or should_up_select_larger(prompt)
        case _:
            return True


def wheel_answers_and_symbols(
    prompt: Prompt, text: str = "", row: str = "", back: int = 0
) -> Sequence[Answer]:
    """Return the answers and symbols that the cursor can reach, in the order of DOWN presses.

    Options in rows are sorted by column, so that DOWN reaches the next row quickly. To add a letter
    to `text`, the player selects a row of letters, and then a letter of `row`. If the caret is
    inside a word, CARET_TO_END_PLACE and ERASE_PLACE are below the rows. If the caret is at the
    end, the known names that begin with `text` are below the rows. DONE_PLACE is last, because
    holding OK also completes the word.

    `back`: the number of letters after the caret.
    """
    if isinstance(prompt, Choose):
        if prompt.cells:
            return _columns(prompt.options, prompt.cells)
        if (
            prompt.options
            and prompt.options[0] in SPELLABLE_CHARACTERS
            and is_drawn_as_wheel(prompt)
        ):
            return tuple("".join(split_letters_into_rows("".join(map(str, prompt.options)))))
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
    beside = (CARET_TO_END_PLACE, ERASE_PLACE) if back else name_completions(prompt, text)
    offered = _offered(prompt) if len(before) < prompt.longest else ()
    return (*offered, *beside, *([DONE_PLACE] if text else []))


def _offered(prompt: Spell) -> tuple[str, ...]:
    """Return the rows of letters, or single letters if all letters fit into one row."""
    rows = split_letters_into_rows(prompt.letters or NAME_LETTERS)
    return rows if len(rows) > 1 else tuple("".join(rows))


def letter_rows(prompt: Prompt, text: str = "", back: int = 0) -> tuple[str, ...]:
    """Return the rows of letters in a word's spelling list; () if the list has single letters."""
    if not isinstance(prompt, Spell):
        return ()
    offered = _offered(prompt)
    places = wheel_answers_and_symbols(prompt, text, "", back)
    return offered if len(offered[0]) > 1 and places[:1] == offered[:1] else ()


def start_position_for_new_letter(prompt: Prompt, text: str = "", back: int = 0) -> int:
    """Return the first cursor position when a player adds a letter: the middle row of letters."""
    return max(0, len(letter_rows(prompt, text, back)) - 1) // 2


def name_completions(prompt: Spell, text: str) -> tuple[str, ...]:
    """Return up to MAX_NAME_COMPLETIONS known names that begin with `text`.

    Ignore case and accents. Return () if `text` has fewer than MIN_LETTERS_FOR_COMPLETION letters.
    """
    if len(text) < MIN_LETTERS_FOR_COMPLETION:
        return ()
    begun = _folded(text)
    names = (name for name in prompt.known if _folded(name).startswith(begun) and name != text)
    return tuple(islice(names, MAX_NAME_COMPLETIONS))


def _folded(text: str) -> str:
    parts = unicodedata.normalize("NFD", text)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


@lru_cache(maxsize=64)
def split_letters_into_rows(letters: str) -> tuple[str, ...]:
    """Split letters into the rows of the alphabet.

    If one row has space for all letters, return one row. Letters that are not in the alphabet form
    additional rows at the end.
    """
    lies = {letter.upper(): letter for letter in letters}
    rows = ["".join(lies.pop(letter) for letter in row if letter in lies) for row in ALPHABET_ROWS]
    others = "".join(lies.values())
    rows += [others[n : n + MAX_ROW_LETTERS] for n in range(0, len(others), MAX_ROW_LETTERS)]
    few = len(letters) <= MAX_ROW_LETTERS
    return ("".join(rows),) if few else tuple(filter(None, rows))


def closed_letter_row_text(row: str) -> str:
    """Return the text of a closed row of letters.

    If the row has more than MAX_ROW_LETTERS letters, omit the accented letters.
    """
    return row if len(row) <= MAX_ROW_LETTERS else "".join(filter(str.isascii, row))


@lru_cache(maxsize=64)
def _columns(options: tuple[Answer, ...], cells: tuple[Cell | None, ...]) -> tuple[Answer, ...]:
    """Return options sorted by column; options outside all rows come first."""
    lies = [(-1, -1) if cell is None else (cell[1], cell[0]) for cell in cells]
    return tuple(options[i] for i in sorted(range(len(options)), key=lies.__getitem__))


def count_presses_to_answer(prompt: Prompt, value: Answer) -> int:
    """Return the number of presses, OK included, with which a player gives the answer `value`.

    In a secret question, one more press selects the first option.
    """
    places = wheel_answers_and_symbols(prompt)
    away = (places.index(value) - _first(prompt, places)) % len(places)
    return min(away, len(places) - away) + 1 + prompt.private


def row_number_of_option(prompt: Choose, value: Answer) -> int | None:
    """Return the number of the option's row, from 0; None if the option is in no row."""
    cell = dict(zip(prompt.options, prompt.cells, strict=True))[value]
    return None if cell is None else cell[0]


def likeliest_answer_index(prompt: Prompt | None) -> int:
    """Return the index of the answer on which the cursor starts: the most probable answer."""
    return 0 if prompt is None else _first(prompt, wheel_answers_and_symbols(prompt))


def _first(prompt: Prompt, places: Sequence[Answer]) -> int:
    if isinstance(prompt, Spell):
        return start_position_for_new_letter(prompt)
    return places.index(legal_answers(prompt)[cursor_start_answer_index(prompt)])
