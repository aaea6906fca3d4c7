"""The step that follows a program's `answer` or `fill`: a further question, or a complete answer.

`companion stdio` and the box's socket use the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from companion.core.errors import Refused
from companion.core.fold import refusal_code
from companion.core.prompts import (
    INTERRUPT_FORM,
    LEAVING_PLAYER_QUESTION,
    Answer,
    Form,
    Question,
    is_legal_answer,
    leaving_prompt,
)
from companion.door.lines import InvalidProtocolLineError, Message
from companion.play.conversation import (
    CompleteAnswer,
    Conversation,
    NextStep,
    WordToCheck,
    step_after_answers,
)
from companion.play.standing import Standing

ProgramStep: TypeAlias = CompleteAnswer | Conversation | None
"""The next step: execute a complete answer, or ask the next question of a conversation.

The value None means that the program receives the pending question again.
"""


class Confirmations(NamedTuple):
    """The functions that decide which answers a program must confirm.

    - `needs_confirmation(question, answer)`: returns True if the program must confirm the answer.
    - `word_lists_without_word(word)`: returns the searched word lists if none of the word lists
      contains the word, else ().
    """

    needs_confirmation: Callable[[str, Answer], bool]
    word_lists_without_word: Callable[[str], tuple[str, ...]]


NO_CONFIRMATIONS: Final = Confirmations(lambda _question, _answer: False, lambda _word: ())
"""The functions for a program that does not confirm answers."""


def step_after_pending_question(
    question: Question, value: Any, confirmations: Confirmations
) -> ProgramStep:
    """Return the next step after a program has answered the pending question.

    If the question is a form, `value` can contain the answers to several questions of the form.
    Raise Refused if the answer is not legal.
    """
    if isinstance(question, Form) and isinstance(value, dict):
        return _program_step(
            step_after_answers(question, value, confirmations.needs_confirmation, standing=True)
        )
    return step_after_answer(Conversation(question, is_pending=True), value, confirmations)


def step_after_answer(talk: Conversation, value: Any, confirmations: Confirmations) -> ProgramStep:
    """Return the next step after a program has answered the next question of a conversation.

    Raise Refused if the answer is not legal.
    """
    prompt = talk.next_prompt
    if prompt is not None and not is_legal_answer(prompt, value):
        raise Refused(refusal_code(prompt, value), question=prompt.name)
    then = talk.step_after_answer(value, confirmations.needs_confirmation)
    if isinstance(then, WordToCheck):
        lists = confirmations.word_lists_without_word(then.word)
        if not lists:
            return CompleteAnswer(then.word)
        then = talk.with_unlisted_word_question(then.word, lists)
    return _program_step(then)


def step_after_fill(
    standing: Standing, message: Message, confirmations: Confirmations, seat: str | None = None
) -> ProgramStep:
    """Return the next step after a program has sent a `fill` with answers to a form.

    seat: the player whose seat sent the message; None if the program has no seat.

    Raise InvalidProtocolLineError if a field of the message is not valid. Raise Refused if the game
    does not ask the form, or if an answer is not legal.
    """
    name, given = message["fill"], message.get("given", {})
    if not isinstance(name, str):
        raise InvalidProtocolLineError("not_so", name="fill")
    if not isinstance(given, dict):
        raise InvalidProtocolLineError("not_so", name="given")
    form, is_pending = standing.pending_question, is_pending_form(standing, name)
    if not is_pending:
        form = find_out_of_turn_question(standing, name, seat)
        if form is not None:
            given = _answers_of_seat(form, given, seat)
    if form is None:
        raise Refused("not_asked", question=name)
    return _program_step(
        step_after_answers(form, given, confirmations.needs_confirmation, standing=is_pending)
    )


def is_pending_form(standing: Standing, name: Any) -> bool:
    """Return True if the pending question is a form with the name `name`."""
    question = standing.pending_question
    return isinstance(question, Form) and question.name == name


def find_out_of_turn_question(
    standing: Standing, name: str | None, seat: str | None
) -> Question | None:
    """Return the question `name` that a program can answer out of turn now.

    Return None if there is no such question. If the program has the seat `seat`, the question
    LEAVING_PLAYER_QUESTION offers only this seat's player.
    """
    anytime = standing.out_of_turn_questions
    matching = next((question for question in anytime if question.name == name), None)
    if matching is None or name != LEAVING_PLAYER_QUESTION or seat is None:
        return matching
    return leaving_prompt((seat,)) if seat in standing.present_players else None


def parse_out_of_turn_answer(standing: Standing, value: Any) -> tuple[Answer, str]:
    """Return the answer and the question's name from `value`, the value of an `interrupt` request.

    If `value` names one out-of-turn question, as in `{"stop": true}`, the answer is `true` and the
    name is `stop`. Otherwise, `value` is the answer to the form named `interrupt`.
    """
    names = {question.name for question in standing.out_of_turn_questions} - {INTERRUPT_FORM}
    match list(value.items()) if isinstance(value, dict) else []:
        case [(str(name), answer)] if name in names:
            return answer, name
        case _:
            return value, INTERRUPT_FORM


def _answers_of_seat(
    form: Question, given: Mapping[str, Answer], seat: str | None
) -> Mapping[str, Answer]:
    """Return the answers `given` to a form.

    If the form asks which player answers out of turn, add the program's seat as the answer. Raise
    InvalidProtocolLineError if `given` names another player.
    """
    first = form.ask({}) if seat is not None and isinstance(form, Form) else None
    if first is None or form.name != INTERRUPT_FORM:
        return given
    if given.get(first.name, seat) != seat:
        raise InvalidProtocolLineError("not_yours")
    return {**given, first.name: seat}


def _program_step(then: NextStep) -> ProgramStep:
    match then:
        case Refused():
            raise then
        case CompleteAnswer() | Conversation(can_go_back=True):
            return then
        case WordToCheck():  # never reached: `step_after_answer` replaces this step
            raise AssertionError(then)
        case _:
            return None
