"""What can be asked, and which answers are legal: the five kinds of prompt, and the form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.core.errors import Refused

Answer: TypeAlias = Any
"""A JSON value that a prompt accepts: a word, a number, or a list of numbers."""


Cell: TypeAlias = tuple[int, int]
"""A row and a column of a display, from 0."""


def _no_flaw(_text: str) -> str | None:
    return None


def _no_refusal(_given: Mapping[str, Answer]) -> None:
    return None


def _never(_given: Mapping[str, Answer]) -> bool:
    return False


class Choose(NamedTuple):
    """One of some options.

    `who` is the player asked, None the table. `weights`, if there are any, say how likely each
    option is: the cursor starts on the likeliest. `private`: the options are a secret of `who`.
    `tap` is the option that a tap of any player's button chooses, None if there is no such.
    `facts`, here and below, is what a question mentions besides: which rack, which card. `cells`:
    the row and the column of each option, from 0, where they lie in rows; None for one that does
    not. In the cursor's row a seat's button chooses the option of its column.
    """

    name: str
    who: str | None
    options: tuple[Answer, ...]
    weights: tuple[int, ...] = ()
    private: bool = False
    tap: Answer = None
    facts: Mapping[str, Any] = {}
    cells: tuple[Cell | None, ...] = ()


class Number(NamedTuple):
    """A whole number from `lo` to `hi`, both included; the cursor starts on `start`.

    `by`: the cursor goes in steps of so many, from `lo`; a number between them is legal too.
    """

    name: str
    who: str | None
    lo: int
    hi: int
    start: int
    private: bool = False
    by: int = 1
    facts: Mapping[str, Any] = {}


UNSEEN: Final = "_"
"""A letter that nobody has seen yet."""


class Spell(NamedTuple):
    """A word of 1 to `longest` letters; `samples` are words that will do.

    `letters` are those that a wheel offers, "" for all; `pattern` tells a program what will do, ""
    for anything; `flaw(text)` is the code of what is wrong with a text, None if nothing is.
    `listed`: it is a word of a language, so that a face with a word list can ask about others.
    `open` is what all see of the word already, UNSEEN where they do not: a face asks for the rest.
    """

    name: str
    who: str | None
    longest: int
    samples: tuple[str, ...]
    private: bool = False
    letters: str = ""
    pattern: str = ""
    flaw: Callable[[str], str | None] = _no_flaw
    listed: bool = False
    open: str = ""
    facts: Mapping[str, Any] = {}


class Roll(NamedTuple):
    """`dice` dice of six sides: the faces if the box rolls, their sum if a person says it.

    `pressed`: the box does not roll before `who` has pressed a button for it.
    """

    name: str
    who: str | None
    dice: int = 1
    real: bool = False
    private: bool = False
    facts: Mapping[str, Any] = {}
    pressed: bool = False


class Shuffle(NamedTuple):
    """An order of `n` cards, always the box's to answer: each index from 0 once."""

    name: str
    n: int
    who: str | None = None
    private: bool = False
    facts: Mapping[str, Any] = {}


Prompt: TypeAlias = Choose | Number | Spell | Roll | Shuffle


class Form(NamedTuple):
    """Several answers that count as one, such as an interruption: taken back with one press.

    `ask(given)` is the next question after the answers `given` (question → answer), None when
    nothing is missing. The answer to a form is all of `given`. `refusal(given)` is what stands
    against these answers already, None if nothing does: then nobody has to give the others.
    `already(given)`: whether the last of them, which can be anything, was not offered because it is
    so already.
    """

    name: str
    who: str | None
    ask: Callable[[Mapping[str, Answer]], Prompt | None]
    refusal: Callable[[Mapping[str, Answer]], Refused | None] = _no_refusal
    already: Callable[[Mapping[str, Answer]], bool] = _never


Question: TypeAlias = Prompt | Form


SIDES: Final = 6
THROW: Final = "throw"
"""The question before a roll of the box for which its player presses."""
INTERRUPT: Final = "interrupt"
"""The form that first asks who speaks, if a game has it: a player's button, held, answers that."""


def by_box(prompt: Prompt | None) -> bool:
    """Whether the box itself answers: it shuffles, and it rolls unless the dice are real."""
    return isinstance(prompt, Shuffle) or (isinstance(prompt, Roll) and not prompt.real)


def by_press(prompt: Prompt | None) -> TypeGuard[Roll]:
    """Whether the box rolls, but not before somebody presses."""
    return isinstance(prompt, Roll) and prompt.pressed and not prompt.real


def choices(prompt: Prompt) -> Sequence[Answer]:
    """Every answer of a prompt that people answer; for a word, samples of what is taken."""
    match prompt:
        case Choose():
            return prompt.options
        case Number():
            return range(prompt.lo, prompt.hi + 1, prompt.by)
        case Spell():
            return prompt.samples
        case Roll():
            return range(prompt.dice, prompt.dice * SIDES + 1)
        case Shuffle():
            return ()


def likeliest(prompt: Prompt) -> int:
    """The index, in `choices(prompt)`, of the answer on which the cursor starts."""
    match prompt:
        case Choose(weights=weights) if weights:
            return nearest(weights)
        case Number():
            return (prompt.start - prompt.lo) // prompt.by
        case Roll():
            return (prompt.dice * SIDES - prompt.dice) // 2
        case _:
            return 0


def nearest(weights: tuple[int, ...]) -> int:
    """The likeliest place of a wheel; of several, the one with the fewest presses to the others."""
    n, top = len(weights), max(weights)
    places = [place for place, weight in enumerate(weights) if weight == top]
    if len(places) == 1:
        return places[0]

    def presses(start: int) -> int:
        return sum(w * min((i - start) % n, (start - i) % n) for i, w in enumerate(weights))

    return min(places, key=presses)


def accepts(prompt: Question, value: Answer) -> bool:
    """Whether `value` is a legal answer; never raises, whatever it is given."""
    if isinstance(prompt, Choose):  # nearly every prompt: random playouts feel a `match`
        if type(value) in (int, str):
            return value in prompt.options
        return type(value) is bool and any(value is option for option in prompt.options)
    match prompt:
        case Form():
            return isinstance(value, dict) and filled(prompt, value) is not None
        case Number():
            return type(value) is int and prompt.lo <= value <= prompt.hi
        case Spell():
            fits = isinstance(value, str) and 0 < len(value) <= prompt.longest
            return fits and value.isprintable() and prompt.flaw(value) is None
        case Roll(real=True):
            return type(value) is int and prompt.dice <= value <= prompt.dice * SIDES
        case Roll():
            return _ints(value, prompt.dice) and all(1 <= face <= SIDES for face in value)
        case Shuffle():
            return _ints(value, prompt.n) and sorted(value) == list(range(prompt.n))


def filled(form: Form, value: Mapping[str, Answer]) -> dict[str, Answer] | None:
    """A form's answer with every question answered; None if one is not, or nobody asked it.

    What has only one answer may be left out: a question with nothing to choose is not asked.
    """
    given: dict[str, Answer] = {}
    while (prompt := form.ask(given)) is not None:
        answer = value.get(prompt.name, only(prompt))
        if not accepts(prompt, answer):
            return None
        given[prompt.name] = answer
    return given if given.keys() >= value.keys() else None


def only(prompt: Prompt) -> Answer:
    """The answer, if there is only one; else None."""
    if isinstance(prompt, Choose) and len(prompt.options) == 1:
        return prompt.options[0]
    return None


def _ints(value: Answer, n: int) -> bool:
    return isinstance(value, list) and len(value) == n and all(type(v) is int for v in value)


def pips(value: Answer) -> list[int]:
    """The dice of a `Roll`'s answer: their faces, or the one sum that a person said."""
    return value if isinstance(value, list) else [value]
