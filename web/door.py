"""The door of a box in a web page. Only computer players connect to this door.

The web page runs the computer players in a second web worker (`static/seats.js`). The computer
players and the box exchange the lines of the text protocol (docs/protocol.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from companion.core.version import installed_version
from companion.door.lines import InvalidProtocolLineError, ProtocolRequest, parse_protocol_line
from companion.door.peers import (
    Event,
    PeerConnected,
    PeerConnection,
    PeerDisconnected,
    PeerLineReceived,
)
from companion.remote.doorway import DoorServerAndCallbacks
from companion.remote.verbs import request_schemas

NUMBERS_PER_WORKER: Final = 100
"""Number of connection numbers for each worker. Two workers never use the same number."""


class ComputerPlayersDoor:
    """The connections of the computer players, and the web worker that runs these players.

    - `put`: function that receives the events of the connections.
    - `send`: function that sends a message to the web page.

    The message `seats` starts a worker in place of the running worker. The message `seat_lines` has
    text for a connection. The message `seats_end` ends the worker.
    """

    def __init__(self, put: Callable[[Event], None], send: Callable[..., None]) -> None:
        self._put, self._send, self._schemas = put, send, request_schemas()
        self._first = 0
        self._peers: dict[int, PeerConnection] = {}

    def start_seat_worker(self, line: str) -> None:
        """Start a worker for the seats that the message `line` assigns.

        Also close the connections of the previous worker.
        """
        self._close_connections()
        self._first += NUMBERS_PER_WORKER
        self._send("seats", first=self._first, line=line)

    def pass_line_to_box(self, number: int, text: str) -> None:
        """Pass a protocol line of a computer player to the box.

        The first line opens the connection. Ignore the lines of an ended worker.
        """
        if not self._first <= number < self._first + NUMBERS_PER_WORKER:
            return
        if number not in self._peers:
            self._peers[number] = PeerConnection(number, is_owner=False)
            self._put(PeerConnected(self._peers[number]))
        self._put(PeerLineReceived(self._peers[number], self._parsed(text)))

    def close_connections_of_worker(self, first: int) -> None:
        """Close the connections of a worker that has ended.

        `first`: the first number of the worker's connections.
        """
        if first == self._first:
            self._close_connections()

    def send(self, batch: Iterable[tuple[int, bytes]], *, done: bool = False) -> None:  # noqa: ARG002 - each event is handled at once
        """Send each line in `batch` to the connection whose number precedes the line."""
        for number, data in batch:
            if number in self._peers:
                self._send("seat_lines", number=number, text=data.decode())

    def close_connection(self, number: int) -> None:
        """End the worker of the connection `number`.

        The worker runs all computer players, so this call ends all computer players.
        """
        if number in self._peers:
            self.close()

    def close(self) -> None:
        """End the worker and close its connections."""
        self._close_connections()
        self._send("seats_end")

    def _parsed(self, text: str) -> ProtocolRequest | InvalidProtocolLineError:
        try:
            return parse_protocol_line(text.encode(), self._schemas)
        except InvalidProtocolLineError as mistake:
            return mistake

    def _close_connections(self) -> None:
        peers, self._peers = self._peers, {}
        for peer in peers.values():
            self._put(PeerDisconnected(peer))


def make_web_page_door_parts(door: ComputerPlayersDoor) -> DoorServerAndCallbacks:
    """Return the door and the callbacks of a box in a web page.

    Only the box's computer players connect to this door.
    """
    return DoorServerAndCallbacks(
        door,
        installed_version(),
        picture=lambda _frame: "",
        start_computer_players=door.start_seat_worker,
        admits_phones=False,
    )
