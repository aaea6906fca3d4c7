"""The open event streams of the page, and their heartbeat."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final, Protocol

HEARTBEAT_SECONDS: Final = 25.0
"""The interval of heartbeats in seconds. Without open streams there are none."""


class OpenStream(Protocol):
    """An open stream: its seat ("" if none) and its address."""

    whose: str

    @property
    def client_address(self) -> str:
        """Return the address of the client."""

    def send_heartbeat(self) -> None:
        """Send a heartbeat."""

    def end_for_newer(self) -> None:
        """End the stream because of a newer one, and ask the phone not to reconnect by itself."""

    def end_stream(self) -> None:
        """End the stream."""


class OpenStreams:
    """All open streams."""

    def __init__(self) -> None:
        self._open: dict[OpenStream, None] = {}
        self._beating: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[OpenStream]:
        """Iterate over the open streams, oldest first."""
        return iter(tuple(self._open))

    def add(self, stream: OpenStream) -> None:
        """Add a stream."""
        self._open[stream] = None
        if self._beating is None:
            self._later()

    def discard(self, stream: OpenStream) -> None:
        """Remove a stream."""
        self._open.pop(stream, None)
        if not self._open and self._beating is not None:
            self._beating.cancel()
            self._beating = None

    def _later(self) -> None:
        self._beating = asyncio.get_running_loop().call_later(HEARTBEAT_SECONDS, self._beat)

    def _beat(self) -> None:
        self._later()
        for stream in self:
            stream.send_heartbeat()
