"""Base class for rule players, which read the messages for their seat and rank the answers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.core.prompts import Answer
from companion.door.lines import Message


class RulePlayer:
    """A player that prefers the likeliest answer; subclasses follow rules of thumb for a game."""

    def __init__(self, player: str, seed: str) -> None:
        self.player = player
        self.rng = Random(f"rules {seed}")
        self.players: list[str] = []
        self.state: dict[str, Any] = {}
        self._asked: Message | None = None
        self._ranked: list[Answer] = []

    def process_and_answer_line(self, message: Message) -> Message | None:
        """Process a message. Return an answer or an out-of-turn answer, or None to send nothing."""
        match message["type"]:
            case "hello":
                self.players = message["players"]
                self.forget_previous_game(message)
            case "tell":
                self.process_public_fact(message)
            case "secret" if message["who"] == self.player:
                self.process_secret(message)
            case "state":
                self.state, self._asked = message, None
                return self.out_of_turn_line()
            case "ask" if message["who"] == self.player:
                self._asked = message
                choices = [choice["value"] for choice in message["choices"]]
                self._ranked = [*self.rank_answers(message["question"], choices)]
                return self._answer()
            case "error" if self._asked is not None:
                return self._answer()
        return None

    def close(self) -> None:
        """Do nothing, because a rule player runs in this process."""

    def forget_previous_game(self, hello: Message) -> None:
        """Forget the previous game; `hello` is the first message of the new game."""

    def process_public_fact(self, fact: Message) -> None:
        """Process a `tell` message, which reports an event (fact) to all players."""

    def process_secret(self, secret: Message) -> None:
        """Process a `secret` message for this player."""

    def out_of_turn_line(self) -> Message | None:
        """Return an out-of-turn answer in the present state, or None to send nothing."""
        return None

    def rank_answers(self, _question: str, choices: Sequence[Answer]) -> Sequence[Answer]:
        """Return the answers in `choices`, the likeliest answer first."""
        assert self._asked is not None
        likely = self._asked.get("likely")
        if likely is None:
            return self.rng.sample(choices, len(choices))
        return [choices[likely], *choices[:likely], *choices[likely + 1 :]]

    def _answer(self) -> Message | None:
        """Return the best answer that the game has not refused yet."""
        if self._asked is None or not self._ranked:
            return None
        return {"answer": self._ranked.pop(0), "id": self._asked["id"]}
