"""Two buttons held together: what each of them means alone does not happen then.

Pure: edges and time go in, `Hands` come out, and the name of a chord that was held long enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hardware.ports import BACK, OK, UP

if TYPE_CHECKING:
    from collections.abc import Collection

    from hardware.ports import Edge

LOCK, OFF = "lock", "off"
CHORDS: Final = {OFF: frozenset((BACK, OK)), LOCK: frozenset((BACK, UP))}
"""What a chord is for, and its two buttons. No other button may be down."""
STEP: Final = 0.25
"""Seconds between two pictures of the bar."""
STEPS: Final = {OFF: 12, LOCK: 8}
"""Pictures until the bar is full: three seconds, and two."""


class Hands(NamedTuple):
    """The buttons that are `held`; the `chord` that two of them make, `since` when, and its `step`.

    `busy`: there has been a chord, and not all buttons have come up since: no press counts.
    """

    held: frozenset[str] = frozenset()
    chord: str | None = None
    since: float = 0.0
    step: int = 0
    busy: bool = False

    @property
    def deadline(self) -> float | None:
        """When the bar grows; None without a chord."""
        return None if self.chord is None else self.since + STEP * (self.step + 1)


def press(hands: Hands, edge: Edge, offered: Collection[str]) -> Hands:
    """An edge. The second button of a chord that is `offered` begins it, any other edge ends it."""
    if edge.down == (edge.button in hands.held):
        return hands
    held = hands.held ^ {edge.button}
    if edge.down:
        for chord in offered:
            if CHORDS[chord] == held:
                return Hands(held, chord, edge.time, busy=True)
    return Hands(held, busy=hands.busy and bool(held))


def tick(hands: Hands, now: float) -> tuple[Hands, str | None]:
    """The bar as it is at `now`; the chord's name when it is full, once."""
    while hands.deadline is not None and hands.deadline <= now:
        hands = hands._replace(step=hands.step + 1)
        if hands.chord is not None and hands.step == STEPS[hands.chord]:
            return hands._replace(chord=None), hands.chord
    return hands, None
