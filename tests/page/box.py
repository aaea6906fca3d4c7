"""The page of a box in this process: the box executes posted answers and publishes the results."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from companion.page.base_handler import SEAT_COOKIE
from companion.page.box_connections import SeatConnection, encode_seat_cookie
from companion.page.event_store import NumberedEvent
from tests.door.callers import Caller, House
from tests.page.door import Door, Web, page


class BoxDoor(Door):
    """The door of a box in this process, with its connections."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self._house = house
        self._here: dict[asyncio.StreamWriter, Caller] = {}
        self._sent: dict[asyncio.StreamWriter, int] = {}

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._here[writer] = self._house.caller()
        self.flush()
        while line := await reader.readline():
            self._here[writer].line(line.strip())
            self.flush()
        self._here.pop(writer).go()
        writer.close()

    def flush(self) -> None:
        """Send all waiting messages to the connections."""
        for writer, caller in self._here.items():
            told, sent = caller.raw, self._sent.get(writer, 0)
            writer.write(told[sent:])
            self._sent[writer] = len(told)

    def drop(self) -> None:
        for writer in self._here:
            writer.close()


class Phone:
    """A phone with a seat. `heard` contains all received events and replies."""

    def __init__(self, web: Web, seat: SeatConnection, language: str) -> None:
        self.seat, self.heard = seat, list[dict[str, Any]]()
        self._web, self._language = web, language
        self.url = web.url
        seat.watch.listeners.add(self._hear)

    def _hear(self, event: NumberedEvent) -> None:
        self.heard.append(event.message)

    async def do(self, **message: Any) -> list[dict[str, Any]]:
        """Post a message. Return the box's replies to this phone, with errors."""
        headers = {
            "Cookie": f"{SEAT_COOKIE}={encode_seat_cookie(self.seat)}",
            "Accept_Language": self._language,
        }
        answer = await self._web.ask("/do", "POST", message, **headers)
        assert answer.code == 200, answer.body
        found = json.loads(answer.body)
        said = [found["error"]] if "error" in found else list(found["said"])
        self.heard += said
        return said

    async def mean(self, **message: Any) -> list[dict[str, Any]]:
        """Post a message, and confirm it if the box asks."""
        said = await self.do(**message)
        while said and said[-1].get("sure"):
            said = await self.do(answer="yes", id=said[-1]["id"])
        return said


@asynccontextmanager
async def phones(
    folder: Path, house: House, names: tuple[str, ...], language: str
) -> AsyncIterator[dict[str, Phone]]:
    """Yield phones with seats at a running box, in one language."""
    tokens = {name: house.phone(name).token for name in names}
    async with page(folder, door=BoxDoor(house)) as web:
        found = {}
        for name, token in tokens.items():
            cookie = encode_seat_cookie(SeatConnection(folder, language, name, token))
            seat = await web.pages.visitors.find_seat_connection(cookie, language)
            assert seat is not None
            found[name] = Phone(web, seat, language)
        yield found
