"""What stands in front of the question for a while: verdicts, rulings, notes, one frame each."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from companion.core.game import Cue

if TYPE_CHECKING:
    from companion.core.game import Cues
    from companion.say.words import Words

STANDING: Final = Cue("standing")
"""A moment that shows how the game stands."""
SECONDS_A_LETTER: Final = 0.07
SHORTEST: Final = 1.8
"""Seconds that a verdict stays, at least; longer if it takes longer to say."""
STEP: Final = 0.35
"""Seconds between two pictures of a movement."""
NEWEST: Final = ("help", "sound")
"""Facts that replace the like of them."""
NOTE: Final = 6.0
"""Seconds that a note about the hardware stays; the game does not wait for it."""


class Moments(deque["Cues"]):
    """A queue of frames, the front one shown.

    `until` is when it changes by itself, None: not before OK. `step` is the picture that it shows
    of its `steps`: a movement, ended early by any press. `whose`: the only player whom it concerns.
    """

    until: float | None = None
    whose: str | None = None
    step: int = 0
    steps: int = 1
    _over: float | None = None

    def show(self, cue: Cue, until: float | None = None, whose: str | None = None) -> None:
        """Put a fact in front of everything; of some, only the newest stands there."""
        if self and self[0][0].name == cue.name and cue.name in NEWEST:
            self.popleft()
        self.appendleft((cue,))
        self.step, self.steps, self.until, self.whose = 0, 1, until, whose

    def begin(self, words: Words, now: float, steps: int, *, stays: bool) -> None:
        """Let the front frame move, and then go after the time that it takes to say it."""
        self.step, self.steps, self.whose = 0, steps, None
        letters = sum(len(words.speech(cue)) for cue in self[0]) if self else 0
        moving = (steps - 1) * STEP
        seconds = max(moving + SHORTEST, letters * SECONDS_A_LETTER)
        self._over = None if stays or not self else now + seconds
        self.until = now + STEP if steps > 1 else self._over

    def move(self, now: float) -> bool:
        """Show the next picture of the movement; False if it has come to its end."""
        if self.step + 1 >= self.steps:
            return False
        self.step += 1
        self.until = now + STEP if self.step + 1 < self.steps else self._over
        return True
