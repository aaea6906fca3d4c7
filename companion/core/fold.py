"""The application of answers: check each answer, then apply the game's rule to the state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.errors import Refused
from companion.core.game import Cues, Game, S
from companion.core.prompts import (
    Answer,
    Choose,
    Form,
    Number,
    Prompt,
    Question,
    Spell,
    complete_form_answer,
    is_legal_answer,
    legal_answers,
    only_answer,
)

__all__ = [
    "apply_answer",
    "apply_answer_to_prompt",
    "replace",
    "simultaneous_prompts",
    "state_after_answers",
]


def apply_answer(
    game: Game[S], state: S, value: Answer, question: str | None = None
) -> tuple[S, Cues]:
    """Apply an answer. Return the next state, and the events that the answer caused.

    - `question`: the name of the pending question or of an out-of-turn question; None for the
      pending question.

    Raise Refused if the game is over, if the game does not ask the question, or if the answer is
    illegal.
    """
    prompt: Question | None = game.ask(state)
    if question is not None and (prompt is None or prompt.name != question):
        prompt = next((p for p in game.anytime(state) if p.name == question), None)
    if prompt is None:
        raise Refused("over" if question is None else "not_asked", question=question)
    return apply_answer_to_prompt(game, state, prompt, value)


def apply_answer_to_prompt(
    game: Game[S], state: S, prompt: Question, value: Answer
) -> tuple[S, Cues]:
    """Apply an answer to `prompt`, which the game asks in `state`.

    Return the next state, and the events that the answer caused. Raise Refused if the answer is
    illegal.
    """
    if isinstance(prompt, Form):
        whole = complete_form_answer(prompt, value) if isinstance(value, dict) else None
    else:
        whole = value if is_legal_answer(prompt, value) else None
    if whole is None:
        raise Refused(refusal_code(prompt, value), question=prompt.name)
    return game.on[prompt.name](state, whole)


def simultaneous_prompts(game: Game[S], state: S) -> dict[str, Prompt]:
    """Return the prompts that players can answer at the same time, by player.

    The first item is the pending prompt. Return {} if the pending prompt is not `at_once`.

    To find the later prompts, the function answers the earlier prompts with any legal answer. The
    answer does not matter, because `at_once` prompts do not depend on earlier answers.
    """
    asked: dict[str, Prompt] = {}
    prompt = game.ask(state)
    while isinstance(prompt, (Choose, Number, Spell)) and prompt.at_once:
        if prompt.who is None or prompt.who in asked:
            break
        asked[prompt.who] = prompt
        state, _ = apply_answer_to_prompt(game, state, prompt, legal_answers(prompt)[0])
        prompt = game.ask(state)
    return asked


def refusal_code(prompt: Question, value: Answer) -> str:
    """Return the code of the reason why an answer is illegal.

    For an illegal word, return the code of the mistake (`Spell.flaw`). For a form that would change
    nothing, return "nothing_to_correct". For any other answer, return "not_offered".
    """
    if isinstance(prompt, Spell) and isinstance(value, str):
        return prompt.flaw(value) or "not_offered"
    given: dict[str, Answer] = {}
    while isinstance(prompt, Form) and isinstance(value, dict):
        part = prompt.ask(given)
        if part is None:
            break
        answer = value.get(part.name, only_answer(part))
        if not is_legal_answer(part, answer):
            so_already = prompt.already({**given, part.name: answer})
            return "nothing_to_correct" if so_already else refusal_code(part, answer)
        given[part.name] = answer
    return "not_offered"


def state_after_answers(game: Game[S], state: S, answers: Iterable[Answer]) -> S:
    """Return the state after all `answers`, applied in order.

    Raise Refused at the first illegal answer.
    """
    for value in answers:
        state, _ = apply_answer(game, state, value)
    return state


if not TYPE_CHECKING:  # mypy checks the fields' types with `dataclasses.replace`
    _new, _set = object.__new__, object.__setattr__

    def replace(state: S, **changes: Any) -> S:
        """Return a copy of a frozen dataclass with some fields changed.

        This function is three times as fast as `dataclasses.replace`. Raise TypeError if a field
        does not exist.
        """
        fields = state.__dict__
        changed = fields | changes
        if len(changed) != len(fields):
            raise TypeError(f"no such field: {', '.join(sorted(changes.keys() - fields.keys()))}")
        new = _new(state.__class__)
        _set(new, "__dict__", changed)
        return new
