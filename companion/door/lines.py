"""Lines of the text protocol as messages, and back; what is wrong with one has a name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from checked_input import strict_json
from checked_input.strict_json import NotJson

if TYPE_CHECKING:
    from collections.abc import Mapping

Message: TypeAlias = "dict[str, Any]"

LONGEST: Final = 64 * 1024
"""The longest line that is read, in bytes."""


class Mistake(ValueError):
    """A line that cannot be taken: the sentence `stdio.` and its code, with these facts.

    `more` is what a program is told besides, beside the code.
    """

    def __init__(
        self, code: str, /, more: Mapping[str, Any] | None = None, **facts: object
    ) -> None:
        super().__init__(code)
        self.code, self.more, self.facts = code, more or {}, facts


def written(message: Mapping[str, Any]) -> str:
    """A message as a line, with its end."""
    return json.dumps(message, ensure_ascii=False) + "\n"


def read(line: bytes, verbs: Mapping[str, frozenset[str]]) -> Message:
    """A line as a message with exactly one of the verbs, and what may stand beside it.

    Raises Mistake.
    """
    if len(line) > LONGEST:
        raise Mistake("too_long", n=LONGEST)
    try:
        message = strict_json.read(line)
    except NotJson:
        raise Mistake("not_json") from None
    if not isinstance(message, dict):
        raise Mistake("not_json")
    verb = next((name for name in verbs if name in message), None)
    if verb is None or message.keys() - {"id", verb} - verbs[verb]:
        raise Mistake("one_verb", verbs=", ".join(verbs))
    if "id" in message and "id" not in verbs[verb]:
        raise Mistake("stray_id")
    return message


def insist(message: Message, verb: str) -> None:
    """Raises Mistake if the value of a verb is not true."""
    if message[verb] is not True:
        raise Mistake("say_true", verb=verb)
