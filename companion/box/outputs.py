"""The outputs of the box: displays, lamps and voice.

If an output fails, the box reports the failure once on the other outputs. The game continues. With
the next frame, the box tries the failed output again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from companion.draw.mute_signs import frame_with_mute_sign
from companion.hear.policy import AlreadySpokenFacts
from companion.hear.voice import Voice
from hardware.ports import Box, HardwareError

if TYPE_CHECKING:
    from hardware.ports import Display, Speaker


class Outputs:
    """The displays, the lamps and the voice of a box.

    - `settings`: returns the settings.
    - `hour`: returns the local hour, or None if the hour is unknown.
    - `known`: returns the events and questions that the voice has already spoken.
    - `report`: receives each failure of an output.
    - `can_show_frame_at_start`: True if the hardware can show a saved frame at the next power-on.
    """

    def __init__(
        self,
        box: Box,
        settings: Callable[[], Mapping[str, Any]],
        hour: Callable[[], int | None],
        report: Callable[[HardwareError], None],
        known: Callable[[], AlreadySpokenFacts],
    ) -> None:
        self._box, self._report = box, report
        self.can_show_frame_at_start = box.save_screen is not None
        self._speaking, self._known = (settings, hour, report), known
        self._shown = b""
        self._behind: tuple[Display, ...] = ()
        self._lit: tuple[str, ...] = ()
        self._percent = 100
        self._reported: set[str] = set()
        self.voice = Voice(box.speakers, *self._speaking, box.ear, known)

    def add_speaker(self, speaker: Speaker) -> None:
        """Add a speaker to the voice of the box."""
        self._box = self._box._replace(speakers=(*self._box.speakers, speaker))
        self.voice = Voice(self._box.speakers, *self._speaking, self._box.ear, self._known)

    def show_frame(self, frame: bytes) -> None:
        """Show a frame on every display that does not show this frame yet.

        Add the mute sign if the box is mute.
        """
        frame = self.frame_with_due_mute_sign(frame)
        late = self._box.displays if frame != self._shown else self._behind
        self._shown = frame
        self._behind = self._each(late, lambda display: display.show(frame))

    def frame_with_due_mute_sign(self, frame: bytes) -> bytes:
        """Return the frame. If the box is mute, add the sign that shows why the box is mute."""
        muted = self.voice.mute_reason
        return frame_with_mute_sign(frame, muted) if muted else frame

    def set_brightness(self, percent: int) -> None:
        """Set the brightness of all displays in percent."""
        if percent != self._percent:
            self._percent = percent
            self._each(self._box.displays, lambda display: display.set_brightness(percent))

    def _each(
        self, displays: tuple[Display, ...], do: Callable[[Display], None]
    ) -> tuple[Display, ...]:
        failed = []
        for display in displays:
            try:
                do(display)
            except HardwareError as error:
                failed.append((display, error))
        for _, failure in failed:
            self._report(failure)
        return tuple([display for display, _ in failed])

    def set_lamps(self, lit: Iterable[str]) -> None:
        """Set the seat lamps if the box has lamps and the state of a lamp has changed."""
        lit = tuple(lit)
        if self._box.lamps is None or lit == self._lit:
            return
        self._lit = lit
        try:
            self._box.lamps.show(lit)
        except HardwareError as error:
            self._report(error)

    def mark_failure_as_reported(self, error: HardwareError) -> bool:
        """Mark an output's failure as reported. Return False if the failure was already marked."""
        is_reported = error.part in self._reported
        self._reported.add(error.part)
        return not is_reported

    def can_show_error(self, error: HardwareError) -> bool:
        """Return True if a working display can show an error.

        Return False if the box's only display has failed.
        """
        return error.part != "display" or len(self._box.displays) > 1

    def save_frame_for_next_start(self, frame: bytes, asks: str) -> None:
        """Save a frame for the next power-on, with the identifier of the frame's question."""
        if self._box.save_screen is not None:
            self._box.save_screen(self.frame_with_due_mute_sign(frame), asks)

    def close(self, *, keep: bool = False) -> None:
        """Close the hardware. A second call has no effect.

        If `keep` is True, the displays continue to show the last frame.
        """
        self._box.close(keep=keep)
