"""One connection: its unread lines, and the bytes that are still to be sent."""

from __future__ import annotations

import selectors
import socket

from companion.door.lines import MAX_LINE_BYTES
from companion.door.peers import Peer


class ConnectionLines:
    """One connection; only the server's thread uses it."""

    def __init__(self, sock: socket.socket, peer: Peer, mask: int) -> None:
        self.sock, self.peer, self.mask = sock, peer, mask
        self.came, self.out = bytearray(), bytearray()
        self.since: float | None = None  # the time (s) at which the incomplete line began
        self.greeted = self.skipping = self.leaving = self.waits = False

    @property
    def has_line(self) -> bool:
        """Return True if a line is ready for the box."""
        return not self.greeted or b"\n" in self.came or len(self.came) > MAX_LINE_BYTES

    def take_line(self) -> bytes:
        """Remove and return the next line.

        Of a line that is too long, return only the beginning.
        """
        end = self.came.find(b"\n") + 1
        if 0 < end <= MAX_LINE_BYTES:
            line = bytes(self.came[:end])
            del self.came[:end]
            return line
        self.skipping = not end
        del self.came[: end or len(self.came)]
        return b" " * (MAX_LINE_BYTES + 1)

    def add_bytes(self, data: bytes, now: float) -> None:
        """Add received bytes. The rest of a line that is too long is discarded."""
        if self.skipping:
            _, end, data = data.partition(b"\n")
            self.skipping = not end
        self.came += data
        self.note_incomplete_line(now)

    def note_incomplete_line(self, now: float) -> None:
        """Store the time at which an incomplete line began."""
        whole = not self.skipping and (not self.came or b"\n" in self.came)
        self.since = None if whole else now if self.since is None else self.since

    @property
    def wanted_events(self) -> int:
        """Return the events to wait for. Nothing is read while a line waits for the box."""
        reads = 0 if self.has_line or self.leaving else selectors.EVENT_READ
        return reads | (selectors.EVENT_WRITE if self.out else 0)
