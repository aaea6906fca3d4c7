"""What may be said at the door, and what may stand beside it, in each version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.door.lines import Mistake
from companion.say.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.door.lines import Message
    from companion.door.report import Recipient

ASIDES: Final = ("past", "people", "group")
"""What the door answers by itself."""
VERBS: Final[Mapping[str, frozenset[str]]] = {
    "answer": frozenset({"id", "lang"}),
    "watch": frozenset({"after", "frames", "lang", "protocol"}),
    "join": frozenset({"code", "token", "lang", "protocol"}),
    "evening": frozenset({"to", "key"}),
    **dict.fromkeys(("undo", "redo", "why", "interrupt", "look", "state", "frame"), frozenset()),
    "leave": frozenset(),
    "check": frozenset({"lang"}),
    **dict.fromkeys(("address", "hotspot", "stick", "wish", *ASIDES, "quit"), frozenset()),
    "fill": frozenset({"given"}),
}
"""What may be said, and what may stand beside it."""
FRESH: Final = frozenset({"fill"})
"""What only version 3 knows; so it does `lang` beside an answer or a word to check."""
STRANGE: Final = "one_verb"
"""The error of a line that has no verb, or several."""


def verb_of(message: Message | Mistake, reader: Recipient) -> str:
    """What a line wants, if that version knows it. Raises Mistake."""
    if isinstance(message, Mistake):
        raise _strange(reader) if message.code == STRANGE else message
    verb = next(verb for verb in VERBS if verb in message)
    besides = verb not in ("watch", "join") and "lang" in message
    if (verb in FRESH or besides) and not reader.is_worded:
        raise _strange(reader)
    return verb


def _strange(reader: Recipient) -> Mistake:
    """Says which verbs that version knows."""
    known = [verb for verb in VERBS if reader.is_worded or verb not in FRESH]
    return Mistake(STRANGE, verbs=", ".join(known))


def lang_of(message: Message) -> str:
    """The language that stands beside a line; "" without one. Raises Mistake."""
    lang = message.get("lang", "")
    if "lang" in message and lang not in LANGUAGES:
        raise Mistake("not_so", name="lang")
    return str(lang)
