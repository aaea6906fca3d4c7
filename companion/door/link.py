"""The received and the unsent bytes of one connection to the door."""

from __future__ import annotations

import selectors
import socket

from companion.door.lines import MAX_LINE_BYTES
from companion.door.peers import Peer


class ConnectionBuffers:
    """The received and the unsent bytes of one connection.

    Only the server's thread may use these objects.
    """

    def __init__(self, sock: socket.socket, peer: Peer, mask: int) -> None:
        self.sock, self.peer, self.mask = sock, peer, mask
        self.came, self.out = bytearray(), bytearray()
        self.since: float | None = None  # time (s) at which the incomplete line began
        self.greeted = self.skipping = self.leaving = self.waits = False

    @property
    def has_line(self) -> bool:
        """Return True if the connection has a line for the box, or is new."""
        return not self.greeted or b"\n" in self.came or len(self.came) > MAX_LINE_BYTES

    def take_line(self) -> bytes:
        """Remove the next line from the received bytes, and return the line.

        If the next line is too long, return spaces instead, which `parse_line` rejects as too long.
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
        """Add received bytes. Discard the remaining bytes of a line that is too long."""
        if self.skipping:
            _, end, data = data.partition(b"\n")
            self.skipping = not end
        self.came += data
        self.note_incomplete_line_time(now)

    def note_incomplete_line_time(self, now: float) -> None:
        """Store the start time of an incomplete line; None if all lines are complete."""
        whole = not self.skipping and (not self.came or b"\n" in self.came)
        self.since = None if whole else now if self.since is None else self.since

    @property
    def wanted_selector_events(self) -> int:
        """Return the selector events to wait for.

        The server reads no more bytes while a line waits for the box.
        """
        reads = 0 if self.has_line or self.leaving else selectors.EVENT_READ
        return reads | (selectors.EVENT_WRITE if self.out else 0)
