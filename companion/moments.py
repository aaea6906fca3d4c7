"""What stands in front of the question for a while: verdicts, rulings, notes, one frame each."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from companion.core import Cue

if TYPE_CHECKING:
    from companion.core import Cues
    from companion.words import Words

STANDING: Final = Cue("standing")
"""A moment that shows how the game stands."""
SECONDS_A_LETTER: Final = 0.07
SHORTEST: Final = 1.8
"""Seconds that a verdict stays, at least; longer if it takes longer to say."""
NOTE: Final = 6.0
"""Seconds that a note about the hardware stays; the game does not wait for it."""


class Moments(deque["Cues"]):
    """A queue of frames. `until` is when the front one goes by itself; None: with OK only."""

    until: float | None = None

    def show(self, cue: Cue, until: float | None = None) -> None:
        """Put a fact in front of everything."""
        self.appendleft((cue,))
        self.until = until

    def time(self, words: Words, now: float) -> None:
        """Let the front frame, if there is one, go after the time that it takes to say it."""
        self.until = None
        if self:
            letters = sum(len(words.speech(cue)) for cue in self[0])
            self.until = now + max(SHORTEST, letters * SECONDS_A_LETTER)
