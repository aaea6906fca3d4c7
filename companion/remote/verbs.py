"""What may be said at the door, and what may stand beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.door.lines import Mistake
from companion.say.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.door.lines import Message

ASIDES: Final = ("past", "people", "group")
"""What the door answers by itself."""
VERBS: Final[Mapping[str, frozenset[str]]] = {
    "answer": frozenset({"id", "lang"}),
    "watch": frozenset({"after", "frames", "lang", "confirm"}),
    "join": frozenset({"code", "token", "lang", "confirm"}),
    "evening": frozenset({"to", "key"}),
    **dict.fromkeys(("undo", "redo", "why", "interrupt", "look", "state", "frame"), frozenset()),
    "leave": frozenset(),
    "check": frozenset({"lang"}),
    **dict.fromkeys(("address", "hotspot", "stick", "wish", *ASIDES, "quit"), frozenset()),
    "fill": frozenset({"given"}),
}
"""What may be said, and what may stand beside it."""


def lang_of(message: Message) -> str:
    """The language that stands beside a line; "" without one. Raises Mistake."""
    lang = message.get("lang", "")
    if "lang" in message and lang not in LANGUAGES:
        raise Mistake("not_so", name="lang")
    return str(lang)
