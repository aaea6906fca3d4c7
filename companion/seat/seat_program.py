"""The interface of programs that play a seat, and the protocol lines that they can read."""

from __future__ import annotations

from typing import Final, Protocol

from companion.door.lines import Message

MAX_REFUSED: Final = 50
"""Maximum number of refused answers to one question.

After more refused answers, `SeatEngine` raises an error, and the arena gives a random answer.
"""


class SeatProgram(Protocol):
    """A program that plays a seat: it reads protocol lines and returns answers to questions."""

    def process_and_answer_line(self, message: Message) -> Message | None:
        """Read one line of the text protocol.

        If the line is a question to the seat, return the program's answer, else None.
        """

    def close(self) -> None:
        """Stop the program."""


def can_seat_read_line(message: Message, player: str) -> bool:
    """Return False if the protocol line is another player's secret or question, else True."""
    match message["type"]:
        case "secret":
            return bool(message["who"] == player)
        case "ask":
            return message["who"] in (None, player)
        case _:
            return True
