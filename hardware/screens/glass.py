"""The display and buttons of a face on a computer, shared between threads."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

from hardware.display.pixels import check_frame
from hardware.pins.lamps import LitLamps
from hardware.ports import BLANK_FRAME, Edge


class ShownState(NamedTuple):
    """What the box shows: frame, brightness, and the lit lamps."""

    frame: bytes = BLANK_FRAME
    percent: int = 100
    lit: LitLamps = ()


class SharedDisplay:
    """The display and the lamps, for any thread.

    A change calls `wake` once; further changes call it again only after `take`.
    """

    def __init__(self, wake: Callable[[], object]) -> None:
        self._lock = Lock()
        self._seen = ShownState()
        self._wake = wake
        self._told = True

    def show(self, frame: bytes) -> None:
        """Show a frame. Raise ValueError."""
        self._change(frame=check_frame(frame))

    def light(self, percent: int) -> None:
        """Set the brightness in percent: 100 is the maximum, 0 is dark."""
        self._change(percent=percent)

    def set_lamps(self, lit: LitLamps) -> None:
        """Set the lit lamps, first seat first."""
        self._change(lit=lit)

    def close(self, *, keep: bool = False) -> None:
        """Turn dark unless `keep`; safe to call twice."""
        if not keep:
            self.show(BLANK_FRAME)

    def take(self) -> ShownState:
        """Return what is shown; the next change calls `wake` again."""
        with self._lock:
            self._told = False
            return self._seen

    def stop(self) -> None:
        """Stop calling `wake`."""
        with self._lock:
            self._told = True

    def wake(self) -> None:
        """Call `wake` for a change outside of display and lamps."""
        self._change()

    def _change(self, **fields: Any) -> None:
        with self._lock:
            self._seen = self._seen._replace(**fields)
            if not self._told:
                self._told = True
                self._wake()


class KeyButtons:
    """Buttons pressed by one thread; their times increase even for simultaneous edges."""

    def __init__(self) -> None:
        self._puts: list[Callable[[Edge], None]] = []
        self._last = 0.0

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Pass every edge from now on to `put`."""
        self._puts.append(put)

    def close(self) -> None:
        """Stop reporting edges; safe to call twice."""
        self._puts.clear()

    def edge(self, button: str, *, down: bool, after: float = 0.001) -> None:
        """Report an edge with the present time, but at least `after` seconds after the last one."""
        self._last = max(monotonic(), self._last + after)
        for put in self._puts:
            put(Edge(button, down, self._last))
