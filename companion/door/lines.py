"""Conversion between messages and the lines of the text protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from checked_input import strict_json
from checked_input.strict_json import InvalidJson

Message: TypeAlias = "dict[str, Any]"

MAX_LINE_BYTES: Final = 64 * 1024
"""The maximum length in bytes of a line that a program sends."""


class RequestSchema(NamedTuple):
    """The schema of the requests with one verb.

    - `fields`: the allowed fields in addition to the verb.
    - `is_flag`: True if the only valid value of the verb is `true`.
    """

    fields: frozenset[str] = frozenset()
    is_flag: bool = False


class ProtocolRequest(NamedTuple):
    """A valid line from a program: its verb, and the message with all fields."""

    verb: str
    message: Message


class InvalidProtocolLineError(ValueError):
    """The error that a protocol line from a program is not valid.

    - `code`: the name of the error.
    - `sentence`: the catalogue key of the sentence about the error, without the prefix `stdio.`. If
      `sentence` is "", the key is `code`.
    - `facts`: the values for the placeholders in the sentence.
    - `more`: additional fields of the error message that the program receives.
    """

    def __init__(
        self,
        code: str,
        /,
        more: Mapping[str, Any] | None = None,
        *,
        sentence: str = "",
        **facts: object,
    ) -> None:
        super().__init__(code)
        self.sentence = sentence or code
        self.code, self.more, self.facts = code, more or {}, facts


def message_as_protocol_line(message: Mapping[str, Any]) -> str:
    """Return a message as one line of JSON that ends with a newline."""
    return json.dumps(message, ensure_ascii=False) + "\n"


def parse_protocol_line(line: bytes, schemas: Mapping[str, RequestSchema]) -> ProtocolRequest:
    """Return the request that a line contains.

    schemas: the accepted verbs, each with its schema. A valid line contains one verb. Raise
    InvalidProtocolLineError if the line is not valid.
    """
    if len(line) > MAX_LINE_BYTES:
        raise InvalidProtocolLineError("too_long", n=MAX_LINE_BYTES)
    try:
        message = strict_json.parse_json(line)
    except InvalidJson:
        raise InvalidProtocolLineError("not_json") from None
    if not isinstance(message, dict):
        raise InvalidProtocolLineError("not_json")
    verb = next((name for name in schemas if name in message), None)
    if verb is None or message.keys() - {"id", verb} - schemas[verb].fields:
        raise InvalidProtocolLineError("one_verb", verbs=", ".join(schemas))
    if "id" in message and "id" not in schemas[verb].fields:
        raise InvalidProtocolLineError("stray_id")
    if schemas[verb].is_flag and message[verb] is not True:
        raise InvalidProtocolLineError("say_true", verb=verb)
    return ProtocolRequest(verb, message)
