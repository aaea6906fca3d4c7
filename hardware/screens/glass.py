"""The display, the lamps and the buttons of a box in a terminal, shared between threads."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

from hardware.display.pixels import check_frame
from hardware.pins.lamps import LitLamps
from hardware.ports import BLANK_FRAME, Edge


class ShownState(NamedTuple):
    """The frame, the brightness (percent) and the lit lamps that the box shows."""

    frame: bytes = BLANK_FRAME
    percent: int = 100
    lit: LitLamps = ()


class SharedDisplay:
    """A display with lamps that the box's thread changes and another thread shows.

    `wake` is called after the first change; later changes call `wake` again only after a call of
    `take`.
    """

    def __init__(self, wake: Callable[[], object]) -> None:
        self._lock = Lock()
        self._seen = ShownState()
        self._wake = wake
        self._told = True

    def show(self, frame: bytes) -> None:
        """Show a frame. Raise ValueError if the frame has a wrong size."""
        self._change(frame=check_frame(frame))

    def light(self, percent: int) -> None:
        """Set the brightness in percent: 100 is the maximum, 0 is dark."""
        self._change(percent=percent)

    def set_lamps(self, lit: LitLamps) -> None:
        """Set which lamps are lit, first seat first."""
        self._change(lit=lit)

    def close(self, *, keep: bool = False) -> None:
        """Show a dark frame unless `keep`; safe to call twice."""
        if not keep:
            self.show(BLANK_FRAME)

    def take(self) -> ShownState:
        """Return the frame, brightness and lamps to show. The next change calls `wake` again."""
        with self._lock:
            self._told = False
            return self._seen

    def stop(self) -> None:
        """Stop calling `wake`."""
        with self._lock:
            self._told = True

    def wake(self) -> None:
        """Call `wake` for a change of something other than the display and the lamps."""
        self._change()

    def _change(self, **fields: Any) -> None:
        with self._lock:
            self._seen = self._seen._replace(**fields)
            if not self._told:
                self._told = True
                self._wake()


class KeyButtons:
    """Buttons that one thread presses.

    The time of each edge is later than the time of the edge before.
    """

    def __init__(self) -> None:
        self._puts: list[Callable[[Edge], None]] = []
        self._last = 0.0

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Call `put` with every edge from now on."""
        self._puts.append(put)

    def close(self) -> None:
        """Stop reporting edges; safe to call twice."""
        self._puts.clear()

    def edge(self, button: str, *, down: bool, after: float = 0.001) -> None:
        """Report that a button went down or up now.

        The edge is at least `after` seconds later than the edge before.
        """
        self._last = max(monotonic(), self._last + after)
        for put in self._puts:
            put(Edge(button, down, self._last))
