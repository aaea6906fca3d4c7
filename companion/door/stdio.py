"""The text protocol over standard input and output, with one JSON object on each line.

The page docs/protocol.md lists all messages. The program at the other end receives the secrets of
all players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import BinaryIO, Final, TextIO

from companion.core.errors import Refused
from companion.core.game import Cue, Cues, EnteredBoardValue
from companion.core.prompts import Answer, Prompt, Question, Spell
from companion.door import messages
from companion.door.answer_steps import (
    NO_CONFIRMATIONS,
    Confirmations,
    ProgramStep,
    parse_out_of_turn_answer,
    step_after_answer,
    step_after_fill,
    step_after_pending_question,
)
from companion.door.lines import (
    MAX_LINE_BYTES,
    InvalidProtocolLineError,
    Message,
    ProtocolRequest,
    RequestSchema,
    message_as_protocol_line,
    parse_protocol_line,
)
from companion.play.conversation import CompleteAnswer, Conversation
from companion.play.session import Session
from companion.play.standing import UNDO_AGREEMENT
from companion.record.journal import JournalError
from companion.say.dictionary import WordVerdict
from companion.say.words import Words

__all__ = ["MAX_LINE_BYTES", "StdioGame"]

STDIO_REQUESTS: Final[Mapping[str, RequestSchema]] = {
    "answer": RequestSchema(frozenset({"id"})),
    "fill": RequestSchema(frozenset({"given"})),
    **dict.fromkeys(("undo", "redo", "why"), RequestSchema(is_flag=True)),
    "interrupt": RequestSchema(),
    "quit": RequestSchema(is_flag=True),
}
"""The verbs of the requests that a program can send, each with its schema."""


class StdioGame:
    """One game that a program plays for all players over two streams, `source` and `sink`.

    - `wall`: the function that returns the present time in seconds since 1970.
    - `version`: the version of the Companion software, which the greeting (`hello`) contains.
    - `learn`: the callback after each commit. The callback receives the values of the printed board
      that players entered.
    - `confirmations`: the functions that decide which answers the program must confirm.
    - `look_up(word)`: returns the result of a word's look-up; None if there is no word list. If the
      program confirms answers, `look_up` is not used.
    """

    def __init__(
        self,
        session: Session,
        words: Words,
        *,
        source: BinaryIO,
        sink: TextIO,
        wall: Callable[[], int],
        version: str,
        learn: Callable[[tuple[EnteredBoardValue, ...]], None] | None = None,
        confirmations: Confirmations = NO_CONFIRMATIONS,
        look_up: Callable[[str], WordVerdict | None] = lambda _word: None,
    ) -> None:
        self._learn, self._confirmations = learn, confirmations
        self._look_up = look_up
        self._talk: Conversation | None = None
        self._session, self._words, self._wall = session, words, wall
        self._source, self._sink, self._version = source, sink, version
        self._id = 0

    def run(self, notices: tuple[Cue, ...] = ()) -> None:
        """Send the greeting and the pending question, then execute lines until `quit`.

        The method also returns at the end of the input.

        notices: events to report after the greeting.
        """
        self._send(messages.greeting_message(self._session.game_setup, self._version, self._words))
        for cue in notices:
            self._tell(cue)
        self._commit()
        self._report()
        while (line := self._read()) is not None:
            try:
                if not self._take(parse_protocol_line(line, STDIO_REQUESTS)):
                    break
            except (InvalidProtocolLineError, JournalError, Refused) as error:
                self._send(messages.exception_message(error, self._words))

    # --- reading ---

    def _read(self) -> bytes | None:
        """Return the next line, or None at the end of the input.

        If the line is longer than `MAX_LINE_BYTES`, return its first bytes and discard the other
        bytes.
        """
        line = self._source.readline(MAX_LINE_BYTES + 1)
        if not line:
            return None
        if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            while (rest := self._source.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
        return line

    def _take(self, request: ProtocolRequest) -> bool:
        """Execute a request. Return False if the request is `quit`, else True."""
        verb, message = request
        standing = self._session.standing
        match verb:
            case "answer":
                self._answer(message)
            case "interrupt":
                self._give(*parse_out_of_turn_answer(standing, message["interrupt"]))
            case "fill":
                self._come_to(step_after_fill(standing, message, self._confirmations))
            case "why":
                self._send(messages.latest_ruling_message(standing, self._words))
            case "undo" | "redo":
                self._undo_or_redo(verb)
        return verb != "quit"

    def _answer(self, message: Message) -> None:
        given = message.get("id", self._id)
        if type(given) is not int or given != self._id:
            raise InvalidProtocolLineError("other_id", id=self._id)
        value, question = message["answer"], self._session.standing.pending_question
        if self._talk is not None:
            self._come_to(step_after_answer(self._talk, value, self._confirmations))
        elif question is not None:
            self._come_to(step_after_pending_question(question, value, self._confirmations))
        else:
            raise Refused("over")

    def _come_to(self, then: ProgramStep) -> None:
        match then:
            case CompleteAnswer(value, question):
                self._give(value, question)
            case Conversation():
                self._id, self._talk = self._id + 1, then
                view = self._session.standing.snapshot.view
                self._send(messages.next_question_message(then, view, self._words, self._id))
            case None:
                self._report(only_ask=True)

    def _give(self, value: Answer, question: str | None = None) -> None:
        prompt = self._session.standing.pending_prompt
        self._session.answer(value, self._wall(), question)
        self._commit()
        self._report(doubts=self._doubts(prompt, value) if question is None else ())

    def _doubts(self, prompt: Prompt | None, word: Answer) -> Cues:
        """Return the secrets of a player who spelled a word that no word list contains.

        Mark each secret with the field `doubted`. If the program confirms answers, if a list
        contains the word, or if there is no word list, return no secrets.
        """
        if self._confirmations is not NO_CONFIRMATIONS:
            return ()
        if not isinstance(prompt, Spell) or not prompt.listed:
            return ()
        verdict = self._look_up(word)
        if verdict is None or verdict.known:
            return ()
        return tuple(
            cue._replace(facts={**cue.facts, "doubted": True})
            for cue in self._session.standing.private_facts_of_all_players
            if cue.to == prompt.who
        )

    def _undo_or_redo(self, verb: str) -> None:
        # ignore a second `undo` while the players decide about the first `undo`
        if verb == "redo" or self._session.standing.pending_prompt != UNDO_AGREEMENT:
            getattr(self._session, verb)(self._wall())
            self._commit()
        self._report(only_ask=self._session.standing.pending_prompt == UNDO_AGREEMENT)

    def _commit(self) -> None:
        self._session.mark_secrets_sent(self._wall())
        # read the values first: if the game raises an exception here, nothing is committed
        values = self._session.standing.entered_board_values
        self._session.commit()
        if self._learn is not None:
            self._learn(values)

    # --- writing ---

    def _send(self, message: Message) -> None:
        self._sink.write(message_as_protocol_line(message))
        self._sink.flush()

    def _report(self, *, only_ask: bool = False, doubts: Cues = ()) -> None:
        standing = self._session.standing
        snapshot, secrets = standing.snapshot, bool(standing.possible_secret_holders)
        if not only_ask:
            for cue in (*snapshot.cues, *doubts):
                self._tell(cue)
            self._send(messages.state_message(snapshot, self._words, secrets=secrets))
        self._talk = None
        if snapshot.pending_question is not None:
            self._id += 1
            self._send(self._stands(snapshot.pending_question))
        elif snapshot.outcome is not None:
            self._send(
                messages.game_end_message(snapshot, snapshot.outcome, self._words, secrets=secrets)
            )
        if anytime := self._session.standing.out_of_turn_questions:
            self._send(messages.out_of_turn_questions_message(anytime, self._words))

    def _stands(self, question: Question) -> Message:
        view = self._session.standing.snapshot.view
        if self._confirmations is not NO_CONFIRMATIONS:
            talk = Conversation(question, is_pending=True)
            return messages.next_question_message(talk, view, self._words, self._id)
        return messages.pending_question_message(question, view, self._words, self._id)

    def _tell(self, cue: Cue) -> None:
        self._send(messages.fact_message(cue, self._words))
