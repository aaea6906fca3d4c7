"""How the answers of a prompt lie under the thumb: a wheel, a list, rows, or rows of letters."""

from __future__ import annotations

from functools import lru_cache
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
WIDE: Final = 7
"""Letters of the alphabet in a row, at most."""


def is_wheel(prompt: Prompt) -> bool:
    """Numbers and letters turn like a wheel (UP is more); words stand in a list (UP is higher).

    So do options that lie in rows.
    """
    match prompt:
        case Choose():
            letters = len(prompt.options) > len(SEATS) and LETTERS.issuperset(prompt.options)
            return letters or (not prompt.cells and {*map(type, prompt.options)} <= {int})
        case _:
            return True


def wheel(prompt: Prompt, text: str = "", row: str = "") -> Sequence[Answer]:
    """The places that the cursor can stand on.

    Options that lie in rows are passed column by column, so that each row is near. Letters stand
    as in the alphabet. A word that has `text` so far is spelt from rows of letters: first the row,
    then a letter of that `row`. DONE is the farthest place, for OK held means it everywhere.
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
    if prompt.open:
        return _unseen(prompt, text)
    found = rows(prompt.letters or ALPHABET) if len(text) < prompt.longest else ()
    places = found if len(found) > 1 else tuple("".join(found))
    middle = len(places) // 2 + 1
    return (*places[:middle], *([DONE] if text else []), *places[middle:])


@lru_cache(maxsize=64)
def rows(letters: str) -> tuple[str, ...]:
    """Letters as rows of the alphabet, capitals or small; a few, or strange ones, as they come."""
    lies = {letter.upper(): letter for letter in letters}
    found = ["".join(lies.pop(letter) for letter in row if letter in lies) for row in ROWS]
    others = "".join(lies.values())
    found += [others[n : n + WIDE] for n in range(0, len(others), WIDE)]
    few = len(letters) <= WIDE
    return ("".join(found),) if few else tuple(filter(None, found))


def closed(row: str) -> str:
    """A row as it stands among others: its letters with accents are seen once it is open."""
    return row if len(row) <= WIDE else "".join(filter(str.isascii, row))


def _unseen(prompt: Spell, text: str) -> Sequence[Answer]:
    """The next letter of a word of which some can be seen; DONE after its last."""
    if len(text) >= len(prompt.open):
        return (DONE,)
    seen = prompt.open[len(text)]
    return wheel(prompt._replace(open="")) if seen == UNSEEN else (seen,)


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
    """The likeliest answer's place among those of the wheel; a word begins at the first row."""
    return 0 if isinstance(prompt, Spell) else places.index(choices(prompt)[likeliest(prompt)])
