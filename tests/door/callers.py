"""Helpers: a box with a door, and programs that are connected to the door without a socket."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from companion.door.lines import (
    InvalidProtocolLineError,
    Message,
    ProtocolRequest,
    parse_protocol_line,
)
from companion.door.peers import (
    Event,
    PeerConnected,
    PeerConnection,
    PeerDisconnected,
    PeerLineReceived,
)
from companion.record.journal import Journal
from companion.remote.doorway import DoorServerAndCallbacks
from companion.remote.verbs import request_schemas
from companion.say.dictionary import Dictionary, WordVerdict
from tests.helpers import Drive


class Wire:
    """A fake socket that stores the bytes that each connection receives."""

    def __init__(self) -> None:
        self.told: dict[int, list[bytes]] = {}
        self.dropped: list[int] = []
        self.done = 0
        self.closed = False

    def send(self, batch: Iterable[tuple[int, bytes]], *, done: bool = False) -> None:
        self.done += done
        for number, data in batch:
            self.told.setdefault(number, []).append(data)

    def close_connection(self, number: int) -> None:
        self.dropped.append(number)

    def close(self) -> None:
        self.closed = True


def unvisited(_: Callable[[Event], None]) -> DoorServerAndCallbacks:
    server: Any = Wire()
    return DoorServerAndCallbacks(server, "1.0", lambda _: "")


class House:
    """A box with its door, driven by tests. `woken` and `attended` count calls.

    `codes` are the displayed codes. `seats` are the lines sent to the command of computer players.
    """

    def __init__(
        self,
        journal: Journal | None = None,
        language: str = "en",
        look_up: Callable[[str, str], WordVerdict | None] = lambda _word, _language: None,
        dictionary: Callable[[], Dictionary] | None = None,
    ) -> None:
        self.wire = Wire()
        self.woken = self.attended = 0
        self.key = ""
        self.codes: list[tuple[str, str | None]] = []
        self.seats: list[str] = []
        self.ann: Caller
        self._numbers = 0
        self._look_up = look_up
        self.drive = Drive(journal, language, door=self._doorway, dictionary=dictionary)

    def _doorway(self, _: Callable[[Event], None]) -> DoorServerAndCallbacks:
        server: Any = self.wire

        def wake() -> None:
            self.woken += 1

        def attend(_service: str, key: str) -> None:
            self.attended += 1
            self.key = key

        told = partial(self._shown)
        picture, seat = bytes.hex, self.seats.append
        look_up = self._look_up
        return DoorServerAndCallbacks(server, "1.0", picture, look_up, wake, told, attend, seat)

    def _shown(self, code: str, url: str | None) -> None:
        self.codes.append((code, url))

    def hear(self, event: Event) -> None:
        """Handle an event from the door, as the loop does."""
        self.drive.loop.inbox.put(event)
        self.drive.pump()

    def caller(self, *, owner: bool = False) -> Caller:
        self._numbers += 1
        return Caller(self, PeerConnection(self._numbers, owner))

    def phone(self, name: str) -> Caller:
        """Connect a phone that has joined a seat by the code and a press."""
        caller = self.caller()
        self.open_phones()
        caller.say(join=name, code=self.codes[-1][0])
        self.drive.wait(1)
        self.drive.press("ok")
        joined = next(message for message in caller.heard[::-1] if message["type"] == "joined")
        caller.token = joined["token"]
        while self.drive.table.menus.pages and self.drive.session:
            self.drive.press("back")
        return caller

    def open_phones(self) -> None:
        if self.drive.page == "phones":
            return
        while self.drive.page not in ("home", "menu"):
            self.drive.press("back")
        self.drive.choose("phones")


class Caller:
    """One connection to the door."""

    def __init__(self, house: House, peer: PeerConnection) -> None:
        self.house, self.peer = house, peer
        self.token = ""
        self._heard: list[Message] = []
        self._read = 0
        house.hear(PeerConnected(peer))

    @property
    def raw(self) -> bytes:
        return b"".join(self.house.wire.told.get(self.peer.number, []))

    @property
    def heard(self) -> list[Message]:
        """Return the messages received since the last call."""
        told = self.house.wire.told.get(self.peer.number, [])
        new, self._read = told[self._read :], len(told)
        self._heard += [json.loads(line) for data in new for line in data.splitlines()]
        return self._heard

    def say(self, **message: Any) -> list[Message]:
        """Send a message. Return the messages received after it."""
        return self.line(json.dumps(message).encode())

    def line(self, line: bytes) -> list[Message]:
        """Send a raw line. Return the messages received after it."""
        before = len(self.heard)
        said: ProtocolRequest | InvalidProtocolLineError
        try:
            said = parse_protocol_line(line, request_schemas())
        except InvalidProtocolLineError as mistake:
            said = mistake
        self.house.hear(PeerLineReceived(self.peer, said))
        return self.heard[before:]

    def answer(self, value: Any) -> list[Message]:
        return self.say(answer=value, id=self.asked["id"])

    @property
    def asked(self) -> Message:
        """Return the last received question."""
        return next(message for message in self.heard[::-1] if message["type"] == "ask")

    def go(self) -> None:
        self.house.hear(PeerDisconnected(self.peer))


def kinds(messages: Iterable[Message]) -> list[str]:
    return [message["type"] for message in messages]
