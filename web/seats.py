"""The computer players of a box in a web page.

The computer players run in a separate web worker (`static/seats.js`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Final

from checked_input import strict_json
from companion.catalog import editions, registry
from companion.door.client import Disconnected, MessageSplitter
from companion.door.lines import Message, message_as_protocol_line
from companion.seat.player import ComputerSeat, level_strength
from companion.seat.seat_client import SeatAssignment, SeatClient, parse_seat_assignments
from companion.seat.seat_program import SeatProgram

CLOCK_RATE: Final = 1.3
"""Speed of the computer players' clock: seconds of this clock in one real second.

The search for a move checks the clock only after each simulated game. On a slow device, a simulated
game takes long, so the search ends late. The fast clock makes up for this delay.
"""


class PageConnection:
    """A connection of a computer player to the box, through the web page.

    - `post`: function that sends a line to the box.
    """

    def __init__(self, post: Callable[[str], None]) -> None:
        self._post, self._splitter, self.received = post, MessageSplitter(), bytearray()

    def send(self, message: Message) -> None:
        """Send a message to the box."""
        self._post(message_as_protocol_line(message))

    def receive_messages(self) -> list[Message]:
        """Return the complete messages received since the last call."""
        data, self.received = bytes(self.received), bytearray()
        return list(self._splitter.split_messages(data))

    def fileno(self) -> int:
        """Return -1, because this connection has no file descriptor."""
        return -1

    def close(self) -> None:
        """Do nothing, because the page ends the worker."""


class ComputerPlayersInWorker:
    """The computer players in one web worker. Each player has a connection to the box.

    - `line`: the message with which the box assigns seats to the players.
    - `first`: the number of the first player's connection; the next players have the next numbers.
    - `post(number, line)`: function that sends a line to the box on the connection `number`.

    Raise InvalidJson or InvalidSeatAssignment if the message assigns no seats.
    """

    def __init__(self, line: str, first: int, post: Callable[[int, str], None]) -> None:
        places = parse_seat_assignments(strict_json.parse_json(line.encode()))
        self._connections = {
            number: PageConnection(partial(post, number)) for number, _ in enumerate(places, first)
        }
        self._clients = {
            number: SeatClient(connection, place, make_computer_player)
            for (number, connection), place in zip(self._connections.items(), places, strict=True)
        }
        for client in self._clients.values():
            client.join_game()

    def store_received_text(self, number: int, text: str) -> None:
        """Store text from a connection for the next call of `answer_stored_questions`."""
        self._connections[number].received += text.encode()

    def answer_stored_questions(self) -> bool:
        """Answer the pending questions in the stored text of all connections.

        Return False if the box refuses a player or sends an invalid line.
        """
        try:
            for number, connection in self._connections.items():
                if connection.received:
                    self._clients[number].answer_received_lines()
        except Disconnected:
            return False
        return True


def make_computer_player(game: str, place: SeatAssignment, door: int) -> SeatProgram:  # noqa: ARG001 - a page has no socket to wait for
    """Return the computer player for a seat of a game.

    The player's clock counts real time, so the player simulates fewer games on a slow device.
    """
    return ComputerSeat(
        registry.find_game(game),
        place.seat,
        level_strength(place.level),
        edition=editions.load_edition(game),
        seed=place.token,
        clock=computer_player_clock_seconds,
    )


def computer_player_clock_seconds() -> float:
    """Return the time (s) of the computer players' clock.

    Python has no processor clock in a browser, so the clock counts real time.
    """
    return CLOCK_RATE * perf_counter()
