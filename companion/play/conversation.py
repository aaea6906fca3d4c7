"""The dialogue about one question, step by step, until the answer is complete.

The dialogue fills in a form question by question. The dialogue asks the player to confirm an answer
that cannot be undone or has a high cost.

Buttons, phones and programs use the class `Conversation`. The caller shows the conversation's
`next_prompt`, and `step_after_answer` returns the next step. A conversation only collects answers.
The caller applies the complete answer to the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeGuard

from companion.core.errors import Refused
from companion.core.fold import refusal_code
from companion.core.prompts import (
    PRESSED_ROLL_QUESTION,
    Answer,
    Choose,
    Form,
    Prompt,
    Question,
    Spell,
    is_legal_answer,
    only_answer,
)
from companion.press.cursor import CONFIRM_UNLISTED_WORD_QUESTION

SURE_QUESTION: Final = "sure"
"""Name of the question that asks a player to confirm an answer with a high cost."""


@dataclass(frozen=True, slots=True)
class UnconfirmedAnswer:
    """An answer that takes effect only after the player confirms the answer.

    The player must confirm an answer that has a high cost or cannot be undone. The player must also
    confirm a word that is in none of the word lists `searched_word_lists`.
    """

    asked: Prompt
    value: Answer
    searched_word_lists: tuple[str, ...] = ()

    @property
    def is_irreversible_or_costly(self) -> bool:
        """Return True if the answer cannot be undone or has a high cost."""
        return not self.searched_word_lists

    @property
    def editable_letters(self) -> str:
        """Return the letters that the player can edit; "" if the answer is not a word."""
        return self.value if isinstance(self.asked, Spell) else ""

    @property
    def confirmation_prompt(self) -> Choose:
        """Return the question that asks for confirmation.

        The cursor starts at "no", so that a hasty press confirms nothing.
        """
        asked = self.asked
        if self.is_irreversible_or_costly:
            facts = {"question": asked.name, "value": self.value}
            return Choose(
                SURE_QUESTION, asked.who, ("no", "yes"), (2, 1), asked.private, facts=facts
            )
        facts = {"word": self.value, "lists": [*self.searched_word_lists]}
        return Choose(
            CONFIRM_UNLISTED_WORD_QUESTION,
            asked.who,
            ("yes", "no"),
            (1, 2),
            asked.private,
            facts=facts,
        )


@dataclass(frozen=True, slots=True)
class CompleteAnswer:
    """A complete answer to the pending question, or to the out-of-turn question `question`."""

    value: Answer
    question: str | None = None


@dataclass(frozen=True, slots=True)
class WordToCheck:
    """A word that must be looked up in the word lists before the game accepts the word."""

    prompt: Spell
    word: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A question, and the answers that players have given so far.

    - `given`: the answers to a form so far, as pairs of a question's name and an answer.
    - `unconfirmed_answer`: the answer that needs confirmation, or None.
    - `is_pending` is True if the question is pending, False if the question is out of turn.
    """

    question: Question
    given: tuple[tuple[str, Answer], ...] = ()
    unconfirmed_answer: UnconfirmedAnswer | None = None
    is_pending: bool = False

    @property
    def next_prompt(self) -> Prompt | None:
        """Return the conversation's next prompt; None if the answer is complete."""
        if self.unconfirmed_answer is not None:
            return self.unconfirmed_answer.confirmation_prompt
        if isinstance(self.question, Form):
            return self.question.ask(dict(self.given))
        return None if self.given else self.question

    @property
    def next_step(self) -> NextStep:
        """Return the next step: a refusal, this conversation (if unfinished), or the answer."""
        if self.refusal_reason is not None:
            return self.refusal_reason
        return (
            self
            if self.next_prompt is not None
            else CompleteAnswer(self.completed_answer, self.question.name)
        )

    @property
    def form_or_interrupt_name(self) -> str | None:
        """Return the name of a form or out-of-turn question; None for any other question."""
        plain = self.is_pending and not isinstance(self.question, Form)
        return None if plain else self.question.name

    @property
    def can_go_back(self) -> bool:
        """Return True if BACK can remove an answer, or close an out-of-turn question."""
        return not self.is_pending or bool(self.given) or self.unconfirmed_answer is not None

    @property
    def refusal_reason(self) -> Refused | None:
        """Return the reason why the answers so far are illegal; None if the answers are legal."""
        return self.question.refusal(dict(self.given)) if isinstance(self.question, Form) else None

    @property
    def completed_answer(self) -> Answer:
        """Return the complete answer to the question. Use only if `next_prompt` is None."""
        return dict(self.given) if isinstance(self.question, Form) else self.given[0][1]

    @property
    def ok_label_key(self) -> str:
        """Return the part `<key>` of `box.ok.<key>`, the catalogue key for the label of OK."""
        if self.unconfirmed_answer is not None:
            return SURE_QUESTION
        if isinstance(self.question, Form):
            return "fill"
        return (
            PRESSED_ROLL_QUESTION
            if self.is_pending and self.question.name == PRESSED_ROLL_QUESTION
            else "answer"
        )

    @property
    def out_of_turn_players(self) -> tuple[str, ...]:
        """Return the player who answers out of turn.

        If no player is chosen yet, return all players who can answer the question. If the question
        is pending, return ().
        """
        if self.is_pending:
            return ()
        if self.given:
            return (str(self.given[0][1]),)
        first = replace(self, unconfirmed_answer=None).next_prompt
        return first.options if isinstance(first, Choose) else ()

    def step_after_answer(
        self, value: Answer, needs_confirmation: Callable[[str, Answer], bool]
    ) -> NextStep:
        """Return the next step after the player gives the answer `value`.

        `needs_confirmation(question, value)`: function that returns True if the player must confirm
        an answer.
        """
        prompt, waiting = self.next_prompt, self.unconfirmed_answer
        assert prompt is not None  # `step_after_answer` is called only while a prompt is pending
        if waiting is not None:
            if value != "yes":
                return self.without_last_answer()
            plain, meant = replace(self, unconfirmed_answer=None), waiting.value
            return (
                plain.with_answer(meant).next_step
                if self.form_or_interrupt_name
                else CompleteAnswer(meant, waiting.asked.name)
            )
        if is_legal_answer(prompt, value) and needs_confirmation(prompt.name, value):
            return replace(self, unconfirmed_answer=UnconfirmedAnswer(prompt, value))
        if self.form_or_interrupt_name:
            return self.with_answer(value).next_step
        return (
            WordToCheck(prompt, value) if needs_word_check(prompt, value) else CompleteAnswer(value)
        )

    def with_unlisted_word_question(self, word: str, lists: tuple[str, ...]) -> Conversation:
        """Return the conversation with a question about `word`, which is in no word list."""
        prompt = self.next_prompt
        assert prompt is not None  # the word answers this prompt, so the prompt exists
        return replace(self, unconfirmed_answer=UnconfirmedAnswer(prompt, word, lists))

    def without_last_answer(self) -> Conversation | None:
        """Return the conversation without its last chosen answer; None if no answer was chosen."""
        if self.unconfirmed_answer is not None:
            chose = (
                self.is_pending or self.given or only_answer(self.unconfirmed_answer.asked) is None
            )
            return replace(self, unconfirmed_answer=None) if chose else None
        shorter = self
        while shorter.given:
            shorter = replace(shorter, given=shorter.given[:-1])
            if shorter.next_prompt is None or only_answer(shorter.next_prompt) is None:
                return shorter
        return None

    def with_answer(self, value: Answer) -> Conversation:
        """Return the conversation with one more answer.

        If the next question has only one possible answer, this answer is added too.
        """
        prompt = self.next_prompt
        assert prompt is not None
        filled = replace(self, given=(*self.given, (prompt.name, value)))
        if filled.next_prompt is None or (sole := only_answer(filled.next_prompt)) is None:
            return filled
        return filled.with_answer(sole)


def step_after_answers(
    question: Question,
    given: Mapping[str, Answer],
    needs_confirmation: Callable[[str, Answer], bool],
    *,
    standing: bool = False,
) -> NextStep:
    """Return the next step after a form or an out-of-turn question received the answers `given`.

    Return a Refused value if an answer is illegal.

    - `given`: answers by question name. A question that has only one possible answer can be
      missing.
    - `needs_confirmation(question, value)`: function that returns True if the player must confirm
      an answer. `needs_confirmation` is called for the last answer. For an out-of-turn question,
      `needs_confirmation` is also called for an answer without an alternative.
    - `standing` is True if the question is pending, False if the question is out of turn.
    """
    talk, left, last = Conversation(question, is_pending=standing), dict(given), None
    while (prompt := talk.next_prompt) is not None:
        if prompt.name in left:
            last, value = talk, left.pop(prompt.name)
        elif (sole := only_answer(prompt)) is not None and isinstance(question, Form):
            value = sole
        elif sole is not None and not standing and needs_confirmation(prompt.name, sole):
            last, value = talk, sole
        else:
            break
        if not is_legal_answer(prompt, value):
            return Refused(refusal_code(prompt, value), question=prompt.name)
        talk = replace(talk, given=(*talk.given, (prompt.name, value)))
    if left:
        return Refused("not_offered", question=question.name)
    return talk.next_step if last is None else _once_more(last, talk, needs_confirmation)


def _once_more(
    last: Conversation, talk: Conversation, needs_confirmation: Callable[[str, Answer], bool]
) -> NextStep:
    name, value = talk.given[len(last.given)]
    asked = last.next_prompt
    if asked is None or not needs_confirmation(name, value) or talk.refusal_reason is not None:
        return talk.next_step
    return replace(last, unconfirmed_answer=UnconfirmedAnswer(asked, value))


NextStep: TypeAlias = Conversation | CompleteAnswer | WordToCheck | Refused | None
"""Union of the possible next steps of a conversation.

The value None means that the player cancelled the answer to the question.
"""


def needs_word_check(prompt: Prompt | None, text: Answer) -> TypeGuard[Spell]:
    """Return True if an answer is a legal word that must be looked up in the word lists."""
    return isinstance(prompt, Spell) and prompt.listed and is_legal_answer(prompt, text)
