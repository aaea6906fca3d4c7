"""The interface of the connections to a box, and `NoCallers` for a box without connections."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from companion.door.peers import Event
from companion.menus.page import PhoneFacts

if TYPE_CHECKING:
    from companion.menus.page import ServiceStatus

    class Callers(Protocol):
        """The interface of all connections to the box: programs, phones, computer players."""

        @property
        def phones(self) -> frozenset[str]:
            """Return the players whose secrets are sent to a phone."""

        @property
        def phone_facts(self) -> PhoneFacts | None:
            """Return the facts about phones for menus; None if phones cannot connect."""

        @property
        def services(self) -> Mapping[str, ServiceStatus]:
            """Return the facts about services for menus, by the service's name."""

        @property
        def has_lost_programs(self) -> bool:
            """Return True if the process of the computer players does not answer."""

        @property
        def due_at(self) -> float | None:
            """Return the time (s) at which `do_due_work` must be called without an event.

            Return None if nothing is due.
            """

        def handle_event(self, event: Event) -> None:
            """Handle an event of the door: a connection, a line, or an end."""

        def record_seen_secrets(self) -> None:
            """Note that phones have received the secrets that the next commit saves."""

        def publish(self) -> None:
            """Send the latest events, or which game is running now, to all connections."""

        def send_frames(self) -> None:
            """Send the new frame to the connections that requested frames."""

        def do_due_work(self) -> None:
            """Do the work that is due or that an event caused."""

        def restart_programs(self) -> None:
            """Restart the process of the computer players."""

        def admit_phone(self, player: str) -> None:
            """Let the waiting phone in as `player`.

            Raise JournalError if its seat cannot be saved.
            """

        def send_service_request(self, service: str, wish: Mapping[str, Any]) -> None:
            """Send a request to the background program of a service."""

        def close(self) -> None:
            """Close all connections."""


class NoCallers:
    """The connections of a box without a door. Every call does nothing."""

    phones: frozenset[str] = frozenset()
    phone_facts: PhoneFacts | None = None
    services: Mapping[str, ServiceStatus] = MappingProxyType({})
    has_lost_programs = True
    due_at: float | None = None

    def handle_event(self, event: Event) -> None:
        """No-op: no door is open."""

    def record_seen_secrets(self) -> None:
        """No-op: no door is open."""

    def publish(self) -> None:
        """No-op: no door is open."""

    def send_frames(self) -> None:
        """No-op: no door is open."""

    def do_due_work(self) -> None:
        """No-op: no door is open."""

    def restart_programs(self) -> None:
        """No-op: no door is open."""

    def admit_phone(self, player: str) -> None:
        """No-op: no door is open."""

    def send_service_request(self, service: str, wish: Mapping[str, Any]) -> None:
        """No-op: no door is open."""

    def close(self) -> None:
        """No-op: no door is open."""
