"""What is asked once more before it counts: a word that no list has, and what nothing takes back.

The harmless answer is under the thumb, and leads back to the question.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeGuard

from companion.core.game import Cue
from companion.core.prompts import Choose, Prompt, Spell, accepts
from companion.press.actions import Refuse
from companion.press.cursor import KEEP

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.forms import Filling
    from companion.core.prompts import Answer, Question
    from companion.say.dictionary import Dictionary


NAME: Final = "word_name"
"""The reason why a proper name is refused."""
SURE: Final = "sure"
"""The question whether a grave answer is meant."""


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
        facts = {"word": self.text, "lists": [*self.lists]}
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


class Sure(NamedTuple):
    """A grave answer that waits for its player's yes; it is used as a `Filling` is.

    `form` is the one that it is an answer of, None if it answers the standing question.
    """

    asked: Prompt
    value: Answer
    form: Filling | None = None
    said: bool = False

    @property
    def question(self) -> Question:
        """What is answered by it."""
        return self.form.question if self.form else self.asked

    @property
    def text(self) -> str:
        """The letters that it is changed by."""
        return self.value if isinstance(self.asked, Spell) else ""

    @property
    def prompt(self) -> Prompt | None:
        """What is asked; None once the player is sure."""
        if self.said:
            return None
        facts = {"question": self.asked.name, "value": self.value}
        asked = self.asked
        return Choose(
            SURE, asked.who, ("no", "yes"), weights=(2, 1), private=asked.private, facts=facts
        )

    @property
    def refusal(self) -> None:
        """Nothing stands against it."""

    @property
    def interrupting(self) -> tuple[str, ...]:
        """Whoever interrupts with it."""
        return self.form.interrupting if self.form else ()

    @property
    def answer(self) -> Answer:
        """What it is about."""
        return self.value

    def fill(self, value: Answer) -> Filling | Sure | None:
        """With the player's yes; with a no, as before it was given."""
        if value != "yes":
            return self.form
        return self.form.fill(self.value) if self.form else self._replace(said=True)

    def back(self) -> Filling | None:
        """As before it was given."""
        return self.form


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

    def about(self, prompt: Spell, text: str, language: str) -> Doubt | Refuse | None:
        """The doubt about a word that a list should have; None if it may count at once.

        A proper name is refused (PR-1).
        """
        verdict = self._dictionary().judge(text, language) if self._dictionary else None
        if verdict is None:
            self._miss(language)
            return None
        if verdict.name:
            return Refuse(NAME)
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
