"""Who is here: everybody, by one watch that has no seat, and each phone that has joined one."""

from __future__ import annotations

import asyncio
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NoBase64
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from companion.door.async_client import AsyncClient
from companion.door.client import Away
from companion.page.guard import LONGEST_NAME, TOKEN, is_same
from companion.page.watch import Watch

if TYPE_CHECKING:
    from pathlib import Path

    from companion.door.lines import Message

PHONES: Final = 16
"""Phones with a seat, at most."""
PRESS: Final = 150.0
"""Seconds in which the table presses OK for a phone that asks for a seat."""
AGAIN: Final = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds until the door is tried again, while somebody looks."""
AWAY: Final = 60.0
"""Seconds without an open page after which a phone counts as gone."""
DOUBTFUL: Final = 4
"""Tokens that the door is asked about at a time: whoever tries many takes nobody's place there."""
LOST: Final = frozenset({"wrong_token", "no_seat", "removed"})
"""Refusals by which a token has no seat any more. All others say nothing of it."""


class SeatWatch:
    """A watch with its connection to the door; `who` is the seat's player, None for everybody.

    All that it is told is in its `language`; without one it only asks, and is told nothing.
    `own_undo` is the number of the question whether the table agrees to an undo that it asked for.
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
        """Whether it is connected to the door."""
        return self._line is not None

    async def wake(self) -> None:
        """Be connected, if the box is there."""
        async with self._opening:
            if self._line is None and not self.removed:
                with suppress(Away):
                    await self._open()

    async def _open(self) -> None:
        line = AsyncClient(self._take, self._gone)
        await line.open(self._path)
        if self.who is not None:
            given = {"join": self.who, "token": self.token, "lang": self.language}
            reply = await line.ask(given, {"joined"})
            if reply["type"] != "joined":
                self.removed = reply.get("code") in LOST
                line.close()
                if self.removed:
                    self.watch.end()
                return
        await self._begin(line)

    async def _begin(self, line: AsyncClient) -> None:
        for message in self._after_hello:
            line.send(message)
        await self._listen(line)
        self._line = line
        self.watch.be(awake=True)

    async def _listen(self, line: AsyncClient) -> None:
        """Be told from now on, and wait until it was told what stands."""
        if self.language:
            missed = {} if self._last is None else {"after": self._last}
            given = {"frames": True, "lang": self.language, "confirm": True}
            line.send({"watch": True, **given, **missed})
            await line.do({"frame": True})

    async def speak(self, language: str) -> None:
        """Be told in another language, all that stands to begin with."""
        if language != self.language:
            self.language, self._last = language, None
            if self._line is not None:
                with suppress(Away):
                    await self._listen(self._line)

    async def join(self, name: str, code: str) -> Message:
        """Ask for a seat, and wait for the press at the box: `joined`, or an error. Raises Away."""
        line = AsyncClient(self._take, self._gone)
        await line.open(self._path)
        try:
            given = {"join": name, "code": code, "lang": self.language}
            reply = await line.ask(given, {"joined"}, PRESS)
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
        self.watch.take(message)

    def rest(self) -> None:
        """Leave the door if no page of this phone is opened soon: the box sees that it is gone."""
        if self._resting is not None:
            self._resting.cancel()
        self._resting = asyncio.get_running_loop().call_later(AWAY, self._leave_unheard)

    def _leave_unheard(self) -> None:
        if not self.watch.listeners:
            self.close()

    def _gone(self) -> None:
        self._line = None
        self.watch.be(awake=False)

    async def do(self, message: Message) -> list[Message]:
        """Say something at the door; what it says to this seat alone. Raises Away."""
        return await (await self._there()).do(message)

    async def ask(self, message: Message, kinds: set[str]) -> Message:
        """Ask something at the door. Raises Away."""
        return await (await self._there()).ask(message, kinds)

    async def _there(self) -> AsyncClient:
        await self.wake()
        if self._line is None:
            raise Away("nobody opens")
        return self._line

    def keep_saying(self, message: Message) -> None:
        """Say this now, and whenever the door is opened again."""
        self._after_hello = [message]
        if self._line is not None:
            self._line.send(message)

    def close(self) -> None:
        """Leave the door."""
        if self._line is not None:
            self._line.close()


class PageVisitors:
    """Everybody, and the seats of the phones by their tokens. The oldest quiet phone makes room.

    `box` is a connection that asks what the box knows, and says where the page is.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.box = SeatWatch(path)
        self._everybody: dict[str, SeatWatch] = {}
        self._seats: dict[str, SeatWatch] = {}
        self._coming: dict[tuple[str, str], SeatWatch] = {}
        self._doubts = asyncio.Semaphore(DOUBTFUL)
        self._retrying: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    def everybody(self, language: str) -> SeatWatch:
        """What all may know, in a language; the box words it only where somebody reads it."""
        return self._everybody.setdefault(language, SeatWatch(self._path, language))

    async def known(self, cookie: str, language: str) -> SeatWatch | None:
        """The seat of a cookie; None if its token is not, or no longer, one of the box's.

        Raises Away while the box cannot say, or while all places are taken.
        """
        who, token = read_cookie(cookie)
        if not who:
            return None
        seat = next((s for s in self._seats.values() if is_same(s.token, token)), None)
        if seat is not None and seat.who != who:
            return None
        if seat is None:  # two tabs come at once, and are one phone
            seat = self._coming.setdefault(
                (who, token), SeatWatch(self._path, language, who, token)
            )
        try:
            if not seat.is_here:
                async with self._doubts:
                    await seat.wake()
        finally:
            self._coming.pop((who, token), None)
        if not seat.is_here and not seat.removed:
            raise Away("nobody knows that token now")
        if seat.removed:
            self._seats.pop(token, None)
            return None
        if not self._add(seat):
            raise Away("there are phones enough")
        return seat

    def seated(self, cookie: str) -> str | None:
        """Return the player whose phone is known here by its cookie, without asking the box."""
        who, token = read_cookie(cookie)
        known = any(is_same(s.token, token) and s.who == who for s in self._seats.values())
        return who if who and known else None

    def _add(self, seat: SeatWatch) -> bool:
        """Keep a seat, if there is room; a phone that nobody holds leaves for it."""
        self._seats.setdefault(seat.token, seat)
        quiet = (s for s in self._seats.values() if not s.watch.listeners and s is not seat)
        while len(self._seats) > PHONES:
            if (leaving := next(quiet, None)) is None:
                self._seats.pop(seat.token).close()
                return False
            self._seats.pop(leaving.token).close()
        return True

    async def join(self, name: str, code: str, language: str) -> tuple[Message, SeatWatch]:
        """Ask for a seat with a code. Raises Away."""
        seat = SeatWatch(self._path, language)
        reply = await seat.join(name, code)
        if reply["type"] == "joined":
            self._add(seat)
        return reply, seat

    def leave(self, seat: SeatWatch) -> None:
        """Forget a phone here, once the box has forgotten its token."""
        self._seats.pop(seat.token, None)
        seat.watch.end()
        seat.close()

    def look_out(self) -> None:
        """Try the door again and again while somebody looks and the box is away."""
        if self._retrying is None or self._retrying.done():
            self._retrying = asyncio.create_task(self._retry())

    async def _retry(self) -> None:
        n = 0
        while waiting := [] if self._closing.is_set() else self._waiting():
            await asyncio.wait([asyncio.create_task(seat.wake()) for seat in waiting])
            if all(seat.watch.awake or seat.removed for seat in waiting):
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), AGAIN[min(n, len(AGAIN) - 1)])
            n += 1

    def _waiting(self) -> list[SeatWatch]:
        return [s for s in self.every() if s.watch.listeners and not s.watch.awake]

    def every(self) -> list[SeatWatch]:
        """Everybody's watch, and each phone's."""
        seats = (seat for seat in self._seats.values() if not seat.removed)
        return [self.box, *self._everybody.values(), *seats]

    async def close(self) -> None:
        """Leave every door."""
        self._closing.set()
        if self._retrying is not None:
            await self._retrying
        for seat in self.every():
            seat.close()


def cookie_of(seat: SeatWatch) -> str:
    """What a phone keeps: its name, in letters that a cookie can have, and its token."""
    return f"{urlsafe_b64encode(str(seat.who).encode()).decode().rstrip('=')}.{seat.token}"


def read_cookie(cookie: str) -> tuple[str, str]:
    """The name and the token of a cookie; two empty texts if it is none of ours."""
    name, _, token = cookie.partition(".")
    if not re.fullmatch(rf"[0-9a-f]{{{TOKEN}}}", token):
        return "", ""
    try:
        who = urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()
    except (NoBase64, ValueError):
        return "", ""
    return (who, token) if 0 < len(who) <= LONGEST_NAME else ("", "")


def is_name(name: Any) -> bool:
    """Whether somebody could be called so."""
    return isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and name.isprintable()
