"""Which buttons hang: UP or DOWN that nobody lets go, and any that was down when the box began.

Pure: edges and time go in, `Stuck` comes out, and the button that has just been found to hang.
Nobody turns for so long; OK, BACK and a seat's button may be held over a secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hardware import DOWN, UP

if TYPE_CHECKING:
    from hardware import Edge

AFTER: Final = 20.0
"""Seconds after which a button hangs."""


class Stuck(NamedTuple):
    """When the box `began` to listen, and since when the buttons that can hang are down."""

    began: float
    held: tuple[tuple[str, float], ...] = ()

    @property
    def deadline(self) -> float | None:
        """When the next button hangs; None if none is down."""
        return min((since + AFTER for _, since in self.held), default=None)


def press(stuck: Stuck, edge: Edge) -> Stuck:
    """An edge. A button that has moved does not hang."""
    held = tuple(pair for pair in stuck.held if pair[0] != edge.button)
    if edge.down and (edge.button in (UP, DOWN) or edge.time <= stuck.began):
        held = (*held, (edge.button, edge.time))
    return stuck._replace(held=held)


def tick(stuck: Stuck, now: float) -> tuple[Stuck, str | None]:
    """The next button that hangs by `now`, if any; it is told of once."""
    for button, since in stuck.held:
        if since + AFTER <= now:
            rest = tuple(pair for pair in stuck.held if pair[0] != button)
            return stuck._replace(held=rest), button
    return stuck, None
