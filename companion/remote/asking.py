"""The requests of clients (phones and programs) that change or query the running game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from companion.box.runner import Runner
from companion.box.state import TableState
from companion.core.errors import Refused
from companion.core.prompts import (
    LEAVING_PLAYER_QUESTION,
    Answer,
    Prompt,
    Spell,
    is_legal_answer,
)
from companion.door import messages
from companion.door.answer_steps import (
    NO_CONFIRMATIONS,
    Confirmations,
    ProgramStep,
    find_out_of_turn_question,
    is_pending_form,
    parse_out_of_turn_answer,
    step_after_answer,
    step_after_fill,
    step_after_pending_question,
)
from companion.door.lines import InvalidProtocolLineError, Message
from companion.menus.commands import GiveAnswer, RecordAndShowSecret, RedoAnswer, UndoAnswer
from companion.play.conversation import CompleteAnswer, Conversation, step_after_answers
from companion.play.session import Session
from companion.play.standing import UNDO_AGREEMENT
from companion.remote.audience import Audience, ConnectedClient, ConnectionQuestion
from companion.remote.programs import ComputerPlayers
from companion.remote.verbs import requested_language
from companion.say.dictionary import WordVerdict
from companion.table.word_lookup import PROPER_NAME_REASON


class WordLookups(NamedTuple):
    """The functions that look up a word.

    - `look_up(word, language)`: returns the result of a word's look-up; None if the language has no
      word list.
    - `lists_without(word, language)`: returns the names of the searched word lists if no list
      contains the word, and else () (`Answers.word_lists_without_word`).
    """

    look_up: Callable[[str, str], WordVerdict | None]
    lists_without: Callable[[str, str], tuple[str, ...]]


class ClientRequestHandlers:
    """The requests of clients: answers, undo, forms, secrets and look-ups of words.

    If a method raises InvalidProtocolLineError, Refused or JournalError, the game is unchanged.
    """

    def __init__(
        self,
        stands: TableState,
        runner: Runner,
        audience: Audience,
        programs: ComputerPlayers,
        words: WordLookups,
    ) -> None:
        self._stands, self._runner, self._all = stands, runner, audience
        self._programs, self._words = programs, words
        # the seat that requested an undo, and the `id` of the question whether players agree
        self._undoing: tuple[str | None, int] = None, 0

    def _playing(self, visitor: ConnectedClient) -> Session:
        """Return the running session.

        Raise InvalidProtocolLineError if no game is running or the client may not play.
        """
        session = self._stands.running_session
        if session is None:
            raise InvalidProtocolLineError("no_game")
        if visitor.joined_seat is None and not visitor.peer.is_owner:
            raise InvalidProtocolLineError("join_first")
        if (
            visitor.joined_seat is not None
            and visitor.joined_seat not in session.game_setup.players
        ):
            raise InvalidProtocolLineError("not_yours")
        return session

    def answer_question(self, visitor: ConnectedClient, message: Message) -> None:
        """Execute a client's answer to a question.

        The question is the pending question, or a question that the box asked only this client. If
        the client is a computer player, only store the answer.
        """
        session, question = self._playing(visitor), visitor.asked
        early = self._all.early.question_of_seat(visitor.reader)
        stands = early.number if early else self._all.asked
        given = message.get("id", question.number if question else stands)
        if type(given) is not int:
            raise InvalidProtocolLineError("other_id", id=self._all.asked)
        if question is not None and given == question.number:
            self._go_on(visitor, question, message["answer"], requested_language(message))
            return
        if given != stands or (early is not None and early.answer):
            raise self._late(visitor)
        check_may_answer(visitor, early.prompt if early else session.standing.pending_prompt)
        if session.standing.pending_prompt == UNDO_AGREEMENT and message["answer"] == "yes":
            self._insist_on_another(visitor)
        if visitor.joined_seat in session.standing.present_computer_players:
            self._programs.store_answer(visitor, message["answer"])
        else:
            self._answer(visitor, message["answer"], requested_language(message))

    def answer_out_of_turn(self, visitor: ConnectedClient, message: Message) -> None:
        """Execute a client's answer to a question that players can answer out of turn.

        message: the request. The field `interrupt` contains the answer and the question's name.
        """
        value = message["interrupt"]
        session = self._playing(visitor)
        who = (
            value.get("who", value.get(LEAVING_PLAYER_QUESTION))
            if isinstance(value, dict)
            else None
        )
        if visitor.joined_seat is not None and who not in (None, visitor.joined_seat):
            raise InvalidProtocolLineError("not_yours")
        self._runner.execute_commands(
            GiveAnswer(*parse_out_of_turn_answer(session.standing, value))
        )

    def undo_answer(self, visitor: ConnectedClient, _: Message) -> None:
        """Undo the last answer. If all players must agree, first ask the players."""
        # if the box already asks whether players agree, send the client this question again
        if self._playing(visitor).standing.pending_prompt == UNDO_AGREEMENT:
            self._all.queue_message(
                visitor.peer.number,
                self._all.make_change_report().question_or_end_for_recipient(visitor.reader),
            )
        else:
            self._runner.execute_commands(UndoAnswer())
            self._undoing = visitor.joined_seat, self._all.asked

    def _insist_on_another(self, visitor: ConnectedClient) -> None:
        """Raise InvalidProtocolLineError if the client's own seat requested the undo."""
        if (
            visitor.joined_seat is not None
            and (visitor.joined_seat, self._all.asked) == self._undoing
        ):
            raise InvalidProtocolLineError("another")

    def redo_answer(self, visitor: ConnectedClient, _: Message) -> None:
        """Redo the answer that was undone last."""
        self._playing(visitor)
        self._runner.execute_commands(RedoAnswer())

    def send_latest_ruling(self, visitor: ConnectedClient, _: Message) -> None:
        """Send a client the ruling that explains the latest events of the game."""
        session = self._stands.running_session
        if session is None:
            raise InvalidProtocolLineError("no_game")
        words = self._all.words_for_recipient(visitor.reader)
        ruling = messages.latest_ruling_message(session.standing, words)
        self._all.queue_message(visitor.peer.number, ruling)

    def send_own_secrets(self, visitor: ConnectedClient, _: Message) -> None:
        """Record that the client's player sees the secrets, then send the client the secrets."""
        session, seat = self._playing(visitor), visitor.joined_seat
        if seat is None:
            raise InvalidProtocolLineError("join_first")
        self._runner.execute_commands(RecordAndShowSecret(seat))
        words = self._all.words_for_recipient(visitor.reader)
        look = messages.look_message(session.standing, seat, words)
        self._all.queue_message(visitor.peer.number, look)

    def check_word(self, visitor: ConnectedClient, message: Message) -> None:
        """Look up a word before the client answers with the word. Send the client the result."""
        prompt, text = self._playing(visitor).standing.pending_prompt, message["check"]
        if early := self._all.early.question_of_seat(visitor.reader):
            prompt = early.prompt
        check_may_answer(visitor, prompt)
        if not isinstance(prompt, Spell) or not isinstance(text, str):
            raise InvalidProtocolLineError("no_word")
        words, flaw, verdict = self._all.words_for_recipient(visitor.reader), "", None
        if not is_legal_answer(prompt, text):
            flaw = (prompt.flaw(text) if 0 < len(text) <= prompt.longest else None) or "not_offered"
        elif prompt.listed:
            verdict = self._words.look_up(text, requested_language(message) or words.language)
            if verdict is not None and verdict.is_proper_name:
                flaw = PROPER_NAME_REASON
        self._all.queue_message(
            visitor.peer.number,
            messages.checked_message(
                known=None if verdict is None or flaw else verdict.known,
                flaw=messages.exception_message(Refused(flaw), words)["message"] if flaw else None,
            ),
        )

    def ask_or_execute_form(self, visitor: ConnectedClient, message: Message) -> None:
        """Ask a client the next unanswered question of a form, or execute the complete form."""
        standing = self._playing(visitor).standing
        if is_pending_form(standing, message["fill"]):
            check_may_answer(visitor, standing.pending_prompt)
        confirmations, seat = self._confirmations(visitor), visitor.joined_seat
        self._come_to(visitor, step_after_fill(standing, message, confirmations, seat))

    def _answer(self, visitor: ConnectedClient, value: Answer, lang: str) -> None:
        early = self._all.early.question_of_seat(visitor.reader)
        stands = early.prompt if early else self._stands.session.standing.pending_question
        if stands is None:
            raise Refused("over")
        confirmations = self._confirmations(visitor, lang)
        self._come_to(visitor, step_after_pending_question(stands, value, confirmations))

    def _go_on(
        self, visitor: ConnectedClient, question: ConnectionQuestion, value: Answer, lang: str
    ) -> None:
        talk, confirmations = self._afresh(visitor, question), self._confirmations(visitor, lang)
        self._come_to(visitor, step_after_answer(talk, value, confirmations))

    def execute_stored_answers(self) -> None:
        """Execute stored answers in turn order, once all asked seats with a client have answered.

        The box has asked these seats at the same time, and has stored the answers. The box
        executes all answers together, so that the order of events does not reveal which player
        answered first. If the record cannot save an answer, raise JournalError and keep the answer
        for another try.
        """
        early = self._all.early.questions_by_seat
        if any(
            seat in self._all.seats_allowed_to_answer_early and not question.answer
            for seat, question in early.items()
        ):
            return
        for question in early.values():
            if not question.answer:
                return
            self._runner.execute_commands(GiveAnswer(question.answer[0]))

    def _keep(self, visitor: ConnectedClient, seat: str, value: Answer) -> None:
        """Store a seat's answer until all other seats that were asked have answered.

        If the record cannot save the answer, delete the answer and raise JournalError.
        """
        self._all.early.store_answer(seat, value)
        try:
            self.execute_stored_answers()
        except BaseException:
            self._all.early.forget_answer(seat)
            raise
        early = self._all.early.question_of_seat(visitor.reader)
        if early is not None and early.answer:
            self._all.resend_answered_question(seat)

    def _late(self, visitor: ConnectedClient) -> InvalidProtocolLineError:
        return InvalidProtocolLineError(
            "late", {"ask": self._all.make_change_report().question_for_recipient(visitor.reader)}
        )

    def _afresh(self, visitor: ConnectedClient, question: ConnectionQuestion) -> Conversation:
        """Return a client's conversation: a form, or the confirmation of an answer.

        Raise InvalidProtocolLineError if the conversation is outdated. A conversation about the
        pending question is outdated when another question is pending. A form that is answered out
        of turn may continue while other players answer, as long as the game allows the form.
        """
        talk = question.talk
        early = self._all.early.question_of_seat(visitor.reader)
        if talk.is_pending and early is not None and talk.question == early.prompt:
            if early.answer:
                raise self._late(visitor)
            return talk
        if talk.is_pending:
            if question.while_asked != self._all.asked:
                raise self._late(visitor)
            return talk
        form = find_out_of_turn_question(
            self._stands.session.standing, talk.form_or_interrupt_name, visitor.joined_seat
        )
        again = (
            None
            if form is None
            else step_after_answers(form, dict(talk.given), NO_CONFIRMATIONS.needs_confirmation)
        )
        if not isinstance(again, Conversation) or again.given != talk.given:
            raise self._late(visitor)
        waiting = talk.unconfirmed_answer
        if waiting is not None and (
            again.next_prompt is None or not is_legal_answer(again.next_prompt, waiting.value)
        ):
            raise self._late(visitor)
        return replace(again, unconfirmed_answer=waiting)

    def _confirmations(self, visitor: ConnectedClient, lang: str = "") -> Confirmations:
        """Return the functions that decide which answers a client must confirm.

        The box asks for confirmations only on connections that sent `confirm`.

        lang: the language of a spelt word; "" to use the client's language.
        """
        if not visitor.reader.confirm:
            return NO_CONFIRMATIONS
        language = lang or self._all.words_for_recipient(visitor.reader).language
        return Confirmations(
            self._needs_confirmation, lambda word: self._words.lists_without(word, language)
        )

    def _needs_confirmation(self, question: str, value: Answer) -> bool:
        playing = self._stands.table.playing
        return playing is not None and playing.face.should_confirm_answer(question, value)

    def _come_to(self, visitor: ConnectedClient, then: ProgramStep) -> None:
        match then:
            case CompleteAnswer(value, question):
                self._ask(visitor, None)
                early, seat = self._all.early.question_of_seat(visitor.reader), visitor.joined_seat
                if early and seat and question in (None, early.prompt.name):
                    self._keep(visitor, seat, value)
                else:
                    self._runner.execute_commands(GiveAnswer(value, question))
            case None:
                self._ask(visitor, None)
                asked = self._all.make_change_report().question_or_end_for_recipient(visitor.reader)
                self._all.queue_message(visitor.peer.number, asked)
            case Conversation():
                own_question = ConnectionQuestion(
                    self._all.next_connection_question_number(), then, self._all.asked
                )
                self._ask(visitor, own_question)
                view = self._stands.session.standing.snapshot.view
                words = self._all.words_for_recipient(visitor.reader)
                asked = messages.next_question_message(
                    then, view, words, own_question.number, visitor.joined_seat
                )
                self._all.queue_message(visitor.peer.number, asked)

    def _ask(self, visitor: ConnectedClient, question: ConnectionQuestion | None) -> None:
        self._all.here[visitor.peer.number] = visitor._replace(asked=question)


def check_may_answer(visitor: ConnectedClient, prompt: Prompt | None) -> None:
    """Raise InvalidProtocolLineError if the client may not answer the question `prompt`.

    A client with a seat may answer only questions to this seat or to all players. A client without
    a seat may answer every question that is not private.
    """
    whose = prompt.who if prompt else None
    if visitor.joined_seat is None:
        if prompt is not None and prompt.private:
            raise InvalidProtocolLineError("not_yours")
    elif whose not in (None, visitor.joined_seat):
        raise InvalidProtocolLineError("not_yours")
