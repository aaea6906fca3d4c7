"""What a program is told, message by message: the only place that knows their fields.

`docs/protocol.md` lists them. A message is a dictionary with its `type`; whose eyes it is for, and
how it gets there, is for whoever sends it.
"""

from __future__ import annotations

from secrets import randbelow
from typing import TYPE_CHECKING, Any, TypeGuard

from companion.core.game import Cue
from companion.core.prompts import (
    MOST,
    Answer,
    Form,
    Number,
    Question,
    Spell,
    choices,
    opened,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.errors import Refused
    from companion.core.game import Outcome
    from companion.door.lines import Message
    from companion.play.line import Setup
    from companion.say.words import Words


def hello(setup: Setup | None, version: str, protocol: int) -> Message:
    """Which game is played, and with what; none if `setup` is None. `printed` is of version 2."""
    told = {
        "type": "hello",
        "protocol": protocol,
        "version": version,
        "game": setup and setup.game.name,
        "players": list(setup.players) if setup else [],
        "options": dict(setup.options) if setup else {},
        "edition": dict(setup.game.decks(setup.edition)) if setup else {},
        "commitment": setup and setup.chance.commitment,
    }
    return told if protocol == 1 else {**told, "printed": dict(setup.edition) if setup else {}}


def told(cue: Cue, words: Words) -> Message:
    """A fact: a `tell` to everybody, or a `secret` of the only one who may know it."""
    event = _told(cue, words)
    if cue.to is None:
        return {"type": "tell", **cue.facts, **event}
    return {
        "type": "secret",
        **cue.facts,
        "who": cue.to,
        "event": event["event"],
        "text": event["text"],
    }


def why(cue: Cue, words: Words) -> Message:
    """A ruling explained; `cue` is the explanation, or the refusal of one."""
    return {"type": "tell", "of": cue.facts.get("of"), **_told(cue, words), "event": "why"}


def _told(cue: Cue, words: Words) -> dict[str, str | None]:
    return {
        "event": cue.name,
        "text": words.text(cue).replace("|", " "),  # the small screen's line breaks
        "speech": words.speech(cue),
        "cue": words.sound(cue),
        "clause": cue.clause,
    }


def state(view: Mapping[str, Any]) -> Message:
    """The whole public state."""
    return {"type": "state", **view}


def ask(prompt: Question, view: Mapping[str, Any], words: Words, number: int) -> Message:
    """A question, with all of its choices; of a form whole answers: each part's by its name."""
    first, offered = opened(prompt), _offered(prompt)
    label = words.parts if isinstance(prompt, Form) else words.label
    message: Message = {
        "type": "ask",
        "id": number,
        "who": prompt.who,
        "question": prompt.name,
        "choices": [
            {"value": value, "label": label(prompt.name, value, view)} for value in offered
        ],
        "text": words.question(prompt, view),
        "private": first is not None and first.private,
        **prompt.facts,
    }
    if isinstance(prompt, Spell):
        pattern = prompt.pattern or f"^.{{1,{prompt.longest}}}$"
        message |= {"free": True, "pattern": pattern}
    elif isinstance(prompt, Form) and len(offered) == MOST:
        message["free"] = True
    elif isinstance(prompt, Number) and (_is_wide(prompt) or prompt.by > 1):
        message |= {"free": True, "pattern": "^-?[0-9]+$" if prompt.lo < 0 else "^[0-9]+$"}
    return message


def hidden(asked: Message) -> Message:
    """A private question as everybody else sees it: that it is asked, and of whom."""
    own = ("free", "pattern")
    return {k: v for k, v in asked.items() if k not in own} | {"choices": [], "hidden": True}


def over(outcome: Outcome, view: Mapping[str, Any], seed: str | None) -> Message:
    """How the game ended, and the seed that was promised."""
    return {"type": "over", "winners": list(outcome.winners), "state": dict(view), "seed": seed}


def error(message: str, **more: Any) -> Message:
    """Something can not be done; `more` is what version 2 says of it besides."""
    return {"type": "error", "message": message, **more}


def refusal(refused: Refused) -> Cue:
    """The fact that the rules refuse something."""
    return Cue("refused", {"code": refused.code})


def _is_wide(prompt: Question) -> TypeGuard[Number]:
    """Whether these are too many numbers to list: a player's press, in a record of the box's."""
    return isinstance(prompt, Number) and prompt.hi - prompt.lo > MOST


def _offered(prompt: Question) -> Sequence[Answer]:
    """The choices that are listed; of too many numbers one, which nobody could have known."""
    if _is_wide(prompt):
        return [prompt.lo + randbelow(prompt.hi - prompt.lo + 1)]
    return choices(prompt)
