"""The text protocol over standard input and output, with one JSON object on each line.

The page docs/protocol.md lists all messages. The program at the other end receives the secrets of
all players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, BinaryIO, Final, TextIO

from companion.core.errors import Refused
from companion.core.fold import refusal_code
from companion.core.game import Cue, Cues, EnteredBoardValue
from companion.core.prompts import Answer, Form, Prompt, Question, Spell, is_legal_answer
from companion.door import messages
from companion.door.lines import (
    MAX_LINE_BYTES,
    InvalidProtocolLineError,
    Message,
    ProtocolRequest,
    RequestSchema,
    message_as_protocol_line,
    parse_protocol_line,
)
from companion.play.conversation import (
    CompleteAnswer,
    Conversation,
    NextStep,
    WordToCheck,
    step_after_answers,
)
from companion.play.session import Session
from companion.play.standing import UNDO_AGREEMENT
from companion.record.journal import JournalError
from companion.say.dictionary import Dictionary
from companion.say.words import Words

__all__ = ["MAX_LINE_BYTES", "StdioGame", "parse_out_of_turn_answer"]

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
    - `dictionary`: the function that loads the word lists when a player spells the first word. If
      `dictionary` is None, no word is looked up.
    - `learn`: the callback after each commit. The callback receives the values of the printed board
      that players entered.
    - `needs_confirmation(question, answer)`: the function that returns True if the program must
      confirm this answer.
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
        dictionary: Callable[[], Dictionary] | None = None,
        learn: Callable[[tuple[EnteredBoardValue, ...]], None] | None = None,
        needs_confirmation: Callable[[str, Answer], bool] | None = None,
    ) -> None:
        self._learn, self._confirms = learn, needs_confirmation is not None
        self._needs_confirmation = needs_confirmation or (lambda _question, _answer: False)
        self._talk: Conversation | None = None
        self._session, self._words, self._wall = session, words, wall
        self._source, self._sink, self._version = source, sink, version
        self._dictionary = dictionary and cache(dictionary)
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
        match verb:
            case "answer":
                self._answer(message)
            case "interrupt":
                self._give(*parse_out_of_turn_answer(self._session, message["interrupt"]))
            case "fill":
                self._fill(message["fill"], message.get("given", {}))
            case "why":
                standing = self._session.standing
                self._send(messages.latest_ruling_message(standing, self._words))
            case "undo" | "redo":
                self._undo_or_redo(verb)
        return verb != "quit"

    def _answer(self, message: dict[str, Any]) -> None:
        given = message.get("id", self._id)
        if type(given) is not int or given != self._id:
            raise InvalidProtocolLineError("other_id", id=self._id)
        talk, value, stands = self._talk, message["answer"], self._session.standing.pending_question
        if talk is None and stands is not None and self._confirms:
            talk = Conversation(stands, is_pending=True)
        if talk is None:
            self._give(value)
        elif talk.next_prompt is not None and not is_legal_answer(talk.next_prompt, value):
            raise Refused(refusal_code(talk.next_prompt, value), question=talk.next_prompt.name)
        else:
            self._come_to(talk.step_after_answer(value, self._needs_confirmation))

    def _fill(self, name: Any, given: Any) -> None:
        if not isinstance(name, str) or not isinstance(given, dict):
            raise InvalidProtocolLineError(
                "not_so", name="given" if isinstance(name, str) else "fill"
            )
        stands = self._session.standing.pending_question
        if standing := isinstance(stands, Form) and stands.name == name:
            form: Question | None = stands
        else:
            form = next(
                (
                    question
                    for question in self._session.standing.out_of_turn_questions
                    if question.name == name
                ),
                None,
            )
        if form is None:
            raise Refused("not_asked", question=name)
        self._come_to(step_after_answers(form, given, self._needs_confirmation, standing=standing))

    def _come_to(self, then: NextStep) -> None:
        match then:
            case CompleteAnswer(value, question):
                self._give(value, question)
            case WordToCheck(_, word):  # accept the word; `_doubts` reports an unlisted word
                self._give(word)
            case Conversation(can_go_back=True):
                self._id, self._talk = self._id + 1, then
                view = self._session.standing.snapshot.view
                self._send(messages.next_question_message(then, view, self._words, self._id))
            case Refused():
                raise then
            case _:
                self._report(only_ask=True)

    def _give(self, value: Answer, question: str | None = None) -> None:
        prompt = self._session.standing.pending_prompt
        self._session.answer(value, self._wall(), question)
        self._commit()
        self._report(doubts=self._doubts(prompt, value) if question is None else ())

    def _doubts(self, prompt: Prompt | None, text: Answer) -> Cues:
        """Return the secrets of a player who spelled a word that no word list contains.

        Mark each secret with the field `doubted`. If a list contains the word, or if the word
        cannot be looked up, return no secrets.
        """
        if not isinstance(prompt, Spell) or not prompt.listed or self._dictionary is None:
            return ()
        verdict = self._dictionary().look_up(text, self._words.language)
        if verdict is None or verdict.known:
            return ()
        secrets = (
            cue
            for cue in self._session.standing.private_facts_of_all_players
            if cue.to == prompt.who
        )
        return tuple(cue._replace(facts={**cue.facts, "doubted": True}) for cue in secrets)

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
        if self._confirms:
            talk = Conversation(question, is_pending=True)
            return messages.next_question_message(talk, view, self._words, self._id)
        return messages.pending_question_message(question, view, self._words, self._id)

    def _tell(self, cue: Cue) -> None:
        self._send(messages.fact_message(cue, self._words))


def parse_out_of_turn_answer(session: Session, value: Any) -> tuple[Answer, str]:
    """Return the answer and the question's name from `value`, the value of an `interrupt` request.

    If `value` names one out-of-turn question, as in `{"stop": true}`, the answer is `true` and the
    name is `stop`. Otherwise, `value` is the answer to the form named `interrupt`.
    """
    names = {question.name for question in session.standing.out_of_turn_questions} - {"interrupt"}
    match list(value.items()) if isinstance(value, dict) else []:
        case [(str(name), answer)] if name in names:
            return answer, name
        case _:
            return value, "interrupt"
