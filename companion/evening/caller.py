"""The door of the box at this table: a Unix socket with a JSON object a line (docs/protocol.md)."""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING, Any, Final

from handwritten import strict_json
from handwritten.strict_json import NotJson

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CHUNK: Final = 1 << 16
LONGEST: Final = 1 << 22
"""Bytes that a line of the box may have; a list of games is the longest one."""


class Caller:
    """One connection to the box. Raises OSError if nobody opens."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.settimeout(5)
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise
        self._waiting = b""

    def fileno(self) -> int:
        """What a `select` waits for."""
        return self._socket.fileno()

    def say(self, message: Mapping[str, Any]) -> None:
        """Say a line. Raises OSError."""
        self._socket.sendall(json.dumps(message).encode() + b"\n")

    def hear(self) -> list[dict[str, Any]]:
        """The lines that have come whole. Raises OSError if the box has gone, or talks nonsense."""
        data = self._socket.recv(CHUNK)
        *lines, self._waiting = (self._waiting + data).split(b"\n")
        if not data or len(self._waiting) > LONGEST:
            raise ConnectionError("the box has gone")
        try:
            found = [strict_json.read(line) for line in lines]
        except NotJson as error:
            raise ConnectionError("the box says what is no JSON") from error
        return [line for line in found if isinstance(line, dict)]

    def close(self) -> None:
        """End it."""
        self._socket.close()
