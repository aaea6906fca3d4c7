"""Checks of the questions, answers and states of any game."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from companion.core.errors import Refused
from companion.core.fold import apply_answer, apply_answer_to_prompt
from companion.core.game import Cue, Game
from companion.core.prompts import (
    Answer,
    Choose,
    Form,
    Number,
    Question,
    Roll,
    complete_answers_of_form,
    is_action_prompt,
    is_answered_by_box,
    is_legal_answer,
    is_private_question,
    legal_answers,
)
from companion_testing.playing import Playout, move_from_answer
from companion_testing.table import (
    ExceptionCatcher,
    Faults,
    GameFault,
    GamePlace,
    faults_with_place,
    sample_evenly,
)

STRANGE_VALUES: Final[tuple[Any, ...]] = (
    None, True, False, "", "nobody", "?", -1, 10**9, 1.0, float("nan"), [], [7], [1.0], {},
    {"who": "nobody"}, [0] * 44,
)  # fmt: skip
"""Values that few or no questions accept as an answer, such as values of wrong types."""
CHECK_INTERVAL: Final = 10
"""Number of answers after which the out-of-turn questions are checked once."""
ANSWER_COUNT_AT_FIRST: Final = 40
"""Number of answers that are tried at each of a question's first FIRST_OCCURRENCES occurrences."""
FIRST_OCCURRENCES: Final = 5
"""Number of occurrences of a question that count as its first occurrences."""
ANSWER_COUNT_LATER: Final = 8
"""Number of answers to try at each later occurrence of a question."""


def check_game_ends(playout: Playout) -> Faults:
    """The game asks questions until the game has an outcome, and no questions afterwards.

    If the same answers are given again, the same states follow. The game asks only players of the
    game.
    """
    game, players = playout.table.game, {*playout.table.players}
    state = playout.start
    for n, move in enumerate(playout.moves):
        if game.outcome(state) is not None and not move.is_out_of_turn:
            yield GameFault(f"{move.prompt.name} is asked after the end", playout.place_of_move(n))
        state = apply_answer_to_prompt(game, state, move.prompt, move.value)[0]
    end = playout.place_of_move(max(0, len(playout.moves) - 1))
    if state != playout.last_state:
        yield GameFault("the same answers do not lead to the same state", end)
    for n, shown in enumerate([*map(game.ask, _states(playout))]):
        if shown is not None and shown.who not in {None, *players}:
            fault_text = f"{shown.name} is asked of {shown.who}, who is no player"
            yield GameFault(fault_text, playout.place_of_move(n, shown))
    if not playout.fault:
        yield from faults_with_place(end, _over(playout))


def _states(playout: Playout) -> list[Any]:
    return [playout.start, *(move.after for move in playout.moves)]


def _over(playout: Playout) -> Iterator[str]:
    game, players = playout.table.game, playout.table.players
    outcome = game.outcome(playout.last_state)
    if game.ask(playout.last_state) is not None:
        yield f"after {len(playout.moves)} answers there is still no end"
    elif outcome is None:
        yield "nothing is asked any more, and there is no outcome"
    elif not {*outcome.winners} <= {*players}:
        yield f"the winners are {outcome.winners}"
    elif {*outcome.scores} != {*players}:
        yield f"the scores are those of {', '.join(outcome.scores)}"


# --- accepted and refused answers -----------------------------------------------------------------


def check_offered_answers(playout: Playout) -> Faults:
    """The game accepts every offered answer and refuses every other answer.

    Every accepted answer changes the state or causes a fact.
    """
    game, asked = playout.table.game, Counter[str]()
    for n, state in enumerate(_states(playout)):
        prompt = game.ask(state)
        if prompt is not None:
            at = playout.place_of_move(n, prompt)
            asked[prompt.name] += 1
            most = (
                ANSWER_COUNT_AT_FIRST
                if asked[prompt.name] <= FIRST_OCCURRENCES
                else ANSWER_COUNT_LATER
            )
            yield from faults_with_place(at, _check_options(game, state, prompt, at, (most, n)))
            yield from faults_with_place(at, _strange(game, state, prompt))
            yield from faults_with_place(at, _parts(prompt) if isinstance(prompt, Form) else ())
        for question in () if n % CHECK_INTERVAL else game.anytime(state):
            yield from faults_with_place(
                playout.place_of_move(n, question), _out_of_turn(game, state, question)
            )


def sample_answers(question: Question, most: int, turn: int = 0) -> Sequence[Answer]:
    """Return up to `most` answers to a question, evenly sampled.

    For a form, return complete answers. If the form has more than `most` answers, vary the answer
    to each of the form's questions.

    - `turn`: the number of the move, which varies the sample for a form.
    """
    if not isinstance(question, Form):
        return sample_evenly(legal_answers(question), most)
    few = [*islice(complete_answers_of_form(question, {}), most + 1)]
    if len(few) <= most:
        return few
    filled = [_fill_form(question, n, most, turn) for n in range(most)]
    return [whole for n, whole in enumerate(filled) if whole not in filled[:n]]


def _fill_form(form: Form, n: int, most: int, turn: int) -> dict[str, Answer]:
    """Return complete answer number `n` of `most` to a form.

    The answers to the form's first question are sampled evenly. The answers to its later questions
    are not sampled evenly.
    """
    given: dict[str, Answer] = {}
    while (part := form.ask(given)) is not None:
        values = legal_answers(part)
        at = (turn + n) % len(values) if given else n * (len(values) - 1) // (most - 1)
        given[part.name] = values[at]
    return given


def _check_options(
    game: Game[Any], state: Any, prompt: Question, at: GamePlace, some: tuple[int, int]
) -> Faults:
    """Yield faults in the offered answers to a question.

    - `some`: the number of answers to try, and the number of the move.
    """
    if is_answered_by_box(prompt):
        return
    offered = sample_answers(prompt, *some) if isinstance(prompt, Form) else legal_answers(prompt)
    if len({*map(repr, offered)}) != len(offered):
        yield f"{prompt.name} offers an answer twice"
    if len(offered) < (1 if is_private_question(prompt) or is_action_prompt(prompt) else 2):
        yield f"{prompt.name} is asked, with nothing to choose"
    if isinstance(prompt, Choose) and len(prompt.weights or offered) != len(offered):
        yield f"{prompt.name} has {len(prompt.weights)} weights for {len(offered)} answers"
    for value in sample_evenly(offered, some[0]):
        if not is_legal_answer(prompt, value):
            yield f"{prompt.name} offers {value!r}, and refuses it"
            continue
        move = move_from_answer(game, state, prompt, value)
        here = at._replace(answer=value, answered=True)
        if move.fault is not None:
            yield move.fault._replace(at=here)
        elif move.after == state and not move.cues:
            yield GameFault(f"an answer to {prompt.name} does nothing", here)
        elif move.cues and move.cues[0].name == "nothing":
            yield GameFault(f"{prompt.name} offers what nothing can be done of", here)


def _parts(form: Form) -> Iterator[str]:
    """Yield the faults in the questions (parts) of a form, along one complete answer.

    For example, yield a fault if a part asks another player than the form, or offers an answer
    twice, or if only some parts are private.
    """
    whole: dict[str, Answer] = next(complete_answers_of_form(form, {}), {})
    asked = (form.ask(dict([*whole.items()][:n])) for n in range(len(whole)))
    parts = [part for part in asked if part is not None]
    for part in parts:
        values = legal_answers(part)
        if len({*map(repr, values)}) != len(values):
            yield f"{part.name} offers an answer twice"
        if part.who != form.who:
            yield f"{form.name} is asked of {form.who}, and its part {part.name} of {part.who}"
        if getattr(part, "at_once", False):
            yield f"{part.name} has `at_once`, which no part of a form has: ask it alone"
        if is_answered_by_box(part):
            yield f"{form.name} has the part {part.name}, which the box answers: ask it alone"
    if len({is_private_question(part) for part in parts}) > 1:
        yield f"{form.name} is asked in private in some of its parts only"


def invalid_answers_for(prompt: Question) -> list[Answer]:
    """Return values that `prompt` must refuse. Some values resemble a legal answer."""
    whole = (
        sample_answers(prompt, ANSWER_COUNT_LATER)
        if isinstance(prompt, Form)
        else legal_answers(prompt)
    )
    offered = [] if is_answered_by_box(prompt) else [*whole]
    near: list[Answer] = [*STRANGE_VALUES]
    for value in (*offered[:2], *offered[-2:]):
        near += [f"{value} ", [value], {"answer": value}]
        near += [float(value), str(value)] if type(value) is int else [f"{value}x"]
    if isinstance(prompt, Number):
        near += [prompt.lo - 1, prompt.hi + 1]
    if isinstance(prompt, Form):
        near += [{**value, "nobody": 1} for value in offered[:1]]
    if isinstance(prompt, Roll):
        near += [[0] * prompt.dice, [prompt.sides + 1] * prompt.dice, [1] * (prompt.dice + 1)]
    free = [value for value in near if type(value) is not str or isinstance(prompt, Choose)]
    legal = {(type(value), repr(value)) for value in offered}
    return [value for value in free if (type(value), repr(value)) not in legal]


def _strange(game: Game[Any], state: Any, prompt: Question) -> Iterator[str]:
    for value in invalid_answers_for(prompt):
        if is_legal_answer(prompt, value):
            yield f"{prompt.name} takes {value!r}"
    yield from _check_refusals(game, state, None, None)
    yield from _check_refusals(game, state, 0, "no such question")


def _out_of_turn(game: Game[Any], state: Any, question: Question) -> Iterator[str]:
    """Yield a fault if an out-of-turn question has no handler in `on`, or no legal answer.

    Also yield a fault if the game accepts an invalid value as an answer to the question.
    """
    if question.name not in game.on:
        yield f"{question.name} may be said out of turn, and `on` does not know it"
    first = question.ask({}) if isinstance(question, Form) else question
    if first is None or not legal_answers(first):
        yield f"{question.name} may be said out of turn, with nothing to choose"
    odd: tuple[Answer, ...] = (None, True, "", [], {"nobody": 1}, 1.5)
    for value in odd:
        if value is not True or not is_legal_answer(question, True):
            yield from _check_refusals(game, state, value, question.name)


def _check_refusals(
    game: Game[Any], state: Any, value: Answer, question: str | None
) -> Iterator[str]:
    try:
        apply_answer(game, state, value, question)
    except Refused:
        return
    yield f"{value!r} is taken as an answer to {question or 'the question'}"


# --- values ---------------------------------------------------------------------------------------


def check_immutable_values(playout: Playout) -> Faults:
    """Every state is immutable and has a hash, and JSON can represent every view and fact."""
    game = playout.table.game
    for player in (None, *playout.table.players):
        shown = game.view(playout.start, player)
        if json.dumps(shown) != json.dumps(game.view(playout.start, player)):
            yield "two looks at one state differ"
    for n, state in enumerate(_states(playout)):
        at = playout.place_of_move(max(0, n - 1))
        with ExceptionCatcher() as net:
            hash(state)
            json.dumps(game.view(state, None))
        yield from net.caught_exception_as_fault(at)
    for n, move in enumerate(playout.moves):
        for cue in move.cues:
            with ExceptionCatcher() as net:
                json.dumps(cue.facts)
            yield from net.caught_exception_as_fault(playout.place_of_move(n))
            yield from faults_with_place(playout.place_of_move(n), _check_recipient(cue, playout))


def _check_recipient(cue: Cue, playout: Playout) -> Iterator[str]:
    if cue.to not in {None, *playout.table.players}:
        yield f"{cue.name} is told to {cue.to}, who is no player"
    if cue.to is not None and cue.facts.get("who", cue.to) != cue.to:
        yield f"{cue.name}, which is about {cue.facts['who']} alone, is told to {cue.to}"
