"""Count the presses of each button and the bounces of its contacts, from edges that bounce."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from hardware.ports import Edge

SETTLED_SECONDS: Final = 0.01
"""Number of seconds without an edge after which a button counts as settled."""


class PressCount(NamedTuple):
    """The number of a button's presses, and the number of its surplus edges, called bounces."""

    presses: int = 0
    bounces: int = 0


def count_presses(edges: Iterable[Edge]) -> dict[str, PressCount]:
    """Return the number of presses and bounces of each button, by the button's name.

    `edges` are edges without debouncing. A burst is a series of edges of one button with less than
    SETTLED_SECONDS between two edges. A burst is one press if the button was up before the burst
    and is down after the burst. All surplus edges of a burst are bounces. A button that was down
    from the start is no press.
    """
    by_button: dict[str, list[Edge]] = {}
    for edge in edges:
        by_button.setdefault(edge.button, []).append(edge)
    return {button: _count(button_edges) for button, button_edges in by_button.items()}


def _count(edges: list[Edge]) -> PressCount:
    presses = bounces = 0
    down = False
    for burst in _bursts(edges):
        changed = burst[-1].down != down
        presses += changed and burst[-1].down and not burst[0].retained
        bounces += len(burst) - changed
        down = burst[-1].down
    return PressCount(presses, bounces)


def _bursts(edges: list[Edge]) -> Iterator[list[Edge]]:
    burst: list[Edge] = []
    for edge in edges:
        if burst and edge.time - burst[-1].time >= SETTLED_SECONDS:
            yield burst
            burst = []
        burst.append(edge)
    if burst:
        yield burst
