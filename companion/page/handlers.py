"""What phones may ask for: pages, events, and what a seat does."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from tornado.iostream import StreamClosedError
from tornado.web import HTTPError

from companion.page import sheet
from companion.page.desk import COOKIE, LANGUAGE, Desk
from companion.page.files import drawing
from companion.page.lines import Away
from companion.page.told import telling, wrong
from companion.page.visitors import cookie_of, is_name
from companion.say.words import LANGUAGES

if TYPE_CHECKING:
    from companion.page.desk import House
    from companion.page.lines import Message
    from companion.page.told import Telling
    from companion.page.watch import Event, Watch

OF_SEAT, OF_ADDRESS, STREAMS = 4, 4, 32
"""Pages that are told at the same time, at most: of one seat, without a seat from one address, and
without a seat in all: whoever is let in at the box finds room whatever others have opened."""
BEHIND: Final = 512 * 1024
"""Bytes that may wait for a slow phone; then it is dropped."""
VERBS: Final = frozenset({"answer", "interrupt", "undo", "redo", "why", "look", "check"})
"""What a phone may say at the door."""
HIDDEN: Final = frozenset({"secret"})
"""Lines that a phone asks for with a finger on the glass, and that are never sent unasked."""


def _hello(message: Message, told: Telling) -> Message:
    """Which game is played, and how it is drawn."""
    own = drawing(message.get("game"), told.language)
    return {**told.line(message, {}), "drawing": own}


def seen(watch: Watch, told: Telling, *, private: bool) -> Message:
    """All that stands, for a page that begins. Without `private` no choice of a secret is in it."""
    view = watch.state or {}
    ask = watch.ask and told.line(watch.ask, view)
    if ask is not None and ask.get("private") and not private:
        ask = {**ask, "choices": [], "hidden": True}
    return {
        "type": "whole",
        "hello": _hello(watch.hello, told),
        "state": watch.state and told.line(watch.state, view),
        "ask": ask,
        "over": watch.over,
        "frame": watch.frame and watch.frame.get("png"),
        "told": [told.line(message, view) for message in watch.told],
        "awake": watch.awake,
    }


class Page(Desk):
    """A page with what stands in it, so that it is useful before the first event."""

    view: ClassVar[str] = "phone"

    async def get(self) -> None:
        """Show the page."""
        seat = self.watched()
        await seat.wake()
        told = self.telling()
        model = {
            **seen(seat.watch, told, private=False),
            "me": self.seat and self.seat.who,
            "view": self.view,
        }
        if self.get_cookie(COOKIE) and self.seat is None:
            self.clear_cookie(COOKIE)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(sheet.live(model, told))


class Board(Page):
    """The table for a television: it has no seat, whoever asks."""

    view = "board"

    async def _find_seat(self) -> None:
        """Nobody sits here."""


class Events(Desk):
    """What happens, as it happens: server-sent events, from where the phone was."""

    _told: tuple[tuple[str | None, str], Telling] | None = None
    _watch: Watch | None = None
    _waiting = 0
    whose = ""

    def initialize(self, house: House) -> None:
        """Take what is shared."""
        super().initialize(house)
        self._left = asyncio.Event()

    async def get(self) -> None:
        """Tell what stands, or what was missed; then all that happens, until the phone leaves."""
        if not self.get_query_argument("seat", ""):
            seat = self.house.visitors.everybody
        elif self.seat is not None:
            seat = self.seat
        else:
            raise HTTPError(401)
        self.whose = seat.who or ""
        if not self._has_room():
            raise HTTPError(429)
        self.house.streams.add(self)
        try:
            await seat.wake()
            if not self._left.is_set():
                self._begin(seat.watch)
                await self._left.wait()
        finally:
            self.on_connection_close()

    def _begin(self, watch: Watch) -> None:
        """Tell what stands, or what was missed, and listen from then on."""
        self._watch = watch
        # Of several small lines none waits until the phone has said that it has the one before.
        self.request.connection.stream.set_nodelay(True)  # type: ignore[union-attr] # as in _write
        self.set_header("Content-Type", "text/event-stream")
        was = self.request.headers.get("Last-Event-ID") or self.get_query_argument("after", "")
        self._catch_up(watch, was)
        watch.listeners.add(self._hear)
        if not watch.awake:
            self.house.visitors.look_out()

    def _has_room(self) -> bool:
        """Whether one more page may be told: a seat has pages of its own."""
        others = [one for one in self.house.streams if one.whose == self.whose]
        if self.whose:
            return len(others) < OF_SEAT
        return (
            len(others) < STREAMS and [one.caller for one in others].count(self.caller) < OF_ADDRESS
        )

    def _catch_up(self, watch: Watch, mark: str) -> None:
        missed = watch.since(mark)
        if missed is None:
            self._send(seen(watch, self._telling(watch), private=True), watch.mark())
            return
        self.beat()
        for event in missed:
            self._hear(event)

    def _telling(self, watch: Watch) -> Telling:
        """The words of the game that is played now; another may have begun."""
        game = watch.hello.get("game"), watch.printed
        if self._told is None or self._told[0] != game:
            self._told = (game, telling(self.language(), *game))
        return self._told[1]

    def _hear(self, event: Event) -> None:
        watch, message = self._watch, event.message
        assert watch is not None  # noqa: S101 - whoever listens has one
        if message["type"] == "box" and not message["awake"]:
            self.house.visitors.look_out()
        if message["type"] in HIDDEN:
            message = {"type": "news", "event": message["event"]}
        elif message["type"] == "hello":
            message = _hello(message, self._telling(watch))
        else:
            message = self._telling(watch).line(message, watch.state or {})
        self._send(message, watch.mark(event.n))

    def _send(self, message: Message, mark: str) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        self._write(f"id: {mark}\ndata: {text}\n\n")

    def beat(self) -> None:
        """Show that the page is there, once it has begun to tell."""
        if self._watch is not None:
            self._write("event: beat\ndata:\n\n")

    def _write(self, text: str) -> None:
        """Send it now; a phone that reads too slowly is dropped, never waited for."""
        if self._waiting > BEHIND:
            self.request.connection.stream.close()  # type: ignore[union-attr]
            return
        self._waiting += len(text)
        self.write(text)
        self.flush().add_done_callback(partial(self._written, len(text)))

    def _written(self, size: int, done: Any) -> None:
        self._waiting -= size
        with suppress(StreamClosedError):
            done.result()

    def end(self) -> None:
        """Let the phone go; it will come back."""
        self._left.set()

    def on_connection_close(self) -> None:
        """Nobody reads any more."""
        if self._watch is not None:
            self._watch.listeners.discard(self._hear)
        self.house.streams.discard(self)
        self._left.set()


class Do(Desk):
    """What a seat does: an answer, an interruption, undo, redo, why, a look, a word to check."""

    needs_seat = True

    async def post(self) -> None:
        """Hand it on to the box, and say what came of it."""
        message = self.body()
        if len(message.keys() & VERBS) != 1 or message.keys() - VERBS - {"id"}:
            raise HTTPError(400)
        assert self.seat is not None  # noqa: S101 - needs_seat
        told, view = self.telling(), self.seat.watch.state or {}
        try:
            if "check" in message:
                said = [await self.seat.ask(message, {"checked"})]
            else:
                said = await self.seat.do(message)
        except Away:
            self.answer({"error": told.line(wrong("no_box"), view)})
            return
        error = next((line for line in said if line["type"] == "error"), None)
        if error is not None:
            self.answer({"error": told.line(error, view)})
            return
        self.answer({"ok": True, "said": [told.line(line, view) for line in said]})


class Join(Desk):
    """A phone that asks for a seat: the table presses OK."""

    _asking: asyncio.Task[Any] | None = None

    async def post(self) -> None:
        """Ask, wait for the press, and give the phone its token."""
        message, now = self.body(), asyncio.get_running_loop().time()
        name, code = message.get("name"), message.get("code")
        if message.keys() != {"name", "code"} or not is_name(name) or not is_name(code):
            raise HTTPError(400)
        wait = self.house.tries.wait(self.caller, now)
        if wait > 0:
            self._refuse(wrong("slow_down", seconds=round(wait) + 1))
            return
        self._asking = asyncio.ensure_future(
            self.house.visitors.join(str(name), str(code).strip().upper())
        )
        try:
            reply, seat = await self._asking
        except Away:
            self._refuse(wrong("no_box"))
            return
        if reply["type"] != "joined":
            if reply.get("code") == "wrong_code":
                self.house.tries.failed(self.caller, now)
            self._refuse(reply)
            return
        self.house.tries.right(self.caller)
        self.remember(COOKIE, cookie_of(seat))
        self.answer({"ok": True, "seat": seat.who})

    def _refuse(self, error: Message) -> None:
        self.answer({"error": self.telling().line(error, {})})

    def on_connection_close(self) -> None:
        """The phone has gone: nobody need press any more."""
        if self._asking is not None:
            self._asking.cancel()


class Leave(Desk):
    """A phone that gives its seat back."""

    needs_seat = True

    async def post(self) -> None:
        """Have the box forget its token, and then forget the phone here."""
        assert self.seat is not None  # noqa: S101 - needs_seat
        told = self.telling()
        try:
            reply = await self.seat.ask({"leave": True}, {"left"})
        except Away:
            reply = wrong("no_box")
        if reply["type"] == "error":
            self.answer({"error": told.line(reply, {})})
            return
        self.house.visitors.leave(self.seat)
        self.clear_cookie(COOKIE)
        self.answer({"ok": True})


class Language(Desk):
    """A phone that is read in another language."""

    async def post(self) -> None:
        """Remember the language."""
        language = self.body().get("language")
        if language not in LANGUAGES:
            raise HTTPError(400)
        self.remember(LANGUAGE, str(language))
        self.answer({"ok": True})
