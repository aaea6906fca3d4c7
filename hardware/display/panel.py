"""A display that nobody waits for, however slow, stuck or gone its bus is.

Only what changed is sent, from a thread of its own, and the newest frame wins. A panel that does
not answer is told once, tried again, and made ready anew when it is back. One that was pulled out
and put back unseen is made ready by the next press after a while.
"""

from __future__ import annotations

import time
from enum import Enum, auto
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from hardware.display.bus import explained
from hardware.display.pixels import whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.ports import HardwareError

RETRY: Final = 2.0
"""Seconds between two tries to reach a panel that does not answer."""
UNSEEN: Final = 30.0
"""Seconds without a frame in which a panel may have lost its power unnoticed."""
PATIENCE: Final = 1.0
"""Seconds that closing waits for a bus that is stuck."""


class Panel(Protocol):
    """A glass, its chip and the way to it. Everything may raise OSError."""

    def open(self) -> None:
        """Reach the chip and make it ready; called again after a failure."""

    def renew(self) -> None:
        """Make it ready once more, without going dark if it has been ready all the time."""

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Send a frame to a panel that holds `before`; None: what it holds is not known."""

    def light(self, percent: int) -> None:
        """Set the brightness in percent: 100 is as bright as it gets."""

    def dark(self) -> None:
        """Put its light out."""

    def close(self) -> None:
        """Let the bus go; safe to call twice."""


class End(Enum):
    """Whether the last frame is cleared when the display is closed."""

    CLEARED = auto()
    KEPT = auto()


class Wanted(NamedTuple):
    """What is asked of a display: the newest frame, how bright it is, and whether it ends."""

    frame: bytes | None = None
    percent: int = 100
    end: End | None = None


class PanelLink(Enum):
    """What came of the last try: the panel answers; it does not, perhaps for noise; it is gone."""

    FINE = auto()
    MISSED = auto()
    LOST = auto()


class Held(NamedTuple):
    """What a panel shows, and when it was last sent anything, in seconds on a steady clock."""

    frame: bytes
    percent: int
    time: float


class PanelState(NamedTuple):
    """All that a display goes by: what is wanted and was tried last, and how the panel is.

    `held` is None while it is unknown what the panel holds.
    """

    wanted: Wanted = Wanted()
    tried: Wanted | None = Wanted()
    link: PanelLink = PanelLink.FINE
    held: Held | None = None

    @property
    def is_due(self) -> bool:
        """Whether there is something to send at once."""
        return self.wanted != self.tried

    def missed(self) -> PanelState:
        """The panel did not answer. Once may be noise on the wires: it is tried again at once."""
        if self.link is PanelLink.FINE:
            return self._replace(link=PanelLink.MISSED, held=None, tried=None)
        return self._replace(link=PanelLink.LOST)


class PanelDisplay:
    """A display whose panel is served by a thread that sleeps while nothing changes.

    `report` hears, from that thread, of a panel that stops answering: once, until it is back.
    """

    def __init__(self, panel: Panel, report: Callable[[HardwareError], None]) -> None:
        self._panel, self._report = panel, report
        self._news = Condition()
        self._state = PanelState()
        self._thread = Thread(target=self._serve, name="display", daemon=True)
        self._thread.start()

    def show(self, frame: bytes) -> None:
        """Have a frame sent, unless a newer one comes first; never waits. Raises ValueError."""
        self._want(frame=bytes(whole(frame)))

    def light(self, percent: int) -> None:
        """Dim the display: 100 is as bright as it gets, 0 is off; never waits."""
        self._want(percent=percent)

    def close(self, *, keep: bool = False) -> None:
        """Send what waits, then switch the display off unless told to `keep` it; safe to repeat."""
        self._want(end=End.KEPT if keep else End.CLEARED)
        self._thread.join(PATIENCE)

    def _want(self, **what: Any) -> None:
        with self._news:
            self._state = self._state._replace(wanted=self._state.wanted._replace(**what))
            self._news.notify()

    # --- the thread ---

    def _serve(self) -> None:
        """Send what is wanted, whenever there is something new, until the end."""
        wanted = Wanted()
        while wanted.end is None:
            wanted = self._next()
            try:
                held = self._sent(wanted, self._state.held)
            except OSError as error:
                self._missed(error, wanted)
            else:
                with self._news:
                    self._state = self._state._replace(link=PanelLink.FINE, held=held)
        self._panel.close()

    def _next(self) -> Wanted:
        with self._news:
            patience = RETRY if self._state.link is PanelLink.LOST else None
            self._news.wait_for(lambda: self._state.is_due, patience)
            self._state = self._state._replace(tried=self._state.wanted)
            return self._state.wanted

    def _sent(self, wanted: Wanted, held: Held | None) -> Held | None:
        if wanted.frame is not None:
            held = self._shown(wanted.frame, wanted.percent, held)
        if wanted.end is End.CLEARED and held is not None:
            self._panel.dark()
        return held

    def _shown(self, frame: bytes, percent: int, held: Held | None) -> Held | None:
        """Make the panel show a frame, and ready it first if it may have lost its power."""
        if percent == 0:
            if held is not None:
                self._panel.dark()
            return None  # it is made ready anew when it wakes: it may have lost its power
        if held is None:
            self._panel.open()
        self._panel.draw(frame, held and held.frame)
        unseen = held is not None and time.monotonic() - held.time > UNSEEN
        if unseen:  # what was pressed shows first; then all of it, without going dark
            self._panel.renew()
            self._panel.draw(frame, None)
        if held is None or unseen or percent != held.percent:
            self._panel.light(percent)
        return Held(frame, percent, time.monotonic())

    def _missed(self, error: OSError, wanted: Wanted) -> None:
        with self._news:
            before = self._state.link
            self._state = self._state.missed()
        if before is PanelLink.MISSED and wanted.end is None:
            self._report(explained(error))
