"""The end of a running box: show a last frame, and switch off the machine."""

from __future__ import annotations

from typing import Final

from companion.box.screen import Screen
from companion.box.state import Basics
from companion.box.turn import Turn
from companion.core.game import Cue
from companion.draw import box_frames, screens
from companion.press.chords import BAR_STEPS_BY_CHORD, OFF_CHORD
from companion.say.errors import error_text
from hardware.ports import HardwareError

FAREWELL_SECONDS: Final = 1.0
"""Seconds for which the last frame is shown before the box's process ends."""


class BoxShutdown:
    """The steps that end a running box.

    - `until`: the time (s) until which the last frame is shown; None before the last frame is
      shown.
    """

    def __init__(self, basics: Basics, turn: Turn, screen: Screen) -> None:
        self._turn, self._screen, self._faces = turn, screen, basics.faces
        self._wording, self._machine, self._journal = basics.wording, basics.machine, basics.journal
        self._stays = False
        self.until: float | None = None

    def show_last_frame(self) -> bool:
        """Show the last frame, close the record and return True.

        If the box cannot switch off this machine, do nothing and return False.
        """
        if self._machine.power_off is None:
            return False
        self._screen.show_last_frame(screens.farewell_frame(self._wording.front_screen_words()))
        self._journal.close()
        self.until = self._machine.clock() + FAREWELL_SECONDS
        return True

    def switch_off_machine(self) -> None:
        """Ask the machine to switch off, close the record, and then show the last frame.

        The record is closed before the last frame, because this frame states that people can unplug
        the power. If the machine refuses to switch off, announce the error instead.
        """
        assert self._machine.power_off is not None  # noqa: S101 - without `power_off`, there is no chord
        words = self._wording.front_screen_words()
        self._faces.show_frame(
            box_frames.held_buttons_frame(
                OFF_CHORD, BAR_STEPS_BY_CHORD[OFF_CHORD], BAR_STEPS_BY_CHORD[OFF_CHORD], words
            )
        )
        try:
            self._machine.power_off()
        except HardwareError as error:
            message = error_text(error, words)
            self._turn.announce_facts(Cue("hardware", {"part": error.part, "message": message}))
            return
        self._journal.close()
        self._screen.show_last_frame(box_frames.power_off_frame(self._wording.front_screen_words()))
        self.until, self._stays = self._machine.clock(), True

    def close(self) -> None:
        """If no last frame was shown yet, show a last frame. Then close the hardware."""
        if self.until is None:
            self._screen.show_last_frame(screens.farewell_frame(self._wording.front_screen_words()))
        self._faces.close(keep=self._stays)
