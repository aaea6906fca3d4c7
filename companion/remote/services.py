"""The box's side of services that packages add, such as an evening with games at many tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from companion.box.state import Basics
from companion.box.turn import Turn
from companion.catalog import services
from companion.door.lines import Message
from companion.remote.audience import ConnectedClient

if TYPE_CHECKING:
    from companion.menus.page import ServiceStatus

    class ServiceClient(Protocol):
        """The part of an added service that runs in the box's process."""

        @property
        def status(self) -> ServiceStatus:
            """Return the data for the service's menu pages."""

        def handle_request(self, request: str, visitor: ConnectedClient, message: Message) -> None:
            """Execute a request that a program sent for the service.

            Raise InvalidProtocolLineError if the request is not valid.
            """

        def send_request(self, wish: Mapping[str, Any]) -> None:
            """Send the request `wish` to the service's background program.

            Start the background program first if this program does not run.
            """

        def forget_connection(self, number: int) -> None:
            """Delete the service's data about the closed connection `number`."""

        def do_due_work(self) -> None:
            """Do the service's pending work, after the box has handled an event."""

    Handler: TypeAlias = Callable[[ConnectedClient, Message], None]


class ServiceClients:
    """The `ServiceClient` objects of all added services.

    The object for a service is created when a menu page or a request first needs the object.

    - `send(number, message)`: sends a message to the connection `number`.
    - `attend(service, key)`: starts the background program of a service, which sends the secret
      `key` to prove that its connection belongs to the service.
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
            # create the objects of services that were active before the box restarted
            if basics.settings["service_data"].get(name):
                self.client_of_service(name)

    def client_of_service(self, name: str) -> ServiceClient:
        """Return the `ServiceClient` of the service `name`. Create the object if it is missing."""
        if name not in self._clients:
            attend = partial(self._attend, name)
            service = services.find_service(name)
            self._clients[name] = service.client(self._basics, self._turn, self._send, attend)
        return self._clients[name]

    @property
    def service_statuses(self) -> Mapping[str, ServiceStatus]:
        """Return the data for the menu pages of services, by service name."""
        return {name: client.status for name, client in self._clients.items()}

    def request_handlers(self) -> dict[str, Handler]:
        """Return the handler of each request that a service adds, by the request's verb."""
        return {
            request: partial(self._take, service.name, request)
            for service in services.installed_services()
            for request in service.requests
        }

    def _take(self, name: str, request: str, visitor: ConnectedClient, message: Message) -> None:
        self.client_of_service(name).handle_request(request, visitor, message)

    def report_ended_connection(self, number: int) -> None:
        """Report to all active services that the connection `number` has ended."""
        for client in self._clients.values():
            client.forget_connection(number)

    def do_due_work(self) -> None:
        """Let all active services do their pending work, after the box has handled an event.

        If a service's menu page is open, first create the service's `ServiceClient`.
        """
        page = self._basics.stands.table.menus.current_page
        name = page and services.owning_service_name(page.page)
        if name is not None:
            self.client_of_service(name)
        for client in self._clients.values():
            client.do_due_work()
