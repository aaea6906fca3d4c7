"""The web page's request handlers for live pages, event streams and a seat's actions."""

from __future__ import annotations

import asyncio
import json
from typing import Any, ClassVar, Final

from tornado.web import HTTPError

from companion.door.client import Disconnected
from companion.door.lines import Message
from companion.door.private_questions import private_question_without_choices
from companion.page import page_html
from companion.page.base_handler import (
    LANGUAGE_COOKIE,
    SEAT_COOKIE,
    PageRequestHandler,
    SharedHandlerValues,
)
from companion.page.box_connections import SeatConnection, encode_seat_cookie, is_valid_player_name
from companion.page.event_store import NumberedEvent, SeatEventStore
from companion.page.files import game_page_resources
from companion.page.streams import EventStreamWriter
from companion.say.words import LANGUAGES

PHONE_REQUESTS: Final = frozenset({"answer", "fill", "undo", "redo", "why", "look", "check"})
"""Verbs of the requests that the web page passes from phones to the box."""
OTHER_REQUEST_FIELDS: Final = frozenset({"id", "given", "lang"})
"""Names of the fields that any request of a phone can have in addition to its verb."""
WITHHELD_MESSAGE_TYPES: Final = frozenset({"secret"})
"""Types of messages for which an event stream sends only a notice, without the content.

The phone requests the content when the player touches the page.
"""


def current_state_message(watch: SeatEventStore, language: str, *, private: bool) -> Message:
    """Return the message with the present state and question, for a page that was just opened.

    private: whether the message may contain the choices of a secret question.
    """
    ask = watch.ask
    if ask is not None and ask["private"] and not private:
        ask = private_question_without_choices(ask)
    return {
        "type": "whole",
        "hello": greeting_with_page_resources(watch.hello, language),
        "state": watch.state,
        "ask": ask,
        "offers": watch.offers,
        "over": watch.over,
        "frame": watch.frame and watch.frame.get("png"),
        "told": [*watch.told],
        "awake": watch.awake,
    }


def greeting_with_page_resources(hello: Message, language: str) -> Message:
    """Return the box's greeting with the paths of the files that draw the game."""
    return {**hello, "drawing": game_page_resources(hello.get("game"), language)}


class PhonePageHandler(PageRequestHandler):
    """The request handler for a phone's page, which shows the running game."""

    view: ClassVar[str] = "phone"

    async def get(self) -> None:
        """Send the phone's page with the present state.

        If the phone has lost its seat, delete the phone's cookie.
        """
        seat = await self.find_seat_connection()
        model = {
            **current_state_message(seat.watch, self.phone_language(), private=False),
            "me": self.seat and self.seat.who,
            "view": self.view,
        }
        if self.has_lost_seat:
            self.clear_cookie(SEAT_COOKIE)
        self.send_page(page_html.render_live_page(model, self.page_words()))


class TelevisionPageHandler(PhonePageHandler):
    """The request handler for the television's page, which shows only public data."""

    view = "board"

    async def _find_seat(self) -> None:
        """Ignore the cookie, because a television has no seat."""


class EventStreamHandler(PageRequestHandler):
    """The request handler for an event stream (server-sent events) to a phone or television."""

    _watch: SeatEventStore | None = None
    whose = ""

    def initialize(self, house: SharedHandlerValues) -> None:
        """Store the shared values, and create the stream's writer and the event of its end."""
        super().initialize(house)
        self._writer = EventStreamWriter(self)
        self._left = asyncio.Event()

    async def head(self, *_: str) -> None:
        """Raise HTTPError 405, because an event stream allows no HEAD request."""
        raise HTTPError(405)

    async def get(self) -> None:
        """Send the present state or the events that the phone missed, then send new events."""
        if not self.get_query_argument("seat", ""):
            self.seat = None  # without the query argument `seat`, send only public events
        elif self.seat is None:
            raise HTTPError(401)
        self.whose = (self.seat and self.seat.who) or ""
        if not self.house.streams.make_room(self.whose, self.client_address_or_network):
            raise HTTPError(429)
        self.house.streams.add(self)
        try:
            seat = await self.find_seat_connection()
            if not self._left.is_set():
                self._begin(seat.watch)
                await self._left.wait()
        finally:
            self.on_connection_close()

    def _begin(self, watch: SeatEventStore) -> None:
        self._watch = watch
        # send short lines at once: disable the Nagle algorithm
        self.request.connection.stream.set_nodelay(True)  # type: ignore[union-attr] # as in EventStreamWriter
        self.set_header("Content-Type", "text/event-stream")
        was = self.request.headers.get("Last-Event-ID") or self.get_query_argument("after", "")
        self._catch_up(watch, was)
        watch.listeners.add(self._hear)
        if not watch.awake:
            self.house.visitors.reconnect_while_box_away()

    def _catch_up(self, watch: SeatEventStore, mark: str) -> None:
        missed = watch.events_after(mark)
        if missed is None:
            self._send(
                current_state_message(watch, self.phone_language(), private=True), watch.event_id()
            )
            return
        for event in missed:
            self._hear(event)
        self.send_heartbeat()

    def _hear(self, event: NumberedEvent) -> None:
        watch, message = self._watch, event.message
        assert watch is not None  # noqa: S101 - a listener is called only while a watch exists
        if message["type"] == "box" and not message["awake"]:
            self.house.visitors.reconnect_while_box_away()
        if message["type"] in WITHHELD_MESSAGE_TYPES:
            message = {"type": "news", "event": message["event"]}
        elif message["type"] == "hello":
            message = greeting_with_page_resources(message, self.phone_language())
        self._send(message, watch.event_id(event.n))

    def _send(self, message: Message, mark: str) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        self._writer.write(f"id: {mark}\ndata: {text}\n\n")

    def send_heartbeat(self) -> None:
        """If the stream has started, send the phone a heartbeat with the newest event's id."""
        if self._watch is not None:
            self._writer.write(f"event: beat\nid: {self._watch.event_id()}\ndata:\n\n")

    def end_for_newer_stream(self) -> None:
        """End the stream to make room for a newer stream.

        The phone does not reconnect until its player touches the page.
        """
        if self._watch is not None:
            self._writer.write("event: replaced\ndata:\n\n")
        self.on_connection_close()

    def end_stream(self) -> None:
        """End the stream. The phone then reconnects by itself."""
        self._left.set()

    def on_connection_close(self) -> None:
        """Remove the closed stream from the open streams and from the event listeners.

        Close the seat's connection to the box later, if no phone shows the page by then.
        """
        if self._watch is not None:
            self._watch.listeners.discard(self._hear)
            if self.seat is not None:
                self.seat.disconnect_after_idle_time()
        self.house.streams.discard(self)
        self._left.set()


class SeatActionHandler(PageRequestHandler):
    """The request handler for a player's actions: answer, undo, ruling, secret, word look-up."""

    needs_seat = True

    async def post(self) -> None:
        """Pass the phone's action to the box, and respond to the phone with the box's replies."""
        message = self.parse_posted_json()
        if (
            len(message.keys() & PHONE_REQUESTS) != 1
            or message.keys() - PHONE_REQUESTS - OTHER_REQUEST_FIELDS
        ):
            raise HTTPError(400)
        assert self.seat is not None  # noqa: S101 - needs_seat
        try:
            if "check" in message:
                replies = [await self.seat.request_first_matching_reply(message, {"checked"})]
            else:
                replies = await self.seat.request_all_replies(message)
        except Disconnected:
            self._reply(self.seat, error=self.error_message("no_box"))
            return
        error = next((line for line in replies if line["type"] == "error"), None)
        if error is not None:
            self._reply(self.seat, error=error)
        else:
            self._reply(self.seat, ok=True, said=replies)

    def _reply(self, seat: SeatConnection, **facts: Any) -> None:
        """Send `facts` and the newest event's id. With the id, the phone notices missed events."""
        self.send_json({**facts, "mark": seat.watch.event_id()})


class JoinSeatHandler(PageRequestHandler):
    """The request handler for a phone that requests a seat. People at the box decide."""

    _asking: asyncio.Task[Any] | None = None

    async def post(self) -> None:
        """Request a seat, and wait until people at the box decide.

        If the phone receives the seat, set the seat's cookie. Otherwise, respond with an error
        message.
        """
        message, now = self.parse_posted_json(), asyncio.get_running_loop().time()
        name, code = message.get("name"), message.get("code")
        if (
            message.keys() != {"name", "code"}
            or not is_valid_player_name(name)
            or not is_valid_player_name(code)
        ):
            raise HTTPError(400)
        wait = self.house.tries.seconds_to_wait(self.client_address_or_network, now)
        if wait > 0:
            self._refuse(self.error_message("slow_down", seconds=round(wait) + 1))
            return
        asked = self.house.visitors.request_seat(
            str(name), str(code).strip().upper(), self.phone_language()
        )
        self._asking = asyncio.ensure_future(asked)
        try:
            reply, seat = await self._asking
        except Disconnected:
            self._refuse(self.error_message("no_box"))
            return
        if reply["type"] != "joined":
            if reply.get("code") == "wrong_code":
                self.house.tries.count_wrong_code(self.client_address_or_network, now)
            self._refuse(reply)
            return
        self.house.tries.forget_wrong_codes(self.client_address_or_network)
        self.set_private_cookie(SEAT_COOKIE, encode_seat_cookie(seat))
        self.send_json({"ok": True, "seat": seat.who})

    def _refuse(self, error: Message) -> None:
        self.send_json({"error": error})

    def on_connection_close(self) -> None:
        """Withdraw the request for a seat, because the phone has disconnected."""
        if self._asking is not None:
            self._asking.cancel()


class LeaveSeatHandler(PageRequestHandler):
    """The request handler for a phone that gives up its seat."""

    needs_seat = True

    async def post(self) -> None:
        """Delete the phone's token in the box and in the page, and the phone's cookie."""
        assert self.seat is not None  # noqa: S101 - needs_seat
        try:
            reply = await self.seat.request_first_matching_reply({"leave": True}, {"left"})
        except Disconnected:
            reply = self.error_message("no_box")
        if reply["type"] == "error":
            self.send_json({"error": reply})
            return
        self.house.visitors.disconnect_removed_seat(self.seat)
        self.clear_cookie(SEAT_COOKIE)
        self.send_json({"ok": True})


class PhoneLanguageHandler(PageRequestHandler):
    """The request handler for the choice of a language on a phone."""

    async def post(self) -> None:
        """Store the chosen language in a cookie."""
        language = self.parse_posted_json().get("language")
        if language not in LANGUAGES:
            raise HTTPError(400)
        self.set_private_cookie(LANGUAGE_COOKIE, str(language))
        self.send_json({"ok": True})
