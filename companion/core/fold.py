"""From one state to the next: an answer is checked, then the game's own rule takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import Refused
from companion.core.prompts import Form, Question, Spell, accepts, filled, only

if TYPE_CHECKING:
    from collections.abc import Iterable
    from dataclasses import replace

    from companion.core.game import Cues, Game, S
    from companion.core.prompts import Answer

__all__ = ["advance", "fold", "replace", "step"]


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
    if not accepts(prompt, value):
        raise Refused(reason(prompt, value), question=prompt.name)
    if isinstance(prompt, Form):
        value = filled(prompt, value)
    return game.on[prompt.name](state, value)


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

    def replace(state: S, **changes: Any) -> S:
        """Change some fields of a frozen dataclass: `dataclasses.replace` at a third of its price.

        Raises TypeError for a field that does not exist.
        """
        fields = state.__dict__
        changed = fields | changes
        if len(changed) != len(fields):
            raise TypeError(f"no such field: {', '.join(sorted(changes.keys() - fields.keys()))}")
        new = object.__new__(state.__class__)
        object.__setattr__(new, "__dict__", changed)
        return new
