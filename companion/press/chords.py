"""Chords and gestures: the functions of two buttons that a player holds together.

A chord is a pair of buttons that a player holds for two or three seconds while a bar fills. A
gesture is a tap of another button while the player holds BACK. A chord or a gesture replaces the
functions of its single buttons. The functions of this module have no side effects.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from companion.press.actions import Action, RequestHint, RequestSpeechRepeat, ToggleScoreDisplay
from hardware.ports import BACK, DOWN, OK, UP, Edge

LOCK_CHORD, OFF_CHORD, DETAIL_CHORD = "lock", "off", "detail"
CHORD_BUTTONS: Final = {
    OFF_CHORD: frozenset((BACK, OK)),
    LOCK_CHORD: frozenset((BACK, UP)),
    DETAIL_CHORD: frozenset((BACK, DOWN)),
}
"""The two buttons of each chord. A chord begins only if no other button is down."""
BAR_STEP_SECONDS: Final = 0.25
"""Seconds between two steps of the chord's bar. At each step, the bar grows."""
BAR_STEPS_BY_CHORD: Final = {OFF_CHORD: 12, LOCK_CHORD: 8, DETAIL_CHORD: 8}
"""Number of steps until a chord's bar is full: 12 steps take 3 seconds, 8 steps take 2 seconds."""
GESTURE_ACTIONS: Final[Mapping[str, Action]] = {
    UP: RequestSpeechRepeat(),
    DOWN: ToggleScoreDisplay(),
    OK: RequestHint(),
}
"""The action of each button if a player taps the button while holding BACK."""
MAX_TAP_SECONDS: Final = 0.6
"""Maximum duration of a tap in seconds."""


class HeldButtons(NamedTuple):
    """The set of held buttons, and the chord or gesture that the held buttons form.

    - `chord`: the name of the chord that two held buttons form, or None.
    - `since`: the time (s) at which the chord or gesture began.
    - `step`: the number of bar pictures shown so far.
    - `busy`: True from the second press of a pair until all buttons are up. While `busy` is True,
      the box ignores other presses.
    - `tapped`: the button that was pressed at `since` while only BACK was held, or "".
    - `made`: the action of the gesture that the last button edge completed, or None.
    """

    held: frozenset[str] = frozenset()
    chord: str | None = None
    since: float = 0.0
    step: int = 0
    busy: bool = False
    tapped: str = ""
    made: Action | None = None

    @property
    def chord_bar_step_due_at(self) -> float | None:
        """Return the time (s) at which the chord's bar grows next; None without a chord."""
        return None if self.chord is None else self.since + BAR_STEP_SECONDS * (self.step + 1)


def held_buttons_after_edge(
    hands: HeldButtons, edge: Edge, offered: Collection[str]
) -> HeldButtons:
    """Return the held buttons after a button went down or up.

    The press of a pair's second button begins a chord or a gesture. Any later press or release
    cancels the chord. A release of the tapped button or of BACK within MAX_TAP_SECONDS completes
    the gesture.

    `offered`: names of the allowed chords; if empty, pairs of buttons have no function.
    """
    if edge.down == (edge.button in hands.held):
        return hands._replace(made=None)
    held = hands.held ^ {edge.button}
    if edge.down and offered and not hands.busy:
        chord = next((chord for chord in offered if CHORD_BUTTONS[chord] == held), None)
        tapped = edge.button if hands.held == {BACK} and edge.button in GESTURE_ACTIONS else ""
        if chord or tapped:
            return HeldButtons(held, chord, edge.time, busy=True, tapped=tapped)
    in_time = not edge.down and edge.time < hands.since + MAX_TAP_SECONDS
    made = GESTURE_ACTIONS[hands.tapped] if hands.tapped and in_time else None
    return HeldButtons(held, busy=hands.busy and bool(held), made=made)


def held_buttons_and_completed_chord(
    hands: HeldButtons, now: float
) -> tuple[HeldButtons, str | None]:
    """Return the held buttons at `now` (s), and the name of a chord with a full bar, or None."""
    while hands.chord_bar_step_due_at is not None and hands.chord_bar_step_due_at <= now:
        hands = hands._replace(step=hands.step + 1)
        if hands.chord is not None and hands.step == BAR_STEPS_BY_CHORD[hands.chord]:
            return hands._replace(chord=None), hands.chord
    return hands, None
