"""The clients of services, which packages add to the box, such as an evening at many tables."""

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
        """The part of a service that runs in the box."""

        @property
        def status(self) -> ServiceStatus:
            """Return the data for the service's menu pages."""

        def handle_request(self, request: str, visitor: Visitor, message: Message) -> None:
            """Execute a request that a program sent to the service.

            Raise LineMistake if the request is not valid.
            """

        def send_request(self, wish: Mapping[str, Any]) -> None:
            """Send a request to the service's background program.

            Start the program if necessary.
            """

        def forget_connection(self, number: int) -> None:
            """Handle the end of the connection with the number `number`."""

        def do_due_work(self) -> None:
            """Do the service's work after an event of the box."""

    Handler: TypeAlias = Callable[[Visitor, Message], None]


class ServiceClients:
    """The clients of all services.

    The box creates a service's client when a page or request first needs the client.

    - `send(number, message)`: sends a message to a connection.
    - `attend(service, key)`: starts the background program of a service. The background program
      sends the key to prove that its connection belongs to the service.
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
        for name in services.known_service_names():
            # the service was active before the box restarted
            if basics.settings["service_data"].get(name):
                self.client_of_service(name)

    def client_of_service(self, name: str) -> ServiceClient:
        """Return the client of the service `name`; create the client if there is none."""
        if name not in self._clients:
            attend = partial(self._attend, name)
            service = services.find_service(name)
            self._clients[name] = service.client(self._basics, self._turn, self._send, attend)
        return self._clients[name]

    @property
    def service_statuses(self) -> Mapping[str, ServiceStatus]:
        """Return the data for menu pages by service name."""
        return {name: client.status for name, client in self._clients.items()}

    def request_handlers(self) -> dict[str, Handler]:
        """Return a handler for each request of all services."""
        return {
            request: partial(self._take, service.name, request)
            for service in services.installed_services()
            for request in service.requests
        }

    def _take(self, name: str, request: str, visitor: Visitor, message: Message) -> None:
        self.client_of_service(name).handle_request(request, visitor, message)

    def forget_connection(self, number: int) -> None:
        """Report the end of a connection to the clients of all services."""
        for client in self._clients.values():
            client.forget_connection(number)

    def do_due_work(self) -> None:
        """Let the clients of all services do their work after an event of the box.

        If the page of a service is open, create the client of this service first.
        """
        page = self._basics.stands.table.menus.open_page
        name = page and services.service_of_page(page.page)
        if name is not None:
            self.client_of_service(name)
        for client in self._clients.values():
            client.do_due_work()
