"""The web page's connections to the box: for each seat, and for the public in each language."""

from __future__ import annotations

import asyncio
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NoBase64
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.door.async_client import PHONE_REMOVED_CODE, AsyncClient
from companion.door.client import Disconnected
from companion.door.lines import Message
from companion.page.event_store import SeatEventStore
from companion.page.guard import MAX_PLAYER_NAME_LENGTH, TOKEN_DIGITS, are_tokens_equal

MAX_PHONES: Final = 16
"""The maximum number of phones with a seat that the page serves."""
CONFIRMATION_TIMEOUT_SECONDS: Final = 150.0
"""The maximum time in seconds in which people at the box must decide whether a phone may join."""
RETRY_DELAYS_SECONDS: Final = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds between attempts to connect to the box, while a phone or television shows the page."""
IDLE_SEAT_SECONDS: Final = 60.0
"""Seconds without an event stream after which a seat's connection to the box is closed."""
MAX_OPENING_CONNECTIONS: Final = 4
"""The maximum number of seats whose connection to the box is opened at the same time.

At each opening, the box checks the seat's token.
"""
LOST_SEAT_CODES: Final = frozenset({"wrong_token", "no_seat", PHONE_REMOVED_CODE})
"""Codes of the box's errors which mean that a phone's token is no longer valid."""


class SeatConnection:
    """The web page's connection to the box for one seat, or for the public.

    - `who`: the player of the seat; None for the public.
    - `language`: the language of the received lines; "" means that the connection receives only
      replies.
    """

    def __init__(
        self, path: Path, language: str = "", who: str | None = None, token: str = ""
    ) -> None:
        self.language, self.who, self.token, self.watch = language, who, token, SeatEventStore()
        self.removed = False
        self._path = path
        self._line: AsyncClient | None = None
        self._last: int | None = None
        self._resting: asyncio.TimerHandle | None = None
        self._opening = asyncio.Lock()
        self._after_hello: list[Message] = []

    @property
    def is_connected(self) -> bool:
        """Return True if the connection to the box is open."""
        return self._line is not None

    async def connect(self) -> None:
        """Connect to the box, unless the connection is open or the seat is lost.

        Do nothing if the box is not running.
        """
        async with self._opening:
            if self._line is None and not self.removed:
                with suppress(Disconnected):
                    await self._open()

    async def _open(self) -> None:
        line = AsyncClient(self._take, self._on_disconnect)
        await line.open(self._path)
        if self.who is not None:
            given = {"join": self.who, "token": self.token, "lang": self.language}
            reply = await line.request_first_matching_reply(given, {"joined"})
            if reply["type"] != "joined":
                line.close()
                if not self.removed and reply.get("code") in LOST_SEAT_CODES:
                    self.removed = True
                    self.watch.report_lost_seat("lost")
                return
        await self._begin(line)

    async def _begin(self, line: AsyncClient) -> None:
        for message in self._after_hello:
            line.send(message)
        await self._listen(line)
        self._line = line
        self.watch.report_whether_box_runs(awake=True)

    async def _listen(self, line: AsyncClient) -> None:
        if self.language:
            missed = {} if self._last is None else {"after": self._last}
            given = {"frames": True, "lang": self.language, "confirm": True}
            line.send({"watch": True, **given, **missed})
            await line.request_all_replies({"frame": True})

    async def set_language(self, language: str) -> None:
        """Change the language of messages, and request the present state in the new language."""
        if language != self.language:
            self.language, self._last = language, None
            if self._line is not None:
                with suppress(Disconnected):
                    await self._listen(self._line)

    async def request_seat(self, name: str, code: str) -> Message:
        """Request a seat with a join code, and wait until people at the box decide.

        Return the box's message `joined`, or an error message. Raise Disconnected if the box does
        not reply.
        """
        line = AsyncClient(self._take, self._on_disconnect)
        await line.open(self._path)
        try:
            given = {"join": name, "code": code, "lang": self.language}
            reply = await line.request_first_matching_reply(
                given, {"joined"}, CONFIRMATION_TIMEOUT_SECONDS
            )
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
        if message.get("code") == PHONE_REMOVED_CODE:
            self.removed = True
            self.watch.report_lost_seat("removed")
            return
        self._last = message.get("event_id", self._last)
        self.watch.store_message(message)

    def disconnect_after_idle_time(self) -> None:
        """After `IDLE_SEAT_SECONDS`, close the connection if no phone shows the page."""
        if self._resting is not None:
            self._resting.cancel()
        self._resting = asyncio.get_running_loop().call_later(
            IDLE_SEAT_SECONDS, self._leave_unheard
        )

    def _leave_unheard(self) -> None:
        if not self.watch.listeners:
            self.close()

    def _on_disconnect(self) -> None:
        self._line = None
        if not self.removed:
            self.watch.report_whether_box_runs(awake=False)

    async def request_all_replies(self, message: Message) -> list[Message]:
        """Send the box a request, and return all replies to the request.

        Raise Disconnected if the box is not running.
        """
        return await (await self._there()).request_all_replies(message)

    async def request_first_matching_reply(self, message: Message, kinds: set[str]) -> Message:
        """Send the box a request.

        Return the first reply that is an error or whose type is in `kinds`.

        Raise Disconnected if the box is not running.
        """
        return await (await self._there()).request_first_matching_reply(message, kinds)

    async def _there(self) -> AsyncClient:
        await self.connect()
        if self._line is None:
            raise Disconnected("nobody opens")
        return self._line

    def send_at_each_connection(self, message: Message) -> None:
        """Send the box a message now, and again after each reconnection.

        The message replaces the message of an earlier call.
        """
        self._after_hello = [message]
        if self._line is not None:
            self._line.send(message)

    def close(self) -> None:
        """Close the connection to the box."""
        if self._line is not None:
            self._line.close()


class BoxConnections:
    """The web page's connections to the box: for the public by language, and for seats by token.

    `box` is the connection for requests about recorded games and for the page's address.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.box = SeatConnection(path)
        self._everybody: dict[str, SeatConnection] = {}
        self._seats: dict[str, SeatConnection] = {}
        self._coming: dict[tuple[str, str], SeatConnection] = {}
        self._doubts = asyncio.Semaphore(MAX_OPENING_CONNECTIONS)
        self._retrying: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    def public_connection(self, language: str) -> SeatConnection:
        """Return the connection to the box for browsers without a seat, in a language."""
        return self._everybody.setdefault(language, SeatConnection(self._path, language))

    async def find_seat_connection(self, cookie: str, language: str) -> SeatConnection | None:
        """Return the connection to the box for the seat that a phone's cookie names.

        Return None if the cookie's token is not valid. Raise Disconnected if the box is not
        running, or if `MAX_PHONES` phones use the page.
        """
        who, token = decode_seat_cookie(cookie)
        if not who:
            return None
        seat = next((s for s in self._seats.values() if are_tokens_equal(s.token, token)), None)
        if seat is not None and seat.who != who:
            return None
        if seat is None:  # share one connection among simultaneous requests of a phone
            seat = self._coming.setdefault(
                (who, token), SeatConnection(self._path, language, who, token)
            )
        try:
            if not seat.is_connected:
                async with self._doubts:
                    await seat.connect()
        finally:
            self._coming.pop((who, token), None)
        if not seat.is_connected and not seat.removed:
            raise Disconnected("nobody knows that token now")
        if seat.removed:
            self._seats.pop(token, None)
            return None
        if not self._add(seat):
            raise Disconnected("there are phones enough")
        return seat

    def find_player_of_cookie(self, cookie: str) -> str | None:
        """Return the player whose seat a cookie names; None if the page does not know the token."""
        who, token = decode_seat_cookie(cookie)
        is_seated = any(
            are_tokens_equal(s.token, token) and s.who == who for s in self._seats.values()
        )
        return who if who and is_seated else None

    def _add(self, seat: SeatConnection) -> bool:
        """Store a seat's connection to the box.

        If there are more than `MAX_PHONES` connections, close a connection without an event stream.
        If all connections have an event stream, close the new connection and return False.
        """
        self._seats.setdefault(seat.token, seat)
        quiet = (s for s in self._seats.values() if not s.watch.listeners and s is not seat)
        while len(self._seats) > MAX_PHONES:
            if (leaving := next(quiet, None)) is None:
                self._seats.pop(seat.token).close()
                return False
            self._seats.pop(leaving.token).close()
        return True

    async def request_seat(
        self, name: str, code: str, language: str
    ) -> tuple[Message, SeatConnection]:
        """Request the seat of player `name` with a join code.

        Return the box's reply and the seat's connection to the box. Raise Disconnected if the box
        does not reply.
        """
        seat = SeatConnection(self._path, language)
        reply = await seat.request_seat(name, code)
        if reply["type"] == "joined":
            self._add(seat)
        return reply, seat

    def disconnect_removed_seat(self, seat: SeatConnection) -> None:
        """Close and delete the connection of a seat whose token the box has deleted."""
        self._seats.pop(seat.token, None)
        seat.watch.report_lost_seat("gone")
        seat.close()

    def reconnect_while_box_away(self) -> None:
        """Try repeatedly to connect to the box, while a phone or television shows the page."""
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

    def _waiting(self) -> list[SeatConnection]:
        return [s for s in self.all_connections() if s.watch.listeners and not s.watch.awake]

    def all_connections(self) -> list[SeatConnection]:
        """Return the connections to the box for the public, for seats and for the page itself."""
        seats = (seat for seat in self._seats.values() if not seat.removed)
        return [self.box, *self._everybody.values(), *seats]

    async def close(self) -> None:
        """Close all connections to the box."""
        self._closing.set()
        if self._retrying is not None:
            await self._retrying
        for seat in self.all_connections():
            seat.close()


def encode_seat_cookie(seat: SeatConnection) -> str:
    """Return the cookie for a seat's phone: the player's name in base64, a dot, and the token."""
    return f"{urlsafe_b64encode(str(seat.who).encode()).decode().rstrip('=')}.{seat.token}"


def decode_seat_cookie(cookie: str) -> tuple[str, str]:
    """Return the player's name and the token that a phone's cookie contains.

    Return two empty strings if the cookie is not valid.
    """
    name, _, token = cookie.partition(".")
    if not re.fullmatch(rf"[0-9a-f]{{{TOKEN_DIGITS}}}", token):
        return "", ""
    try:
        who = urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()
    except (NoBase64, ValueError):
        return "", ""
    return (who, token) if 0 < len(who) <= MAX_PLAYER_NAME_LENGTH else ("", "")


def is_valid_player_name(name: Any) -> bool:
    """Return True if `name` has the type, length and characters of a player's name."""
    return isinstance(name, str) and 0 < len(name) <= MAX_PLAYER_NAME_LENGTH and name.isprintable()
