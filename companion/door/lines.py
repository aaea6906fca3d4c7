"""Conversion between messages and the lines of the text protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from checked_input import strict_json
from checked_input.strict_json import InvalidJson

Message: TypeAlias = "dict[str, Any]"

MAX_LINE_BYTES: Final = 64 * 1024
"""The maximum length in bytes of a line that a program sends."""


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


def parse_protocol_line(line: bytes, verbs: Mapping[str, frozenset[str]]) -> Message:
    """Return the message that a line contains.

    verbs: the accepted verbs, each with its allowed additional fields. A valid message contains one
    verb. Raise InvalidProtocolLineError if the line is not valid.
    """
    if len(line) > MAX_LINE_BYTES:
        raise InvalidProtocolLineError("too_long", n=MAX_LINE_BYTES)
    try:
        message = strict_json.parse_json(line)
    except InvalidJson:
        raise InvalidProtocolLineError("not_json") from None
    if not isinstance(message, dict):
        raise InvalidProtocolLineError("not_json")
    verb = next((name for name in verbs if name in message), None)
    if verb is None or message.keys() - {"id", verb} - verbs[verb]:
        raise InvalidProtocolLineError("one_verb", verbs=", ".join(verbs))
    if "id" in message and "id" not in verbs[verb]:
        raise InvalidProtocolLineError("stray_id")
    return message


def require_verb_is_true(message: Message, verb: str) -> None:
    """Raise InvalidProtocolLineError unless `verb` has the value `true` in the message."""
    if message[verb] is not True:
        raise InvalidProtocolLineError("say_true", verb=verb)
