"""The `ask` message with a private question, for recipients who may not see the choices.

The web page's process imports this module without the modules that play a game.
"""

from __future__ import annotations

from typing import Final

from companion.door.lines import Message

CHOICE_FIELDS: Final = ("free", "pattern", "number", "spell")
"""Fields of an `ask` message that describe the choices."""


def private_question_without_choices(asked: Message) -> Message:
    """Return a private question without its choices and without the fields `CHOICE_FIELDS`."""
    shown = {name: value for name, value in asked.items() if name not in CHOICE_FIELDS}
    return shown | {"choices": [], "hidden": True}
