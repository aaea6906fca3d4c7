"""The open event streams of the web page: their limits, their heartbeat, and their writer."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final, Protocol

from tornado.iostream import StreamClosedError
from tornado.web import RequestHandler

MAX_STREAMS_OF_SEAT, MAX_STREAMS_OF_ADDRESS, MAX_STREAMS = 4, 4, 32
"""The maximum numbers of event streams.

- MAX_STREAMS_OF_SEAT: the streams of one seat.
- MAX_STREAMS_OF_ADDRESS: the streams without a seat from one network address.
- MAX_STREAMS: all streams without a seat.

If a new stream exceeds a limit, the page ends an older stream or refuses the new stream.
"""
MAX_WAITING_BYTES: Final = 512 * 1024
"""The number of unsent bytes of an event stream above which the page disconnects the phone."""
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

    def make_room(self, whose: str, address: str) -> bool:
        """End an older stream if a new stream would exceed a limit.

        - If the seat of player `whose` has too many streams, end the seat's oldest stream.
        - If `whose` is "" (no seat) and the client's `address` has too many streams without a seat,
          end the oldest stream of this address.
        - If there are too many streams without a seat, compare the client's address with the
          address that has the most streams. If the client's address has at least two streams
          fewer than the other address, end the oldest stream of the other address. If not, return
          False: the page must refuse the new stream.
        """
        streams = [stream for stream in self if stream.whose == whose]
        held = Counter(stream.client_address_or_network for stream in streams)
        if whose and len(streams) >= MAX_STREAMS_OF_SEAT:
            streams[0].end_for_newer_stream()
        elif not whose and held[address] >= MAX_STREAMS_OF_ADDRESS:
            _end_oldest_stream(streams, address)
        elif not whose and len(streams) >= MAX_STREAMS:
            fullest, most = held.most_common(1)[0]
            if most <= held[address] + 1:
                return False
            _end_oldest_stream(streams, fullest)
        return True

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


def _end_oldest_stream(streams: Iterable[OpenEventStream], address: str) -> None:
    of_address = (one for one in streams if one.client_address_or_network == address)
    next(of_address).end_for_newer_stream()


class EventStreamWriter:
    """The writer of one event stream. The writer disconnects a client that reads too slowly."""

    def __init__(self, handler: RequestHandler) -> None:
        self._handler = handler
        self._waiting = 0

    def write(self, text: str) -> None:
        """Send text at once. If too much text waits to be sent, close the connection."""
        if self._waiting > MAX_WAITING_BYTES:
            self._handler.request.connection.stream.close()  # type: ignore[union-attr]
            return
        self._waiting += len(text)
        self._handler.write(text)
        self._handler.flush().add_done_callback(partial(self._on_written, len(text)))

    def _on_written(self, size: int, done: Any) -> None:
        self._waiting -= size
        with suppress(StreamClosedError):
            done.result()
