"""The process of the web page: how the process starts, serves requests and ends."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.netutil import bind_sockets
from tornado.web import Application

from companion.catalog import services
from companion.page import address, files, guard, handlers, non_live_pages
from companion.page.base_handler import NotFoundHandler, SharedHandlerValues
from companion.page.box_connections import BoxConnections
from companion.page.connections import OpenBrowserConnections
from companion.page.streams import OpenEventStreams

DEFAULT_PORT: Final = 8080
UNUSED_SECONDS: Final = 600.0
"""Seconds without requests after which the process ends, if systemd started the process."""
MAX_HEADER_BYTES, MAX_BODY_BYTES = 8 * 1024, 4 * 1024
"""The maximum sizes in bytes of a request's header, and of a request's body."""
REQUEST_TIMEOUT_SECONDS: Final = 20.0
"""The maximum time in seconds between the beginning and the end of a request."""
DEAD_CONNECTION_MILLISECONDS: Final = 60_000
"""Milliseconds without TCP acknowledgement after which the kernel closes a connection (tcp(7))."""


class PageServerAddress(NamedTuple):
    """The page's port and address, and the path of the box's socket (`door`).

    sockets: the listening sockets from systemd; empty if systemd did not start the process.

    host: the address at which the page listens; "" means all addresses.
    """

    door: Path
    port: int = DEFAULT_PORT
    host: str = ""
    sockets: Sequence[socket.socket] = ()


def make_page_application(house: SharedHandlerValues) -> Application:
    """Return the tornado application, which maps URL paths to request handlers."""
    shared = {"house": house}
    return Application(
        [
            (r"/", handlers.PhonePageHandler, shared),
            (r"/board", handlers.TelevisionPageHandler, shared),
            (r"/events", handlers.EventStreamHandler, shared),
            (r"/do", handlers.SeatActionHandler, shared),
            (r"/join", handlers.JoinSeatHandler, shared),
            (r"/leave", handlers.LeaveSeatHandler, shared),
            (r"/language", handlers.PhoneLanguageHandler, shared),
            (r"/history", non_live_pages.PastGamesHandler, shared),
            (r"/people", non_live_pages.AllPlayersResultsHandler, shared),
            (r"/game/([0-9]{1,7})", non_live_pages.RecordedGameHandler, shared),
            (r"/rules", non_live_pages.RuleBookHandler, shared),
            *((path, handler, shared) for path, handler in _service_routes()),
            (r"/static/([a-z-]+\.(?:js|css|svg))", files.PageAndServiceFileHandler, shared),
            (r"/games/([a-z0-9-]+)/(page\.(?:js|css))", files.GameScriptAndStyleHandler, shared),
        ],
        default_handler_class=NotFoundHandler,
        default_handler_args=shared,
        log_function=lambda _: None,  # log no requests, to protect players' privacy
        compress_response=False,
    )


def _service_routes() -> Iterator[tuple[str, type]]:
    for service in services.installed_services():
        yield from service.routes()


class ConnectionLimitingHttpServer(HTTPServer):
    """An HTTP server that limits its connections and disconnects unreachable phones."""

    def initialize(self, *args: Any, **kwargs: Any) -> None:
        """Store the argument `connections`, the object that counts the open connections."""
        self._noted: OpenBrowserConnections = kwargs.pop("connections")
        super().initialize(*args, **kwargs)

    def handle_stream(self, stream: IOStream, address: tuple[str, int]) -> None:
        """Serve a new connection. If there are too many connections, close an older connection."""
        stream.socket.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_CONNECTION_MILLISECONDS
        )
        self._noted.add(stream, address[0])
        super().handle_stream(stream, address)

    def on_close(self, server_conn: object) -> None:
        """Remove a closed connection from the object that counts the open connections."""
        self._noted.remove(server_conn.stream)  # type: ignore[attr-defined]
        super().on_close(server_conn)


class RunningPageServer:
    """The running web page: its HTTP server, its sockets, and its connections to the box."""

    def __init__(self, place: PageServerAddress) -> None:
        self._loop = asyncio.get_running_loop()
        self._place = place
        self._over = asyncio.Event()
        self._used = self._loop.time()
        self.visitors = BoxConnections(place.door)
        self._tcp = [s for s in place.sockets if s.family != socket.AF_UNIX]
        self._wake = [s for s in place.sockets if s.family == socket.AF_UNIX]
        if not self._tcp:
            self._tcp = bind_sockets(place.port, place.host or None)
        self.port = int(self._tcp[0].getsockname()[1])
        self.house = SharedHandlerValues(
            self.visitors,
            self.port,
            address.local_host_name(),
            guard.RequestBudgets(guard.REQUEST_LIMIT),
            guard.RequestBudgets(guard.POST_LIMIT),
            guard.WrongCodeLimiter(),
            OpenEventStreams(),
            OpenBrowserConnections(),
            self._busy,
        )
        self._server = ConnectionLimitingHttpServer(
            make_page_application(self.house),
            connections=self.house.connections,
            no_keep_alive=True,  # a phone that wakes from sleep would reuse a lost connection
            max_header_size=MAX_HEADER_BYTES,
            max_body_size=MAX_BODY_BYTES,
            idle_connection_timeout=REQUEST_TIMEOUT_SECONDS,
            body_timeout=REQUEST_TIMEOUT_SECONDS,
        )
        self._told = address.open_address_change_socket()
        # the address while there is no network: None with systemd's sockets, else loopback
        self._alone = None if place.sockets else address.LOOPBACK

    async def start_serving(self) -> None:
        """Start the HTTP server, connect to the box and send the box the page's address."""
        for listening in self._tcp:
            listening.setblocking(False)
        self._server.add_sockets(self._tcp)
        for waking in self._wake:
            waking.setblocking(False)
            self._loop.add_reader(waking, self._accept_wake_up, waking)
        if self._told is not None:
            self._loop.add_reader(self._told, self._report_address, self._told)
        if self._place.sockets:
            self._loop.call_later(UNUSED_SECONDS, self._look_round)
        self._say_where()
        await self.visitors.box.connect()

    async def run(self) -> None:
        """Serve requests until a signal arrives.

        If systemd opened the sockets, also stop after `UNUSED_SECONDS` without requests and without
        open event streams.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(number, self._over.set)
        await self.start_serving()
        await self._over.wait()
        await self.close()

    async def close(self) -> None:
        """Stop the HTTP server, and close the connections to browsers and to the box."""
        self._server.stop()
        for waking in self._wake:
            self._loop.remove_reader(waking)
        if self._told is not None:
            self._loop.remove_reader(self._told)
            self._told.close()
        for stream in self.house.streams:
            stream.end_stream()
        await self.visitors.close()
        await self._server.close_all_connections()

    def _busy(self) -> None:
        self._used = self._loop.time()

    def _accept_wake_up(self, waking: socket.socket) -> None:
        """Accept and close the box's wake-up connection, then connect to the box."""
        with suppress(OSError):
            waking.accept()[0].close()
        self._busy()
        self._loop.create_task(self.visitors.box.connect())

    def _say_where(self) -> None:
        first, *others = address.own_reachable_addresses(self._place.host) or (self._alone,)
        name = (
            address.format_host_and_port(address.local_host_name(), self.port)
            if address.is_local_host_name_announced()
            else None
        )
        where = first and {
            "url": f"HTTP://{address.format_host_and_port(first, self.port)}",
            "name": name,
        }
        if where and others:
            where["also"] = address.format_host_and_port(others[0], self.port)
        self.visitors.box.send_at_each_connection({"address": where})

    def _report_address(self, netlink: socket.socket) -> None:
        with suppress(OSError):
            while netlink.recv(65536):
                pass
        self._say_where()

    def _look_round(self) -> None:
        """End the process if the page was unused for `UNUSED_SECONDS`, else check again later.

        An open event stream counts as use.
        """
        left = self._used + UNUSED_SECONDS - self._loop.time()
        if self.house.streams:
            left = UNUSED_SECONDS
        if left <= 0:
            self._over.set()
        else:
            self._loop.call_later(left, self._look_round)


def run_page_server(place: PageServerAddress, say: Callable[[str], None]) -> None:
    """Serve the web page until `RunningPageServer.run` ends.

    say: the callback that receives each URL of the page.
    """
    asyncio.run(_run(place, say))


async def _run(place: PageServerAddress, say: Callable[[str], None]) -> None:
    pages = RunningPageServer(place)
    for host in address.own_reachable_addresses(place.host) or (address.LOOPBACK,):
        say(f"http://{address.format_host_and_port(host, pages.port)}")
    await pages.run()
