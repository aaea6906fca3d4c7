"""From one state to the next: an answer is checked, then the game's own rule takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import Refused
from companion.core.prompts import (
    Choose,
    Form,
    Number,
    Question,
    Spell,
    accepts,
    choices,
    filled,
    only,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from dataclasses import replace

    from companion.core.game import Cues, Game, S
    from companion.core.prompts import Answer, Prompt

__all__ = ["advance", "at_once", "fold", "replace", "step"]


def advance(game: Game[S], state: S, value: Answer, question: str | None = None) -> tuple[S, Cues]:
    """Fold one answer: to the standing question, or out of turn to the one named.

    Raises Refused if the game is over or the answer is not legal; nothing has changed then.
    """
    prompt: Question | None = game.ask(state)
    if question is not None and (prompt is None or prompt.name != question):
        prompt = next((p for p in game.anytime(state) if p.name == question), None)
    if prompt is None:
        raise Refused("over" if question is None else "not_asked", question=question)
    return step(game, state, prompt, value)


def step(game: Game[S], state: S, prompt: Question, value: Answer) -> tuple[S, Cues]:
    """Fold an answer to a prompt that `state` asks. Raises Refused if it is not legal."""
    if isinstance(prompt, Form):
        whole = filled(prompt, value) if isinstance(value, dict) else None
    else:
        whole = value if accepts(prompt, value) else None
    if whole is None:
        raise Refused(reason(prompt, value), question=prompt.name)
    return game.on[prompt.name](state, whole)


def at_once(game: Game[S], state: S) -> dict[str, Prompt]:
    """Who is asked at the same time, in their order, and what: from the standing question on.

    The questions of those who come next are found by an answer in place of those that are missing;
    the kit proves that they do not depend on it. Nothing, if the question is asked of one alone.
    """
    asked: dict[str, Prompt] = {}
    prompt = game.ask(state)
    while isinstance(prompt, (Choose, Number, Spell)) and prompt.at_once:
        if prompt.who is None or prompt.who in asked:
            break
        asked[prompt.who] = prompt
        state, _ = step(game, state, prompt, choices(prompt)[0])
        prompt = game.ask(state)
    return asked


def reason(prompt: Question, value: Answer) -> str:
    """The code of why an answer is not legal: a word's flaw, in a form too, if that is all.

    Of a form also that it is so already.
    """
    if isinstance(prompt, Spell) and isinstance(value, str):
        return prompt.flaw(value) or "not_offered"
    given: dict[str, Answer] = {}
    while isinstance(prompt, Form) and isinstance(value, dict):
        part = prompt.ask(given)
        if part is None:
            break
        answer = value.get(part.name, only(part))
        if not accepts(part, answer):
            so_already = prompt.already({**given, part.name: answer})
            return "nothing_to_correct" if so_already else reason(part, answer)
        given[part.name] = answer
    return "not_offered"


def fold(game: Game[S], state: S, answers: Iterable[Answer]) -> S:
    """The state after `answers`, given in order from `state`. Raises Refused at the first wrong."""
    for value in answers:
        state, _ = advance(game, state, value)
    return state


if not TYPE_CHECKING:  # mypy knows the one of dataclasses: each field by its name and type
    _new, _set = object.__new__, object.__setattr__

    def replace(state: S, **changes: Any) -> S:
        """Change some fields of a frozen dataclass: `dataclasses.replace` at a third of its price.

        Raises TypeError for a field that does not exist.
        """
        fields = state.__dict__
        changed = fields | changes
        if len(changed) != len(fields):
            raise TypeError(f"no such field: {', '.join(sorted(changes.keys() - fields.keys()))}")
        new = _new(state.__class__)
        _set(new, "__dict__", changed)
        return new
