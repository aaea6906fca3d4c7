"""The questions of a game: five kinds of prompt, forms of several prompts, and legal answers.

Every question has these fields:

- `name`: the name of the question, which identifies its handler and its catalogue sentences.
- `who`: the player who is asked, or None if the question is for all players.
- `facts`: JSON values for placeholders in the question's sentences, by name.

Prompts can have these fields:

- `private`: if True, the answer is a secret of the player `who`, who answers behind a curtain.
- `look`: if True, the question is public, and the player `who` can look at a secret before the
  answer.
- `at_once`: if True, players answer this private question on their phones at the same time. One
  player's answer must not change the question to the next player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from operator import mul
from typing import Any, Final, NamedTuple, TypeAlias, TypeGuard

from companion.core.errors import Refused

Answer: TypeAlias = Any
"""Type of an answer: a JSON value that a prompt accepts, such as a word or a number."""

JsonValues: TypeAlias = "Mapping[str, Any]"
"""Type of JSON values by name, as in a fact or in the answer to a form."""


Cell: TypeAlias = tuple[int, int]
"""Type of an answer's position on the display: row and column, counted from 0."""


def _no_flaw(_text: str) -> str | None:
    return None


def _no_refusal(_given: Mapping[str, Answer]) -> None:
    return None


def _never(_given: Mapping[str, Answer]) -> bool:
    return False


class Choose(NamedTuple):
    """A prompt for a choice among options.

    - `options`: the possible answers, words or numbers. A private question, an action
      (`action_prompt`) or a part of a form can have one option. Any other question has at least two
      options, and a public form has at least two complete answers.
    - `weights`: numbers that state how likely the player chooses each option, in proportion to the
      other options; () if all options are equally likely.
    - `start`: the option on which the cursor starts, or None for the likeliest option.
    - `tap`: the option that a tap of any seat button chooses, or None. `tap` has no effect if
      `cells` is given.
    - `cells`: the position of each option if the options are shown in rows. An option outside the
      rows has the position None. A tap of a seat button chooses the option in the seat's column and
      the cursor's row.

    For example, `Choose("colour", "Ann", ("red", "blue"))` asks Ann for one of two colours.
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
    """A prompt for a whole number from `lo` to `hi`, both included.

    - `start`: the number on which the cursor starts.
    - `by`: the step of the cursor, counted from `lo`. Numbers between two cursor steps are legal
      answers too.

    For example, `Number("bid", "Ann", 1, 20, start=5)` asks Ann for a bid from 1 to 20.
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
"""Number of sides of an ordinary die."""
COVERED_LETTER: Final = "_"
"""Placeholder for a covered letter in `Spell.open`."""


class Spell(NamedTuple):
    """A prompt for a word of 1 to `longest` letters.

    - `samples`: examples of legal words, for programs without a word list.
    - `letters`: the letters that the spelling list offers, or "" to offer all letters.
    - `pattern`: a regular expression that matches legal words, or "" if any word is legal. Programs
      use the expression to find a word.
    - `flaw(text)`: returns the code of the mistake in `text`, or None if `text` is legal.
    - `listed`: if True, a word list should contain the word. If no word list contains the word, the
      box asks the player to confirm the word.
    - `open`: the letters that are face up, with COVERED_LETTER for every other letter. The player
      spells only the covered letters.
    - `known`: names that were used before. The box suggests the known names that begin with the
      typed letters.

    For example, `Spell("word", "Ann", 12, ("APPLE",), private=True)` asks Ann for a secret word.
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
    """A prompt for a roll of `dice` dice with `sides` sides.

    If the box rolls, the answer is the list of the rolled faces.

    - `real`: if True, the players roll real dice, and the answer is the sum of the dice.
    - `pressed`: if True, the box waits for a press by the player `who` before it rolls.

    For example, `Roll("move", "Ann", dice=2)` rolls two dice for Ann.
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
    """A prompt for a shuffle of `n` cards.

    The box answers with the numbers 0 to n - 1 in random order. For example, `Shuffle("deal", 54)`
    shuffles 54 cards.
    """

    name: str
    n: int
    who: str | None = None
    private: bool = False
    facts: Mapping[str, Any] = {}


Prompt: TypeAlias = Choose | Number | Spell | Roll | Shuffle
"""Union of the five classes of questions with a single answer.

A form consists of several prompts.
"""


class Form(NamedTuple):
    """A question that consists of several prompts, which are answered and undone together.

    The answer to a form maps the name of each prompt to its answer. All prompts of a form are for
    the player `who`. If the first prompt is private, all prompts are private.

    - `ask(given)`: returns the next prompt after the answers `given`, or None if the form is
      complete. `given` maps names of prompts to answers.
    - `refusal(given)`: returns the reason why the answers `given` are illegal, or None if no answer
      is illegal. `given` can be incomplete.
    - `already(given)`: returns True if the last answer in `given` would change nothing. The box
      does not offer such an answer.
    """

    name: str
    who: str | None
    ask: Callable[[Mapping[str, Answer]], Prompt | None]
    refusal: Callable[[Mapping[str, Answer]], Refused | None] = _no_refusal
    already: Callable[[Mapping[str, Answer]], bool] = _never
    facts: Mapping[str, Any] = {}


Question: TypeAlias = Prompt | Form
"""Union of all question classes, for pending and out-of-turn questions."""


PRESSED_ROLL_QUESTION: Final = "throw"
"""Name of the question whose answer is a press that makes the box roll the dice."""
COMPUTER_CHOOSING_QUESTION: Final = "program"
"""Name of the question that the box shows while a computer player chooses an answer.

People cannot answer this question.
"""
MAX_LISTED_ANSWERS: Final = 1000
"""Maximum number of answers that `legal_answers` returns for a form.

If a question asks for a number from a range with more numbers than this maximum, the text protocol
lists only one random number of the range.
"""
AGREE_UNDO_QUESTION: Final = "agree_undo"
"""Name of the question that asks the players to agree to an undo."""
LEAVING_PLAYER_QUESTION: Final = "leaves"
"""Name of the out-of-turn question that asks which player leaves the game for good."""
INTERRUPT_FORM: Final = "interrupt"
"""Name of the out-of-turn form with which a player interrupts the game.

A player holds a seat button to open the form. The first prompt of the form asks which player
interrupts.
"""


def action_prompt(
    name: str,
    who: str | None = None,
    *,
    facts: JsonValues | None = None,
    look: bool = False,
) -> Choose:
    """Return a question that one press answers: an action, such as lifting a cup.

    The only option has the name of the question. If `who` is None, a tap of any seat button also
    answers the question.
    """
    return Choose(
        name, who, (name,), tap=name if who is None else None, facts=facts or {}, look=look
    )


def leaving_prompt(players: Iterable[str]) -> Choose:
    """Return the out-of-turn question that asks which player leaves the game for good."""
    return Choose(LEAVING_PLAYER_QUESTION, None, tuple(players))


def is_action_prompt(prompt: Question | None) -> bool:
    """Return True if the question has only one answer, which a press gives (`action_prompt`)."""
    return isinstance(prompt, Choose) and prompt.options == (prompt.name,)


def first_prompt_of_form(question: Question | None) -> Prompt | None:
    """Return the first prompt of a form. Return any other question unchanged."""
    return question.ask({}) if isinstance(question, Form) else question


def is_private_question(question: Question | None) -> bool:
    """Return True if only the asked player may see the question."""
    prompt = first_prompt_of_form(question)
    return prompt is not None and prompt.private


def is_answered_by_box(prompt: Question | None) -> bool:
    """Return True if the box answers the question: a shuffle, or a roll of virtual dice."""
    return isinstance(prompt, Shuffle) or (isinstance(prompt, Roll) and not prompt.real)


def is_rolled_by_press(prompt: Question | None) -> TypeGuard[Roll]:
    """Return True if the box rolls virtual dice after a player's press."""
    return isinstance(prompt, Roll) and prompt.pressed and not prompt.real


def legal_answers(prompt: Question) -> Sequence[Answer]:
    """Return the legal answers to a question, from which people and programs choose.

    - For a number, return the numbers on which the cursor stops.
    - For a word, return the samples.
    - For a roll, return the possible sums of the dice.
    - For a form, return at most MAX_LISTED_ANSWERS complete answers.
    - For a shuffle, return (), because people do not answer a shuffle.
    """
    match prompt:
        case Choose():
            return prompt.options
        case Form():
            return [*islice(complete_answers_of_form(prompt, {}), MAX_LISTED_ANSWERS)]
        case Number():
            return range(prompt.lo, prompt.hi + 1, prompt.by)
        case Spell():
            return prompt.samples
        case Roll():
            return range(prompt.dice, prompt.dice * prompt.sides + 1)
        case Shuffle():
            return ()


def complete_answers_of_form(form: Form, given: dict[str, Answer]) -> Iterator[Answer]:
    """Yield every complete answer of a form. Each answer begins with the answers `given`."""
    part = form.ask(given)
    if part is None:
        yield given
        return
    for answer in legal_answers(part):
        yield from complete_answers_of_form(form, {**given, part.name: answer})


def cursor_start_answer_index(prompt: Prompt) -> int:
    """Return the index of the answer on which the cursor starts, in `legal_answers(prompt)`."""
    match prompt:
        case Choose(options=options, start=start) if start is not None:
            return options.index(start)
        case Choose(weights=weights) if weights:
            return highest_weight_index(weights)
        case Number():
            return (prompt.start - prompt.lo) // prompt.by
        case Roll():
            return prompt.dice * (prompt.sides - 1) // 2
        case _:
            return 0


@lru_cache(maxsize=1024)
def highest_weight_index(weights: tuple[int, ...]) -> int:
    """Return the index of the option with the highest weight (likelihood).

    If several options have the highest weight, return the index of one of them: the option from
    which the cursor reaches the player's answer with the fewest expected presses.
    """
    n, top = len(weights), max(weights)
    if weights.count(top) == 1:
        return weights.index(top)
    # numbers of presses to each option; listed twice, so that a slice can start anywhere
    away = [*range(n // 2 + 1), *range((n - 1) // 2, 0, -1)] * 2

    def presses(start: int) -> int:
        return sum(map(mul, weights, away[n - start :]))

    return min([place for place in range(n) if weights[place] == top], key=presses)


def is_legal_answer(prompt: Question, value: Answer) -> bool:
    """Return True if `value` is a legal answer to `prompt`.

    Return False for a value of a wrong type, without an exception.
    """
    # a fast path before `match`, because most prompts are a Choose
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
            return isinstance(value, dict) and complete_form_answer(prompt, value) is not None


def complete_form_answer(form: Form, value: Mapping[str, Answer]) -> dict[str, Answer] | None:
    """Return the complete answer to a form. Return None if `value` is not a legal answer.

    `value` may omit the answer to a prompt that has only one option. The function adds this option.
    """
    given: dict[str, Answer] = {}
    while (prompt := form.ask(given)) is not None:
        answer = value.get(prompt.name, only_answer(prompt))
        if not is_legal_answer(prompt, answer):
            return None
        given[prompt.name] = answer
    return given if given.keys() >= value.keys() else None


def only_answer(prompt: Prompt) -> Answer:
    """Return the option of a `Choose` with a single option; None for any other prompt."""
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


def rolled_numbers(value: Answer) -> list[int]:
    """Return the rolled faces of the dice as a list.

    For real dice, return a list that contains only the sum.
    """
    return value if isinstance(value, list) else [value]
