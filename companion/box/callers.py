"""The interface of all connections to the box, and `NoCallers`, which is used without a door."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from companion.door.peers import Event
    from companion.menus.page import PhoneFacts, ServiceStatus

    class Callers(Protocol):
        """The interface of all connections to the box: programs, phones, computer players."""

        @property
        def phones(self) -> frozenset[str]:
            """Return the players who receive their secrets on a phone."""

        @property
        def phone_facts(self) -> PhoneFacts | None:
            """Return what menus show of phones; None if there can be none."""

        @property
        def services(self) -> Mapping[str, ServiceStatus]:
            """Return what menus show of services, by name."""

        @property
        def has_lost_programs(self) -> bool:
            """Return True if the process of the computer players counts as gone."""

        @property
        def due_at(self) -> float | None:
            """Return the time (s) at which `do_due_work` is due without an event; None: never."""

        def handle_event(self, event: Event) -> None:
            """Handle an event of the door: a connection, a line, or an end."""

        def record_seen_secrets(self) -> None:
            """Record that phones have received the secrets that are about to be saved."""

        def publish(self) -> None:
            """Send the latest events, or which game is running now, to all connections."""

        def send_frames(self) -> None:
            """Send the new frame to the connections that asked for frames."""

        def do_due_work(self) -> None:
            """Handle the consequences of an event, or an action that is due."""

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
    """The connections of a box without a door: every call does nothing."""

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
