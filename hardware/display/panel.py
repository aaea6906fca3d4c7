"""A display that never blocks its caller, even if the bus is slow, stuck or missing.

A thread sends only changed bytes. If frames arrive faster than the thread can send frames, the
thread sends only the newest frame.

If a panel stops answering, the thread reports the failure once and tries again. When the panel
answers again, the thread initialises the panel. If no new frame arrives for
REINITIALISE_AFTER_SECONDS, the panel may have been disconnected and reconnected meanwhile. After
the next frame, the thread therefore initialises the panel again, and sends the whole frame once
more.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum, auto
from threading import Condition, Thread
from typing import Any, Final, NamedTuple, Protocol

from hardware.display.bus import hardware_error_for_display
from hardware.display.frame_conversions import check_frame_size
from hardware.ports import HardwareError

RETRY_SECONDS: Final = 2.0
"""Seconds between two attempts to reach a panel that does not answer."""
REINITIALISE_AFTER_SECONDS: Final = 30.0
"""Seconds without a new frame after which the panel may have lost its power.

After the next frame, the thread therefore initialises the panel again, and sends the whole frame
once more.
"""
CLOSE_TIMEOUT_SECONDS: Final = 1.0
"""Maximum number of seconds for which `close` waits for a stuck bus."""


class Panel(Protocol):
    """Protocol of a panel, independent of the panel's chip and bus.

    All methods raise OSError if the panel does not answer.
    """

    def open(self) -> None:
        """Find and initialise the chip. Call `open` again after a failure."""

    def reinitialise(self) -> None:
        """Initialise the chip again, because the panel may have lost its power."""

    def draw(self, frame: bytes, before: bytes | None) -> None:
        """Send the bytes of `frame` that differ from `before`, or all bytes if `before` is None."""

    def set_brightness(self, percent: int) -> None:
        """Set the panel's brightness in percent, from 1 to 100."""

    def switch_off(self) -> None:
        """Switch the light of the panel off."""

    def close(self) -> None:
        """Release the bus; safe to call twice."""


class ClosingMode(Enum):
    """Choice whether a closed display clears its last frame or keeps the frame visible."""

    CLEARED = auto()
    FRAME_KEPT = auto()


class WantedDisplayState(NamedTuple):
    """State of a display that the box requests.

    - `frame`: the newest frame, or None before the first frame.
    - `percent`: the brightness in percent.
    - `end`: the way to close the display, or None while the display stays open.
    """

    frame: bytes | None = None
    percent: int = 100
    end: ClosingMode | None = None


class PanelReachability(Enum):
    """Result of the latest attempts to reach a panel.

    - ANSWERING: the panel answered.
    - FAILED_ONCE: one attempt to reach the panel failed, perhaps because of noise.
    - LOST: more than one attempt to reach the panel failed.
    """

    ANSWERING = auto()
    FAILED_ONCE = auto()
    LOST = auto()


class PanelContents(NamedTuple):
    """Frame and brightness (percent) that a panel shows.

    `time`: the monotonic time (s) at which the thread last sent bytes to the panel.
    """

    frame: bytes
    percent: int
    time: float


class DisplayThreadState(NamedTuple):
    """State that a display's thread shares with the callers of the display.

    - `wanted`: the state that the box requests.
    - `tried`: the state that the thread last tried to send, or None if the thread must send
      `wanted` again.
    - `link`: the result of the latest attempts to reach the panel.
    - `held`: the frame and brightness that the panel shows, or None if the panel's content is
      unknown.
    """

    wanted: WantedDisplayState = WantedDisplayState()
    tried: WantedDisplayState | None = WantedDisplayState()
    link: PanelReachability = PanelReachability.ANSWERING
    held: PanelContents | None = None

    @property
    def is_update_due(self) -> bool:
        """Return True if the thread must send something to the panel now."""
        return self.wanted != self.tried

    def after_failure(self) -> DisplayThreadState:
        """Return the state after a failed attempt to reach the panel.

        After the first failure, the thread tries again at once. After a later failure, the thread
        tries again RETRY_SECONDS later.
        """
        if self.link is PanelReachability.ANSWERING:
            return self._replace(link=PanelReachability.FAILED_ONCE, held=None, tried=None)
        return self._replace(link=PanelReachability.LOST)


class ThreadedDisplay:
    """Display that a thread serves; the thread sleeps while nothing changes.

    `report`: function that the thread calls with the error of a panel that stops answering.
    """

    def __init__(self, panel: Panel, report: Callable[[HardwareError], None]) -> None:
        self._panel, self._report = panel, report
        self._news = Condition()
        self._state = DisplayThreadState()
        self._thread = Thread(target=self._serve, name="display", daemon=True)
        self._thread.start()

    def show(self, frame: bytes) -> None:
        """Replace the waiting frame with `frame`, and return at once.

        Raise ValueError if `frame` has a wrong size.
        """
        self._want(frame=bytes(check_frame_size(frame)))

    def set_brightness(self, percent: int) -> None:
        """Set the brightness in percent (0: off), and return at once."""
        self._want(percent=percent)

    def close(self, *, keep: bool = False) -> None:
        """Send the newest frame, and switch the display off unless `keep` is True.

        A second call of `close` has no effect.
        """
        self._want(end=ClosingMode.FRAME_KEPT if keep else ClosingMode.CLEARED)
        self._thread.join(CLOSE_TIMEOUT_SECONDS)

    def _want(self, **fields: Any) -> None:
        with self._news:
            self._state = self._state._replace(wanted=self._state.wanted._replace(**fields))
            self._news.notify()

    # --- the thread ---

    def _serve(self) -> None:
        wanted = WantedDisplayState()
        while wanted.end is None:
            wanted = self._next()
            try:
                held = self._send_wanted(wanted, self._state.held)
            except OSError as error:
                self._handle_failure(error, wanted)
            else:
                with self._news:
                    self._state = self._state._replace(link=PanelReachability.ANSWERING, held=held)
        self._panel.close()

    def _next(self) -> WantedDisplayState:
        with self._news:
            patience = RETRY_SECONDS if self._state.link is PanelReachability.LOST else None
            self._news.wait_for(lambda: self._state.is_update_due, patience)
            self._state = self._state._replace(tried=self._state.wanted)
            return self._state.wanted

    def _send_wanted(
        self, wanted: WantedDisplayState, held: PanelContents | None
    ) -> PanelContents | None:
        if wanted.frame is not None:
            held = self._show_frame(wanted.frame, wanted.percent, held)
        if wanted.end is ClosingMode.CLEARED and held is not None:
            self._panel.switch_off()
        return held

    def _show_frame(
        self, frame: bytes, percent: int, held: PanelContents | None
    ) -> PanelContents | None:
        """Show a frame. If the panel may have lost its power, initialise the panel again.

        Return the new content of the panel, or None if `percent` is 0.
        """
        if percent == 0:
            if held is not None:
                self._panel.switch_off()
            return None  # initialise the panel when the next frame arrives
        if held is None:
            self._panel.open()
        self._panel.draw(frame, held and held.frame)
        unseen = held is not None and time.monotonic() - held.time > REINITIALISE_AFTER_SECONDS
        if unseen:  # the panel may have lost its power, so send all bytes again
            self._panel.reinitialise()
            self._panel.draw(frame, None)
        if held is None or unseen or percent != held.percent:
            self._panel.set_brightness(percent)
        return PanelContents(frame, percent, time.monotonic())

    def _handle_failure(self, error: OSError, wanted: WantedDisplayState) -> None:
        with self._news:
            before = self._state.link
            self._state = self._state.after_failure()
        if before is PanelReachability.FAILED_ONCE and wanted.end is None:
            self._report(hardware_error_for_display(error))
