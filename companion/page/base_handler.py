"""The base class of the web page's request handlers: access checks, language and headers."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any, ClassVar, Final, NamedTuple

from tornado.web import HTTPError, RequestHandler

from checked_input import strict_json
from checked_input.strict_json import InvalidJson
from companion.door.client import Disconnected
from companion.door.lines import Message
from companion.page import address, guard, page_html
from companion.page.box_connections import BoxConnections, SeatConnection
from companion.page.connections import OpenBrowserConnections
from companion.page.streams import OpenEventStreams
from companion.say.words import LANGUAGES, Words

SEAT_COOKIE: Final = "companion"
LANGUAGE_COOKIE: Final = "companion_language"
COOKIE_DAYS: Final = 90
JSON_TYPE: Final = "application/json"
STATUS_SENTENCE_KEYS: Final = {404: "not_there", 429: "too_many", 503: "no_answer"}
"""The catalogue key (after `page.`) of the sentence that a person sees, by HTTP status."""
LOG: Final = logging.getLogger(__name__)


class WrongHostError(HTTPError):
    """The error that a request's Host header does not name this machine."""

    def __init__(self) -> None:
        super().__init__(403)


class SharedHandlerValues(NamedTuple):
    """The values that all request handlers share.

    - `visitors`: the page's connections to the box.
    - `port`: the port at which phones reach the page.
    - `name`: this machine's `.local` name.
    - `busy`: the callback that each request calls, so that the page's process does not end.
    """

    visitors: BoxConnections
    port: int
    name: str
    requests: guard.RequestBudgets
    posts: guard.RequestBudgets
    tries: guard.WrongCodeLimiter
    streams: OpenEventStreams
    connections: OpenBrowserConnections
    busy: Callable[[], None]


class PageRequestHandler(RequestHandler):
    """The base class of the web page's request handlers.

    If a script receives an error response, the response contains only the HTTP status.
    """

    needs_seat: ClassVar[bool] = False
    house: SharedHandlerValues
    seat: SeatConnection | None = None
    has_lost_seat = False

    def initialize(self, house: SharedHandlerValues) -> None:
        """Store the values that all request handlers share."""
        self.house = house

    def set_default_headers(self) -> None:
        """Set the security headers of the response."""
        self.clear_header("Server")
        for name, value in guard.SECURITY_HEADERS.items():
            self.set_header(name, value)

    async def head(self, *path: str) -> None:
        """Respond to HEAD like GET. Tornado omits the response's body."""
        asked = self.get(*path)
        if asked is not None:
            await asked

    async def prepare(self) -> None:
        """Check a request's rate limit and host, and find the phone's seat.

        Raise HTTPError if a check fails.
        """
        now = asyncio.get_running_loop().time()
        if not self.house.requests.count_request_and_check_limit(self._payer(), now):
            raise HTTPError(429)
        if not guard.is_own_host(
            self.request.host, self._local(), self.house.name, self.house.port
        ):
            raise WrongHostError
        self.house.busy()
        if self.request.method == "POST":
            self._guard_post(now)
        await self._find_seat()
        if self.seat is not None:
            stream = self.request.connection.stream  # type: ignore[union-attr] # as in _local
            self.house.connections.assign_connection_to_seat(stream, str(self.seat.who))

    @property
    def client_address_or_network(self) -> str:
        """Return the client's IPv4 address, or the /64 network of its IPv6 address."""
        return guard.network_for_rate_limit(str(self.request.remote_ip))

    def _payer(self) -> str:
        """Return the name of the request's rate limit, made from the phone's seat or address.

        Each seat has its own limit, because all devices in a home share one IPv6 /64 network.
        """
        token = self.house.visitors.find_player_of_cookie(self.get_cookie(SEAT_COOKIE) or "")
        return self.client_address_or_network if token is None else f"seat {token}"

    def _local(self) -> str:
        """Return the local address of the connection, or "" if it is unknown."""
        stream = self.request.connection.stream  # type: ignore[union-attr]
        name = stream.socket.getsockname() if stream.socket is not None else ("",)
        return str(name[0]) if isinstance(name, tuple) else ""

    def _guard_post(self, now: float) -> None:
        if not self.house.posts.count_request_and_check_limit(self._payer(), now):
            raise HTTPError(429)
        if self.request.headers.get("Origin") != f"http://{self.request.host}":
            raise HTTPError(403)
        kind = self.request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind != JSON_TYPE:
            raise HTTPError(415)

    async def _find_seat(self) -> None:
        """Find the seat that belongs to the phone's cookie, and store the seat (or None) in `seat`.

        Raise HTTPError if the box does not run, or if the request needs a seat and the phone has
        none.
        """
        cookie = self.get_cookie(SEAT_COOKIE)
        if cookie:
            try:
                self.seat = await self.house.visitors.find_seat_connection(
                    cookie, self.phone_language()
                )
            except Disconnected:
                raise HTTPError(503) from None
            self.has_lost_seat = self.seat is None
        if self.seat is None and self.needs_seat:
            raise HTTPError(401)

    def parse_posted_json(self) -> dict[str, Any]:
        """Return the JSON object in the request body.

        Raise HTTPError if the body is not a JSON object.
        """
        try:
            posted = strict_json.parse_json(self.request.body)
        except InvalidJson:
            raise HTTPError(400) from None
        if not isinstance(posted, dict):
            raise HTTPError(400)
        return posted

    def phone_language(self) -> str:
        """Return the language from the phone's cookie, or else from the browser's settings."""
        chosen = self.get_cookie(LANGUAGE_COOKIE)
        if chosen in LANGUAGES:
            return str(chosen)
        wanted = self.request.headers.get("Accept-Language", "")
        return next(
            (language for language in LANGUAGES if wanted.lower().startswith(language)),
            LANGUAGES[0],
        )

    def page_words(self) -> Words:
        """Return the page's sentences in the phone's language."""
        return Words(self.phone_language())

    async def find_seat_connection(self) -> SeatConnection:
        """Return the connection to the box for the phone's seat.

        If the phone has no seat, return the connection for the public. Open the connection if the
        box is running.
        """
        seat = self.seat or self.house.visitors.public_connection(self.phone_language())
        await seat.set_language(self.phone_language())
        await seat.connect()
        return seat

    def error_message(self, code: str, **facts: object) -> Message:
        """Return an error message in the format of the box's error messages.

        - `code`: the catalogue key of the sentence (after `page.error.`).
        - `facts`: the values for the sentence's placeholders.
        """
        message = self.page_words()(f"page.error.{code}", **facts)
        return {"type": "error", "code": code, "message": message}

    def set_private_cookie(self, name: str, value: str) -> None:
        """Set a cookie that scripts cannot read.

        If another website causes a request, the browser does not send the cookie.
        """
        self.set_cookie(
            name, value, expires_days=COOKIE_DAYS, httponly=True, samesite="Strict", path="/"
        )

    def send_json(self, message: dict[str, Any], status: int = 200) -> None:
        """Send `message` as a JSON response with the HTTP status `status`."""
        self.set_status(status)
        self.set_header("Content-Type", f"{JSON_TYPE}; charset=utf-8")
        self.finish(json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    def compute_etag(self) -> str | None:
        """Return None, so that the response has no entity tag."""
        return None

    def log_exception(self, typ: Any, value: Any, tb: Any) -> None:
        """Log unexpected errors, but not the request, which may contain a secret join code."""
        if not isinstance(value, HTTPError):
            LOG.error("a request could not be answered", exc_info=(typ, value, tb))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Send an error page if a browser requested a page, else JSON with only the HTTP status."""
        error = kwargs.get("exc_info", (None, None))[1]
        if isinstance(error, WrongHostError) and self.request.method == "GET":
            url = address.format_host_and_port(
                guard.format_address_for_url(self._local()), self.house.port
            )
            self.send_page(page_html.render_wrong_host_page(f"http://{url}"), status_code)
        elif self.is_request_for_html_page():
            words = self.page_words()
            text = words(f"page.{STATUS_SENTENCE_KEYS.get(status_code, 'refused')}")
            note = page_html.render_page_template(
                "note.html", words, words("page.title"), text=text
            )
            self.send_page(note, status_code)
        else:
            self.send_json({"error": status_code}, status_code)

    def is_request_for_html_page(self) -> bool:
        """Return True if the request accepts HTML, which means that a browser requests a page."""
        return "text/html" in self.request.headers.get("Accept", "")

    def send_page(self, page: bytes, status: int = 200) -> None:
        """Send `page` as an HTML response with the HTTP status `status`."""
        self.set_status(status)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(page)


class NotFoundHandler(PageRequestHandler):
    """The request handler for unknown paths, which responds with the HTTP status 404."""

    async def prepare(self) -> None:
        """Make the checks of the base class, then raise HTTPError 404."""
        await super().prepare()
        raise HTTPError(404)
