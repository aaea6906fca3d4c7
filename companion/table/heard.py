"""The sentences spoken so far in a game. They are computed from its record.

A fact that was announced before is announced in a shorter form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.core.game import Cue
from companion.hear.policy import NOTHING_SPOKEN, SpokenBefore
from companion.play.line import Step

NOT_FOUND: Final = (None, NOTHING_SPOKEN)
"""The entry of a step that was not looked up yet."""


class SpokenHistory:
    """The history of one game's speech. `variant` returns the wording of a fact (`Words.variant`).

    It depends only on the recorded steps. A game that was undone or resumed is spoken identically.
    """

    def __init__(self, variant: Callable[[Cue], str]) -> None:
        self._variant = variant
        self._found: dict[int, tuple[Step, SpokenBefore]] = {}

    def before_step(self, step: Step | None) -> SpokenBefore:
        """Return the facts and questions spoken up to the end of `step`.

        `step` is None before the first facts of a game; nothing was spoken then.
        """
        behind: list[Step] = []
        while step is not None and self._found.get(step.n, NOT_FOUND)[0] is not step:
            behind.append(step)
            step = step.before
        spoken = NOTHING_SPOKEN if step is None else self._found[step.n][1]
        for later in reversed(behind):
            spoken = self._after(spoken, later)
            self._found[later.n] = later, spoken
        return spoken

    def _after(self, spoken: SpokenBefore, step: Step) -> SpokenBefore:
        """Return the facts and questions spoken up to the end of a step."""
        entry = step.entry
        facts = {self._variant(cue) for cue in step.cues if cue.to is None}
        names = (entry.question, *(entry.value if isinstance(entry.value, dict) else ()))
        asked = {(str(name), entry.who) for name in names}
        return SpokenBefore(spoken.facts | facts, spoken.asked | asked)
