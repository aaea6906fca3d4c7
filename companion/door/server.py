"""The server of the box's socket: a thread that passes lines between programs and the box.

The server passes one line at a time to the box, and the connections take turns. The server
disconnects a program that leaves more than `MAX_WAITING_BYTES` unread.
"""

from __future__ import annotations

import os
import selectors
import socket
import stat
import struct
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from companion.core.errors import TranslatedError
from companion.door.lines import (
    InvalidProtocolLineError,
    ProtocolRequest,
    RequestSchema,
    parse_protocol_line,
)
from companion.door.link import ConnectionBuffers
from companion.door.peers import (
    Event,
    PeerConnected,
    PeerConnection,
    PeerDisconnected,
    PeerLineReceived,
)

MAX_CONNECTIONS: Final = 32
"""The maximum number of programs that can be connected at the same time."""
MAX_WAITING_BYTES: Final = 256 * 1024
"""The number of unsent bytes above which the server closes a connection."""
LINE_TIMEOUT_SECONDS: Final = 10.0
"""The maximum time in seconds between the first and the last byte of a line."""
SOCKET_PERMISSIONS: Final = 0o660
"""The file mode of the socket: its owner and its group may connect, and no other user."""
CHUNK_BYTES: Final = 16 * 1024


class DoorSocketError(TranslatedError, OSError):
    """The error that the box's socket cannot be opened."""

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(f"door.{reason}", **facts)


class DoorServer:
    """The server that listens at the socket `path` and passes its connections' events to `put`.

    - `clock`: the function that returns the monotonic time in seconds.
    - `schemas`: the verbs of the requests that programs may send, each with its schema.
    - `full`: the error line for a program that connects while `MAX_CONNECTIONS` programs are
      connected.
    - `asides`: the handlers, by verb, of requests that do not need the box. Each handler runs in a
      second thread and returns the reply as a line.

    The constructor raises DoorSocketError if the socket cannot be opened.
    """

    def __init__(
        self,
        path: Path,
        put: Callable[[Event], None],
        *,
        clock: Callable[[], float],
        schemas: Mapping[str, RequestSchema],
        full: str,
        asides: Mapping[str, Callable[[ProtocolRequest], str]] | None = None,
    ) -> None:
        self.path = path
        self._put, self._clock, self._schemas = put, clock, schemas
        self._full, self._asides = full.encode(), asides or {}
        self._listener = _opened(path)
        self._inode = path.stat().st_ino
        self._orders: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._alarm, self._wake = socket.socketpair()
        self._alarm.setblocking(False)
        self._wake.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._links: dict[int, ConnectionBuffers] = {}
        # numbers of the connections, in the order in which the box receives their next lines
        self._turns: list[int] = []
        self._last = 0
        self._busy = self._closed = False
        self._questions: SimpleQueue[tuple[int, ProtocolRequest] | None] = SimpleQueue()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(self._alarm, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, name="door", daemon=True)
        self._thread.start()
        if asides:
            threading.Thread(target=self._study, name="door-aside", daemon=True).start()

    # --- from the box's thread ---

    def send(self, batch: Iterable[tuple[int, bytes]], *, done: bool = False) -> None:
        """Send the bytes of protocol lines to connections.

        - `batch`: pairs of a connection's number and the bytes for this connection.
        - `done`: True if the box has handled its latest event. The server may then pass the next
          line.
        """
        lines = tuple(batch)
        if lines or done:
            self._order(lambda: self._deliver(lines, done=done))

    def close_connection(self, number: int) -> None:
        """Send the unsent lines of the connection `number`, then close the connection."""
        self._order(lambda: self._let_go(number))

    def close(self) -> None:
        """Close all connections, end the thread and delete the socket file.

        A second call does nothing.
        """
        if not self._closed:
            self._questions.put(None)
            self._order(self._end)
            self._thread.join(LINE_TIMEOUT_SECONDS)

    def _order(self, do: Callable[[], None]) -> None:
        self._orders.put(do)
        with suppress(OSError):  # ignore a closed or full pipe: a full pipe also wakes the thread
            self._wake.send(b"\0")

    # --- in the thread ---

    def _run(self) -> None:
        while not self._closed:
            for key, mask in self._selector.select(self._patience):
                if key.fileobj is self._listener:
                    self._accept()
                elif key.fileobj is self._alarm:
                    self._obey()
                else:
                    self._serve(key.data, mask)
            self._expire()
            self._hand_over()

    @property
    def _patience(self) -> float | None:
        since = [link.since for link in self._links.values() if link.since is not None]
        return max(0.0, min(since) + LINE_TIMEOUT_SECONDS - self._clock()) if since else None

    def _accept(self) -> None:
        try:
            sock, _ = self._listener.accept()
        except OSError:  # the program has already disconnected, or too many files are open
            return
        sock.setblocking(False)
        if len(self._links) >= MAX_CONNECTIONS:
            with suppress(OSError):
                sock.send(self._full)
            sock.close()
            return
        self._last += 1
        link = ConnectionBuffers(
            sock, PeerConnection(self._last, _is_owner(sock)), selectors.EVENT_READ
        )
        self._selector.register(sock, link.mask, link)
        self._links[self._last] = link
        self._turns.append(self._last)

    def _obey(self) -> None:
        with suppress(OSError):
            while self._alarm.recv(CHUNK_BYTES):
                pass
        with suppress(Empty):
            while True:
                self._orders.get_nowait()()

    def _serve(self, link: ConnectionBuffers, mask: int) -> None:
        if self._links.get(link.peer.number) is not link:
            # an earlier event of this loop has closed the connection
            return
        if mask & selectors.EVENT_READ and not self._hear(link):
            self._drop(link)
        elif mask & selectors.EVENT_WRITE:
            self._flush(link)
        else:
            self._expect(link)

    def _hear(self, link: ConnectionBuffers) -> bool:
        try:
            data = link.sock.recv(CHUNK_BYTES)
        except BlockingIOError:
            return True
        except OSError:
            return False
        link.add_received_bytes(data, self._clock())
        return bool(data)

    def _deliver(self, batch: tuple[tuple[int, bytes], ...], *, done: bool) -> None:
        self._busy = self._busy and not done
        for number, data in batch:
            link = self._links.get(number)
            if link is None or link.leaving:
                continue
            link.out += data
            self._flush(link)

    def _flush(self, link: ConnectionBuffers) -> None:
        try:
            while link.out:
                del link.out[: link.sock.send(link.out)]
        except BlockingIOError:
            pass
        except OSError:
            self._drop(link)
            return
        if len(link.out) > MAX_WAITING_BYTES or (link.leaving and not link.out):
            self._drop(link)
        else:
            self._expect(link)

    def _expect(self, link: ConnectionBuffers) -> None:
        """Update the selector with the events (read, write) that the connection waits for."""
        if link.wanted_selector_events != link.mask:
            if not link.mask:
                self._selector.register(link.sock, link.wanted_selector_events, link)
            elif not link.wanted_selector_events:
                self._selector.unregister(link.sock)
            else:
                self._selector.modify(link.sock, link.wanted_selector_events, link)
            link.mask = link.wanted_selector_events

    def _let_go(self, number: int) -> None:
        link = self._links.get(number)
        if link is not None:
            link.leaving = True
            self._flush(link)

    def _drop(self, link: ConnectionBuffers) -> None:
        if link.mask:
            self._selector.unregister(link.sock)
        link.sock.close()
        del self._links[link.peer.number]
        self._turns.remove(link.peer.number)
        if link.greeted:
            self._put(PeerDisconnected(link.peer))

    def _expire(self) -> None:
        for link in [*self._links.values()]:
            if link.since is not None and link.since + LINE_TIMEOUT_SECONDS <= self._clock():
                self._drop(link)

    # --- lines for the box ---

    def _hand_over(self) -> None:
        """Pass the next received line to the box, unless the box is still handling an event.

        The connections take turns. At most one of all received lines waits for the box, so a button
        press waits for at most one line.
        """
        for number in [*self._turns]:
            link = self._links[number]
            if not link.has_line_or_is_new or link.leaving or link.waits:
                continue
            if self._busy:
                return
            self._turns.remove(number)
            self._turns.append(number)
            self._hand(link)
            self._expect(link)

    def _hand(self, link: ConnectionBuffers) -> None:
        if not link.greeted:
            link.greeted = self._busy = True
            self._put(PeerConnected(link.peer))
            return
        request: ProtocolRequest | InvalidProtocolLineError
        try:
            request = parse_protocol_line(link.take_line(), self._schemas)
        except InvalidProtocolLineError as mistake:
            request = mistake
        link.note_incomplete_line_time(self._clock())
        if isinstance(request, ProtocolRequest) and request.verb in self._asides:
            link.waits = True
            self._questions.put((link.peer.number, request))
            return
        self._busy = True
        self._put(PeerLineReceived(link.peer, request))

    def _study(self) -> None:
        while (question := self._questions.get()) is not None:
            number, request = question
            data = self._asides[request.verb](request).encode()
            self._order(partial(self._answer, number, data))

    def _answer(self, number: int, data: bytes) -> None:
        if number in self._links:
            self._links[number].waits = False
            self._deliver(((number, data),), done=False)

    def _end(self) -> None:
        for link in [*self._links.values()]:
            link.greeted = False
            self._drop(link)
        self._closed = True
        self._selector.close()
        for sock in (self._listener, self._alarm, self._wake):
            sock.close()
        with suppress(OSError):
            if self.path.stat().st_ino == self._inode:
                self.path.unlink()


def _opened(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        _clear(path)
        beside.unlink(missing_ok=True)
        listener.bind(str(beside))
        beside.chmod(SOCKET_PERMISSIONS)
        listener.listen(MAX_CONNECTIONS)
        listener.setblocking(False)
        beside.rename(path)  # rename the socket only now, when the server listens
    except OSError as error:
        listener.close()
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise DoorSocketError("shut", path=path, why=error.strerror or error) from error
    return listener


def _clear(path: Path) -> None:
    try:
        kind = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(kind):
        raise DoorSocketError("no_socket")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:  # the server of this socket has ended: replace the socket
            return
    raise DoorSocketError("taken")


def _is_owner(sock: socket.socket) -> bool:
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return False
    _, uid, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, option, 12))
    return uid in (0, os.getuid())
