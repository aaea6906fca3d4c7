"""The open event streams of the web page, and the heartbeat that keeps the streams alive."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final, Protocol

HEARTBEAT_SECONDS: Final = 25.0
"""Seconds between two heartbeats on each open event stream."""


class OpenEventStream(Protocol):
    """An open event stream to a phone or television.

    whose: the player whose seat the phone has, or "" if the phone has no seat.
    """

    whose: str

    @property
    def client_address_or_network(self) -> str:
        """Return the network address of the client."""

    def send_heartbeat(self) -> None:
        """Send a heartbeat to the phone or television."""

    def end_for_newer_stream(self) -> None:
        """End the stream to make room for a newer stream.

        The phone then does not reconnect by itself.
        """

    def end_stream(self) -> None:
        """End the stream. The phone then reconnects by itself."""


class OpenEventStreams:
    """All open event streams of the web page, the oldest stream first."""

    def __init__(self) -> None:
        self._open: dict[OpenEventStream, None] = {}
        self._beating: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[OpenEventStream]:
        return iter(tuple(self._open))

    def add(self, stream: OpenEventStream) -> None:
        """Add a stream. If no other stream is open, start the heartbeat."""
        self._open[stream] = None
        if self._beating is None:
            self._later()

    def discard(self, stream: OpenEventStream) -> None:
        """Remove a stream. If no stream remains, stop the heartbeat."""
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
