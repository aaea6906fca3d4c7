"""A display that never blocks its caller, however slow, stuck or absent its bus is.

A thread sends only what has changed, and the newest frame replaces waiting ones. A panel that does
not answer is reported once, retried, and initialised again when it is back. One that was unplugged
and reconnected unnoticed is initialised again at the next press after a while.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum, auto
from threading import Condition, Thread
from typing import Any, Final, NamedTuple, Protocol

from hardware.display.bus import explain_error
from hardware.display.pixels import check_frame
from hardware.ports import HardwareError

RETRY_SECONDS: Final = 2.0
"""The time in seconds between two attempts to reach a panel that does not answer."""
REFRESH_SECONDS: Final = 30.0
"""The time in seconds without a frame after which a panel may have lost power unnoticed."""
CLOSE_TIMEOUT_SECONDS: Final = 1.0
"""The time in seconds for which `close` waits for a stuck bus."""


class Panel(Protocol):
    """A panel with its chip and bus. All methods may raise OSError."""

    def open(self) -> None:
        """Find and initialise the chip; called again after a failure."""

    def reinitialise(self) -> None:
        """Initialise the chip again, without going dark if it kept its power."""

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Send a frame to a panel that holds `before`; None: unknown."""

    def light(self, percent: int) -> None:
        """Set the brightness in percent; 100 is the maximum."""

    def switch_off(self) -> None:
        """Switch the light off."""

    def close(self) -> None:
        """Release the bus; safe to call twice."""


class ClosingMode(Enum):
    """What happens to the last frame when the display is closed."""

    CLEARED = auto()
    FRAME_KEPT = auto()


class WantedState(NamedTuple):
    """The requested state of a display: the newest frame, its brightness, and its end."""

    frame: bytes | None = None
    percent: int = 100
    end: ClosingMode | None = None


class PanelLink(Enum):
    """The result of the last attempt: the panel answers, failed once (maybe noise), or is gone."""

    ANSWERING = auto()
    FAILED_ONCE = auto()
    LOST = auto()


class PanelContents(NamedTuple):
    """What a panel shows, and when it last received anything (s, monotonic)."""

    frame: bytes
    percent: int
    time: float


class PanelState(NamedTuple):
    """The state of a display: what is wanted, what was tried last, and what the panel holds.

    `held` is None while that is unknown.
    """

    wanted: WantedState = WantedState()
    tried: WantedState | None = WantedState()
    link: PanelLink = PanelLink.ANSWERING
    held: PanelContents | None = None

    @property
    def is_due(self) -> bool:
        """Return True if something must be sent at once."""
        return self.wanted != self.tried

    def after_failure(self) -> PanelState:
        """Return the state after a failure. The first may be noise: it is retried at once."""
        if self.link is PanelLink.ANSWERING:
            return self._replace(link=PanelLink.FAILED_ONCE, held=None, tried=None)
        return self._replace(link=PanelLink.LOST)


class PanelDisplay:
    """A display whose panel is served by a thread that sleeps while nothing changes.

    `report` is called in that thread, once for each failure of the panel.
    """

    def __init__(self, panel: Panel, report: Callable[[HardwareError], None]) -> None:
        self._panel, self._report = panel, report
        self._news = Condition()
        self._state = PanelState()
        self._thread = Thread(target=self._serve, name="display", daemon=True)
        self._thread.start()

    def show(self, frame: bytes) -> None:
        """Queue a frame; a newer one replaces it. Never wait. Raise ValueError."""
        self._want(frame=bytes(check_frame(frame)))

    def light(self, percent: int) -> None:
        """Set the brightness in percent: 100 is the maximum, 0 is off. Never wait."""
        self._want(percent=percent)

    def close(self, *, keep: bool = False) -> None:
        """Send what waits, then switch the display off unless `keep`; safe to call twice."""
        self._want(end=ClosingMode.FRAME_KEPT if keep else ClosingMode.CLEARED)
        self._thread.join(CLOSE_TIMEOUT_SECONDS)

    def _want(self, **fields: Any) -> None:
        with self._news:
            self._state = self._state._replace(wanted=self._state.wanted._replace(**fields))
            self._news.notify()

    # --- the thread ---

    def _serve(self) -> None:
        """Send each new frame and brightness to the panel, until it is closed."""
        wanted = WantedState()
        while wanted.end is None:
            wanted = self._next()
            try:
                held = self._send_wanted(wanted, self._state.held)
            except OSError as error:
                self._handle_failure(error, wanted)
            else:
                with self._news:
                    self._state = self._state._replace(link=PanelLink.ANSWERING, held=held)
        self._panel.close()

    def _next(self) -> WantedState:
        with self._news:
            patience = RETRY_SECONDS if self._state.link is PanelLink.LOST else None
            self._news.wait_for(lambda: self._state.is_due, patience)
            self._state = self._state._replace(tried=self._state.wanted)
            return self._state.wanted

    def _send_wanted(self, wanted: WantedState, held: PanelContents | None) -> PanelContents | None:
        if wanted.frame is not None:
            held = self._show_frame(wanted.frame, wanted.percent, held)
        if wanted.end is ClosingMode.CLEARED and held is not None:
            self._panel.switch_off()
        return held

    def _show_frame(
        self, frame: bytes, percent: int, held: PanelContents | None
    ) -> PanelContents | None:
        """Show a frame; first initialise a panel that may have lost its power."""
        if percent == 0:
            if held is not None:
                self._panel.switch_off()
            return None  # it is initialised again when it wakes, since it may have lost power
        if held is None:
            self._panel.open()
        self._panel.draw(frame, held and held.frame)
        unseen = held is not None and time.monotonic() - held.time > REFRESH_SECONDS
        if unseen:  # first the new frame, then a complete refresh without going dark
            self._panel.reinitialise()
            self._panel.draw(frame, None)
        if held is None or unseen or percent != held.percent:
            self._panel.light(percent)
        return PanelContents(frame, percent, time.monotonic())

    def _handle_failure(self, error: OSError, wanted: WantedState) -> None:
        with self._news:
            before = self._state.link
            self._state = self._state.after_failure()
        if before is PanelLink.FAILED_ONCE and wanted.end is None:
            self._report(explain_error(error))
