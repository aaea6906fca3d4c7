"""The box's connection to the attendant: receive an evening's state, and send requests.

The attendant is a separate process with network access, which the box does not have. The attendant
connects to the box's socket. The box starts the attendant when the menu of evenings opens, and at
the box's own start if an evening is joined.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.box.state import Basics
from companion.box.turn import Turn
from companion.core.game import Cue, Cues
from companion.door.lines import InvalidProtocolLineError, Message
from companion.menus.words import menu_words
from companion.record.journal import JournalError
from companion.remote.audience import ConnectedClient
from companion_club.box import SERVICE_NAME, menu
from companion_club.box.status import AWAY_STATUS, EveningStatus, parse_evening_status

if TYPE_CHECKING:
    from companion_club.table import Request

MAX_QUEUED_REQUESTS: Final = 8
"""Maximum number of requests that wait until the attendant has connected."""
FIND_EVENINGS_REQUEST: Final = {"do": "look"}
ROUND_AFTER_EVENING_END: Final = 0
"""Value that replaces the round's number after the box has announced the end of the evening."""


class AttendantConnection:
    """The box's connection to the attendant: the evening's state, and requests of the box.

    `send(number, message)` sends a message to the connection with that number. `attend(key)` starts
    the attendant, which proves its identity to the box with `key`.
    """

    def __init__(
        self,
        basics: Basics,
        turn: Turn,
        send: Callable[[int, Message], None],
        attend: Callable[[str], None],
    ) -> None:
        self._basics, self._turn = basics, turn
        self._send, self._attend = send, attend
        self._key = secrets.token_hex(16)
        self.status: EveningStatus = AWAY_STATUS
        self._by: int | None = None
        self._wishes: list[Request] = []
        self._news: Cues = ()
        self._open = False
        if self._remembered:
            attend(self._key)

    # --- messages of the process ---

    def _knows(self, key: object) -> bool:
        return isinstance(key, str) and secrets.compare_digest(key.encode(), self._key.encode())

    def handle_request(self, request: str, visitor: ConnectedClient, message: Message) -> None:
        """Handle a message: a web page's request (field `wish`), or a new state (field `evening`).

        The attendant sends the new states. Raise InvalidProtocolLineError if the message is not
        valid, or if the sender may not send the message.
        """
        if request == "wish":
            self._relay(visitor, message)
        else:
            self._report(visitor, message)

    def _report(self, visitor: ConnectedClient, message: Message) -> None:
        number, value = visitor.peer.number, message["evening"]
        if visitor.joined_seat is not None:
            raise InvalidProtocolLineError("not_yours")
        if "to" in message:
            to = message["to"]
            self._send(to, self._reply(number, value, to))
        elif visitor.peer.is_owner or self._knows(message.get("key")):
            self._stands(number, value)
        else:
            raise InvalidProtocolLineError("not_yours")

    def _stands(self, number: int, value: object) -> None:
        """Store the evening's state. If the state is None, the attendant has disconnected."""
        try:
            shown = AWAY_STATUS if value is None else parse_evening_status(value)
        except ValueError as error:
            raise InvalidProtocolLineError("not_so", name="evening") from error
        before, self.status, self._by = self.status, shown, None if value is None else number
        if self._by is not None:
            for wish in self._wishes:
                self._tell(wish)
            self._wishes = []
        self._remember(before)
        self._inform()

    def _reply(self, number: int, value: object, to: object) -> Message:
        if number != self._by or not isinstance(value, dict) or type(to) is not int:
            raise InvalidProtocolLineError("not_so", name="evening")
        return {**value, "type": "evening"}

    def forget_connection(self, number: int) -> None:
        """Set the evening's state to `away` if the lost connection is the attendant's connection.

        `number`: the number of the lost connection.
        """
        if number == self._by:
            self._stands(number, None)

    # --- requests to the process ---

    def send_request(self, wish: Request) -> None:
        """Send a menu request to the attendant; start an attendant if none is connected."""
        if self._by is None:
            self._attend(self._key)
            self._wishes = [*self._wishes, wish][-MAX_QUEUED_REQUESTS:]
        else:
            self._tell(wish)
        if wish["do"] == "leave":
            self._set({})

    def _relay(self, visitor: ConnectedClient, message: Message) -> None:
        wish = message["wish"]
        if self._by is None:
            raise InvalidProtocolLineError("no_evening")
        if not isinstance(wish, dict):
            raise InvalidProtocolLineError("not_so", name="wish")
        self._send(
            self._by,
            {
                "type": "wish",
                "wish": wish,
                "from": visitor.peer.number,
                "seat": visitor.joined_seat,
            },
        )

    def _tell(self, wish: Request) -> None:
        assert self._by is not None
        self._send(self._by, {"type": "wish", "wish": wish, "from": None, "seat": None})

    # --- announcements at the table ---

    def _remember(self, before: EveningStatus) -> None:
        now, announced = self.status, self._remembered
        number = ROUND_AFTER_EVENING_END if now.state == "over" else now.round
        if now.state in ("on", "over") and announced != {"title": now.title, "round": number}:
            if now.players_at_own_table or now.goes or now.state == "over":
                self._news = menu.round_announcement_cues(
                    now, menu_words(self._basics.settings["language"])
                )
            self._set({"title": now.title, "round": number})
        if now.state == "none":
            self._set({})
        if now.conflicts > before.conflicts:
            self._news = (*self._news, Cue("evening_conflict"))
        if now.trouble and now.trouble != before.trouble and self._is_open:
            self._news = (*self._news, Cue(f"evening_{now.trouble}"))

    @property
    def _remembered(self) -> Mapping[str, Any]:
        remembered: Mapping[str, Any] = self._basics.settings["service_data"].get(SERVICE_NAME, {})
        return remembered

    def _set(self, value: Mapping[str, Any]) -> None:
        if self._remembered == value:
            return
        try:
            self._turn.save_settings(
                {"service_data": {**self._basics.settings["service_data"], SERVICE_NAME: value}}
            )
        except JournalError as error:
            self._turn.announce_failed_commit(error)

    @property
    def _is_open(self) -> bool:
        page = self._basics.stands.table.menus.current_page
        return page is not None and page.page.startswith(SERVICE_NAME)

    def do_due_work(self) -> None:
        """Search for evenings if the menu has just opened, and show waiting announcements.

        Announcements wait while the display shows a secret, and while a player spells a word.
        """
        was, self._open = self._open, self._is_open
        if self._open and not was:
            self.send_request(FIND_EVENINGS_REQUEST)
        cursor = self._basics.stands.table.cursor
        if self._news and not cursor.has_begun_spelling and cursor.looking is None:
            news, self._news = self._news, ()
            self._tell_all(news)

    def _tell_all(self, news: Cues) -> None:
        voice, words = self._basics.faces.voice, self._basics.wording.front_screen_words
        with self._turn.change():
            for cue in reversed(news):
                self._turn.show_facts_in_overlay(cue)
            self._turn.run_effects_after_commit(partial(voice.announce_facts, news, words))

    def _inform(self) -> None:
        shown = {**self._basics.remote().service_statuses, SERVICE_NAME: self.status}
        self._turn.replace_menus(self._basics.stands.table.menus.with_changed_facts(services=shown))
