"""A fake door that sends prepared messages and stores received messages."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from tornado.httpclient import AsyncHTTPClient, HTTPRequest, HTTPResponse

from companion.door.lines import ProtocolRequest
from companion.page.serve import PageServerAddress, RunningPageServer

HELLO: Final = {
    "type": "hello", "protocol": 1, "lang": "en", "version": "0", "game": "kojak",
    "title": "Kojak", "players": ["Ann", "Bob"], "options": {}, "edition": {}, "commitment": "00",
}  # fmt: skip
STATE: Final = {
    "type": "state", "phase": "playing", "to_act": "Ann", "roll": 5,
    "files": dict.fromkeys(("red", "yellow", "blue", "green"), "open"),
    "places": {"red": "bank", "yellow": "city_hall", "blue": "club", "green": "hotel"},
    "circle": dict.fromkeys(("red", "yellow", "blue", "green"), 0),
    "fields": dict.fromkeys(("red", "yellow", "blue", "green"), 4),
    "red": {colour: [3] for colour in ("red", "yellow", "blue", "green")},
    "mission": {"Ann": None, "Bob": None}, "cars": {"Ann": "red", "Bob": "yellow"},
    "stage": {"Ann": "to_mission", "Bob": "to_mission"}, "warrant": {"Ann": False, "Bob": False},
    "may_arrest": [], "arrests": {"Ann": 0, "Bob": 0}, "lose_turn": [], "race": [],
    "trap_pile": 20, "mission_pile": 16, "facts": [], "named": {"red": "Red"},
}  # fmt: skip
ASK: Final = {
    "type": "ask", "id": 7, "who": "Ann", "question": "happened", "text": "Ann reached:",
    "sentence": "Ann, five: where do you land?", "ok": "Answer", "likely": None,
    "choices": [{"value": "nothing", "label": "nothing"}], "private": True, "car": "red",
}  # fmt: skip
TOKEN: Final = "0123456789abcdef" * 2
CODE: Final = "AB12"
COOKIE: Final = f"companion=QW5u.{TOKEN}"
"""The cookie of Ann's phone."""


T = TypeVar("T")
Stands: TypeAlias = Mapping[str | None, Sequence[Mapping[str, Any]]]
STANDS: Final[Stands] = {None: (HELLO, STATE, ASK)}


class Door:
    """A door that sends the messages `stands` to all clients, and further messages to seats.

    `told`: received messages. `tokens`: valid tokens. The key of messages in another language is
    the language, or seat and language. `most`: highest number of simultaneous connections.
    """

    refuses = ""
    """Code of the error for every token. If it is empty, valid tokens are accepted."""
    archive: Callable[[ProtocolRequest], str] | None = None
    """Answers requests for recorded games. Without it, the door has none."""
    evening: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    """Answers requests for a club's evening. Without it, there is no evening."""

    def __init__(self, stands: Stands = STANDS) -> None:
        self._stands = stands
        self._seats: dict[asyncio.StreamWriter, str] = {}
        self.told: list[dict[str, Any]] = []
        self.tokens = {"Ann": TOKEN}
        self.taken: set[str] = set()
        self.event = 10
        self.most = 0
        self._watching: set[asyncio.StreamWriter] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def serve(self, path: Path) -> asyncio.Server:
        return await asyncio.start_unix_server(self._talk, path)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        self.most = max(self.most, len(self._writers))
        say(writer, self._stands[None][0])
        while line := await reader.readline():
            message = json.loads(line)
            self.told.append(message)
            for answer in self._answers(message, writer):
                say(writer, answer)
        self._watching.discard(writer)
        self._writers.discard(writer)
        writer.close()

    def _answers(  # noqa: C901 - one case for each message
        self, message: dict[str, Any], writer: asyncio.StreamWriter
    ) -> list[dict[str, Any]]:
        match message:
            case {"watch": True, "lang": "en" | "fr"}:
                self._watching.add(writer)
                seat = self._seats.get(writer)
                lang = message["lang"]
                names = (f"{seat} {lang}", seat, lang, None) if seat else (lang, None)
                lines = next(self._stands[name] for name in names if name in self._stands)
                return [{**line, "event_id": n} for n, line in enumerate(lines, 1)]
            case {"join": _}:
                return [self._joined(message, writer)]
            case {"state": True}:
                return [{"type": "state"}]
            case {"frame": True}:
                return []
            case {"leave": True}:
                return [self._left(writer)]
            case {"look": True}:
                secrets = [{"event": "hand", "text": "A card."}]
                look = {"who": "Ann", "event": "look", "text": "A card.", "secrets": secrets}
                return [{"type": "secret", **look}]
            case {"wish": wish} if self.evening is not None:
                return [{"type": "evening", **self.evening(wish)}]
            case {"past": _} | {"people": True} | {"group": True} if self.archive is not None:
                told: dict[str, Any] = json.loads(
                    self.archive(ProtocolRequest(next(iter(message)), message))
                )
                return [told]
            case {"past": _} | {"people": True} | {"group": True}:
                return [{"type": "error", "code": "nothing", "message": "Nothing."}]
            case {"answer": "late"}:
                return [{"type": "error", "code": "late", "message": "Late.", "ask": ASK}]
        return []

    def _left(self, writer: asyncio.StreamWriter) -> dict[str, Any]:
        seat = self._seats.pop(writer, "Ann")
        del self.tokens[seat]
        return {"type": "left", "seat": seat}

    def _joined(self, message: dict[str, Any], writer: asyncio.StreamWriter) -> dict[str, Any]:
        match message:
            case {"token": _} if self.refuses:
                return {"type": "error", "code": self.refuses, "message": "No."}
            case {"join": who, "token": token} if self.tokens.get(who) == token:
                self._seats[writer] = who
                return {"type": "joined", "seat": who, "token": token}
            case {"token": _}:
                return {"type": "error", "code": "wrong_token", "message": "No."}
            case {"join": who} if who in self.taken:
                return {"type": "error", "code": "taken", "message": "No.", "who": who}
            case {"join": who, "code": code} if code == CODE:
                return {"type": "joined", "seat": who, "token": TOKEN}
        return {"type": "error", "code": "wrong_code", "message": "No."}

    def tell(self, line: dict[str, Any]) -> None:
        """Send a message to all watchers."""
        self.event += 1
        for writer in self._watching:
            say(writer, {**line, "event_id": self.event})

    def remove(self, seat: str) -> None:
        """Remove a seat's phones, as people at the box do."""
        del self.tokens[seat]
        for writer, who in self._seats.items():
            if who == seat:
                say(writer, {"type": "error", "code": "removed", "message": "No."})
                writer.close()

    def drop(self) -> None:
        for writer in self._writers:
            writer.close()


def say(writer: asyncio.StreamWriter, message: Mapping[str, Any]) -> None:
    writer.write(json.dumps(message).encode() + b"\n")


class Web:
    """A client that sends a browser's requests to the page."""

    def __init__(self, pages: RunningPageServer, door: Door) -> None:
        self.pages, self.door = pages, door
        self.host = f"127.0.0.1:{pages.port}"
        self.url = f"http://{self.host}"
        self._client = AsyncHTTPClient(force_instance=True)

    async def ask(
        self, path: str, method: str = "GET", body: Any = None, **headers: str
    ) -> HTTPResponse:
        """Request a path. Send a body as JSON, with the page's own origin."""
        given = {"Host": self.host}
        if method == "POST":
            given |= {"Origin": self.url, "Content-Type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        given = {name: value for name, value in given.items() if value}
        data = body if isinstance(body, (str, bytes)) or body is None else json.dumps(body)
        request = HTTPRequest(
            self.url + path, method, given, data, allow_nonstandard_methods=True,
            follow_redirects=False, request_timeout=60,
        )  # fmt: skip
        return await self._client.fetch(request, raise_error=False)

    async def status(self, path: str, method: str = "GET", body: Any = None, **headers: str) -> int:
        return (await self.ask(path, method, body, **headers)).code

    def close(self) -> None:
        self._client.close()


@asynccontextmanager
async def page(
    folder: Path, stands: Stands = STANDS, door: Door | None = None
) -> AsyncIterator[Web]:
    """Serve the page of a fake door in this process. Yield a client of the page."""
    door = door or Door(stands)
    server = await door.serve(folder / "door.sock")
    pages = RunningPageServer(PageServerAddress(folder / "door.sock", 0, "127.0.0.1"))
    await pages.start_serving()
    web = Web(pages, door)
    try:
        yield web
    finally:
        web.close()
        await pages.close()
        server.close()
        door.drop()
        await settle()


async def settle() -> None:
    """Let all started tasks run to their end."""
    for _ in range(20):
        await asyncio.wait([asyncio.ensure_future(_nothing())])


async def _nothing() -> None:
    pass


@contextmanager
def beside(
    serve: Callable[[], AbstractAsyncContextManager[T]],
) -> Iterator[tuple[T, asyncio.AbstractEventLoop]]:
    """Serve a page in a thread while a browser uses it. Yield the page and the thread's loop."""
    loop, there, over = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    found: list[T] = []

    async def serving() -> None:
        try:
            async with serve() as served:
                found.append(served)
                there.set()
                await over.wait()
        finally:
            there.set()

    def run() -> None:  # the runner cancels tasks that a busy machine has not finished
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(serving())

    thread = threading.Thread(target=run)
    thread.start()
    there.wait(60)
    try:
        yield found[0], loop
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
