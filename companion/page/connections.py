"""The browsers' open connections to the web page, with a limit for each seat and each address.

At first, a connection counts for the browser's address. When a request on the connection has
a seat's cookie, the connection counts for the seat. If there are too many connections, the page
first closes connections without a seat.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from tornado.iostream import IOStream

from companion.page import guard

MAX_CONNECTIONS: Final = 160
"""The maximum number of open connections of all browsers."""
MAX_CONNECTIONS_OF_ADDRESS, MAX_CONNECTIONS_OF_SEAT = 48, 16
"""The maximum number of open connections of a network address, and of a seat.

The limit for an address counts only connections without a seat.
"""


class ConnectionOwner(NamedTuple):
    """The owner of a browser's connection: a seat (its player), or a network address."""

    name: str
    has_seat: bool = False

    @property
    def max_connections(self) -> int:
        """Return the maximum number of connections that this owner may have open."""
        return MAX_CONNECTIONS_OF_SEAT if self.has_seat else MAX_CONNECTIONS_OF_ADDRESS


class OpenBrowserConnections:
    """All open connections of browsers, each with its owner, the oldest connection first."""

    def __init__(self) -> None:
        self._owners: dict[IOStream, ConnectionOwner] = {}

    def add(self, stream: IOStream, address: str) -> None:
        """Add a browser's connection from `address`.

        If a limit is exceeded, close an older connection.
        """
        owner = self._owners[stream] = ConnectionOwner(guard.network_for_rate_limit(address))
        if self.count_connections_of_owner(owner) > owner.max_connections:
            self._close_oldest(owner)
        elif len(self._owners) > MAX_CONNECTIONS:
            self._close_oldest(self._fullest(stream))

    def assign_connection_to_seat(self, stream: IOStream, player: str) -> None:
        """Make a player's seat the owner of a connection.

        If the seat now has too many connections, close the seat's oldest connection.
        """
        if stream not in self._owners:  # the connection closed while its cookie was checked
            return
        owner = self._owners[stream] = ConnectionOwner(player, has_seat=True)
        if self.count_connections_of_owner(owner) > owner.max_connections:
            self._close_oldest(owner)

    def remove(self, stream: IOStream) -> None:
        """Remove a closed connection from the list of open connections."""
        self._owners.pop(stream, None)

    def count_connections_of_owner(self, owner: ConnectionOwner) -> int:
        """Return the number of open connections that an owner has."""
        return sum(other == owner for other in self._owners.values())

    def _fullest(self, new: IOStream) -> ConnectionOwner:
        """Return the owner with the most connections: an address, or a seat if there is no address.

        new: the newest connection, which is not counted.
        """
        others = Counter(owner for stream, owner in self._owners.items() if stream is not new)
        strangers = Counter(
            {stranger: n for stranger, n in others.items() if not stranger.has_seat}
        )
        return (strangers or others).most_common(1)[0][0]

    def _close_oldest(self, owner: ConnectionOwner) -> None:
        stream = next(stream for stream, holder in self._owners.items() if holder == owner)
        del self._owners[stream]
        stream.close()
