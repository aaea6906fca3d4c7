"""The messages that the web page received for a seat: the latest of each type, and recent events.

A phone that reconnects receives the events that it missed. If these events are no longer stored,
the phone receives the present state.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from secrets import token_hex
from typing import Any, Final, NamedTuple

from companion.door.lines import Message

MAX_STORED_EVENTS: Final = 256
"""The maximum number of events that are stored for a seat."""
EVENT_NUMBER_PATTERN: Final = re.compile(r"[0-9]{1,15}")
"""The pattern of an event's number."""
MAX_SHOWN_EVENTS: Final = 14
"""The number of the latest events (`tell` messages) that a phone shows."""
EMPTY_GREETING: Final[dict[str, Any]] = {"type": "hello", "game": None, "players": []}


class NumberedEvent(NamedTuple):
    """A message from the box with its event number."""

    n: int
    message: Message


class SeatEventStore:
    """The latest messages and events that the page received for a seat, or for the public.

    Each function in `listeners` is called with every new event.
    """

    def __init__(self) -> None:
        self.epoch = token_hex(4)
        self.awake = False
        self.hello: Message = dict(EMPTY_GREETING)
        self.state: Message | None = None
        self.ask: Message | None = None
        self.offers: Message | None = None
        self.over: Message | None = None
        self.frame: Message | None = None
        self.told: deque[Message] = deque(maxlen=MAX_SHOWN_EVENTS)
        self.listeners: set[Callable[[NumberedEvent], None]] = set()
        self._events: deque[NumberedEvent] = deque(maxlen=MAX_STORED_EVENTS)
        self._newest_frame: NumberedEvent | None = None
        self._n = 0

    def store_message(self, message: Message) -> None:
        """Store a message from the box, and pass the message to the listeners."""
        kind = message["type"]
        if kind == "hello":
            message = self._begin(message)
        elif kind == "tell":
            self.told.append(message)
        elif kind in ("ask", "over"):
            self.ask = self.over = self.offers = None
            setattr(self, kind, message)
        elif kind in ("state", "frame", "offers"):
            setattr(self, kind, message)
        self._tell(message)

    def report_whether_box_runs(self, *, awake: bool) -> None:
        """Report to the listeners whether the box runs.

        awake: True if the connection to the box was opened, False if the connection was lost.
        """
        if awake != self.awake:
            self.awake = awake
            self._tell({"type": "box", "awake": awake})

    def report_lost_seat(self, why: str) -> None:
        """Report to the listeners that the phone has lost its seat.

        why: "gone" if the phone gave the seat back, "removed" if people at the box removed the
        phone, or "lost" if the box no longer accepts the phone's token.
        """
        self._tell({"type": "gone", "why": why})

    def _begin(self, hello: Message) -> Message:
        """Store the box's greeting. If the game or the language is new, delete the older messages.

        Return the greeting without the field `printed`, which phones do not need.
        """
        same = all(hello.get(name) == self.hello.get(name) for name in ("commitment", "lang"))
        self.hello = hello = {name: value for name, value in hello.items() if name != "printed"}
        if not same or not hello.get("game"):
            self.state = self.ask = self.over = self.offers = None
            self.told.clear()
        return hello

    def _tell(self, message: Message) -> None:
        self._n += 1
        event = NumberedEvent(self._n, message)
        if message["type"] == "frame":  # a phone needs only the newest frame
            self._newest_frame = event
        else:
            self._events.append(event)
        for listener in tuple(self.listeners):
            listener(event)

    def event_id(self, n: int | None = None) -> str:
        """Return the id of the event with the number `n`, or of the newest event if `n` is None."""
        return f"{self.epoch}-{self._n if n is None else n}"

    def events_after(self, mark: str) -> tuple[NumberedEvent, ...] | None:
        """Return the events after the event `mark` (an id), with only the newest frame.

        Return None if the page no longer stores these events.
        """
        epoch, _, n = mark.partition("-")
        if epoch != self.epoch or not EVENT_NUMBER_PATTERN.fullmatch(n) or int(n) > self._n:
            return None
        oldest = self._events[0].n if self._events else self._n + 1
        if int(n) + 1 < oldest:
            return None
        frame = () if self._newest_frame is None else (self._newest_frame,)
        missed = (event for event in (*self._events, *frame) if event.n > int(n))
        return tuple(sorted(missed, key=lambda event: event.n))
