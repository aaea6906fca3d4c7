"""The services of packages at the door. A service's client is created when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from companion.box.state import Basics
from companion.box.turn import Turn
from companion.catalog import services
from companion.door.lines import Message
from companion.remote.audience import Visitor

if TYPE_CHECKING:
    from companion.menus.page import ServiceStatus

    class ServiceClient(Protocol):
        """The box's side of a service, created by the service's package."""

        @property
        def status(self) -> ServiceStatus:
            """Return the data for the service's menu pages."""

        def handle_request(self, request: str, visitor: Visitor, message: Message) -> None:
            """Execute a request that a program sent to the service. Raise LineMistake."""

        def send_request(self, wish: Mapping[str, Any]) -> None:
            """Send a request to the background program, which is started if necessary."""

        def forget_connection(self, number: int) -> None:
            """Handle the end of a connection."""

        def do_due_work(self) -> None:
            """Do the work that an event caused."""

    Handler: TypeAlias = Callable[[Visitor, Message], None]


class ServiceClients:
    """The clients of all services.

    send: sends a message to a connection. attend: starts the background program of a service. The
    program receives a key, with which its connection proves that it belongs to the service.
    """

    def __init__(
        self,
        basics: Basics,
        turn: Turn,
        send: Callable[[int, dict[str, Any]], None],
        attend: Callable[[str, str], None],
    ) -> None:
        self._basics, self._turn, self._send, self._attend = basics, turn, send, attend
        self._clients: dict[str, ServiceClient] = {}
        for name in services.known_names():
            # the service was active before the restart
            if basics.settings["service_data"].get(name):
                self.client(name)

    def client(self, name: str) -> ServiceClient:
        """Return the client of a service."""
        if name not in self._clients:
            attend = partial(self._attend, name)
            service = services.find_service(name)
            self._clients[name] = service.client(self._basics, self._turn, self._send, attend)
        return self._clients[name]

    @property
    def statuses(self) -> Mapping[str, ServiceStatus]:
        """Return the facts about services for menus, by the service's name."""
        return {name: client.status for name, client in self._clients.items()}

    def requests(self) -> dict[str, Handler]:
        """Return the requests of all services, each with its handler."""
        return {
            request: partial(self._take, service.name, request)
            for service in services.installed_services()
            for request in service.requests
        }

    def _take(self, name: str, request: str, visitor: Visitor, message: Message) -> None:
        self.client(name).handle_request(request, visitor, message)

    def forget_connection(self, number: int) -> None:
        """Handle the end of a connection."""
        for client in self._clients.values():
            client.forget_connection(number)

    def do_due_work(self) -> None:
        """Do the work that an event caused. If a service's page is open, its client is created."""
        page = self._basics.stands.table.menus.page
        name = page and services.service_of_name(page.page)
        if name is not None:
            self.client(name)
        for client in self._clients.values():
            client.do_due_work()
