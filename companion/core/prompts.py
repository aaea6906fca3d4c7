"""What can be asked, and which answers are legal: the five kinds of prompt, and the form.

All of them have

- `name`: the question, by which its handler and its sentences are found;
- `who`: the player who is asked, None for the table;
- `facts`: what the question mentions besides, by name: which rack, which card;

and the prompts

- `private`: the answers are a secret of `who`, and are chosen behind a curtain;
- `look`: the question is public, and while it stands `who` may look at the own secret;
- `at_once` (`Choose`, `Number`, `Spell`): it is private, and those who come next are asked as well,
  whatever is answered here, so that phones may all answer at the same time.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from operator import mul
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
    """A choice of one option.

    - `options`: the answers, words or numbers: at least two, or one if the question is private or
      an act (`act`).
    - `weights`: the relative likelihood of each option; empty if all are equally likely.
    - `start`: the option on which the cursor starts; None for the likeliest.
    - `tap`: the option that a tap of any player's button chooses; None if no tap does.
    - `cells`: the row and column of each option, from 0, if options are laid out in rows; None for
      an option outside the rows. A seat's button chooses the option of its column in the cursor's
      row.
    """

    name: str
    who: str | None
    options: tuple[Answer, ...]
    weights: tuple[int, ...] = ()
    private: bool = False
    tap: Answer = None
    facts: Mapping[str, Any] = {}
    cells: tuple[Cell | None, ...] = ()
    look: bool = False
    at_once: bool = False
    start: Answer = None


class Number(NamedTuple):
    """A whole number from `lo` to `hi`, both included; the cursor starts on `start`.

    - `by`: the cursor goes in steps of so many, from `lo`; a number between them is legal too.
    """

    name: str
    who: str | None
    lo: int
    hi: int
    start: int
    private: bool = False
    by: int = 1
    facts: Mapping[str, Any] = {}
    look: bool = False
    at_once: bool = False


SIDES: Final = 6
"""Sides of a die that has as many as most."""
UNSEEN: Final = "_"
"""A letter that nobody has seen yet."""


class Spell(NamedTuple):
    """A word of 1 to `longest` letters.

    - `samples`: words that will do, for programs that play without knowing any.
    - `letters`: those that a wheel offers, "" for all.
    - `pattern`: a regular expression that tells a program what will do, "" for anything.
    - `flaw(text)`: the code of what is wrong with a text, None if nothing is.
    - `listed`: it is a word of a language, so that a face with a word list can ask about others.
    - `open`: what all see of the word already, UNSEEN where they do not: a face asks for the rest.
    - `known`: names seen before; a face offers those that begin with the letters so far.
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
    known: tuple[str, ...] = ()
    facts: Mapping[str, Any] = {}
    look: bool = False
    at_once: bool = False


class Roll(NamedTuple):
    """`dice` dice of `sides` sides: a list of the faces if the box rolls.

    - `real`: the dice are the table's own, and the answer is their sum.
    - `pressed`: the box does not roll before `who` has pressed a button for it.
    """

    name: str
    who: str | None
    dice: int = 1
    real: bool = False
    private: bool = False
    facts: Mapping[str, Any] = {}
    pressed: bool = False
    sides: int = SIDES
    look: bool = False


class Shuffle(NamedTuple):
    """A shuffle of `n` cards, which the box answers: the indices from 0 to n - 1 in any order."""

    name: str
    n: int
    who: str | None = None
    private: bool = False
    facts: Mapping[str, Any] = {}


Prompt: TypeAlias = Choose | Number | Spell | Roll | Shuffle
"""What is answered by one value."""


class Form(NamedTuple):
    """Several answers that count as one and are taken back with one press: a bid of two parts.

    The answer is the answer to each of its questions, by their names. As the question that stands,
    a form is asked of `who` alone: so is each of its questions, in private if the first one is.

    - `ask(given)`: the next question after the answers `given`, by question; None when nothing is
      missing.
    - `refusal(given)`: what stands against these answers already, None if nothing does: then nobody
      has to give the others.
    - `already(given)`: whether the last of them, which can be anything, was not offered because it
      is so already.
    """

    name: str
    who: str | None
    ask: Callable[[Mapping[str, Answer]], Prompt | None]
    refusal: Callable[[Mapping[str, Answer]], Refused | None] = _no_refusal
    already: Callable[[Mapping[str, Answer]], bool] = _never
    facts: Mapping[str, Any] = {}


Question: TypeAlias = Prompt | Form
"""What can stand to be answered, or be answered out of turn."""


THROW: Final = "throw"
"""The question before a roll of the box for which its player presses."""
PROGRAM: Final = "program"
"""What stands in the place of a question to a seat that the box plays: nobody answers it."""
MOST: Final = 1000
"""Answers that are listed one by one: of more numbers a sample is shown, of forms the first."""
AGREE_UNDO: Final = "agree_undo"
"""The question whether the table agrees that an answer is taken back."""
LEAVES: Final = "leaves"
"""The question out of turn who leaves the game for good, if a game goes on without that player."""
INTERRUPT: Final = "interrupt"
"""The out-of-turn form whose first question is the speaker. A player holds the seat's button to
answer it.
"""


def act(
    name: str,
    who: str | None = None,
    *,
    facts: Mapping[str, Any] | None = None,
    look: bool = False,
) -> Choose:
    """What is done by a press, with nothing to choose: a cup that is lifted, dice that are thrown.

    Its only answer is called as the question is. Asked of the table (None), a tap of any player's
    button does it too.
    """
    return Choose(
        name, who, (name,), tap=name if who is None else None, facts=facts or {}, look=look
    )


def leaving(players: Iterable[str]) -> Choose:
    """Who leaves the game for good: one of those who are still in it."""
    return Choose(LEAVES, None, tuple(players))


def is_act(prompt: Question | None) -> bool:
    """Whether a question is a press with nothing to choose."""
    return isinstance(prompt, Choose) and prompt.options == (prompt.name,)


def opened(question: Question | None) -> Prompt | None:
    """What is asked first: of a form its first question; None if that asks nothing."""
    return question.ask({}) if isinstance(question, Form) else question


def is_private(question: Question | None) -> bool:
    """Whether it is asked of one player alone, unseen by all others."""
    prompt = opened(question)
    return prompt is not None and prompt.private


def by_box(prompt: Question | None) -> bool:
    """Whether the box itself answers: it shuffles, and it rolls unless the dice are real."""
    return isinstance(prompt, Shuffle) or (isinstance(prompt, Roll) and not prompt.real)


def by_press(prompt: Question | None) -> TypeGuard[Roll]:
    """Whether the box rolls, but not before somebody presses."""
    return isinstance(prompt, Roll) and prompt.pressed and not prompt.real


def choices(prompt: Question) -> Sequence[Answer]:
    """Every answer of a prompt that people answer; for a word, samples of what is taken.

    Of a form whole answers, the first MOST of them.
    """
    match prompt:
        case Choose():
            return prompt.options
        case Form():
            return [*islice(_wholes(prompt, {}), MOST)]
        case Number():
            return range(prompt.lo, prompt.hi + 1, prompt.by)
        case Spell():
            return prompt.samples
        case Roll():
            return range(prompt.dice, prompt.dice * prompt.sides + 1)
        case Shuffle():
            return ()


def _wholes(form: Form, given: dict[str, Answer]) -> Iterator[Answer]:
    """Every whole answer to a form that begins with those given."""
    part = form.ask(given)
    if part is None:
        yield given
        return
    for answer in choices(part):
        yield from _wholes(form, {**given, part.name: answer})


def likeliest(prompt: Prompt) -> int:
    """The index, in `choices(prompt)`, of the answer on which the cursor starts."""
    match prompt:
        case Choose(options=options, start=start) if start is not None:
            return options.index(start)
        case Choose(weights=weights) if weights:
            return nearest(weights)
        case Number():
            return (prompt.start - prompt.lo) // prompt.by
        case Roll():
            return prompt.dice * (prompt.sides - 1) // 2
        case _:
            return 0


@lru_cache(maxsize=1024)
def nearest(weights: tuple[int, ...]) -> int:
    """Return the index of the highest weight; of several, the one with the fewest presses.

    Presses are counted from that index to all others, weighted.
    """
    n, top = len(weights), max(weights)
    if weights.count(top) == 1:
        return weights.index(top)
    away = [*range(n // 2 + 1), *range((n - 1) // 2, 0, -1)] * 2  # twice round the wheel

    def presses(start: int) -> int:
        return sum(map(mul, weights, away[n - start :]))

    return min([place for place in range(n) if weights[place] == top], key=presses)


def accepts(prompt: Question, value: Answer) -> bool:
    """Whether `value` is a legal answer; never raises, whatever it is given."""
    if isinstance(prompt, Choose):  # nearly every prompt: random playouts feel a `match`
        if type(value) in (int, str):
            return value in prompt.options
        return type(value) is bool and any(value is option for option in prompt.options)
    match prompt:
        case Roll(real=True):
            return type(value) is int and prompt.dice <= value <= prompt.dice * prompt.sides
        case Roll():
            return _ints(value, prompt.dice, 1, prompt.sides)
        case Number():
            return type(value) is int and prompt.lo <= value <= prompt.hi
        case Spell():
            fits = isinstance(value, str) and 0 < len(value) <= prompt.longest
            return fits and value.isprintable() and prompt.flaw(value) is None
        case Shuffle():
            return _ints(value, prompt.n, 0, prompt.n - 1) and len(set(value)) == prompt.n
        case Form():
            return isinstance(value, dict) and filled(prompt, value) is not None


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


def _ints(value: Answer, n: int, lo: int, hi: int) -> bool:
    """Whether it is a list of `n` whole numbers, each from `lo` to `hi`."""
    if not isinstance(value, list) or len(value) != n:
        return False
    for number in value:  # noqa: SIM110 - twice as fast as `all` for a die or two
        if type(number) is not int or not lo <= number <= hi:
            return False
    return True


def pips(value: Answer) -> list[int]:
    """Return the dice of a roll's answer: its faces, or the sum that a person entered."""
    return value if isinstance(value, list) else [value]
