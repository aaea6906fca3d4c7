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
"""The maximum number of bytes that one read returns."""
MAX_LINE_BYTES: Final = 1 << 22
"""The maximum length in bytes of a line from the box."""
REPLY_TIMEOUT_SECONDS: Final = 5.0
"""Seconds without a reply after which a client treats the box as disconnected."""
CONFIRMATION_TIMEOUT_SECONDS: Final = 10.0
"""Seconds for which `send_message_and_close` waits for the box to read the message."""


class Disconnected(CompanionError, ConnectionError):
    """The error that the connection to the box is lost, or that the server is not a box."""


def send_message_and_close(path: Path, message: Message) -> bool:
    """Send a message to the box at `path`, and wait until the box has read the message.

    Return False if no box listens at `path`.
    """
    try:
        # the box reads the message, then `quit`, and then closes the connection
        with BlockingClient(path, CONFIRMATION_TIMEOUT_SECONDS) as box, suppress(Disconnected):
            box.send(message)
            box.send({"quit": True})
            while True:
                box.receive()
    except OSError:
        return False
    return True


class MessageSplitter:
    """A parser that splits received bytes into messages and stores an incomplete line."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def split_messages(self, data: bytes) -> Iterator[Message]:
        """Yield the messages that are complete after the bytes `data`.

        Raise Disconnected if `data` is empty, because the box has closed the connection. Raise
        Disconnected if a line is not JSON or is too long. Ignore JSON values that are not objects.
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
    """Return a connection to the box at `path`. Raise OSError if no box listens at `path`.

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
    """A blocking connection to the door, with a time limit for each read and write.

    The constructor raises OSError if the connection cannot be opened.
    """

    def __init__(self, path: Path, seconds: float = REPLY_TIMEOUT_SECONDS) -> None:
        self._wire, self._incoming = connect_to_box(path, seconds), MessageSplitter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fileno(self) -> int:
        """Return the connection's file descriptor, so that `select` can wait for the connection."""
        return self._wire.fileno()

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message as one line. Raise OSError if the message cannot be sent."""
        self._wire.sendall(format_line(message).encode())

    def receive(self) -> list[Message]:
        """Wait for bytes from the box, and return the messages that are now complete.

        Raise Disconnected if the connection is lost. Raise TimeoutError if no bytes arrive in time.
        """
        return list(self._incoming.split_messages(self._wire.recv(CHUNK_BYTES)))

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()
