"""Display, lamps and buttons that two threads share, for a box in a terminal."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

from hardware.display.frame_conversions import check_frame_size
from hardware.pins.lamps import LitLamps
from hardware.ports import BLANK_FRAME, Edge


class ShownBoxState(NamedTuple):
    """Frame, brightness (percent) and lamps of the box.

    `lit` has an element for each lamp: True if the lamp is lit.
    """

    frame: bytes = BLANK_FRAME
    percent: int = 100
    lit: LitLamps = ()


class SharedDisplay:
    """Display and lamps that two threads share.

    The box's thread changes the display and the lamps. The other thread, the reader, shows the
    display and the lamps. `wake`: function that wakes the reader. The display calls `wake` for the
    first change after each call of `take_shown_state`.
    """

    def __init__(self, wake: Callable[[], object]) -> None:
        self._lock = Lock()
        self._seen = ShownBoxState()
        self._wake = wake
        self._told = True

    def show(self, frame: bytes) -> None:
        """Show a frame. Raise ValueError if the frame has a wrong size."""
        self._change(frame=check_frame_size(frame))

    def set_brightness(self, percent: int) -> None:
        """Set the brightness in percent, from 0 (dark) to 100."""
        self._change(percent=percent)

    def set_lamps(self, lit: LitLamps) -> None:
        """Set the lamps.

        `lit` has an element for each seat in order: True if the seat's lamp is lit.
        """
        self._change(lit=lit)

    def close(self, *, keep: bool = False) -> None:
        """Show a dark frame unless `keep` is True; safe to call twice."""
        if not keep:
            self.show(BLANK_FRAME)

    def take_shown_state(self) -> ShownBoxState:
        """Return the frame, brightness and lamps to show.

        At the next change, the display calls `wake` again.
        """
        with self._lock:
            self._told = False
            return self._seen

    def stop_waking_reader(self) -> None:
        """Stop all calls of `wake`."""
        with self._lock:
            self._told = True

    def wake_reader(self) -> None:
        """Call `wake` for a reason other than a change of the display or the lamps."""
        self._change()

    def _change(self, **fields: Any) -> None:
        with self._lock:
            self._seen = self._seen._replace(**fields)
            if not self._told:
                self._told = True
                self._wake()


class KeyButtons:
    """Buttons that one thread presses; each edge has a later time than the previous edge."""

    def __init__(self) -> None:
        self._puts: list[Callable[[Edge], None]] = []
        self._last = 0.0

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Call `put` with every later edge of a button."""
        self._puts.append(put)

    def close(self) -> None:
        """Stop reporting presses and releases of buttons; safe to call twice."""
        self._puts.clear()

    def report_edge(self, button: str, *, down: bool, after: float = 0.001) -> None:
        """Report that a button goes down or up now.

        The reported time is at least `after` seconds later than the reported time of the previous
        edge.
        """
        self._last = max(monotonic(), self._last + after)
        for put in self._puts:
            put(Edge(button, down, self._last))
