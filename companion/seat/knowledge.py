"""The knowledge of a seat, collected from the protocol lines that the seat received."""

from __future__ import annotations

from typing import Any, Final

from companion.core.game import Cue, Cues, Edition, SeatMemory
from companion.core.prompts import Answer
from companion.door.lines import Message

COMPANION_EVENT_NAMES: Final = frozenset(
    {"why", "damaged", "rules_changed", "outgrown", "record_narrowed"}
)
"""Names of events about Companion itself, which are not events of the game."""
COMMON_FACT_LINE_FIELDS: Final = (
    "type",
    "event",
    "text",
    "speech",
    "cue",
    "clause",
    "sentence",
    "ruling",
)
"""Names of the fields of a protocol line about a game event that are not data of the event."""
COMMON_QUESTION_LINE_FIELDS: Final = (
    *("type", "id", "who", "question", "choices", "text", "private", "free", "pattern"),
    *("sentence", "ok", "likely", "number", "spell", "at_once", "look", "kept", "hidden"),
)
"""Names of the fields that every question's protocol line can have; other fields are extra data."""
COMMON_STATE_LINE_FIELDS: Final = ("type", "facts", "named", "secrets")
"""Names of the fields of a `state` line of the protocol that are not part of the game's view."""


class SeatKnowledge:
    """All information that the seat of `player` received from the box.

    - `edition`: the description of the printed board. A message `hello` can replace the edition.
    - `span`: the number of recent events that the seat remembers; None for all events.
    """

    def __init__(self, player: str, edition: Edition, span: int | None) -> None:
        self.player = player
        self.memory = SeatMemory((), {}, edition, span=span)
        self.view: dict[str, Any] = {}
        self.asked: Message | None = None
        self._facts: list[Cue] = []
        self._marks: list[tuple[dict[str, Any], int]] = []
        self._undone = False

    def add_protocol_line(self, message: Message) -> None:
        """Add the information of one protocol line."""
        match message.get("type"):
            case "hello":
                self.memory = self.memory._replace(
                    players=tuple(message["players"]),
                    settings=message["options"],
                    edition=message.get("printed", self.memory.edition),
                    called=(),
                )
                self._facts.clear()
                self._marks.clear()
            case "tell":
                self._told(message)
            case "secret" if message["who"] == self.player:
                self._facts.append(_fact(message, self.player))
            case "state":
                self._seen(
                    {
                        name: value
                        for name, value in message.items()
                        if name not in COMMON_STATE_LINE_FIELDS
                    }
                )
            case "ask":
                self._asked(message)

    def add_out_of_turn_answer(self, call: Answer) -> None:
        """Add an answer that this seat gave out of turn."""
        self.memory = self.memory._replace(called=(*self.memory.called, call))

    def add_own_secrets(self, secrets: Cues) -> None:
        """Add secrets that follow from the seat's own answer, and that the box does not send."""
        self._facts.extend(secrets)

    def _told(self, message: Message) -> None:
        event = message["event"]
        if event == "undone":
            self._undone = True
        elif event != "redone" and event not in COMPANION_EVENT_NAMES:
            self._facts.append(_fact(message, None))

    def _seen(self, view: dict[str, Any]) -> None:
        """Store the view of a new state. After an undo, remove the events of the undone answers."""
        if self._undone:
            same_views = [n for n, (seen, _) in enumerate(self._marks[:-1]) if seen == view]
            if same_views:
                del self._facts[self._marks[same_views[-1]][1] :]
                del self._marks[same_views[-1] :]
        self._undone, self.view = False, view
        self._marks.append((view, len(self._facts)))
        self.memory = self.memory._replace(
            facts=tuple(self._facts), question=None, who=None, choices=(), about={}
        )

    def _asked(self, message: Message) -> None:
        self.asked = message
        self.memory = self.memory._replace(
            facts=tuple(self._facts),
            question=message["question"],
            who=message["who"],
            choices=tuple(choice["value"] for choice in message["choices"]),
            about={
                name: value
                for name, value in message.items()
                if name not in COMMON_QUESTION_LINE_FIELDS
            },
        )


def _fact(message: Message, to: str | None) -> Cue:
    facts = {name: value for name, value in message.items() if name not in COMMON_FACT_LINE_FIELDS}
    return Cue(message["event"], facts, message.get("clause"), to)
