"""The buffers for received and unsent bytes of one connection to the box's socket."""

from __future__ import annotations

import selectors
import socket

from companion.door.lines import MAX_LINE_BYTES
from companion.door.peers import PeerConnection


class ConnectionBuffers:
    """The buffers for received (`came`) and unsent (`out`) bytes of one connection.

    - `greeted`: True if the box knows the connection.
    - `skipping`: True if the bytes up to the next newline belong to a line that was too long.
    - `leaving`: True if the server closes the connection after it has sent the unsent bytes.
    - `waits`: True while a second thread prepares the reply to the latest line.

    Only the server's thread may use the buffers, because the buffers are not thread-safe.
    """

    def __init__(self, sock: socket.socket, peer: PeerConnection, mask: int) -> None:
        self.sock, self.peer, self.mask = sock, peer, mask
        self.came, self.out = bytearray(), bytearray()
        self.since: float | None = None  # time (s) at which the incomplete line began
        self.greeted = self.skipping = self.leaving = self.waits = False

    @property
    def has_line_or_is_new(self) -> bool:
        """Return True if a line waits for the box, or if the box does not know the connection."""
        return not self.greeted or b"\n" in self.came or len(self.came) > MAX_LINE_BYTES

    def take_line(self) -> bytes:
        """Remove the next line from the received bytes, and return the line.

        If the line is too long, return `MAX_LINE_BYTES` + 1 spaces instead, so that
        `parse_protocol_line` reports the length as a mistake.
        """
        end = self.came.find(b"\n") + 1
        if 0 < end <= MAX_LINE_BYTES:
            line = bytes(self.came[:end])
            del self.came[:end]
            return line
        self.skipping = not end
        del self.came[: end or len(self.came)]
        return b" " * (MAX_LINE_BYTES + 1)

    def add_received_bytes(self, data: bytes, now: float) -> None:
        """Add received bytes.

        If the beginning of a line was too long, skip the rest of this line.
        """
        if self.skipping:
            _, end, data = data.partition(b"\n")
            self.skipping = not end
        self.came += data
        self.note_incomplete_line_time(now)

    def note_incomplete_line_time(self, now: float) -> None:
        """Store the time (s) at which the incomplete line began, or None if no line is incomplete.

        now: the present time (s).
        """
        whole = not self.skipping and (not self.came or b"\n" in self.came)
        self.since = None if whole else now if self.since is None else self.since

    @property
    def wanted_selector_events(self) -> int:
        """Return the selector events (read, write) for which the server must wait.

        While a complete line waits for the box, the server reads no more bytes from this
        connection.
        """
        reads = 0 if self.has_line_or_is_new or self.leaving else selectors.EVENT_READ
        return reads | (selectors.EVENT_WRITE if self.out else 0)
