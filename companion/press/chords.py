"""Two buttons held together. A chord or a gesture replaces the meanings of the single buttons.

A chord is a pair of buttons held for two or three seconds while a bar fills. A gesture is a tap of
another button while BACK is held. Pure: edges and time are the input, `HeldButtons` and the name of
a complete chord the output.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from companion.press.actions import Action, AskHint, AskRepeat, ShowStandings
from hardware.ports import BACK, DOWN, OK, UP, Edge

LOCK_CHORD, OFF_CHORD, DETAIL_CHORD = "lock", "off", "detail"
CHORDS: Final = {
    OFF_CHORD: frozenset((BACK, OK)),
    LOCK_CHORD: frozenset((BACK, UP)),
    DETAIL_CHORD: frozenset((BACK, DOWN)),
}
"""The chords and their two buttons. No other button may be down."""
BAR_STEP_SECONDS: Final = 0.25
"""The time in seconds between two pictures of the bar."""
BAR_STEPS: Final = {OFF_CHORD: 12, LOCK_CHORD: 8, DETAIL_CHORD: 8}
"""The number of pictures until the bar is full: three seconds, and two."""
GESTURES: Final[Mapping[str, Action]] = {UP: AskRepeat(), DOWN: ShowStandings(), OK: AskHint()}
"""The meaning of a tap while BACK is held."""
MAX_TAP_SECONDS: Final = 0.6
"""The maximum length of a tap in seconds."""


class HeldButtons(NamedTuple):
    """The buttons that are `held`, and the chord or gesture that they form.

    - `chord`: the chord of two held buttons. `since`: when it began (s). `step`: the length of its
      bar.
    - `busy`: a pair was held, and a button of it is still down; presses are ignored.
    - `tapped`: the button that was pressed at `since` while only BACK was held; "" if none.
    - `made`: the gesture that the last edge completed.
    """

    held: frozenset[str] = frozenset()
    chord: str | None = None
    since: float = 0.0
    step: int = 0
    busy: bool = False
    tapped: str = ""
    made: Action | None = None

    @property
    def deadline(self) -> float | None:
        """Return the time (s) at which the chord's bar grows; None without a chord."""
        return None if self.chord is None else self.since + BAR_STEP_SECONDS * (self.step + 1)


def process_edge(hands: HeldButtons, edge: Edge, offered: Collection[str]) -> HeldButtons:
    """Return the held buttons after an edge.

    The second button of a pair begins a chord or a gesture.

    offered: the chords that are allowed now; if empty, pairs have no meaning. Any other edge
    cancels a chord. A gesture is complete when its button, or BACK, is released within
    MAX_TAP_SECONDS.
    """
    if edge.down == (edge.button in hands.held):
        return hands._replace(made=None)
    held = hands.held ^ {edge.button}
    if edge.down and offered and not hands.busy:
        chord = next((chord for chord in offered if CHORDS[chord] == held), None)
        tapped = edge.button if hands.held == {BACK} and edge.button in GESTURES else ""
        if chord or tapped:
            return HeldButtons(held, chord, edge.time, busy=True, tapped=tapped)
    in_time = not edge.down and edge.time < hands.since + MAX_TAP_SECONDS
    made = GESTURES[hands.tapped] if hands.tapped and in_time else None
    return HeldButtons(held, busy=hands.busy and bool(held), made=made)


def process_time(hands: HeldButtons, now: float) -> tuple[HeldButtons, str | None]:
    """Return the held buttons at `now` (s), and the name of a chord when it becomes complete."""
    while hands.deadline is not None and hands.deadline <= now:
        hands = hands._replace(step=hands.step + 1)
        if hands.chord is not None and hands.step == BAR_STEPS[hands.chord]:
            return hands._replace(chord=None), hands.chord
    return hands, None
