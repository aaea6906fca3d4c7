"""Games against the box of a page: a person's presses, and the lines of the computer player."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from companion.play.session import Session
from companion.remote.programs import MIN_QUESTION_SECONDS
from tests.web.taps import Thumb
from web.seats import ComputerPlayersInWorker

MAX_ANSWERS: Final = 3000
"""Questions after which a game counts as endless."""


class Opponent:
    """The computer player's worker, in this process.

    `worker` is None while no worker runs. `first` is the number of its first connection.
    """

    def __init__(self) -> None:
        self.worker: ComputerPlayersInWorker | None = None
        self.first = self.starts = 0
        self._lines: list[tuple[int, str]] = []

    def take(self, message: dict[str, Any]) -> None:
        """Handle a message of the box as the page does."""
        match message:
            case {"kind": "seats", "line": line, "first": first}:
                self.starts, self.first, self._lines = self.starts + 1, first, []
                self.worker = ComputerPlayersInWorker(
                    line, first, lambda n, text: self._lines.append((n, text))
                )
            case {"kind": "seat_lines", "number": number, "text": text} if self.worker is not None:
                self.worker.store_received_text(number, text)
            case {"kind": "seats_end"}:
                self.worker = None

    def think(self) -> list[tuple[int, str]]:
        """Answer the questions that have arrived. Return the lines to the box."""
        if self.worker is not None:
            self.worker.answer_stored_questions()
        lines, self._lines = self._lines, []
        return lines


class Duel(Thumb):
    """A person who plays against the box, in this process."""

    def __init__(self, folder: str, language: str = "en", opponent: Opponent | None = None) -> None:
        self.opponent = opponent or Opponent()
        super().__init__(folder, language)

    def _take(self, messages: list[dict[str, Any]]) -> None:
        super()._take(messages)
        for message in messages:
            self.opponent.take(message)

    @property
    def session(self) -> Session:
        session = self.box.loop.running_session
        assert session is not None
        return session

    @property
    def announced(self) -> list[str]:
        """Return the names of the facts that cover the game, the first one in front."""
        return [overlay.lead_fact.name for overlay in self.table.overlays.queue]

    def kill(self) -> None:
        """End the worker of the computer player in the middle of its work."""
        self.opponent.worker = None
        self.box.handle_seat_worker_end(self.opponent.first)

    def hear(self) -> None:
        """Pass the waiting lines of the computer player to the box, until it sends none."""
        while lines := self.opponent.think():
            for number, text in lines:
                self.box.handle_computer_player_line(number, text)

    def play(self, rng: random.Random, is_enough: Callable[[], bool] = lambda: False) -> int:
        """Play with random answers until the end, or until `is_enough` returns True.

        Return the number of answers that the computer player gave.
        """
        answers, wished = 0, -1
        for _ in range(MAX_ANSWERS):
            self.hear()
            prompt = self.asked
            if prompt is None or is_enough():
                return answers
            standing = self.session.standing
            position = standing.snapshot.position
            if standing.computer_player_to_answer or (
                standing.computer_player_announcing_choice and wished != position
            ):
                self.think(position)
                wished, answers = position, answers + 1
            else:
                self.answer(prompt, rng)
        raise AssertionError("The game does not end.")

    def think(self, position: int) -> None:
        """Let the computer player answer the pending question at this position of the game."""
        self.hear()
        self.wait(MIN_QUESTION_SECONDS + 0.1)
        standing = self.session.standing
        assert standing.computer_player_announcing_choice or standing.snapshot.position > position
