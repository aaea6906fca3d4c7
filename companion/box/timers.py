"""The reminder for an active player who does not press a button, and the turn timer."""

from __future__ import annotations

from math import ceil
from typing import Final

from companion.box.dimming_and_lock import ButtonGuard
from companion.box.speech import Speech
from companion.box.state import Basics
from companion.box.turn import Turn
from companion.core.game import Cue
from companion.draw.screens import TURN_TIMER_PARTS

REMINDER_SECONDS: Final = 60.0
"""Seconds without a press after which the box reminds the active player."""

REMINDER_BEFORE_END_SECONDS: Final = 10.0
"""Seconds before the end of a turn at which the box speaks a short reminder."""


class TurnReminder:
    """The timer that reminds the active player once, after REMINDER_SECONDS without a press."""

    def __init__(self, basics: Basics, turn: Turn, speech: Speech, guard: ButtonGuard) -> None:
        self._stands, self._settings = basics.stands, basics.settings
        self._clock, self._turn = basics.machine.clock, turn
        self._speech, self._guard = speech, guard
        self._stirred = self._clock()  # time (s) of the last press or answer
        self._position: int | None = None  # number of the running game's last entry

    def restart(self, *, pressed: bool) -> None:
        """Hide a shown reminder, and restart the wait for the next reminder.

        - `pressed`: True after a press. If `pressed` is False, restart the wait only after a new
          answer.
        """
        playing, before = self._stands.table.playing, self._position
        self._position = None if playing is None else playing.snapshot.position
        if not pressed and self._position == before:
            return  # a program's request without an answer: do not restart the wait
        self._stirred = self._clock()
        if self._stands.table.nudged:
            with self._turn.change():
                self._turn.replace_table(self._stands.table._replace(nudged=False))

    @property
    def due_at(self) -> float | None:
        """Return the time (s) at which the reminder is due.

        Return None if no player is asked, or if the player was already reminded. Also return None
        if a menu is open, if the box is locked, or if the setting *nudge* is off.
        """
        table = self._stands.table
        if not self._settings["nudge"] or table.nudged or table.menus.current_page is not None:
            return None
        asked = table.curtain or (
            table.pending_game_question.who if table.pending_game_question is not None else None
        )
        return None if asked is None or self._guard.locked else self._stirred + REMINDER_SECONDS

    def tick(self, now: float) -> None:
        """If the reminder is due, remind the player with a blinking lamp and a soft sound."""
        if self.due_at is not None and self.due_at <= now:
            with self._turn.change():
                self._turn.replace_table(self._stands.table._replace(nudged=True))
                self._speech.play_sound("your_turn")


class TurnTimer:
    """The time limit of a turn: the display shows falling sand, and the voice speaks a reminder.

    The end of the time has no effect on the game. The turn timer pauses while a menu is open or the
    box is locked.
    """

    def __init__(self, basics: Basics, turn: Turn, speech: Speech, guard: ButtonGuard) -> None:
        self._stands, self._settings = basics.stands, basics.settings
        self._clock, self._turn = basics.machine.clock, turn
        self._speech, self._guard = speech, guard
        self._timed: tuple[str, int] | None = None  # active player, and length of the turn (s)
        self._left, self._seen, self._runs = 0.0, self._clock(), False

    def update_remaining_turn_time(self, now: float) -> None:
        """Update the remaining time and the picture of the falling sand.

        If the active player has changed, restart the timer.
        """
        before = self._left
        if self._runs:
            self._left = max(0.0, before - (now - self._seen))
        turn, self._seen = self._active(), now
        if turn != self._timed:
            self._timed, self._left = turn, float(turn[1]) if turn else 0.0
        elif self._left <= REMINDER_BEFORE_END_SECONDS < before:
            with self._turn.change():
                self._speech.speak_fact_outside_game(Cue("ten_seconds"))
        is_open = self._stands.table.menus.current_page is not None
        self._runs = turn is not None and not is_open and not self._guard.locked
        sand = None if turn is None else ceil(self._left * TURN_TIMER_PARTS / turn[1])
        if sand != self._stands.table.sand:
            with self._turn.change():
                self._turn.replace_table(self._stands.table._replace(sand=sand))

    @property
    def due_at(self) -> float | None:
        """Return the time (s) at which the next grain of sand falls or the reminder is due.

        Return None if no timer runs.
        """
        if self._timed is None or not self._runs or not self._left:
            return None
        grain = self._timed[1] / TURN_TIMER_PARTS
        next_left = max(
            (ceil(self._left / grain) - 1) * grain,
            REMINDER_BEFORE_END_SECONDS if self._left > REMINDER_BEFORE_END_SECONDS else 0.0,
        )
        return self._seen + self._left - next_left

    def _active(self) -> tuple[str, int] | None:
        chosen, playing = self._settings["timer"], self._stands.table.playing
        if chosen == "off" or playing is None or playing.snapshot.prompt is None:
            return None
        whose = playing.face.to_act(playing.snapshot.view) or playing.snapshot.prompt.who
        return None if whose is None or whose in playing.programs else (whose, int(chosen))
