"""Count the presses of each button and the bounces of its contacts, from raw edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from hardware.ports import Edge

SETTLED_SECONDS: Final = 0.01
"""The time in seconds without an edge after which a button counts as settled."""


class PressCount(NamedTuple):
    """The number of a button's presses, and of surplus edges, which are bounces."""

    presses: int = 0
    bounces: int = 0


def count_presses(edges: Iterable[Edge]) -> dict[str, PressCount]:
    """Return presses and bounces of each button, from raw edges.

    A burst of edges less than SETTLED_SECONDS apart is one change at most: a press if the button
    was up before it and is down after it. All other edges are bounces. A retained level is no
    press.
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
