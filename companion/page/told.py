"""The door's lines in the language of whoever reads them: their facts become sentences again."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from companion.catalog import editions, registry
from companion.core.game import Cue
from companion.core.prompts import Choose
from companion.draw.face import face_of
from companion.page import printed
from companion.say.words import MissingWords, Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.page.lines import Message

LINE: Final = frozenset({"type", "event_id", "event", "text", "speech", "cue", "clause"})
"""What every `tell` has besides its facts."""
QUESTION: Final = frozenset({
    "type", "event_id", "id", "who", "question", "choices", "text", "private", "free", "pattern",
    "hidden",
})  # fmt: skip
"""What every `ask` has besides its facts."""


@lru_cache(maxsize=8)
def telling(language: str, game: str | None, printed: str) -> Telling:
    """What tells a game in a language; `printed` is the edition that it is played with, as JSON.

    A box of before does not tell that, "": then it is the one that the game brings.
    """
    return Telling(language, game, printed)


def wrong(code: str, **facts: object) -> Message:
    """An error of the page's own, as the door tells its errors."""
    return dict(type="error", code=code, **facts)


class Telling:
    """Lines of one game in one language. A game of a package is told as the door tells it."""

    def __init__(self, language: str, game: str | None, played_with: str) -> None:
        self.language = language
        self.words = Words(language)
        self._game: Words | None = None
        if game in registry.NAMES:
            edition = json.loads(played_with) if played_with else editions.load(game)
            self._game = Words(language, face_of(game), edition, game=game)

    def title(self, game: str | None) -> str:
        """What a game is called; the box's name without one."""
        return self.words.called(game) if game else self.words("page.title")

    def line(self, message: Message, view: Mapping[str, Any]) -> Message:
        """A line as a phone gets it; `view` is the state that stands."""
        match message["type"]:
            case "tell":
                return self._tell(message)
            case "ask":
                return self._ask(message, view)
            case "state" if self._game is not None:
                return {**message, "named": printed.names(self._game, message)}
            case "error":
                return {**message, "message": self._error(message)}
            case "hello":
                return {**message, "title": self.title(message.get("game"))}
            case _:
                return message

    def _tell(self, message: Message) -> Message:
        text, clause = message.get("text") or message.get("speech", ""), message.get("clause")
        ruling = None
        if self._game is not None:
            facts = {name: fact for name, fact in message.items() if name not in LINE}
            cue = Cue(message["event"], facts, clause)
            ruling = self._ruling(clause)
            text = self._said(cue) or text
        return {**message, "text": text, "ruling": ruling}

    def _said(self, cue: Cue) -> str:
        """A fact in a sentence: as it is spoken, which is whole, or as it is shown if that is all.

        Empty if there is none, or if the box is of another version and its fact lacks something.
        """
        assert self._game is not None  # noqa: S101 - for the type checker
        try:
            read, heard = self._game.text(cue).replace("|", " "), self._game.speech(cue)
            silent = self._game.fact(cue).silent
        except (MissingWords, LookupError, TypeError, ValueError, AttributeError):
            return ""
        if cue.name == "why" or silent:
            return read or heard
        return heard or read

    def _ruling(self, clause: str | None) -> str | None:
        key = f"{self._game.game}.rule.{clause}" if self._game and clause else ""
        return self._game(key) if self._game and key and self._game.has(key) else None

    def _ask(self, message: Message, view: Mapping[str, Any]) -> Message:
        if self._game is None:
            return message
        facts = {name: fact for name, fact in message.items() if name not in QUESTION}
        prompt = Choose(message["question"], message["who"], (), facts=facts)
        try:
            text = self._asked(prompt, view)
            choices = [
                {**choice, "label": self._game.label(prompt.name, choice["value"], view)}
                for choice in message["choices"]
            ]
        except (MissingWords, LookupError, TypeError, ValueError, AttributeError):
            return message
        return {**message, "text": text, "choices": choices}

    def _asked(self, prompt: Choose, view: Mapping[str, Any]) -> str:
        """A question as it is spoken; as it is shown where it is spoken as a name alone."""
        assert self._game is not None  # noqa: S101 - for the type checker
        own = any(self._game.has(f"{of}.say.{prompt.name}") for of in (self._game.game, "box"))
        said = self._game.asked(prompt, view) if own else ""
        return said or self._game.question(prompt, view)

    def _error(self, message: Message) -> str:
        key = f"page.error.{message.get('code', '')}"
        if self.words.has(key):
            return self.words(key, seconds=message.get("seconds", ""))
        return str(message.get("message", ""))
