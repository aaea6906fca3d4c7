"""What is asked now, of one face: a question, a form step by step, and whether that is meant.

A thumb, a phone and a program talk about the same value: each shows its `prompt`, and `answer`
says what comes of what was chosen there. Nothing is carried out here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias, TypeGuard

from companion.core.errors import Refused
from companion.core.fold import reason
from companion.core.prompts import THROW, Choose, Form, Spell, accepts, only
from companion.press.cursor import KEEP

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.prompts import Answer, Prompt, Question

SURE: Final = "sure"
"""The question whether a grave answer is meant."""


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """An answer that counts only after a yes: a grave one, or a word that `lists` do not have."""

    asked: Prompt
    value: Answer
    lists: tuple[str, ...] = ()

    @property
    def is_grave(self) -> bool:
        """Whether nothing takes it back, or it costs much."""
        return not self.lists

    @property
    def text(self) -> str:
        """The letters that it is changed by."""
        return self.value if isinstance(self.asked, Spell) else ""

    @property
    def prompt(self) -> Choose:
        """Whether it is meant; the harmless answer is the likeliest."""
        asked = self.asked
        if self.is_grave:
            facts = {"question": asked.name, "value": self.value}
            return Choose(SURE, asked.who, ("no", "yes"), (2, 1), asked.private, facts=facts)
        facts = {"word": self.value, "lists": [*self.lists]}
        return Choose(KEEP, asked.who, ("yes", "no"), (1, 2), asked.private, facts=facts)


@dataclass(frozen=True, slots=True)
class Whole:
    """An answer to carry out: to the standing question, or to the one that is named."""

    value: Answer
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A word to look up before it counts: a list of its language should have it."""

    prompt: Spell
    word: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A question, and what was answered of it so far; `standing`: it was asked in its turn.

    `given` are the answers to a form, in their order; `waiting` is one that is asked about again.
    """

    question: Question
    given: tuple[tuple[str, Answer], ...] = ()
    waiting: Unconfirmed | None = None
    standing: bool = False

    @property
    def prompt(self) -> Prompt | None:
        """What is asked next; None when nothing is missing."""
        if self.waiting is not None:
            return self.waiting.prompt
        if isinstance(self.question, Form):
            return self.question.ask(dict(self.given))
        return None if self.given else self.question

    @property
    def next(self) -> Next:
        """What its answers come to so far: it goes on, is whole, or cannot be."""
        if self.refusal is not None:
            return self.refusal
        return self if self.prompt is not None else Whole(self.value, self.question.name)

    @property
    def form(self) -> str | None:
        """The name of a form, or of what is said out of turn; None for a question in its turn."""
        plain = self.standing and not isinstance(self.question, Form)
        return None if plain else self.question.name

    @property
    def is_begun(self) -> bool:
        """Whether there is something to take back: it is more than the question that stands."""
        return not self.standing or bool(self.given) or self.waiting is not None

    @property
    def refusal(self) -> Refused | None:
        """What stands against the answers given so far; None if nothing does."""
        return self.question.refusal(dict(self.given)) if isinstance(self.question, Form) else None

    @property
    def value(self) -> Answer:
        """The answer to the whole, when nothing is missing."""
        return dict(self.given) if isinstance(self.question, Form) else self.given[0][1]

    @property
    def ok(self) -> str:
        """What OK does: the sentence `box.ok.` and this."""
        if self.waiting is not None:
            return SURE
        if isinstance(self.question, Form):
            return "fill"
        return THROW if self.standing and self.question.name == THROW else "answer"

    @property
    def interrupting(self) -> tuple[str, ...]:
        """Who interrupts; while that is asked, all of whom it may be."""
        if self.standing:
            return ()
        if self.given:
            return (str(self.given[0][1]),)
        first = replace(self, waiting=None).prompt
        return first.options if isinstance(first, Choose) else ()

    def answer(self, value: Answer, is_grave: Callable[[str, Answer], bool]) -> Next:
        """What an answer comes to. `is_grave(question, value)`: it is asked about once more."""
        prompt, waiting = self.prompt, self.waiting
        assert prompt is not None  # something was answered
        if waiting is not None:
            if value != "yes":
                return self.back()
            plain, meant = replace(self, waiting=None), waiting.value
            return plain.fill(meant).next if self.form else Whole(meant, waiting.asked.name)
        if accepts(prompt, value) and is_grave(prompt.name, value):
            return replace(self, waiting=Unconfirmed(prompt, value))
        if self.form:
            return self.fill(value).next
        return Unlisted(prompt, value) if is_listed(prompt, value) else Whole(value)

    def doubted(self, word: str, lists: tuple[str, ...]) -> Conversation:
        """With a word that none of the lists has, which is asked about."""
        prompt = self.prompt
        assert prompt is not None  # it was spelt
        return replace(self, waiting=Unconfirmed(prompt, word, lists))

    def back(self) -> Conversation | None:
        """Without the last answer that was chosen; None if there is none."""
        if self.waiting is not None:
            chose = self.standing or self.given or only(self.waiting.asked) is None
            return replace(self, waiting=None) if chose else None
        shorter = self
        while shorter.given:
            shorter = replace(shorter, given=shorter.given[:-1])
            if shorter.prompt is None or only(shorter.prompt) is None:
                return shorter
        return None

    def fill(self, value: Answer) -> Conversation:
        """One answer more, and all those that leave no choice."""
        prompt = self.prompt
        assert prompt is not None
        filled = replace(self, given=(*self.given, (prompt.name, value)))
        if filled.prompt is None or (sole := only(filled.prompt)) is None:
            return filled
        return filled.fill(sole)


def filled(
    question: Question,
    given: Mapping[str, Answer],
    is_grave: Callable[[str, Answer], bool],
    *,
    standing: bool = False,
) -> Next:
    """A form, or what is said out of turn, with answers by their question.

    What has one answer may be missing, and the last of them may be asked about once more. Gives
    Refused if one is not legal. What is grave and has nothing to choose is asked about at once.
    """
    talk, left, last = Conversation(question, standing=standing), dict(given), None
    while (prompt := talk.prompt) is not None:
        if prompt.name in left:
            last, value = talk, left.pop(prompt.name)
        elif (sole := only(prompt)) is not None and isinstance(question, Form):
            value = sole
        elif sole is not None and not standing and is_grave(prompt.name, sole):
            last, value = talk, sole
        else:
            break
        if not accepts(prompt, value):
            return Refused(reason(prompt, value), question=prompt.name)
        talk = replace(talk, given=(*talk.given, (prompt.name, value)))
    if left:
        return Refused("not_offered", question=question.name)
    return talk.next if last is None else _once_more(last, talk, is_grave)


def _once_more(
    last: Conversation, talk: Conversation, is_grave: Callable[[str, Answer], bool]
) -> Next:
    """Whether the last answer that was given is meant, if it is grave; else what comes of all."""
    name, value = talk.given[len(last.given)]
    asked = last.prompt
    if asked is None or not is_grave(name, value) or talk.refusal is not None:
        return talk.next
    return replace(last, waiting=Unconfirmed(asked, value))


Next: TypeAlias = Conversation | Whole | Unlisted | Refused | None
"""What an answer comes to; None: what was begun is let be."""


def is_listed(prompt: Prompt | None, text: Answer) -> TypeGuard[Spell]:
    """Whether an answer is a word that will do, and that a list should have."""
    return isinstance(prompt, Spell) and prompt.listed and accepts(prompt, text)
