"""How a request is taken: who is let in, in which language, and what every answer has over it."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from tornado.web import HTTPError, RequestHandler

from checked_input import strict_json
from checked_input.strict_json import NotJson
from companion.door.client import Away
from companion.page import address, guard, sheet
from companion.say.words import LANGUAGES, Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.door.lines import Message
    from companion.page.connections import OpenConnections
    from companion.page.streams import Streams
    from companion.page.visitors import PageVisitors, SeatWatch

COOKIE: Final = "companion"
LANGUAGE: Final = "companion_language"
DAYS: Final = 90
JSON: Final = "application/json"
REASONS: Final = {404: "not_there", 429: "too_many", 503: "no_answer"}
"""The sentences for the statuses that a person meets who opens a page."""
LOG: Final = logging.getLogger(__name__)


class WrongHostError(HTTPError):
    """A request for a host name that is not this machine's."""

    def __init__(self) -> None:
        super().__init__(403)


class House(NamedTuple):
    """What all handlers share. `port` is the one that phones use."""

    visitors: PageVisitors
    port: int
    name: str
    requests: guard.Buckets
    posts: guard.Buckets
    tries: guard.Tries
    streams: Streams
    connections: OpenConnections
    busy: Callable[[], None]


class Handler(RequestHandler):
    """What all pages have in common. Errors tell nothing but their number."""

    needs_seat: ClassVar[bool] = False
    house: House
    seat: SeatWatch | None = None
    has_lost_seat = False

    def initialize(self, house: House) -> None:
        """Take what is shared."""
        self.house = house

    def set_default_headers(self) -> None:
        """Put over every answer what keeps it safe."""
        self.clear_header("Server")
        for name, value in guard.HEADERS.items():
            self.set_header(name, value)

    async def head(self, *path: str) -> None:
        """Say what would be sent: the same without its body, which tornado leaves out."""
        asked = self.get(*path)
        if asked is not None:
            await asked

    async def prepare(self) -> None:
        """Let in who may come in. Raises HTTPError."""
        now = asyncio.get_running_loop().time()
        if not self.house.requests.let_in(self._payer(), now):
            raise HTTPError(429)
        if not guard.is_ours(self.request.host, self._local(), self.house.name, self.house.port):
            raise WrongHostError
        self.house.busy()
        if self.request.method == "POST":
            self._guard_post(now)
        await self._find_seat()
        if self.seat is not None:
            stream = self.request.connection.stream  # type: ignore[union-attr] # as in _local
            self.house.connections.seat(stream, str(self.seat.who))

    @property
    def caller(self) -> str:
        """Return the address of whoever asks, as limits count it."""
        return guard.network(str(self.request.remote_ip))

    def _payer(self) -> str:
        """Return whose pace a request counts for: a known seat's, or else the address's.

        In IPv6 a whole home is one /64: what others ask for there keeps no seat out.
        """
        token = self.house.visitors.seated(self.get_cookie(COOKIE) or "")
        return self.caller if token is None else f"seat {token}"

    def _local(self) -> str:
        """The address that this connection came to."""
        stream = self.request.connection.stream  # type: ignore[union-attr]
        name = stream.socket.getsockname() if stream.socket is not None else ("",)
        return str(name[0]) if isinstance(name, tuple) else ""

    def _guard_post(self, now: float) -> None:
        if not self.house.posts.let_in(self._payer(), now):
            raise HTTPError(429)
        if self.request.headers.get("Origin") != f"http://{self.request.host}":
            raise HTTPError(403)
        kind = self.request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            raise HTTPError(415)

    async def _find_seat(self) -> None:
        """Find whose phone it is. Raises HTTPError where only a phone with a seat may come in."""
        cookie = self.get_cookie(COOKIE)
        if cookie:
            try:
                self.seat = await self.house.visitors.known(cookie, self.language())
            except Away:
                raise HTTPError(503) from None
            self.has_lost_seat = self.seat is None
        if self.seat is None and self.needs_seat:
            raise HTTPError(401)

    def body(self) -> dict[str, Any]:
        """What was posted. Raises HTTPError if that is no JSON object."""
        try:
            found = strict_json.read(self.request.body)
        except NotJson:
            raise HTTPError(400) from None
        if not isinstance(found, dict):
            raise HTTPError(400)
        return found

    def language(self) -> str:
        """The language that this phone has chosen, or that it asks for."""
        chosen = self.get_cookie(LANGUAGE)
        if chosen in LANGUAGES:
            return str(chosen)
        wanted = self.request.headers.get("Accept-Language", "")
        return next((one for one in LANGUAGES if wanted.lower().startswith(one)), LANGUAGES[0])

    def words(self) -> Words:
        """The page's own sentences, in the language of this phone."""
        return Words(self.language())

    async def watched(self) -> SeatWatch:
        """The seat whose game this phone sees, or everybody, awake and in its language."""
        seat = self.seat or self.house.visitors.everybody(self.language())
        await seat.speak(self.language())
        await seat.wake()
        return seat

    def wrong(self, code: str, **facts: object) -> Message:
        """An error of the page's own, as the box tells its errors."""
        message = self.words()(f"page.error.{code}", **facts)
        return {"type": "error", "code": code, "message": message}

    def remember(self, name: str, value: str) -> None:
        """Give the phone a cookie that no script and no other site can use."""
        self.set_cookie(name, value, expires_days=DAYS, httponly=True, samesite="Strict", path="/")

    def answer(self, message: dict[str, Any], status: int = 200) -> None:
        """Answer in JSON."""
        self.set_status(status)
        self.set_header("Content-Type", f"{JSON}; charset=utf-8")
        self.finish(json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    def compute_etag(self) -> str | None:
        """No page is kept, so none needs a mark."""
        return None

    def log_exception(self, typ: Any, value: Any, tb: Any) -> None:
        """Log a slip of ours, and never what was asked for: a code may stand in it."""
        if not isinstance(value, HTTPError):
            LOG.error("a request could not be answered", exc_info=(typ, value, tb))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Answer a browser that opens a page with a sentence, and all others with the number."""
        error = kwargs.get("exc_info", (None, None))[1]
        if isinstance(error, WrongHostError) and self.request.method == "GET":
            url = address.told(guard.bracketed(self._local()), self.house.port)
            self.send_page(sheet.wrong_host(f"http://{url}"), status_code)
        elif self.is_read():
            words = self.words()
            text = words(f"page.{REASONS.get(status_code, 'refused')}")
            note = sheet.drawn("note.html", words, words("page.title"), text=text)
            self.send_page(note, status_code)
        else:
            self.answer({"error": status_code}, status_code)

    def is_read(self) -> bool:
        """Return True if a browser asks for a page to show, and not a script for its data."""
        return "text/html" in self.request.headers.get("Accept", "")

    def send_page(self, page: bytes, status: int = 200) -> None:
        """Answer with a page."""
        self.set_status(status)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(page)


class NothingHandler(Handler):
    """Whatever is not there."""

    async def prepare(self) -> None:
        """Let in who may come in, and tell them that there is nothing. Raises HTTPError."""
        await super().prepare()
        raise HTTPError(404)
