"""The other end of the door: what a program has that talks to the box (docs/protocol.md)."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Self

from checked_input import strict_json
from checked_input.strict_json import NotJson
from companion.core.errors import CompanionError
from companion.door.lines import written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from companion.door.lines import Message

CHUNK: Final = 1 << 16
"""Bytes that are read at once."""
LONGEST: Final = 1 << 22
"""The longest line that the box may say, in bytes; a page of history is the longest one."""
PATIENCE: Final = 5.0
"""Seconds in which the box answers, or is taken to be away."""
HEARD: Final = 10.0
"""Seconds in which a box hears what it is told."""


class Away(CompanionError, ConnectionError):
    """The box has gone, or what answers at the door is no box."""


def tell(path: Path, message: Message) -> bool:
    """Tell a box something, and wait until it has heard; whether there is one at `path`."""
    try:
        with Client(path, HEARD) as box, suppress(Away):  # it goes when it has heard all
            box.say(message)
            box.say({"quit": True})
            while True:
                box.hear()
    except OSError:
        return False
    return True


class Incoming:
    """The bytes that come from the box, as messages."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def messages(self, data: bytes) -> Iterator[Message]:
        """The messages that are whole with these bytes; without any the box has gone. Raises Away.

        A line that is no object is none of the protocol's, and is passed by.
        """
        if not data:
            raise Away("the box has gone")
        lines: list[bytes] = []
        if b"\n" in data:
            *lines, data = b"".join((*self._pieces, data)).split(b"\n")
            self._pieces, self._size = [], 0
        self._pieces.append(data)
        self._size += len(data)
        for line in lines:
            try:
                message = strict_json.read(line)
            except NotJson as error:
                raise Away("the box says what is no JSON") from error
            if isinstance(message, dict):
                yield message
        if self._size > LONGEST:
            raise Away("the box says a line without end")


def knock(path: Path, seconds: float | None = PATIENCE) -> socket.socket:
    """A connection to the box; each wait ends after so many seconds. Raises OSError."""
    wire = socket.socket(socket.AF_UNIX)
    try:
        wire.settimeout(seconds)
        wire.connect(str(path))
    except OSError:
        wire.close()
        raise
    return wire


class Client:
    """A connection that waits for each line, up to so many seconds. Raises OSError if none opens.

    `companion.door.async_client` has the one for a loop of asyncio.
    """

    def __init__(self, path: Path, seconds: float = PATIENCE) -> None:
        self._wire, self._incoming = knock(path, seconds), Incoming()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fileno(self) -> int:
        """What a `select` waits for."""
        return self._wire.fileno()

    def say(self, message: Mapping[str, Any]) -> None:
        """Say a line. Raises OSError."""
        self._wire.sendall(written(message).encode())

    def hear(self) -> list[Message]:
        """The lines that have come whole. Raises Away, or OSError if nothing comes in time."""
        return list(self._incoming.messages(self._wire.recv(CHUNK)))

    def close(self) -> None:
        """End it."""
        self._wire.close()
