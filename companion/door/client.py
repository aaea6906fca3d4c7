"""A blocking client for programs that connect to the box's socket (docs/protocol.md)."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

from checked_input import strict_json
from checked_input.strict_json import InvalidJson
from companion.core.errors import CompanionError
from companion.door.lines import Message, message_as_protocol_line

CHUNK_BYTES: Final = 1 << 16
"""The maximum number of bytes that one read from the box's socket returns."""
MAX_LINE_BYTES: Final = 1 << 22
"""The maximum length in bytes of a line from the box."""
REPLY_TIMEOUT_SECONDS: Final = 5.0
"""Seconds that a client waits for a reply before it treats the connection as lost."""
DELIVERY_TIMEOUT_SECONDS: Final = 10.0
"""Seconds that `send_message_and_close` waits until the box has read the message."""


class Disconnected(CompanionError, ConnectionError):
    """The error that the connection to the box is lost, or that the server sent an invalid line."""


def send_message_and_close(path: Path, message: Message) -> bool:
    """Send a message to the box's socket at `path`, and wait until the box has read the message.

    Return True if the box has read the message. Return False if no box listens at `path` or the box
    does not answer in time.
    """
    try:
        # after the message, the box reads `quit` and closes the connection
        with BlockingClient(path, DELIVERY_TIMEOUT_SECONDS) as box, suppress(Disconnected):
            box.send(message)
            box.send({"quit": True})
            while True:
                box.receive_messages()
    except OSError:
        return False
    return True


class MessageSplitter:
    """A parser that splits received bytes into messages.

    The parser stores an incomplete line for later.
    """

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def split_messages(self, data: bytes) -> Iterator[Message]:
        """Yield the messages that the bytes `data` complete.

        Raise Disconnected if `data` is empty, which means that the box has closed the connection.
        Raise Disconnected if a line is not JSON or is longer than `MAX_LINE_BYTES`. Ignore lines
        whose JSON value is not an object.
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


def connect_to_box(path: Path, seconds: float | None = REPLY_TIMEOUT_SECONDS) -> socket.socket:
    """Return a connection to the box's socket at `path`. Raise OSError if no box listens at `path`.

    seconds: the time limit of each read and write; None means no limit.
    """
    wire = socket.socket(socket.AF_UNIX)
    try:
        wire.settimeout(seconds)
        wire.connect(str(path))
    except OSError:
        wire.close()
        raise
    return wire


class BlockingClient:
    """A blocking connection to the box's socket, with a time limit for each read and write.

    The constructor raises OSError if the connection fails.
    """

    def __init__(self, path: Path, seconds: float = REPLY_TIMEOUT_SECONDS) -> None:
        self._wire, self._incoming = connect_to_box(path, seconds), MessageSplitter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fileno(self) -> int:
        """Return the socket's file descriptor, so that `select` can wait for lines from the box."""
        return self._wire.fileno()

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message to the box as one line. Raise OSError if the message cannot be sent."""
        self._wire.sendall(message_as_protocol_line(message).encode())

    def receive_messages(self) -> list[Message]:
        """Wait for bytes from the box, and return the messages that are now complete.

        Raise Disconnected if the connection is lost. Raise TimeoutError if no bytes arrive within
        the connection's time limit.
        """
        return list(self._incoming.split_messages(self._wire.recv(CHUNK_BYTES)))

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()
