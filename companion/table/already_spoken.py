"""The events and questions that the box has spoken in a game, computed from the game's record.

An event (`Cue`) of a kind that was spoken before gets a shorter sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.core.game import Cue
from companion.hear.policy import NOTHING_SPOKEN, AlreadySpokenFacts
from companion.play.answer_history import AnswerStep

NOT_LOOKED_UP: Final = (None, NOTHING_SPOKEN)
"""Placeholder for a recorded answer that was not looked up yet."""


class AlreadySpokenKinds:
    """The kinds of events and the questions that the box has spoken in one game.

    `variant` returns the name of an event (`Cue`) with its variant, like
    `Words.fact_name_with_variant`. The history depends only on the recorded answers, so an undo or
    a restart does not change later sentences.
    """

    def __init__(self, variant: Callable[[Cue], str]) -> None:
        self._variant = variant
        self._found: dict[int, tuple[AnswerStep, AlreadySpokenFacts]] = {}

    def spoken_up_to_step(self, step: AnswerStep | None) -> AlreadySpokenFacts:
        """Return the events and questions that were spoken up to and including the answer `step`.

        If `step` is None, the game has no answer yet, and the result is empty.
        """
        behind: list[AnswerStep] = []
        while step is not None and self._found.get(step.n, NOT_LOOKED_UP)[0] is not step:
            behind.append(step)
            step = step.before
        spoken = NOTHING_SPOKEN if step is None else self._found[step.n][1]
        for later in reversed(behind):
            spoken = self._after(spoken, later)
            self._found[later.n] = later, spoken
        return spoken

    def _after(self, spoken: AlreadySpokenFacts, step: AnswerStep) -> AlreadySpokenFacts:
        entry = step.entry
        facts = {self._variant(cue) for cue in step.cues if cue.to is None}
        names = (entry.question, *(entry.value if isinstance(entry.value, dict) else ()))
        asked = {(str(name), entry.who) for name in names}
        return AlreadySpokenFacts(spoken.facts | facts, spoken.asked | asked)
