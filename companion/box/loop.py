"""The one thread: events from the inbox, one at a time, and whatever is due in between.

What a press means is for the `App`. Here is what is no game's: the display that rests, the lock,
two buttons held, and how the box ends.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

from companion.box.events import Quit, Slip, Trouble
from companion.box.guard import Guard
from companion.box.lights import DARK
from companion.box.system import Pulse
from companion.core.game import Cue
from companion.draw import plates, screens
from companion.press.chords import OFF, STEPS
from hardware import Edge, HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.box.events import Inbox
    from companion.box.faces import Faces
    from companion.record.journal import Journal
    from companion.say.words import Words

GOODBYE: Final = 1.0
"""Seconds that a machine of its own says goodbye, so that it can be read before it is cleared."""


class Loop(ABC):
    """Takes events until the end. The arguments are the `App`'s."""

    def __init__(
        self,
        faces: Faces,
        journal: Journal,
        clock: Callable[[], float],
        pulse: Pulse | None,
        inbox: Inbox | None,
        power_off: Callable[[], None] | None,
    ) -> None:
        self.inbox: Inbox = inbox or SimpleQueue()
        self._faces, self._journal, self._clock = faces, journal, clock
        self._pulse, self._power_off = pulse or Pulse(clock), power_off
        self._guard = Guard(clock(), switches_off=power_off is not None)
        self._stale = self._done = self._keep = False
        self._over: float | None = None  # the last frame is shown: until then

    def run(self) -> None:
        """Take events until the end. An idle box waits here without waking up."""
        while not self._done:
            self._pulse.beat()
            try:
                event = self.inbox.get(timeout=self._wait())
            except Empty:
                self.tick(self._clock())
            else:
                self.handle(event)
            if self._stale and self.inbox.empty():
                self._draw()

    def handle(self, event: Edge | Quit | Trouble | Slip) -> None:
        """One event, to its end: frame, record, sound. After the last frame none counts."""
        match event:
            case _ if self._over is not None:
                self.tick(self._clock())
            case Edge():
                self._edge(event)
            case Trouble():
                self._report(event.error)
            case Slip():
                self._tell(Cue("slip"))
            case Quit():
                self._quit()

    def tick(self, now: float) -> None:
        """Time went by: something is due."""
        due = self._guard.due(looking=self._is_looking)
        if self._over is None and due is not None and due <= now:
            self._watch(now)
            self._draw()
        if self._over is None:
            self._pass(now)
        else:
            self._done = self._over <= now

    def close(self) -> None:
        """Say goodbye, and let the hardware go. The record is the caller's to close."""
        if self._over is None:
            self._last(screens.splash(self._words()))
        self._faces.close(keep=self._keep)

    def _wait(self) -> float | None:
        """Seconds until something is due; None if nothing is."""
        guarded = self._guard.due(looking=self._is_looking)
        times = (guarded, *self._dues()) if self._over is None else (self._over,)
        due = [time for time in (self._pulse.due, *times) if time is not None]
        return max(0.0, min(due) - self._clock()) if due else None

    def _edge(self, edge: Edge) -> None:
        """A button: first what has come by its time, then what it does."""
        self._watch(edge.time)
        if self._over is not None:
            return
        self._hold(edge.time)
        if self._guard.lets(edge, looking=self._is_looking):
            self._press(edge)
        else:
            self._let_be()
            self._draw()

    def _watch(self, now: float) -> None:
        """What the guard has come to by `now`."""
        match self._guard.tick(now, looking=self._is_looking):
            case "lock":
                self._faces.voice.sound("accepted")
            case "off":
                self._switch_off()

    # --- the end ---

    def _quit(self) -> None:
        """The end is wished for: a machine of its own closes its record, and says goodbye."""
        if self._power_off is None:
            self._done = True
            return
        self._last(screens.splash(self._words()))
        self._journal.close()
        self._over = self._clock() + GOODBYE

    def _switch_off(self) -> None:
        """The machine goes off; the record is closed before it is called safe to unplug."""
        assert self._power_off is not None  # noqa: S101 - else there is no such chord
        self._faces.show(plates.holding(OFF, STEPS[OFF], STEPS[OFF], self._words()))
        try:
            self._power_off()
        except HardwareError as error:
            self._tell(Cue("hardware", {"part": error.part, "message": str(error)}))
            return
        self._journal.close()
        self._last(plates.safe(self._words()))
        self._over, self._keep = self._clock(), True

    def _last(self, frame: bytes) -> None:
        """A frame after which there is none, and nobody's lamp is lit."""
        self._faces.dim(100)
        self._faces.show(frame)
        self._faces.light(DARK)
        self._faces.voice.sound("goodbye")

    # --- for the app to say ---

    @property
    @abstractmethod
    def _is_looking(self) -> bool:
        """Whether somebody looks at a secret."""

    @abstractmethod
    def _press(self, edge: Edge) -> None:
        """An edge that means what it says."""

    @abstractmethod
    def _let_be(self) -> None:
        """Whatever is held means nothing any more."""

    @abstractmethod
    def _hold(self, now: float) -> None:
        """Whatever the buttons that are held have come to by `now`."""

    @abstractmethod
    def _pass(self, now: float) -> None:
        """Time went by in the game."""

    @abstractmethod
    def _dues(self) -> tuple[float | None, ...]:
        """When something is due in the game."""

    @abstractmethod
    def _draw(self) -> None:
        """Show how things are, unless another event waits."""

    @abstractmethod
    def _tell(self, cue: Cue) -> None:
        """A fact that stands in front of everything until OK, and is said."""

    @abstractmethod
    def _report(self, error: HardwareError) -> None:
        """Say once, on the faces that still work, that one of them does not."""

    @abstractmethod
    def _words(self, player: str | None = None) -> Words:
        """The words of a player's language, or the box's."""
