"""Convert lines of the text protocol to messages and back; errors have codes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from checked_input import strict_json
from checked_input.strict_json import InvalidJson

Message: TypeAlias = "dict[str, Any]"

MAX_LINE_BYTES: Final = 64 * 1024
"""The maximum length of a line in bytes."""


class LineMistake(ValueError):
    """A line that is not valid: the code of its sentence (`stdio.<code>`), with facts.

    `more` has further fields for programs, beside the code.
    """

    def __init__(
        self, code: str, /, more: Mapping[str, Any] | None = None, **facts: object
    ) -> None:
        super().__init__(code)
        self.code, self.more, self.facts = code, more or {}, facts


def format_line(message: Mapping[str, Any]) -> str:
    """Return a message as a line with its line end."""
    return json.dumps(message, ensure_ascii=False) + "\n"


def parse_line(line: bytes, verbs: Mapping[str, frozenset[str]]) -> Message:
    """Return a line as a message with exactly one of the verbs and its allowed fields.

    Raise Mistake.
    """
    if len(line) > MAX_LINE_BYTES:
        raise LineMistake("too_long", n=MAX_LINE_BYTES)
    try:
        message = strict_json.parse_json(line)
    except InvalidJson:
        raise LineMistake("not_json") from None
    if not isinstance(message, dict):
        raise LineMistake("not_json")
    verb = next((name for name in verbs if name in message), None)
    if verb is None or message.keys() - {"id", verb} - verbs[verb]:
        raise LineMistake("one_verb", verbs=", ".join(verbs))
    if "id" in message and "id" not in verbs[verb]:
        raise LineMistake("stray_id")
    return message


def require_true(message: Message, verb: str) -> None:
    """Raise Mistake if the value of a verb is not true."""
    if message[verb] is not True:
        raise LineMistake("say_true", verb=verb)
