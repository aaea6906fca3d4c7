"""The requests that the box's socket accepts: their verbs and the allowed fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.catalog import services
from companion.door.lines import InvalidProtocolLineError, Message
from companion.say.words import LANGUAGES

RECORD_REQUESTS: Final = ("past", "people", "group")
"""Verbs of requests about recorded games, which the socket's server answers without the box."""
BOX_REQUESTS: Final[Mapping[str, frozenset[str]]] = {
    "answer": frozenset({"id", "lang"}),
    "watch": frozenset({"after", "frames", "lang", "confirm"}),
    "join": frozenset({"code", "token", "lang", "confirm"}),
    **dict.fromkeys(("undo", "redo", "why", "interrupt", "look", "state", "frame"), frozenset()),
    "leave": frozenset(),
    "check": frozenset({"lang"}),
    **dict.fromkeys(("address", "hotspot", "stick", *RECORD_REQUESTS, "quit"), frozenset()),
    "fill": frozenset({"given"}),
}
"""The verbs of requests that the box itself offers, each with its allowed additional fields."""


def allowed_fields_by_request() -> dict[str, frozenset[str]]:
    """Return all verbs that the box's socket accepts, each with its allowed additional fields.

    The result contains the verbs of the box and of installed services.
    """
    added: dict[str, frozenset[str]] = {}
    for service in services.installed_services():
        added |= service.requests
    return {**added, **BOX_REQUESTS}


def requested_language(message: Message) -> str:
    """Return the language code that a message requests, or "" if the message requests none.

    Raise InvalidProtocolLineError if the box does not support the language.
    """
    lang = message.get("lang", "")
    if "lang" in message and lang not in LANGUAGES:
        raise InvalidProtocolLineError("not_so", name="lang")
    return str(lang)
