"""The interface of programs that play a seat, and the lines that they may read."""

from __future__ import annotations

from typing import Final, Protocol

from companion.door.lines import Message

MAX_REFUSED: Final = 50
"""Refused answers to one question, after which a default answer is given for the seat."""


class SeatProgram(Protocol):
    """A program that plays a seat: it receives lines and returns its answer when it is asked."""

    def take(self, message: Message) -> Message | None:
        """Read a line. Return the answer if the line asks for one, else None."""

    def close(self) -> None:
        """Stop the program."""


def is_for_seat(message: Message, player: str) -> bool:
    """Return True if a player may read a line: no secret or question of another player."""
    match message["type"]:
        case "secret":
            return bool(message["who"] == player)
        case "ask":
            return message["who"] in (None, player)
        case _:
            return True
