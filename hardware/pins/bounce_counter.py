"""Count each button's presses and bounces, from edges that were not debounced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from hardware.ports import Edge

SETTLED_SECONDS: Final = 0.01
"""Seconds without an edge after which a button's contact counts as settled."""


class PressAndBounceCount(NamedTuple):
    """Number of a button's presses, and number of the button's surplus edges (bounces)."""

    presses: int = 0
    bounces: int = 0


def presses_and_bounces_by_button(edges: Iterable[Edge]) -> dict[str, PressAndBounceCount]:
    """Return a table from each button's name to the button's number of presses and bounces.

    `edges`: the edges of all buttons, not debounced.

    A burst is a series of edges of one button, with less than SETTLED_SECONDS between two edges. A
    burst counts as a press if the button was up before the burst and is down after the burst. If a
    burst changes the button's state, all edges of the burst except one are bounces. If a burst does
    not change the button's state, all edges are bounces. A button that was already down at the
    start does not count as a press.
    """
    by_button: dict[str, list[Edge]] = {}
    for edge in edges:
        by_button.setdefault(edge.button, []).append(edge)
    return {button: _count(button_edges) for button, button_edges in by_button.items()}


def _count(edges: list[Edge]) -> PressAndBounceCount:
    presses = bounces = 0
    down = False
    for burst in _bursts(edges):
        changed = burst[-1].down != down
        presses += changed and burst[-1].down and not burst[0].retained
        bounces += len(burst) - changed
        down = burst[-1].down
    return PressAndBounceCount(presses, bounces)


def _bursts(edges: list[Edge]) -> Iterator[list[Edge]]:
    burst: list[Edge] = []
    for edge in edges:
        if burst and edge.time - burst[-1].time >= SETTLED_SECONDS:
            yield burst
            burst = []
        burst.append(edge)
    if burst:
        yield burst
