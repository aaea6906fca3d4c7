"""Computer players at the box's table, which connect to the box's socket as phones do.

The box sends a seat only the protocol lines that the seat's player is allowed to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from select import select
from typing import Any, Final, NamedTuple, Protocol

from companion.core.errors import CompanionError
from companion.door.client import BlockingClient, Disconnected
from companion.door.lines import Message
from companion.seat.seat_program import SeatProgram, can_seat_read_line

STALE_QUESTION_ERRORS: Final = frozenset({"late", "other_id"})
"""Codes of the errors that refuse an answer because its question is no longer pending."""


class SeatAssignment(NamedTuple):
    """A seat that the box assigns to a computer player: the player's name, a token, the level."""

    seat: str
    token: str
    level: str


class InvalidSeatAssignment(CompanionError, ValueError):
    """The error that the box's message about the seats of computer players is not valid."""


class DoorConnection(Protocol):
    """A connection to the box: a socket (`BlockingClient`), or a channel of a web page."""

    def send(self, message: Message) -> None:
        """Send a message to the box. Raise OSError if the connection is lost."""

    def receive_messages(self) -> list[Message]:
        """Return the messages that the box has sent. Raise OSError if the connection is lost."""

    def fileno(self) -> int:
        """Return the file descriptor of the connection, or -1 if there is no descriptor."""

    def close(self) -> None:
        """Close the connection to the box."""


class SeatProgramStarter(Protocol):
    """A function that starts a program for a seat."""

    def __call__(self, game: str, place: SeatAssignment, door: int) -> SeatProgram:
        """Start a program for a seat of a game.

        `door`: file descriptor of the connection to the box. The program must end when the box
        closes this connection.
        """


def parse_seat_assignments(message: Any) -> tuple[SeatAssignment, ...]:
    """Return the seats that a message of the box assigns to computer players.

    Raise InvalidSeatAssignment if the message is not valid.
    """
    match message:
        case {"seats": [*seats]} if all(_is_place(seat) for seat in seats):
            return tuple(SeatAssignment(**seat) for seat in seats)
        case _:
            raise InvalidSeatAssignment("no seats")


def _is_place(seat: Any) -> bool:
    return (
        isinstance(seat, dict)
        and seat.keys() == {*SeatAssignment._fields}
        and all(isinstance(value, str) for value in seat.values())
    )


class SeatClient:
    """A computer player's connection to the box. Each received line is passed to a program.

    The program starts when the protocol line `hello` arrives after the line `joined`. An earlier
    `hello` is ignored, because the box sends `hello` to every new connection.
    """

    def __init__(
        self, client: DoorConnection, place: SeatAssignment, make: SeatProgramStarter
    ) -> None:
        self.client, self.place, self._make = client, place, make
        self._joined = False
        self._seat: SeatProgram | None = None

    def join_game(self) -> None:
        """Join the game and subscribe to its state. Raise OSError if the box cannot be reached."""
        self.client.send({"join": self.place.seat, "token": self.place.token})
        self.client.send({"watch": True})

    def fileno(self) -> int:
        """Return the file descriptor of the connection, for `select`."""
        return self.client.fileno()

    def answer_received_lines(self) -> None:
        """Pass received protocol lines to the program, and send the program's answers to the box.

        Raise OSError if the connection to the box is lost.
        """
        heard = self.client.receive_messages()
        asked = [n for n, message in enumerate(heard) if message.get("type") == "ask"]
        for n, message in enumerate(heard):
            if n in asked[:-1]:  # a later question replaced this question
                continue
            answer = self._take({k: v for k, v in message.items() if k != "event_id"})
            if answer is not None:
                self.client.send(answer)

    def close(self) -> None:
        """Close the connection, and stop the program."""
        self.client.close()
        self._leave()

    def _leave(self) -> None:
        seat, self._seat = self._seat, None
        if seat is not None:
            seat.close()

    def _take(self, message: Message) -> Message | None:
        match message:
            case {"type": "joined"}:
                self._joined = True
            case {"type": "error"} if not self._joined:
                raise Disconnected("the box has other seats now")
            case {"type": "hello", "game": game} if self._joined:
                self._leave()
                if isinstance(game, str):
                    self._seat = self._make(game, self.place, self.fileno())
            case {"type": "error", "code": code} if code in STALE_QUESTION_ERRORS:
                return None
        if self._seat is None or not can_seat_read_line(message, self.place.seat):
            return None
        return self._seat.process_and_answer_line(message)


def play_assigned_seats(
    path: Path, seats: Iterable[SeatAssignment], make: SeatProgramStarter
) -> None:
    """Play the seats of a box through its socket until the box closes the connection.

    `make`: function that starts the program for a seat.

    Raise OSError if no box listens on the socket `path`.
    """
    sitting: list[SeatClient] = []
    try:
        for place in seats:
            sitting.append(SeatClient(BlockingClient(path), place, make))
            sitting[-1].join_game()
        _turns(sitting, lambda waiting: select(waiting, (), ())[0])
    finally:
        for client in sitting:
            client.close()


def _turns(
    sitting: Sequence[SeatClient], ready: Callable[[Sequence[SeatClient]], Iterable[SeatClient]]
) -> None:
    try:
        while True:
            for client in ready(sitting):
                client.answer_received_lines()
    except Disconnected:
        return
