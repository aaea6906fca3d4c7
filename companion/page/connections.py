"""The open connections of the page and their owners, with a limit for each owner.

A connection belongs to an address until a request on it has a seat's cookie. From then on it
belongs to the seat. If the page is full, connections of addresses are closed first, so that a phone
with a seat can always connect.
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
"""The maximum number of connections of one address without a seat, and of one seat."""


class ConnectionOwner(NamedTuple):
    """The owner of a connection: a seat, by its player, or an address."""

    name: str
    has_seat: bool = False

    @property
    def limit(self) -> int:
        """Return how many connections this owner may have open."""
        return MAX_CONNECTIONS_OF_SEAT if self.has_seat else MAX_CONNECTIONS_OF_ADDRESS


class OpenConnections:
    """All open connections, the oldest first, each with its owner."""

    def __init__(self) -> None:
        self._owners: dict[IOStream, ConnectionOwner] = {}

    def add(self, stream: IOStream, address: str) -> None:
        """Add a new connection, and close an older one if there is no room for both."""
        owner = self._owners[stream] = ConnectionOwner(guard.limited_network(address))
        if self.count(owner) > owner.limit:
            self._close_oldest(owner)
        elif len(self._owners) > MAX_CONNECTIONS:
            self._close_oldest(self._fullest(stream))

    def assign_to_seat(self, stream: IOStream, player: str) -> None:
        """Hand a connection to a seat, and close the seat's oldest one if it has too many."""
        if stream not in self._owners:  # closed for another while its cookie was checked
            return
        owner = self._owners[stream] = ConnectionOwner(player, has_seat=True)
        if self.count(owner) > owner.limit:
            self._close_oldest(owner)

    def remove(self, stream: IOStream) -> None:
        """Remove a connection that was closed."""
        self._owners.pop(stream, None)

    def count(self, owner: ConnectionOwner) -> int:
        """Return how many connections an owner has open."""
        return sum(other == owner for other in self._owners.values())

    def _fullest(self, new: IOStream) -> ConnectionOwner:
        """Return the owner with the most connections.

        A seat is returned only if all owners are seats.
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
