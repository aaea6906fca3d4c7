"""How the answers of a prompt lie under the thumb: a wheel, a list, rows, or rows of letters."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from companion.core.prompts import UNSEEN, Answer, Cell, Choose, Prompt, Spell, choices, likeliest
from hardware import SEATS

if TYPE_CHECKING:
    from collections.abc import Sequence

ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZÉÈÊËÀÂÎÏÔÙÛÇ-'"
LETTERS: Final = frozenset((*ALPHABET, "."))
DONE: Final = "✓"
WIDE: Final = 7
"""Letters in a row, at most."""


def is_wheel(prompt: Prompt) -> bool:
    """Numbers and letters turn like a wheel (UP is more); words stand in a list (UP is higher).

    So do options that lie in rows.
    """
    match prompt:
        case Choose():
            letters = len(prompt.options) > len(SEATS) and all(o in LETTERS for o in prompt.options)
            return letters or (all(type(o) is int for o in prompt.options) and not prompt.cells)
        case _:
            return True


def wheel(prompt: Prompt, text: str = "", row: str = "") -> Sequence[Answer]:
    """The places that the cursor can stand on.

    Options that lie in rows are passed column by column, so that each row is near. Letters to
    choose from stand with the likeliest under the thumb, the next ones on both sides of it. A word
    that has `text` so far is spelt from rows of letters: first the row, then a letter of that
    `row`. DONE is the farthest place, for OK held means it everywhere.
    """
    if isinstance(prompt, Choose):
        if prompt.cells:
            return _columns(prompt.options, prompt.cells)
        if prompt.weights and prompt.options[0] in LETTERS and is_wheel(prompt):
            return _by_weight(prompt.options, prompt.weights)
        return prompt.options
    if not isinstance(prompt, Spell):
        return choices(prompt)
    if row:
        return tuple(row)
    if prompt.open:
        return _unseen(prompt, text)
    found = rows(prompt.letters or ALPHABET) if len(text) < prompt.longest else ()
    places = around(found) if len(found) > 1 else tuple("".join(found))
    middle = len(places) // 2 + 1
    return (*places[:middle], *([DONE] if text else []), *places[middle:])


def around(ranked: Sequence[str]) -> tuple[str, ...]:
    """The first of some under the thumb, the next ones in turn above and below it."""
    return (*ranked[:1], *ranked[1::2], *ranked[2::2][::-1])


@lru_cache(maxsize=64)
def rows(letters: str) -> tuple[str, ...]:
    """Letters, the commonest first, as rows: what is common is few turns away, in sum of both.

    The rows stand from the nearest to the farthest, and so do the letters of each before they are
    put `around`.
    """
    n = -(-len(letters) // WIDE)
    cells = [(row, column) for row in range(n) for column in range(WIDE)]
    cells.sort(key=lambda cell: ((cell[0] + 1) // 2 + (cell[1] + 1) // 2, cell))
    lies = dict(zip(cells, letters, strict=False))
    found = [[lies[row, column] for column in range(WIDE) if (row, column) in lies]
             for row in range(n)]  # fmt: skip
    return tuple("".join(around(row)) for row in found if row)


@lru_cache(maxsize=1024)
def _by_weight(options: tuple[Answer, ...], weights: tuple[int, ...]) -> tuple[Answer, ...]:
    """Letters to choose from, the likeliest first; those of no weight are the farthest."""
    order = sorted(range(len(options)), key=lambda i: -weights[i])
    return around([options[i] for i in order])


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


def taps(prompt: Choose, value: Answer) -> int:
    """How many presses a place takes where a seat's button chooses it in its row; as `presses`."""
    beside = [other for other in prompt.options if row(prompt, other) == row(prompt, value)]
    return min(presses(prompt, other) for other in beside)


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
