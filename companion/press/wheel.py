"""How the answers of a prompt lie under the thumb: a wheel of numbers or letters, a list, rows."""

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
ERASE: Final = "⌫"


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


def wheel(prompt: Prompt, text: str = "") -> Sequence[Answer]:
    """The places that the cursor can stand on.

    Options that lie in rows are passed column by column, so that each row is near. Letters that a
    prompt brings along stand with the first under the thumb, the next ones on both sides of it, and
    DONE one step down.
    """
    if isinstance(prompt, Choose) and prompt.cells:
        return _columns(prompt.options, prompt.cells)
    if not isinstance(prompt, Spell):
        return choices(prompt)
    if prompt.open:
        return _unseen(prompt, text)
    letters = (prompt.letters or ALPHABET) if len(text) < prompt.longest else ""
    if prompt.letters:
        return (*letters[:1], *letters[1::2], *letters[2::2][::-1], *([DONE] if text else []))
    return (DONE, *letters, ERASE) if text else tuple(letters)


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
    away = (places.index(value) - first(prompt)) % len(places)
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
    if prompt is None or isinstance(prompt, Spell):
        return 0
    return wheel(prompt).index(choices(prompt)[likeliest(prompt)])
