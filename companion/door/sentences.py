"""What version 3 of the protocol says besides: each line once more in words, in one language.

Whoever reads it need know nothing of a game: what to press, what to read, what may be said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.core.prompts import (
    INTERRUPT,
    THROW,
    Choose,
    Number,
    Prompt,
    Roll,
    Spell,
    is_act,
    likeliest,
)
from companion.door import messages
from companion.say.rows import rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.game import Cue, Outcome
    from companion.core.prompts import Question
    from companion.core.snapshot import Snapshot
    from companion.door.lines import Message
    from companion.play.conversation import Conversation
    from companion.play.line import Setup
    from companion.say.words import View, Words

PROTOCOL: Final = 3
OF_CHOICES: Final = ("free", "pattern", "number", "spell")
"""What an `ask` says of its choices: nothing of that is for others where they are private."""


def hello(setup: Setup | None, version: str, words: Words) -> Message:
    """Which game is played, what it is called, and how it is played."""
    told = messages.hello(setup, version, PROTOCOL)
    return told | {
        "lang": words.language,
        "title": words.called(setup.game.name) if setup else None,
        "settings": [_setting(words, *option) for option in told["options"].items()],
    }


def _setting(words: Words, name: str, value: str) -> dict[str, str]:
    kinds = (f"{words.game}.{kind}.{name}.{value}" for kind in ("setting", "option"))
    text = (
        words.setting(words.game, name, value) if any(map(words.has, kinds)) else f"{name} {value}"
    )
    return {"name": name, "value": value, "text": text}


def told(cue: Cue, words: Words) -> Message:
    """A fact, in a whole sentence too, and what its clause says."""
    return _explained(messages.told(cue, words), cue, words)


def why(cue: Cue, words: Words) -> Message:
    """A ruling explained, likewise."""
    return _explained(messages.why(cue, words), cue, words)


def _explained(message: Message, cue: Cue, words: Words) -> Message:
    if message["type"] == "secret":
        return message
    key = f"{words.game}.rule.{cue.clause}"
    ruling = words(key) if cue.clause and words.has(key) else None
    read, heard = message["text"], message["speech"]
    shown = cue.name == "why" or words.fact(cue).silent  # or there is more in what is shown
    return message | {"sentence": (shown and read) or heard or read, "ruling": ruling}


def state(snapshot: Snapshot, words: Words, *, secrets: bool) -> Message:
    """The whole public state, its facts in words, and the names of what is printed.

    `secrets`: whether each player has something to look at alone.
    """
    view = snapshot.view
    return messages.state(view) | {
        "facts": rows(view, snapshot.players, words),
        "named": dict(words.named(view)),
        "secrets": secrets,
    }


def over(snapshot: Snapshot, outcome: Outcome) -> Message:
    """How the game ended, and what each player had."""
    told = messages.over(outcome, snapshot.view, snapshot.seed)
    return told | {"scores": dict(outcome.scores)}


def ask(
    talk: Conversation, view: View, words: Words, number: int, seat: str | None = None
) -> Message:
    """What is asked next, with all of its choices, and what OK is called.

    `seat` is whose phone alone is asked: it can not go back to another who interrupts.
    """
    prompt = talk.prompt
    assert prompt is not None  # nothing is told of what is whole
    waiting = talk.waiting
    if waiting is not None:
        prompt = _harmless_first(waiting.prompt)
    message = messages.ask(prompt, view, words, number)
    message |= {
        "text": message["text"].replace("|", " "),
        "sentence": words.whole(prompt, view),
        "ok": words(f"box.ok.{talk.ok}"),
        "likely": None if prompt.private or "free" in message else likeliest(prompt),
        **_shape(prompt),
    }
    if getattr(prompt, "at_once", False):
        message["at_once"] = True
    if is_act(prompt) and prompt.name != THROW:
        message["ok"] = message["choices"][0]["label"]
    if getattr(prompt, "look", False):
        message["look"] = True
    if talk.form is not None:
        before = talk.back()
        fixed = before is None or (talk.form == INTERRUPT and seat and not before.given)
        back = None if before is None or fixed else dict(before.given)
        message |= {"form": talk.form, "given": dict(talk.given), "back": back}
    if waiting is not None:
        asked = waiting.asked.name
        of = {"question": asked, "value": waiting.value}
        message |= {"sure": True, "of": of}
        sentence = words.lookup(f"sure.{asked}") if waiting.is_grave else None
        if sentence is not None:
            message["sentence"] = sentence.replace("|", " ")
    return message


def _shape(prompt: Prompt) -> dict[str, Any]:
    """How a number or a word is to be entered."""
    match prompt:
        case Number(lo=lo, hi=hi, by=by):
            return {"number": {"from": lo, "to": hi, "by": by}}
        case Roll(dice=dice, sides=sides):
            return {"number": {"from": dice, "to": dice * sides, "by": 1}}
        case Spell(longest=longest, open=seen):
            return {"spell": {"longest": longest, "open": seen}}
        case _:
            return {}


def _harmless_first(prompt: Choose) -> Choose:
    """Whether something is meant, with the likeliest answer in front."""
    pairs = sorted(zip(prompt.weights, prompt.options, strict=True), reverse=True)
    weights, options = zip(*pairs, strict=True)
    return prompt._replace(options=options, weights=weights)


def hidden(asked: Message) -> Message:
    """A private question as everybody else sees it: that it is asked, and of whom."""
    shown = {name: value for name, value in asked.items() if name not in OF_CHOICES}
    return shown | {"choices": [], "hidden": True}


def offers(anytime: Iterable[Question], words: Words) -> Message:
    """What may be said out of turn."""
    forms = [{"form": one.name, "text": _called(one, words)} for one in anytime]
    return {"type": "offers", "forms": forms}


def _called(question: Question, words: Words) -> str:
    return words.lookup(f"menu.{question.name}") or question.name
