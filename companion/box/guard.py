"""What stands between the buttons and the game: a display that rests, a child lock, two hands.

A press that wakes the display does nothing else. While the box is locked a press only shows how to
unlock it, or how the game stands. Two buttons held together lock it, unlock it, or switch it off,
locked or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.box import dimming
from companion.box.dimming import Dimming
from companion.draw import plates
from companion.press import chords
from companion.press.chords import LOCK, OFF, STEPS, Hands
from hardware import DOWN, UP

if TYPE_CHECKING:
    from companion.say.words import Words
    from hardware import Edge

NOTICE: Final = 5.0
"""Seconds that it is shown how to unlock the box, or that it is unlocked."""


class Guard:
    """Kept by the loop; time is given. `switches_off`: the machine is the box's to switch off."""

    def __init__(self, now: float, *, switches_off: bool) -> None:
        self.locked = False
        self._chords = (OFF, LOCK) if switches_off else (LOCK,)
        self._hands = Hands()
        self._dimming = Dimming(now)
        self._until: float | None = None  # when the notice about the lock goes
        self._glances = False  # at how the game stands, while the box is locked
        self._frame = b""

    @property
    def percent(self) -> int:
        """How bright the display is."""
        return self._dimming.percent

    def lets(self, edge: Edge, *, looking: bool, heard: bool = False) -> bool:
        """Whether an edge is for the game; what comes up always is. `looking`: at a secret.

        `heard`: who plays by ear need not wake a display first.
        """
        asleep = self._dimming.depth > 0 and not heard
        self._dimming = Dimming(edge.time)
        self._hands = chords.press(self._hands, edge, () if looking else self._chords)
        if not edge.down:
            return True
        if self._hands.busy or asleep:
            return False
        noted, self._glances = self._until is not None, edge.button in (UP, DOWN)
        self._until = edge.time + NOTICE if self.locked else None
        return not (noted or self.locked)

    def lose(self, up: Edge) -> None:
        """A button hangs: it counts as up, and keeps nothing awake."""
        self._hands = chords.press(self._hands, up, ())

    def due(self, *, looking: bool) -> float | None:
        """When `tick` has something to do; a secret that is looked at does not go dark."""
        used = looking or self._hands.held
        times = (self._hands.deadline, self._until, None if used else self._dimming.deadline)
        return min((time for time in times if time is not None), default=None)

    def tick(self, now: float, *, looking: bool) -> str | None:
        """All that is due at `now`; the name of a chord that was held until it counts."""
        if self._until is not None and self._until <= now:
            self._until = None
        if not looking and not self._hands.held:
            self._dimming = dimming.tick(self._dimming, now)
        self._hands, full = chords.tick(self._hands, now)
        if full == LOCK:
            self.locked, self._until = not self.locked, now + NOTICE
        return full

    def seen(self, frame: bytes, now: float) -> None:
        """A frame that is shown: a new one wakes the display."""
        if frame != self._frame:
            self._frame, self._dimming = frame, Dimming(max(now, self._dimming.since))

    def picture(self, words: Words, standing: bytes | None = None) -> bytes | None:
        """What is shown instead of the game, if anything: a bar that fills, or the lock.

        `standing` is how the game stands, for who turns the wheel of a locked box.
        """
        chord, step = self._hands.chord, self._hands.step
        if chord is not None and step > 0:
            name = "unlock" if chord == LOCK and self.locked else chord
            return plates.holding(name, step, STEPS[chord], words)
        if self._until is None:
            return None
        if self.locked and self._glances and standing is not None:
            return standing
        return plates.locked(words) if self.locked else plates.unlocked(words)
