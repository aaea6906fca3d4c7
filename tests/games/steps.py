"""Helpers: apply answers by the rules alone, for the tests of clauses."""

from __future__ import annotations

from typing import Any

from companion.core.fold import apply_answer
from companion.core.game import Cue, Cues, Game, S
from companion.core.prompts import Answer, Choose


def play_answers(game: Game[S], state: S, *answers: Answer) -> tuple[S, Cues]:
    found: Cues = ()
    for value in answers:
        state, cues = apply_answer(game, state, value)
        found = (*found, *cues)
    return state, found


def pending_question(game: Game[Any], state: Any) -> tuple[str, str | None, tuple[Any, ...]]:
    """Return the name, the player and the options of the pending question."""
    prompt = game.ask(state)
    assert isinstance(prompt, Choose)
    return prompt.name, prompt.who, prompt.options


def cue_names(cues: Cues) -> list[str]:
    return [cue.name for cue in cues]


def find_cue(cues: Cues, name: str) -> Cue:
    (found,) = (c for c in cues if c.name == name)
    return found
