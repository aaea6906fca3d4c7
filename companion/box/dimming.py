"""When a display that nobody uses dims and goes dark, so that nothing burns into it.

Pure: time is data, in seconds of the edges' clock.
"""

from __future__ import annotations

from typing import Final, NamedTuple

LEVELS: Final = (100, 20, 0)
"""Percent of brightness: in use, dimmed, dark."""
AFTER: Final = (180.0, 900.0)
"""Seconds without a press or news after which it dims, and after which it is dark."""


class Dimming(NamedTuple):
    """`since` when nothing has happened, and how deep the dimming is: an index into LEVELS."""

    since: float
    depth: int = 0

    @property
    def percent(self) -> int:
        """How bright the display is."""
        return LEVELS[self.depth]

    @property
    def deadline(self) -> float | None:
        """When it rests deeper; None: it can not."""
        return self.since + AFTER[self.depth] if self.depth < len(AFTER) else None


def tick(dimming: Dimming, now: float) -> Dimming:
    """As deep as the dimming is at `now`."""
    while dimming.deadline is not None and dimming.deadline <= now:
        dimming = dimming._replace(depth=dimming.depth + 1)
    return dimming
