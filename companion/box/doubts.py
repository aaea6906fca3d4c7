"""A word that no word list has: whoever spelt it is asked whether it stands, before it counts."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeGuard

from companion.core.game import Cue
from companion.core.prompts import Choose, Prompt, Spell, accepts
from companion.press.cursor import KEEP

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.prompts import Answer
    from companion.say.dictionary import Dictionary


SHORT: Final = {
    "american-english": "wamerican", "british-english": "wbritish", "french": "wfrench",
}  # fmt: skip
"""Lists by the packages that bring them: short enough for the screen."""


class Doubt(NamedTuple):
    """An answer that waits for its player's yes; it is used as a `Filling` is."""

    question: Spell
    text: str
    lists: tuple[str, ...]
    kept: bool = False

    @property
    def prompt(self) -> Prompt | None:
        """What is asked; None once the word stands."""
        if self.kept:
            return None
        facts = {"word": self.text, "lists": ", ".join(SHORT.get(n, n) for n in self.lists)}
        spelt = self.question
        return Choose(
            KEEP, spelt.who, ("yes", "no"), weights=(1, 2), private=spelt.private, facts=facts
        )

    @property
    def refusal(self) -> None:
        """Nothing stands against a word that fits."""

    @property
    def interrupting(self) -> tuple[str, ...]:
        """Nobody: it is the speller's turn."""
        return ()

    @property
    def answer(self) -> Answer:
        """The word."""
        return self.text

    def fill(self, value: Answer) -> Doubt | None:
        """With the player's answer; None if the word is to be changed."""
        return self._replace(kept=True) if value == "yes" else None

    def back(self) -> None:
        """Nothing stays of it."""


def is_listed(prompt: Prompt | None, text: Answer) -> TypeGuard[Spell]:
    """Whether an answer is a word that will do, and that a list should have."""
    return isinstance(prompt, Spell) and prompt.listed and accepts(prompt, text)


class Doubts:
    """Looks spelt words up; that a language has no list it tells once.

    `dictionary` makes the word lists when the first word is looked up.
    """

    def __init__(self, dictionary: Callable[[], Dictionary] | None) -> None:
        self._dictionary = dictionary and cache(dictionary)
        self._without: set[str] = set()
        self._news: tuple[Cue, ...] = ()

    def about(self, prompt: Spell, text: str, language: str) -> Doubt | None:
        """The doubt about a word that a list should have; None if it may count at once."""
        verdict = self._dictionary().judge(text, language) if self._dictionary else None
        if verdict is None:
            self._miss(language)
            return None
        return None if verdict.known else Doubt(prompt, text, verdict.lists)

    def _miss(self, language: str) -> None:
        from companion.say.dictionary import PACKAGES  # noqa: PLC0415 - not before it is needed

        if language not in self._without:
            self._without.add(language)
            self._news = (Cue("no_word_list", {"package": PACKAGES[language]}),)

    def news(self) -> tuple[Cue, ...]:
        """What is to be told since the last time."""
        news, self._news = self._news, ()
        return news
