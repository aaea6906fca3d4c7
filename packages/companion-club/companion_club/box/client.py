"""A club's evening as the box has it: its process tells how it stands, the menus wish of it.

The box has no network. A process of its own has, which comes to the door; the box starts
it when the menu of evenings is opened, and again while an evening runs.
"""

from __future__ import annotations

import secrets
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.core.game import Cue
from companion.door.lines import Mistake
from companion.menus.words import of_the_box
from companion.record.journal import JournalError
from companion_club.box import NAME, menu
from companion_club.box.status import AWAY, EveningStatus, read_status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.box.state import Basics
    from companion.box.turn import Turn
    from companion.core.game import Cues
    from companion.door.lines import Message
    from companion.remote.audience import Visitor
    from companion_club.table import Request

QUEUED: Final = 8
"""Wishes that wait for the process to come, at most."""
LOOK: Final = {"do": "look"}
OVER: Final = 0
"""In the place of a round: the evening is over, and that was told."""


class ClubEvening:
    """The box's side of an evening. `send` sends a message to a connection.

    `attend` starts the process, and gives it `key`: with it a connection may speak for the evening.
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
        self.status: EveningStatus = AWAY
        self._by: int | None = None
        self._wishes: list[Request] = []
        self._news: Cues = ()
        self._open = False
        if self._remembered:
            attend(self._key)

    # --- what its process says ---

    def _knows(self, key: object) -> bool:
        """Whether this is the key that its process was given."""
        return isinstance(key, str) and secrets.compare_digest(key.encode(), self._key.encode())

    def take(self, request: str, visitor: Visitor, message: Message) -> None:
        """Execute a request at the door: `wish`, or `evening`. Raise Mistake."""
        if request == "wish":
            self._relay(visitor, message)
        else:
            self._report(visitor, message)

    def _report(self, visitor: Visitor, message: Message) -> None:
        """Take a message of the evening's process: its state, or the answer to a wish.

        Raise Mistake.
        """
        number, value = visitor.peer.number, message["evening"]
        if visitor.seat is not None:
            raise Mistake("not_yours")
        if "to" in message:
            to = message["to"]
            self._send(to, self._reply(number, value, to))
        elif visitor.peer.owner or self._knows(message.get("key")):
            self._stands(number, value)
        else:
            raise Mistake("not_yours")

    def _stands(self, number: int, value: object) -> None:
        """How the evening stands; None: its process has gone. Raises Mistake."""
        try:
            shown = AWAY if value is None else read_status(value)
        except ValueError as error:
            raise Mistake("not_so", name="evening") from error
        before, self.status, self._by = self.status, shown, None if value is None else number
        if self._by is not None:
            for wish in self._wishes:
                self._tell(wish)
            self._wishes = []
        self._remember(before)
        self._inform()

    def _reply(self, number: int, value: object, to: object) -> Message:
        """What is told of a wish to the connection it came from. Raises Mistake."""
        if number != self._by or not isinstance(value, dict) or type(to) is not int:
            raise Mistake("not_so", name="evening")
        return {**value, "type": "evening"}

    def forget_connection(self, number: int) -> None:
        """A connection has ended: if it spoke for the evening, nothing does now."""
        if number == self._by:
            self._stands(number, None)

    # --- what is wished for ---

    def wish(self, wish: Request) -> None:
        """Send a wish of the menus to the evening's process, which is started for it."""
        if self._by is None:
            self._attend(self._key)
            self._wishes = [*self._wishes, wish][-QUEUED:]
        else:
            self._tell(wish)
        if wish["do"] == "leave":
            self._set({})

    def _relay(self, visitor: Visitor, message: Message) -> None:
        """Hand a wish from the door on to the evening's process. Raises Mistake."""
        wish = message["wish"]
        if self._by is None:
            raise Mistake("no_evening")
        if not isinstance(wish, dict):
            raise Mistake("not_so", name="wish")
        self._send(
            self._by,
            {"type": "wish", "wish": wish, "from": visitor.peer.number, "seat": visitor.seat},
        )

    def _tell(self, wish: Request) -> None:
        assert self._by is not None
        self._send(self._by, {"type": "wish", "wish": wish, "from": None, "seat": None})

    # --- what is told at the table ---

    def _remember(self, before: EveningStatus) -> None:
        """What is news; that it was told is kept, so that a box that starts again says it once."""
        now, told = self.status, self._remembered
        number = OVER if now.state == "over" else now.round
        if now.state in ("on", "over") and told != {"title": now.title, "round": number}:
            if now.here or now.goes or now.state == "over":
                self._news = menu.news(now, of_the_box(self._basics.settings["language"]))
            self._set({"title": now.title, "round": number})
        if now.state == "none":
            self._set({})
        if now.conflicts > before.conflicts:
            self._news = (*self._news, Cue("evening_conflict"))
        if now.trouble and now.trouble != before.trouble and self._is_open:
            self._news = (*self._news, Cue(f"evening_{now.trouble}"))

    @property
    def _remembered(self) -> Mapping[str, Any]:
        """Return the title and the round of the evening that the table was told last, or {}."""
        found: Mapping[str, Any] = self._basics.settings["service_data"].get(NAME, {})
        return found

    def _set(self, value: Mapping[str, Any]) -> None:
        if self._remembered == value:
            return
        try:
            self._turn.set({"service_data": {**self._basics.settings["service_data"], NAME: value}})
        except JournalError as error:
            self._turn.unwritten(error)

    @property
    def _is_open(self) -> bool:
        page = self._basics.stands.table.menus.page
        return page is not None and page.page.startswith(NAME)

    def settle(self) -> None:
        """After an event: refresh an open menu, and tell news unless a secret is open."""
        was, self._open = self._open, self._is_open
        if self._open and not was:
            self.wish(LOOK)
        cursor = self._basics.stands.table.cursor
        if self._news and not cursor.is_spelling and cursor.looking is None:
            news, self._news = self._news, ()
            self._tell_all(news)

    def _tell_all(self, news: Cues) -> None:
        """One after another in front, until OK each; and said."""
        voice, words = self._basics.faces.voice, self._basics.wording.front
        with self._turn.change():
            for cue in reversed(news):
                self._turn.note(cue)
            self._turn.then(partial(voice.say, news, words))

    def _inform(self) -> None:
        """The menus show what holds now."""
        shown = {**self._basics.remote().services, NAME: self.status}
        self._turn.turn_over(self._basics.stands.table.menus.knowing(services=shown))
