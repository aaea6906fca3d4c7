"""How the answers of a prompt lie under the thumb: a wheel, a list, rows, or rows of letters."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from companion.core.prompts import UNSEEN, Answer, Cell, Choose, Prompt, Spell, choices, likeliest
from hardware.ports import SEATS

if TYPE_CHECKING:
    from collections.abc import Sequence

ROWS: Final = ("AÀÂBCÇDEÈÉÊËFG", "HIÎÏJKLMN", "OÔPQRSTUÙÛ", "VWXYZ.-'")
"""Where a letter is looked for: seven of the alphabet in a row, accents beside their letter."""
LETTERS: Final = frozenset("".join(ROWS))
ALPHABET: Final = "".join(ROWS).replace(".", "")
"""The letters of names."""
DONE: Final = "✓"
END: Final = "→"
"""The place that leads the caret behind the last letter."""
ERASE: Final = "×"
"""The place that erases the letter on which the caret stands."""
SIGNS: Final = (END, ERASE, DONE)
"""The places of a word that are no letters."""
WIDE: Final = 7
"""Letters of the alphabet in a row, at most."""
KNOWN_FROM: Final = 2
"""Letters after which names seen before are offered."""
MAX_KNOWN: Final = 3
"""Names seen before that are offered at once, at most: each has a line beside the rows."""


def climbs(prompt: Prompt) -> bool:
    """Return True if UP means a larger answer: a number. Letters and words go on with DOWN."""
    match prompt:
        case Choose():
            return not prompt.cells and {*map(type, prompt.options)} <= {int}
        case Spell():
            return False
        case _:
            return True


def is_wheel(prompt: Prompt) -> bool:
    """Return True if the answer is drawn alone, as a wheel: a number or a letter.

    Words stand in a list, and so do options that lie in rows.
    """
    match prompt:
        case Choose():
            letters = len(prompt.options) > len(SEATS) and LETTERS.issuperset(prompt.options)
            return letters or climbs(prompt)
        case _:
            return True


def wheel(prompt: Prompt, text: str = "", row: str = "", back: int = 0) -> Sequence[Answer]:
    """Return the places that the cursor can stand on, in the order in which DOWN passes them.

    Options that lie in rows are passed column by column, so that each row is near. Letters stand
    as in the alphabet. A word that has `text` so far is spelt from rows of letters: first the row,
    then a letter of that `row`. `back`: how many letters of the text stand from the caret on.
    Below the rows come END and ERASE inside a word, or names seen before that begin as the text
    does; DONE is the last place, for OK held means it everywhere.
    """
    if isinstance(prompt, Choose):
        if prompt.cells:
            return _columns(prompt.options, prompt.cells)
        if prompt.options and prompt.options[0] in LETTERS and is_wheel(prompt):
            return tuple("".join(rows("".join(map(str, prompt.options)))))
        return prompt.options
    if not isinstance(prompt, Spell):
        return choices(prompt)
    if row:
        return tuple(row)
    before = text[: len(text) - back]
    if prompt.open:
        if len(before) >= len(prompt.open):
            return (DONE,)
        seen = prompt.open[len(before)]
        return _offered(prompt) if seen == UNSEEN else (seen,)
    beside = (END, ERASE) if back else completions(prompt, text)
    offered = _offered(prompt) if len(before) < prompt.longest else ()
    return (*offered, *beside, *([DONE] if text else []))


def _offered(prompt: Spell) -> tuple[str, ...]:
    """Return the rows of letters, or the letters themselves if they fit one row."""
    found = rows(prompt.letters or ALPHABET)
    return found if len(found) > 1 else tuple("".join(found))


def letter_rows(prompt: Prompt, text: str = "", back: int = 0) -> tuple[str, ...]:
    """Return the rows among the places of a word; empty if its letters stand there one by one."""
    if not isinstance(prompt, Spell):
        return ()
    offered = _offered(prompt)
    places = wheel(prompt, text, "", back)
    return offered if len(offered[0]) > 1 and places[:1] == offered[:1] else ()


def begin(prompt: Prompt, text: str = "", back: int = 0) -> int:
    """Return the place where the next letter of a word begins: H to N of the alphabet's rows."""
    return max(0, len(letter_rows(prompt, text, back)) - 1) // 2


def completions(prompt: Spell, text: str) -> tuple[str, ...]:
    """Return the names seen before that begin with `text`, whatever their capitals and accents."""
    if len(text) < KNOWN_FROM:
        return ()
    begun = _folded(text)
    found = (name for name in prompt.known if _folded(name).startswith(begun) and name != text)
    return tuple(islice(found, MAX_KNOWN))


def _folded(text: str) -> str:
    parts = unicodedata.normalize("NFD", text)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


@lru_cache(maxsize=64)
def rows(letters: str) -> tuple[str, ...]:
    """Letters as rows of the alphabet, capitals or small; a few, or strange ones, as they come."""
    lies = {letter.upper(): letter for letter in letters}
    found = ["".join(lies.pop(letter) for letter in row if letter in lies) for row in ROWS]
    others = "".join(lies.values())
    found += [others[n : n + WIDE] for n in range(0, len(others), WIDE)]
    few = len(letters) <= WIDE
    return ("".join(found),) if few else tuple(filter(None, found))


def close_row(row: str) -> str:
    """A row as it stands among others: its letters with accents are seen once it is open."""
    return row if len(row) <= WIDE else "".join(filter(str.isascii, row))


@lru_cache(maxsize=64)
def _columns(options: tuple[Answer, ...], cells: tuple[Cell | None, ...]) -> tuple[Answer, ...]:
    """Options in rows, column by column; first those that do not lie there."""
    lies = [(-1, -1) if cell is None else (cell[1], cell[0]) for cell in cells]
    return tuple(options[i] for i in sorted(range(len(options)), key=lies.__getitem__))


def presses(prompt: Prompt, value: Answer) -> int:
    """How many presses an answer takes, from the likeliest one: the way there, and OK.

    A secret question needs one to stand on that first.
    """
    places = wheel(prompt)
    away = (places.index(value) - _first(prompt, places)) % len(places)
    return min(away, len(places) - away) + 1 + prompt.private


def row(prompt: Choose, value: Answer) -> int | None:
    """The row in which an option lies, from 0; None if it lies in none."""
    cell = dict(zip(prompt.options, prompt.cells, strict=True))[value]
    return None if cell is None else cell[0]


def first(prompt: Prompt | None) -> int:
    """The cursor's place on the likeliest answer."""
    return 0 if prompt is None else _first(prompt, wheel(prompt))


def _first(prompt: Prompt, places: Sequence[Answer]) -> int:
    """Return the likeliest answer's place among `places`; of a word, where it begins."""
    if isinstance(prompt, Spell):
        return begin(prompt)
    return places.index(choices(prompt)[likeliest(prompt)])
