"""The requests that the box's socket accepts: their verbs and schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.catalog import services
from companion.door.lines import InvalidProtocolLineError, Message, RequestSchema
from companion.say.words import LANGUAGES

RECORD_REQUESTS: Final = ("past", "people", "group")
"""Verbs of requests about recorded games, which the socket's server answers without the box."""
_FLAG: Final = RequestSchema(is_flag=True)
BOX_REQUESTS: Final[Mapping[str, RequestSchema]] = {
    "answer": RequestSchema(frozenset({"id", "lang"})),
    "watch": RequestSchema(frozenset({"after", "frames", "lang", "confirm"}), is_flag=True),
    "join": RequestSchema(frozenset({"code", "token", "lang", "confirm"})),
    "undo": _FLAG, "redo": _FLAG, "why": _FLAG, "interrupt": RequestSchema(),
    "look": _FLAG, "state": _FLAG, "frame": _FLAG, "leave": _FLAG,
    "check": RequestSchema(frozenset({"lang"})),
    **dict.fromkeys(("address", "hotspot", "stick", "past"), RequestSchema()),
    "people": _FLAG, "group": _FLAG, "quit": _FLAG,
    "fill": RequestSchema(frozenset({"given"})),
}  # fmt: skip
"""The verbs of requests that the box itself offers, each with its schema."""


def request_schemas() -> dict[str, RequestSchema]:
    """Return all verbs that the box's socket accepts, each with its schema.

    The result contains the verbs of the box and of installed services.
    """
    added = {
        verb: RequestSchema(fields)
        for service in services.installed_services()
        for verb, fields in service.requests.items()
    }
    return {**added, **BOX_REQUESTS}


def requested_language(message: Message) -> str:
    """Return the language code that a message requests, or "" if the message requests none.

    Raise InvalidProtocolLineError if the box does not support the language.
    """
    lang = message.get("lang", "")
    if "lang" in message and lang not in LANGUAGES:
        raise InvalidProtocolLineError("not_so", name="lang")
    return str(lang)
