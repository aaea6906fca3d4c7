"""The open connections of the web page, with a limit for each seat and each address.

A connection belongs to an address until a request on the connection has a seat's cookie. From this
request on, the connection belongs to the seat. If there are too many connections, the page first
closes connections that belong to addresses.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.page import guard

if TYPE_CHECKING:
    from tornado.iostream import IOStream

MAX_CONNECTIONS: Final = 160
"""The maximum number of open connections."""
MAX_CONNECTIONS_OF_ADDRESS, MAX_CONNECTIONS_OF_SEAT = 48, 16
"""The maximum numbers of connections: of one address without a seat, and of one seat."""


class ConnectionOwner(NamedTuple):
    """The owner of a connection: the player of a seat, or a client's address."""

    name: str
    has_seat: bool = False

    @property
    def max_connections(self) -> int:
        """Return the maximum number of connections that this owner may have open."""
        return MAX_CONNECTIONS_OF_SEAT if self.has_seat else MAX_CONNECTIONS_OF_ADDRESS


class OpenConnections:
    """All open connections in the order in which they were opened, each with its owner."""

    def __init__(self) -> None:
        self._owners: dict[IOStream, ConnectionOwner] = {}

    def add(self, stream: IOStream, address: str) -> None:
        """Add a connection. Close an older connection if a limit is exceeded."""
        owner = self._owners[stream] = ConnectionOwner(guard.network_for_rate_limit(address))
        if self.count_of_owner(owner) > owner.max_connections:
            self._close_oldest(owner)
        elif len(self._owners) > MAX_CONNECTIONS:
            self._close_oldest(self._fullest(stream))

    def assign_to_seat(self, stream: IOStream, player: str) -> None:
        """Assign a connection to a player's seat.

        Close the seat's oldest connection if the seat has too many connections.
        """
        if stream not in self._owners:  # closed while the page checked the cookie
            return
        owner = self._owners[stream] = ConnectionOwner(player, has_seat=True)
        if self.count_of_owner(owner) > owner.max_connections:
            self._close_oldest(owner)

    def remove(self, stream: IOStream) -> None:
        """Remove a closed connection."""
        self._owners.pop(stream, None)

    def count_of_owner(self, owner: ConnectionOwner) -> int:
        """Return the number of open connections of an owner."""
        return sum(other == owner for other in self._owners.values())

    def _fullest(self, new: IOStream) -> ConnectionOwner:
        """Return the owner with the most connections, an address if possible."""
        others = Counter(owner for stream, owner in self._owners.items() if stream is not new)
        strangers = Counter(
            {stranger: n for stranger, n in others.items() if not stranger.has_seat}
        )
        return (strangers or others).most_common(1)[0][0]

    def _close_oldest(self, owner: ConnectionOwner) -> None:
        stream = next(stream for stream, holder in self._owners.items() if holder == owner)
        del self._owners[stream]
        stream.close()
