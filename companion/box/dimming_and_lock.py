"""The filter of button presses: dimmed display, locked box, chords, and stuck buttons.

A press that wakes the display has no other effect. While the box is locked, a press shows either
the score or the buttons that unlock the box. A chord of two buttons locks or unlocks the box,
changes the amount of speech, or switches the box off.

If UP or DOWN is down for STUCK_AFTER_SECONDS, the box treats this button as stuck. If any other
button was already down at the start, the box treats this button in the same way. All other presses
of OK, BACK and seat buttons can last as long as the players want, because a held button can keep a
secret open.
"""

from __future__ import annotations

from typing import Final

from companion.draw import box_frames
from companion.press import chords
from companion.press.actions import Action
from companion.press.chords import (
    BAR_STEPS_BY_CHORD,
    DETAIL_CHORD,
    LOCK_CHORD,
    OFF_CHORD,
    HeldButtons,
)
from companion.say.words import Words
from hardware.ports import DOWN, UP, Edge

LOCK_NOTE_SECONDS: Final = 5.0
"""Seconds for which the note about locking or unlocking is shown."""
BRIGHTNESS_LEVELS: Final = (100, 20, 0)
"""Brightness of the display in percent: in use, dimmed, and dark (to protect the display)."""
DIM_AND_DARK_SECONDS: Final = (180.0, 900.0)
"""Seconds without a press or new frame: until the display dims; until the display turns dark."""
STUCK_AFTER_SECONDS: Final = 20.0
"""Seconds after which the box treats a held button as stuck."""


class ButtonGuard:
    """The filter that decides which button edges reach the game.

    If `switches_off` is True, a chord can switch off the machine.
    """

    def __init__(self, now: float, *, switches_off: bool) -> None:
        self.locked = False
        self._chords = (
            (OFF_CHORD, LOCK_CHORD, DETAIL_CHORD) if switches_off else (LOCK_CHORD, DETAIL_CHORD)
        )
        self._hands = HeldButtons()
        # time (s) of the last press or new frame, and index into BRIGHTNESS_LEVELS
        self._used, self._depth = now, 0
        self.began = now  # holding a button that was pressed before this time (s) has no effect
        # buttons that are down and may be stuck, with the time (s) of each press
        self._down: tuple[tuple[str, float], ...] = ()
        self._until: float | None = None  # time (s) at which the note about the lock closes
        self._glances = False  # True while the locked box shows the score
        self._frame = b""

    @property
    def brightness_percent(self) -> int:
        """Return the brightness of the display in percent."""
        return BRIGHTNESS_LEVELS[self._depth]

    @property
    def completed_gesture(self) -> Action | None:
        """Return the two-button gesture that the last edge completed.

        Return None if the last edge completed no gesture, or if the box is locked.
        """
        return None if self.locked else self._hands.made

    def forget_held_buttons(self, now: float) -> None:
        """Forget which buttons are down.

        If a button was pressed before `now` (s), holding this button has no effect.
        """
        self.began, self._down = now, ()

    def is_edge_allowed(self, edge: Edge, *, looking: str | None, heard: bool = False) -> bool:
        """Return True if a button's press or release (`edge`) may reach the game.

        The release of a button always reaches the game.

        - `looking`: the player whose secret is open, or None.
        - `heard`: True in audio mode, in which a press reaches the game even if the display is
          dark.
        """
        self._down = tuple([pair for pair in self._down if pair[0] != edge.button])
        if edge.down and (edge.button in (UP, DOWN) or edge.time <= self.began):
            self._down = (*self._down, (edge.button, edge.time))
        asleep = self._depth > 0 and not heard
        self._used, self._depth = edge.time, 0
        if not edge.down or not (edge.retained or edge.time < self.began):
            chords_now = self._chords if looking is None else ()
            self._hands = chords.held_buttons_after_edge(self._hands, edge, chords_now)
        if not edge.down:
            return True
        if self._hands.busy or asleep:
            return False
        noted, self._glances = self._until is not None, edge.button in (UP, DOWN)
        self._until = edge.time + LOCK_NOTE_SECONDS if self.locked else None
        return not (noted or self.locked)

    def take_stuck_release(self, now: float) -> Edge | None:
        """Return a release edge for a newly stuck button, or None if no button is newly stuck.

        For each stuck button, the method returns only one edge.
        """
        for pair in self._down:
            button, since = pair
            if since + STUCK_AFTER_SECONDS <= now:
                self._down = tuple([other for other in self._down if other != pair])
                up = Edge(button, False, now)
                self._hands = chords.held_buttons_after_edge(self._hands, up, ())
                return up
        return None

    def due_at(self, *, looking: str | None) -> float | None:
        """Return the next time (s) at which `tick` has work, or at which a button becomes stuck.

        - `looking`: the player whose secret is open, or None. The display does not dim for this
          player.
        """
        times = [
            time for time in (self._hands.chord_bar_step_due_at, self._until) if time is not None
        ]
        times += [since + STUCK_AFTER_SECONDS for _, since in self._down]
        if looking is None and not self._hands.held and self._depth < len(DIM_AND_DARK_SECONDS):
            times.append(self._used + DIM_AND_DARK_SECONDS[self._depth])
        return min(times, default=None)

    def tick(self, now: float, *, looking: str | None) -> str | None:
        """Update the brightness, the note about the lock and a held chord at the time `now` (s).

        Return the name of a chord that was held long enough, or None.

        - `looking`: the player whose secret is open, or None. The display does not dim for this
          player.
        """
        if self._until is not None and self._until <= now:
            self._until = None
        if looking is None and not self._hands.held:
            while (
                self._depth < len(DIM_AND_DARK_SECONDS)
                and self._used + DIM_AND_DARK_SECONDS[self._depth] <= now
            ):
                self._depth += 1
        self._hands, full = chords.held_buttons_and_completed_chord(self._hands, now)
        if full == LOCK_CHORD:
            self.locked, self._until = not self.locked, now + LOCK_NOTE_SECONDS
        return full

    def brighten_on_new_frame(self, frame: bytes, now: float) -> None:
        """Store the shown frame. A new frame makes the display bright."""
        if frame != self._frame:
            self._frame, self._used, self._depth = frame, max(now, self._used), 0

    def covering_frame(self, words: Words, standing: bytes | None = None) -> bytes | None:
        """Return the frame that covers the game: a chord's progress bar, or a note about the lock.

        Return None if no frame covers the game.

        - `standing`: the frame of the score, which a press on a locked box shows.
        """
        chord, step = self._hands.chord, self._hands.step
        if chord is not None and step > 0:
            name = "unlock" if chord == LOCK_CHORD and self.locked else chord
            return box_frames.held_buttons_frame(name, step, BAR_STEPS_BY_CHORD[chord], words)
        if self._until is None:
            return None
        if self.locked and self._glances and standing is not None:
            return standing
        return (
            box_frames.locked_box_frame(words)
            if self.locked
            else box_frames.unlocked_box_frame(words)
        )
