"""What plays a seat: the lines that it may read, and how often its answer may be refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from companion.door.lines import Message

MAX_REFUSED: Final = 50
"""Refused answers to one question, after which the answer is given for the seat."""


class Answering(Protocol):
    """Whatever plays a seat: it is given lines, and its answer is taken when it is asked."""

    def take(self, message: Message) -> Message | None:
        """Read a line; the answer, if it asks for one."""

    def close(self) -> None:
        """End what plays the seat."""


def for_seat(message: Message, player: str) -> bool:
    """Whether a line is for that player's eyes: no secret and no question of anybody else's."""
    match message["type"]:
        case "secret":
            return bool(message["who"] == player)
        case "ask":
            return message["who"] in (None, player)
        case _:
            return True
