"""The interface of the connections to a box, and `NoConnections` for a box without connections."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from companion.door.peers import Event
from companion.menus.page import PhoneFacts

if TYPE_CHECKING:
    from companion.menus.page import ServiceStatus

    class Connections(Protocol):
        """The interface of all connections to the box: programs, phones, computer players."""

        @property
        def seats_receiving_secrets_remotely(self) -> frozenset[str]:
            """Return the players whose secrets the box sends to a phone or program."""

        @property
        def phone_data_for_menus(self) -> PhoneFacts | None:
            """Return the data about phones for menu pages, or None if phones cannot connect."""

        @property
        def can_seat_computer_players(self) -> bool:
            """Return True if computer players can connect to the box."""

        @property
        def service_statuses(self) -> Mapping[str, ServiceStatus]:
            """Return the status of each service for menu pages, by the service's name."""

        @property
        def has_unresponsive_computer_players(self) -> bool:
            """Return True if the process of the computer players does not respond."""

        @property
        def due_at(self) -> float | None:
            """Return the time (s) at which `do_due_work` must be called.

            Return None if no work is due.
            """

        def handle_connection_event(self, event: Event) -> None:
            """Handle the start of a connection, a received line, or the end of a connection."""

        def mark_remote_secrets_seen(self) -> None:
            """Mark the secrets that the box sends to phones and programs as seen.

            The next commit saves these marks.
            """

        def publish_game_state(self) -> None:
            """Send the new events, the state and the question of the game to all connections.

            If another game has started, also send the start of this game.
            """

        def send_display_frames(self) -> None:
            """Send the new frame to all connections that requested frames."""

        def do_due_work(self) -> None:
            """Do all work of the connections that is due now."""

        def restart_computer_players(self) -> None:
            """End and restart the process of the computer players."""

        def admit_phone(self, player: str) -> None:
            """Let the waiting phone join the game as `player`.

            Raise JournalError if the phone's seat cannot be saved.
            """

        def send_service_request(self, service: str, wish: Mapping[str, Any]) -> None:
            """Send a request to the background program of a service."""

        def close(self) -> None:
            """Close all connections."""


class NoConnections:
    """The connections of a box without a socket. Every method of `NoConnections` does nothing."""

    seats_receiving_secrets_remotely: frozenset[str] = frozenset()
    phone_data_for_menus: PhoneFacts | None = None
    can_seat_computer_players = False
    service_statuses: Mapping[str, ServiceStatus] = MappingProxyType({})
    has_unresponsive_computer_players = True
    due_at: float | None = None

    def handle_connection_event(self, event: Event) -> None:
        """Do nothing, because the box has no connections."""

    def mark_remote_secrets_seen(self) -> None:
        """Do nothing, because the box has no connections."""

    def publish_game_state(self) -> None:
        """Do nothing, because the box has no connections."""

    def send_display_frames(self) -> None:
        """Do nothing, because the box has no connections."""

    def do_due_work(self) -> None:
        """Do nothing, because the box has no connections."""

    def restart_computer_players(self) -> None:
        """Do nothing, because the box has no connections."""

    def admit_phone(self, player: str) -> None:
        """Do nothing, because the box has no connections."""

    def send_service_request(self, service: str, wish: Mapping[str, Any]) -> None:
        """Do nothing, because the box has no connections."""

    def close(self) -> None:
        """Do nothing, because the box has no connections."""
