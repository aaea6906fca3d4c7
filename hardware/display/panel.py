"""A display that never blocks its caller, even if its bus is slow, stuck or missing.

A thread sends only the bytes that changed, and the newest frame replaces frames that wait. If a
panel stops answering, the thread reports the failure once and retries. When the panel answers
again, the thread initialises it. A panel that was disconnected for a moment without a failed
transfer is initialised again with the next frame after REFRESH_SECONDS.
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
"""Number of seconds between two attempts to reach a panel that does not answer."""
REFRESH_SECONDS: Final = 30.0
"""Number of seconds without a frame after which a panel may have lost its power unnoticed."""
CLOSE_TIMEOUT_SECONDS: Final = 1.0
"""Maximum number of seconds for which `close` waits for a bus that is stuck."""


class Panel(Protocol):
    """A panel with its chip and bus. All methods raise OSError if the panel does not answer."""

    def open(self) -> None:
        """Find and initialise the chip, also after a failure."""

    def reinitialise(self) -> None:
        """Initialise the chip again; a panel that kept its power does not go dark."""

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Change the panel from the frame `before` to `frame`; `before` is None if unknown."""

    def light(self, percent: int) -> None:
        """Set the brightness in percent; 100 is the maximum."""

    def switch_off(self) -> None:
        """Switch the panel's light off."""

    def close(self) -> None:
        """Release the bus; safe to call twice."""


class ClosingMode(Enum):
    """Whether a closed display clears its last frame or keeps it visible."""

    CLEARED = auto()
    FRAME_KEPT = auto()


class WantedState(NamedTuple):
    """The state that the box requests of a display.

    - `frame`: the newest frame; None before the first frame.
    - `percent`: the brightness in percent.
    - `end`: how to close the display; None while the display stays open.
    """

    frame: bytes | None = None
    percent: int = 100
    end: ClosingMode | None = None


class PanelLink(Enum):
    """Result of the latest attempts to reach a panel.

    ANSWERING: the panel answered. FAILED_ONCE: one attempt failed, perhaps because of noise. LOST:
    more attempts failed.
    """

    ANSWERING = auto()
    FAILED_ONCE = auto()
    LOST = auto()


class PanelContents(NamedTuple):
    """The frame and brightness (percent) that a panel shows.

    `time` is the monotonic time (s) at which the panel received its last bytes.
    """

    frame: bytes
    percent: int
    time: float


class PanelState(NamedTuple):
    """The state of a display.

    - `wanted`: the state that the box requests.
    - `tried`: the requested state that the thread tried to send last; None to send again.
    - `link`: whether the panel answers.
    - `held`: the frame and brightness that the panel shows; None if unknown.
    """

    wanted: WantedState = WantedState()
    tried: WantedState | None = WantedState()
    link: PanelLink = PanelLink.ANSWERING
    held: PanelContents | None = None

    @property
    def is_due(self) -> bool:
        """Return True if the thread must send something to the panel now."""
        return self.wanted != self.tried

    def after_failure(self) -> PanelState:
        """Return the state after a failed attempt.

        After a first failure, the next attempt is due at once.
        """
        if self.link is PanelLink.ANSWERING:
            return self._replace(link=PanelLink.FAILED_ONCE, held=None, tried=None)
        return self._replace(link=PanelLink.LOST)


class PanelDisplay:
    """A display whose panel is served by a thread; the thread sleeps while nothing changes.

    `report` is called on this thread with the error of a panel that stops answering.
    """

    def __init__(self, panel: Panel, report: Callable[[HardwareError], None]) -> None:
        self._panel, self._report = panel, report
        self._news = Condition()
        self._state = PanelState()
        self._thread = Thread(target=self._serve, name="display", daemon=True)
        self._thread.start()

    def show(self, frame: bytes) -> None:
        """Queue a frame, in place of a frame that waits, and return at once.

        Raise ValueError if `frame` has a wrong size.
        """
        self._want(frame=bytes(check_frame(frame)))

    def light(self, percent: int) -> None:
        """Set the brightness in percent, and return at once; 100 is the maximum, 0 is off."""
        self._want(percent=percent)

    def close(self, *, keep: bool = False) -> None:
        """Send the newest frame, then switch the display off unless `keep`; safe to call twice."""
        self._want(end=ClosingMode.FRAME_KEPT if keep else ClosingMode.CLEARED)
        self._thread.join(CLOSE_TIMEOUT_SECONDS)

    def _want(self, **fields: Any) -> None:
        with self._news:
            self._state = self._state._replace(wanted=self._state.wanted._replace(**fields))
            self._news.notify()

    # --- the thread ---

    def _serve(self) -> None:
        """Send each new frame and brightness to the panel until the display is closed."""
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
        """Show a frame; before, initialise a panel that may have lost its power."""
        if percent == 0:
            if held is not None:
                self._panel.switch_off()
            return None  # a dark panel may lose its power: initialise it at the next frame
        if held is None:
            self._panel.open()
        self._panel.draw(frame, held and held.frame)
        unseen = held is not None and time.monotonic() - held.time > REFRESH_SECONDS
        if unseen:  # send every byte again, because the panel may have lost its power
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
