"""The questions of a game: five kinds of prompt, the form that combines them, and legal answers.

Every question has

- `name`: the key of its handler and of its sentences;
- `who`: the player who is asked, None for the whole table;
- `facts`: JSON values that its sentences mention, by name: a rack, a card.

Prompts may also have

- `private`: the answer is a secret of `who`, who gives it behind a curtain;
- `look`: the question is public, and `who` may look at that player's secret before answering;
- `at_once` (`Choose`, `Number`, `Spell`): the question is private and does not affect the next
  player's question, so that all phones may answer at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from operator import mul
from typing import Any, Final, NamedTuple, TypeAlias, TypeGuard

from companion.core.errors import Refused

Answer: TypeAlias = Any
"""A JSON value that a prompt accepts: a word, a number, or a list of numbers."""

JsonValues: TypeAlias = "Mapping[str, Any]"
"""JSON values by name, as of a fact or of an answer to a form."""


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
      an act (`action_prompt`).
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

    - `by`: the step of the cursor, from `lo`. Numbers between two steps are legal answers too.
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


DIE_SIDES: Final = 6
"""The number of sides of an ordinary die."""
COVERED_LETTER: Final = "_"
"""The placeholder of a covered letter in `Spell.open`."""


class Spell(NamedTuple):
    """A word of 1 to `longest` letters.

    - `samples`: legal words, for programs that have no word list.
    - `letters`: the letters that a letter wheel offers; "" for all.
    - `pattern`: a regular expression of legal words, for programs; "" for any word.
    - `flaw(text)`: the code of the error in `text`; None if the text is legal.
    - `listed`: the word should be in the word list; a face with a list asks about other words.
    - `open`: the letters that are face up, COVERED_LETTER for the others; a face asks for these.
    - `known`: names seen before; a face offers those that begin with the letters typed so far.
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
    """A roll of `dice` dice with `sides` sides. If the box rolls, the answer is the list of faces.

    - `real`: the players roll real dice, and the answer is their sum.
    - `pressed`: the box waits for a press of `who` before it rolls.
    """

    name: str
    who: str | None
    dice: int = 1
    real: bool = False
    private: bool = False
    facts: Mapping[str, Any] = {}
    pressed: bool = False
    sides: int = DIE_SIDES
    look: bool = False


class Shuffle(NamedTuple):
    """A shuffle of `n` cards, which the box answers: the indices from 0 to n - 1 in any order."""

    name: str
    n: int
    who: str | None = None
    private: bool = False
    facts: Mapping[str, Any] = {}


Prompt: TypeAlias = Choose | Number | Spell | Roll | Shuffle
"""A question that is answered by one value."""


class Form(NamedTuple):
    """Several questions whose answers count as one and are undone together: a bid of two parts.

    The answer maps the name of each question to its answer. All questions of a form are asked of
    `who`, and all are private if the first one is.

    - `ask(given)`: the next question after the answers `given` (by question); None if the form is
      complete.
    - `refusal(given)`: the reason why `given` is illegal even before the form is complete; None if
      there is no reason yet.
    - `already(given)`: True if the last answer of `given` was not offered because it describes the
      present state, so that it would change nothing.
    """

    name: str
    who: str | None
    ask: Callable[[Mapping[str, Answer]], Prompt | None]
    refusal: Callable[[Mapping[str, Answer]], Refused | None] = _no_refusal
    already: Callable[[Mapping[str, Answer]], bool] = _never
    facts: Mapping[str, Any] = {}


Question: TypeAlias = Prompt | Form
"""A question that can be pending, or be answered out of turn."""


THROW_QUESTION: Final = "throw"
"""The question whose press makes the box roll."""
PROGRAM_QUESTION: Final = "program"
"""The question that is shown while a computer player thinks. People cannot answer it."""
MAX_LISTED_ANSWERS: Final = 1000
"""The number of answers that are listed one by one. Longer ranges are sampled, forms truncated."""
AGREE_UNDO_QUESTION: Final = "agree_undo"
"""The question that asks the other players to agree to an undo."""
LEAVES_QUESTION: Final = "leaves"
"""The out-of-turn question about the player who leaves the game for good."""
INTERRUPT_FORM: Final = "interrupt"
"""The out-of-turn form whose first question is the speaker. A player holds the seat's button to
answer it.
"""


def action_prompt(
    name: str,
    who: str | None = None,
    *,
    facts: JsonValues | None = None,
    look: bool = False,
) -> Choose:
    """Return a question that one press answers: lift a cup, throw the dice.

    Its only option has the name of the question. If `who` is None (the whole table), a tap of any
    player's button answers it too.
    """
    return Choose(
        name, who, (name,), tap=name if who is None else None, facts=facts or {}, look=look
    )


def leaving_prompt(players: Iterable[str]) -> Choose:
    """Return the question about the player who leaves the game for good."""
    return Choose(LEAVES_QUESTION, None, tuple(players))


def is_action_prompt(prompt: Question | None) -> bool:
    """Return True if the question is answered by a press and offers no choice."""
    return isinstance(prompt, Choose) and prompt.options == (prompt.name,)


def first_prompt(question: Question | None) -> Prompt | None:
    """Return the first prompt of a question: a form's first question, or the prompt itself."""
    return question.ask({}) if isinstance(question, Form) else question


def is_private(question: Question | None) -> bool:
    """Return True if only the player who is asked may see the question."""
    prompt = first_prompt(question)
    return prompt is not None and prompt.private


def is_answered_by_box(prompt: Question | None) -> bool:
    """Return True if the box answers: a shuffle, or a roll of virtual dice."""
    return isinstance(prompt, Shuffle) or (isinstance(prompt, Roll) and not prompt.real)


def is_rolled_by_press(prompt: Question | None) -> TypeGuard[Roll]:
    """Return True if the box rolls after a press."""
    return isinstance(prompt, Roll) and prompt.pressed and not prompt.real


def legal_answers(prompt: Question) -> Sequence[Answer]:
    """Return the legal answers of a question: for a word its samples, for a form the first ones.

    At most MAX_LISTED_ANSWERS are returned. A shuffle has no choices, because people do not answer
    it.
    """
    match prompt:
        case Choose():
            return prompt.options
        case Form():
            return [*islice(complete_answers(prompt, {}), MAX_LISTED_ANSWERS)]
        case Number():
            return range(prompt.lo, prompt.hi + 1, prompt.by)
        case Spell():
            return prompt.samples
        case Roll():
            return range(prompt.dice, prompt.dice * prompt.sides + 1)
        case Shuffle():
            return ()


def complete_answers(form: Form, given: dict[str, Answer]) -> Iterator[Answer]:
    """Yield every complete answer of a form that begins with `given`."""
    part = form.ask(given)
    if part is None:
        yield given
        return
    for answer in legal_answers(part):
        yield from complete_answers(form, {**given, part.name: answer})


def likeliest_index(prompt: Prompt) -> int:
    """Return the index in `legal_answers(prompt)` of the answer on which the cursor starts."""
    match prompt:
        case Choose(options=options, start=start) if start is not None:
            return options.index(start)
        case Choose(weights=weights) if weights:
            return fewest_presses_index(weights)
        case Number():
            return (prompt.start - prompt.lo) // prompt.by
        case Roll():
            return prompt.dice * (prompt.sides - 1) // 2
        case _:
            return 0


@lru_cache(maxsize=1024)
def fewest_presses_index(weights: tuple[int, ...]) -> int:
    """Return the index of the highest weight; of several, the one with the fewest presses.

    Presses are counted from that index to all others, weighted.
    """
    n, top = len(weights), max(weights)
    if weights.count(top) == 1:
        return weights.index(top)
    # the distances for two rounds of the wheel
    away = [*range(n // 2 + 1), *range((n - 1) // 2, 0, -1)] * 2

    def presses(start: int) -> int:
        return sum(map(mul, weights, away[n - start :]))

    return min([place for place in range(n) if weights[place] == top], key=presses)


def accepts(prompt: Question, value: Answer) -> bool:
    """Return True if `value` is a legal answer. Never raise, whatever the type of `value`."""
    # nearly every prompt is a Choose, and a `match` would slow random games
    if isinstance(prompt, Choose):
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
            return isinstance(value, dict) and complete_form(prompt, value) is not None


def complete_form(form: Form, value: Mapping[str, Answer]) -> dict[str, Answer] | None:
    """Return a form's answer with all questions answered; None if it is illegal.

    Answers to questions with only one option may be missing from `value`; they are filled in.
    """
    given: dict[str, Answer] = {}
    while (prompt := form.ask(given)) is not None:
        answer = value.get(prompt.name, only_answer(prompt))
        if not accepts(prompt, answer):
            return None
        given[prompt.name] = answer
    return given if given.keys() >= value.keys() else None


def only_answer(prompt: Prompt) -> Answer:
    """Return the only option of a prompt, or None if it has several."""
    if isinstance(prompt, Choose) and len(prompt.options) == 1:
        return prompt.options[0]
    return None


def _ints(value: Answer, n: int, lo: int, hi: int) -> bool:
    if not isinstance(value, list) or len(value) != n:
        return False
    for number in value:  # noqa: SIM110 - twice as fast as `all` for a die or two
        if type(number) is not int or not lo <= number <= hi:
            return False
    return True


def rolled_faces(value: Answer) -> list[int]:
    """Return the dice of a roll's answer: its faces, or the sum that a person entered."""
    return value if isinstance(value, list) else [value]
