"""What stands between buttons and game: a display that rests, a child lock, two hands, a stuck key.

A press that wakes the display does nothing else. While the box is locked a press only shows how to
unlock it, or how the game stands. Two buttons held together lock it, unlock it, or switch it off,
locked or not; two others change how much is said. UP or DOWN that nobody lets go hangs, as any
button does that was down when the box began: nobody turns for so long; OK, BACK and a seat's button
may be held over a secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.draw import plates
from companion.press import chords
from companion.press.chords import DETAIL, LOCK, OFF, STEPS, Hands
from hardware.ports import DOWN, UP, Edge

if TYPE_CHECKING:
    from companion.press.actions import Action
    from companion.say.words import Words

NOTICE: Final = 5.0
"""Seconds that it is shown how to unlock the box, or that it is unlocked."""
LEVELS: Final = (100, 20, 0)
"""Percent of brightness: in use, dimmed, dark, so that nothing burns into the display."""
DIMS_AFTER: Final = (180.0, 900.0)
"""Seconds without a press or news after which it dims, and after which it is dark."""
HANGS_AFTER: Final = 20.0
"""Seconds after which a button hangs."""


class Guard:
    """Kept by the loop; time is given. `switches_off`: the machine is the box's to switch off."""

    def __init__(self, now: float, *, switches_off: bool) -> None:
        self.locked = False
        self._chords = (OFF, LOCK, DETAIL) if switches_off else (LOCK, DETAIL)
        self._hands = Hands()
        self._used, self._depth = now, 0  # when something happened last; an index into LEVELS
        self.began = now  # a hold, alone or in a pair, needs an edge from after it
        self._down: tuple[tuple[str, float], ...] = ()  # the buttons that can hang, since when
        self._until: float | None = None  # when the notice about the lock goes
        self._glances = False  # at how the game stands, while the box is locked
        self._frame = b""

    @property
    def percent(self) -> int:
        """How bright the display is."""
        return LEVELS[self._depth]

    @property
    def gesture(self) -> Action | None:
        """The gesture that the last edge completed; None if there is none, or the box is locked."""
        return None if self.locked else self._hands.made

    def begin(self, now: float) -> None:
        """Note that the box listens from `now` (s) on; buttons that are down have been told."""
        self.began, self._down = now, ()

    def lets(self, edge: Edge, *, looking: str | None, heard: bool = False) -> bool:
        """Whether an edge is for the game; what comes up always is. `looking`: at whose secret.

        `heard`: who plays by ear need not wake a display first.
        """
        self._down = tuple([pair for pair in self._down if pair[0] != edge.button])
        if edge.down and (edge.button in (UP, DOWN) or edge.time <= self.began):
            self._down = (*self._down, (edge.button, edge.time))
        asleep = self._depth > 0 and not heard
        self._used, self._depth = edge.time, 0
        if not edge.down or not (edge.retained or edge.time < self.began):
            chords_now = self._chords if looking is None else ()
            self._hands = chords.press(self._hands, edge, chords_now)
        if not edge.down:
            return True
        if self._hands.busy or asleep:
            return False
        noted, self._glances = self._until is not None, edge.button in (UP, DOWN)
        self._until = edge.time + NOTICE if self.locked else None
        return not (noted or self.locked)

    def hung(self, now: float) -> Edge | None:
        """The next button that hangs by now, as it comes up: it keeps nothing awake from here on.

        It is told of once; a button that has moved does not hang.
        """
        for pair in self._down:
            button, since = pair
            if since + HANGS_AFTER <= now:
                self._down = tuple([other for other in self._down if other != pair])
                up = Edge(button, False, now)
                self._hands = chords.press(self._hands, up, ())
                return up
        return None

    def due(self, *, looking: str | None) -> float | None:
        """When `tick` has something to do; a secret that is looked at does not go dark."""
        times = [time for time in (self._hands.deadline, self._until) if time is not None]
        if looking is None and not self._hands.held and self._depth < len(DIMS_AFTER):
            times.append(self._used + DIMS_AFTER[self._depth])
        return min(times, default=None)

    @property
    def hangs(self) -> float | None:
        """When the next button that is down counts as stuck (s); None if none is down."""
        return min([since for _, since in self._down]) + HANGS_AFTER if self._down else None

    def tick(self, now: float, *, looking: str | None) -> str | None:
        """All that is due at `now`; the name of a chord that was held until it counts."""
        if self._until is not None and self._until <= now:
            self._until = None
        if looking is None and not self._hands.held:
            while self._depth < len(DIMS_AFTER) and self._used + DIMS_AFTER[self._depth] <= now:
                self._depth += 1
        self._hands, full = chords.tick(self._hands, now)
        if full == LOCK:
            self.locked, self._until = not self.locked, now + NOTICE
        return full

    def seen(self, frame: bytes, now: float) -> None:
        """A frame that is shown: a new one wakes the display."""
        if frame != self._frame:
            self._frame, self._used, self._depth = frame, max(now, self._used), 0

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
