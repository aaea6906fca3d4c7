"""The page's connections to the door: public ones, and one for each phone with a seat."""

from __future__ import annotations

import asyncio
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NoBase64
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.door.async_client import AsyncClient
from companion.door.client import Disconnected
from companion.door.lines import Message
from companion.page.guard import MAX_NAME_LENGTH, TOKEN_DIGITS, is_same_token
from companion.page.watch import Watch

MAX_PHONES: Final = 16
"""The maximum number of phones with a seat."""
CONFIRMATION_TIMEOUT_SECONDS: Final = 150.0
"""The time in seconds within which the table confirms a phone's request with OK."""
RETRY_DELAYS_SECONDS: Final = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""The delays in seconds between attempts to reach the door, while a page is open."""
GONE_AFTER_SECONDS: Final = 60.0
"""The time in seconds without an open page after which a phone counts as gone."""
MAX_TOKEN_CHECKS: Final = 4
"""The maximum number of unknown tokens that are checked at the door at a time."""
LOST_SEAT_CODES: Final = frozenset({"wrong_token", "no_seat", "removed"})
"""Errors after which a token has no seat any more; after other errors it keeps its seat."""


class SeatWatch:
    """The connection to the door of a seat. `who` is its player, None for the public.

    - `language`: the language of all lines; without one the connection only sends requests.
    - `own_undo`: the number of the question about an undo that this seat requested.
    """

    def __init__(
        self, path: Path, language: str = "", who: str | None = None, token: str = ""
    ) -> None:
        self.language, self.who, self.token, self.watch = language, who, token, Watch()
        self.removed = False
        self.own_undo = 0
        self._path = path
        self._line: AsyncClient | None = None
        self._last: int | None = None
        self._resting: asyncio.TimerHandle | None = None
        self._opening = asyncio.Lock()
        self._after_hello: list[Message] = []

    @property
    def is_here(self) -> bool:
        """Return True if it is connected to the door."""
        return self._line is not None

    async def connect(self) -> None:
        """Connect to the door, if the box is running."""
        async with self._opening:
            if self._line is None and not self.removed:
                with suppress(Disconnected):
                    await self._open()

    async def _open(self) -> None:
        line = AsyncClient(self._take, self._on_disconnect)
        await line.open(self._path)
        if self.who is not None:
            given = {"join": self.who, "token": self.token, "lang": self.language}
            reply = await line.request_reply(given, {"joined"})
            if reply["type"] != "joined":
                self.removed = reply.get("code") in LOST_SEAT_CODES
                line.close()
                if self.removed:
                    self.watch.report_lost_seat()
                return
        await self._begin(line)

    async def _begin(self, line: AsyncClient) -> None:
        for message in self._after_hello:
            line.send(message)
        await self._listen(line)
        self._line = line
        self.watch.report_presence(awake=True)

    async def _listen(self, line: AsyncClient) -> None:
        """Subscribe and wait for the present state."""
        if self.language:
            missed = {} if self._last is None else {"after": self._last}
            given = {"frames": True, "lang": self.language, "confirm": True}
            line.send({"watch": True, **given, **missed})
            await line.request_replies({"frame": True})

    async def set_language(self, language: str) -> None:
        """Change the language and receive the present state anew."""
        if language != self.language:
            self.language, self._last = language, None
            if self._line is not None:
                with suppress(Disconnected):
                    await self._listen(self._line)

    async def request_seat(self, name: str, code: str) -> Message:
        """Request a seat and wait for the press.

        Return `joined` or an error. Raise Disconnected.
        """
        line = AsyncClient(self._take, self._on_disconnect)
        await line.open(self._path)
        try:
            given = {"join": name, "code": code, "lang": self.language}
            reply = await line.request_reply(given, {"joined"}, CONFIRMATION_TIMEOUT_SECONDS)
        except BaseException:
            line.close()
            raise
        if reply["type"] != "joined":
            line.close()
            return reply
        self.who, self.token = str(reply["seat"]), str(reply["token"])
        await self._begin(line)
        return reply

    def _take(self, message: Message) -> None:
        self._last = message.get("event_id", self._last)
        self.watch.store(message)

    def disconnect_when_unused(self) -> None:
        """Disconnect after a while, unless a page of this phone opens.

        The box then sees it as gone.
        """
        if self._resting is not None:
            self._resting.cancel()
        self._resting = asyncio.get_running_loop().call_later(
            GONE_AFTER_SECONDS, self._leave_unheard
        )

    def _leave_unheard(self) -> None:
        if not self.watch.listeners:
            self.close()

    def _on_disconnect(self) -> None:
        self._line = None
        self.watch.report_presence(awake=False)

    async def request_replies(self, message: Message) -> list[Message]:
        """Send a request and return the direct replies. Raise Disconnected."""
        return await (await self._there()).request_replies(message)

    async def request_reply(self, message: Message, kinds: set[str]) -> Message:
        """Send a request and return the reply of one of `kinds`. Raise Disconnected."""
        return await (await self._there()).request_reply(message, kinds)

    async def _there(self) -> AsyncClient:
        await self.connect()
        if self._line is None:
            raise Disconnected("nobody opens")
        return self._line

    def send_at_each_connection(self, message: Message) -> None:
        """Send a message now, and again after each reconnection."""
        self._after_hello = [message]
        if self._line is not None:
            self._line.send(message)

    def close(self) -> None:
        """Disconnect."""
        if self._line is not None:
            self._line.close()


class PageVisitors:
    """The public watches, and the seats' watches by token.

    If there are too many, an unused one ends. `box` is the connection for requests about the box,
    and for the page's address.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.box = SeatWatch(path)
        self._everybody: dict[str, SeatWatch] = {}
        self._seats: dict[str, SeatWatch] = {}
        self._coming: dict[tuple[str, str], SeatWatch] = {}
        self._doubts = asyncio.Semaphore(MAX_TOKEN_CHECKS)
        self._retrying: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    def public_watch(self, language: str) -> SeatWatch:
        """Return the public watch in a language."""
        return self._everybody.setdefault(language, SeatWatch(self._path, language))

    async def find_seat(self, cookie: str, language: str) -> SeatWatch | None:
        """Return the watch of the seat in a cookie; None if its token is not valid.

        Raise Disconnected if the box cannot be asked, or if the page has no room for another seat.
        """
        who, token = read_cookie(cookie)
        if not who:
            return None
        seat = next((s for s in self._seats.values() if is_same_token(s.token, token)), None)
        if seat is not None and seat.who != who:
            return None
        if seat is None:  # simultaneous requests of a phone share one watch
            seat = self._coming.setdefault(
                (who, token), SeatWatch(self._path, language, who, token)
            )
        try:
            if not seat.is_here:
                async with self._doubts:
                    await seat.connect()
        finally:
            self._coming.pop((who, token), None)
        if not seat.is_here and not seat.removed:
            raise Disconnected("nobody knows that token now")
        if seat.removed:
            self._seats.pop(token, None)
            return None
        if not self._add(seat):
            raise Disconnected("there are phones enough")
        return seat

    def find_player(self, cookie: str) -> str | None:
        """Return the player of a known cookie, without a request to the box."""
        who, token = read_cookie(cookie)
        is_seated = any(
            is_same_token(s.token, token) and s.who == who for s in self._seats.values()
        )
        return who if who and is_seated else None

    def _add(self, seat: SeatWatch) -> bool:
        """Store a seat's watch if there is room. An unused phone's watch is removed for it."""
        self._seats.setdefault(seat.token, seat)
        quiet = (s for s in self._seats.values() if not s.watch.listeners and s is not seat)
        while len(self._seats) > MAX_PHONES:
            if (leaving := next(quiet, None)) is None:
                self._seats.pop(seat.token).close()
                return False
            self._seats.pop(leaving.token).close()
        return True

    async def request_seat(self, name: str, code: str, language: str) -> tuple[Message, SeatWatch]:
        """Request a seat with a code. Raise Disconnected."""
        seat = SeatWatch(self._path, language)
        reply = await seat.request_seat(name, code)
        if reply["type"] == "joined":
            self._add(seat)
        return reply, seat

    def forget_seat(self, seat: SeatWatch) -> None:
        """Forget a phone's token after the box has forgotten it."""
        self._seats.pop(seat.token, None)
        seat.watch.report_lost_seat()
        seat.close()

    def reconnect(self) -> None:
        """Try to reach the door repeatedly while a page is open and the box is away."""
        if self._retrying is None or self._retrying.done():
            self._retrying = asyncio.create_task(self._retry())

    async def _retry(self) -> None:
        n = 0
        while waiting := [] if self._closing.is_set() else self._waiting():
            await asyncio.wait([asyncio.create_task(seat.connect()) for seat in waiting])
            if all(seat.watch.awake or seat.removed for seat in waiting):
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(
                    self._closing.wait(),
                    RETRY_DELAYS_SECONDS[min(n, len(RETRY_DELAYS_SECONDS) - 1)],
                )
            n += 1

    def _waiting(self) -> list[SeatWatch]:
        return [s for s in self.all_watches() if s.watch.listeners and not s.watch.awake]

    def all_watches(self) -> list[SeatWatch]:
        """Return the watches of the public and of all phones."""
        seats = (seat for seat in self._seats.values() if not seat.removed)
        return [self.box, *self._everybody.values(), *seats]

    async def close(self) -> None:
        """Disconnect all."""
        self._closing.set()
        if self._retrying is not None:
            await self._retrying
        for seat in self.all_watches():
            seat.close()


def cookie_of(seat: SeatWatch) -> str:
    """Return a phone's cookie: its name in ASCII, and its token."""
    return f"{urlsafe_b64encode(str(seat.who).encode()).decode().rstrip('=')}.{seat.token}"


def read_cookie(cookie: str) -> tuple[str, str]:
    """Return name and token of a cookie; two empty texts if it is not valid."""
    name, _, token = cookie.partition(".")
    if not re.fullmatch(rf"[0-9a-f]{{{TOKEN_DIGITS}}}", token):
        return "", ""
    try:
        who = urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()
    except (NoBase64, ValueError):
        return "", ""
    return (who, token) if 0 < len(who) <= MAX_NAME_LENGTH else ("", "")


def is_player_name(name: Any) -> bool:
    """Return True if a value can be the name of a player."""
    return isinstance(name, str) and 0 < len(name) <= MAX_NAME_LENGTH and name.isprintable()
