"""A client of the door, for programs that talk to the box (docs/protocol.md)."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

from checked_input import strict_json
from checked_input.strict_json import InvalidJson
from companion.core.errors import CompanionError
from companion.door.lines import Message, format_line

CHUNK_BYTES: Final = 1 << 16
"""The number of bytes read at once."""
MAX_LINE_BYTES: Final = 1 << 22
"""The maximum length of a line from the box in bytes; pages of history are the longest."""
REPLY_TIMEOUT_SECONDS: Final = 5.0
"""The time in seconds after which a silent box counts as gone."""
CONFIRMATION_TIMEOUT_SECONDS: Final = 10.0
"""The time in seconds within which a box confirms a message."""


class Disconnected(CompanionError, ConnectionError):
    """The connection to the box is lost, or the program at the door is not a box."""


def send_once(path: Path, message: Message) -> bool:
    """Send a message to a box, and wait until the box has read it.

    Return False if there is no box.
    """
    try:
        # the box disconnects after it has received everything
        with Client(path, CONFIRMATION_TIMEOUT_SECONDS) as box, suppress(Disconnected):
            box.send(message)
            box.send({"quit": True})
            while True:
                box.receive()
    except OSError:
        return False
    return True


class MessageSplitter:
    """A splitter of received bytes into messages; an incomplete line waits for the next bytes."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def messages(self, data: bytes) -> Iterator[Message]:
        """Yield the messages that `data` completes.

        Raise Disconnected if `data` is empty, because the box has closed the connection. Lines that
        are not JSON objects are ignored.
        """
        if not data:
            raise Disconnected("the box has gone")
        lines: list[bytes] = []
        if b"\n" in data:
            *lines, data = b"".join((*self._pieces, data)).split(b"\n")
            self._pieces, self._size = [], 0
        self._pieces.append(data)
        self._size += len(data)
        for line in lines:
            try:
                message = strict_json.parse_json(line)
            except InvalidJson as error:
                raise Disconnected("the box says what is no JSON") from error
            if isinstance(message, dict):
                yield message
        if self._size > MAX_LINE_BYTES:
            raise Disconnected("the box says a line without end")


def connect(path: Path, seconds: float | None = REPLY_TIMEOUT_SECONDS) -> socket.socket:
    """Return a connection to the box whose waits end after `seconds`. Raise OSError."""
    wire = socket.socket(socket.AF_UNIX)
    try:
        wire.settimeout(seconds)
        wire.connect(str(path))
    except OSError:
        wire.close()
        raise
    return wire


class Client:
    """A connection that waits for lines with a time limit. Raise OSError if it cannot be opened.

    `companion.door.async_client` has the connection for asyncio.
    """

    def __init__(self, path: Path, seconds: float = REPLY_TIMEOUT_SECONDS) -> None:
        self._wire, self._incoming = connect(path, seconds), MessageSplitter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fileno(self) -> int:
        """Return the file descriptor, which `select` needs."""
        return self._wire.fileno()

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a line. Raise OSError."""
        self._wire.sendall(format_line(message).encode())

    def receive(self) -> list[Message]:
        """Return the complete messages received.

        Raise Disconnected if the connection is lost, or OSError if none arrives in time.
        """
        return list(self._incoming.messages(self._wire.recv(CHUNK_BYTES)))

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()
