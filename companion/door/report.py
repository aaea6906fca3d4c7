"""The protocol lines that the box sends to each connection after the game has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from companion.core.game import Cue, Cues
from companion.core.prompts import Answer, Prompt
from companion.core.snapshot import Snapshot
from companion.door import messages
from companion.door.lines import Message, message_as_protocol_line
from companion.door.private_questions import private_question_without_choices
from companion.play.conversation import Conversation
from companion.play.session import Session
from companion.say.words import Words

if TYPE_CHECKING:
    MessageMaker: TypeAlias = Callable[["LineRecipient", Words], Message]


class LineRecipient(NamedTuple):
    """A recipient of protocol lines: a player's seat, or the public if `seat` is None.

    - `lang`: the language that the recipient requested. If `lang` is "", a seat uses the language
      of its player, and the public uses the language of the box.
    - `confirm`: True if the recipient receives the questions of a form one at a time, and must
      confirm answers that are hard to undo.
    - `is_owner`: True if the recipient has no seat, but may act for all players.
    """

    seat: str | None = None
    lang: str = ""
    confirm: bool = False
    is_owner: bool = False

    @property
    def may_act(self) -> bool:
        """Return True if the recipient may answer questions out of turn."""
        return self.is_owner or self.seat is not None


class SimultaneousQuestion(NamedTuple):
    """One seat's question, asked at the same time as other seats' questions, and its stored answer.

    - `number`: the `id` of the question in the text protocol.
    - `answer`: a tuple that contains the seat's answer; empty until the seat has answered.
    """

    prompt: Prompt
    number: int
    answer: tuple[Answer, ...] = ()


class LazyLine(NamedTuple):
    """A protocol line whose text the box builds only when it sends the line.

    - `make`: the function that builds and returns the text.
    - `own`: True if only the recipient's seat may read the line.
    """

    make: Callable[[], str]
    own: bool

    @property
    def text(self) -> str:
        """Return the line's text, which ends with a newline."""
        return self.make()


class ChangeReport:
    """The events, the state and the question that the box reports after the game has changed.

    - `session`: the running session; None if no game is running.
    - `number`: the `id` of the pending question.
    - `words`: the function that returns the sentences in a recipient's language.
    - `version`: the version of the Companion software.
    - `begun`: True if a game has begun, resumed or ended since the previous report.
    - `only_ask`: True if the report contains only the question, without events and state.
    - `early`: the questions that the box asks several seats at the same time, by seat.
    """

    def __init__(
        self,
        session: Session | None,
        number: int,
        words: Callable[[LineRecipient], Words],
        version: str,
        *,
        cues: Cues = (),
        begun: bool = False,
        only_ask: bool = False,
        early: Mapping[str, SimultaneousQuestion] | None = None,
    ) -> None:
        self._early = early or {}
        self._setup = None if session is None else session.game_setup
        self._snapshot = None if session is None else session.standing.snapshot
        self._anytime = () if session is None else session.standing.out_of_turn_questions
        self._secrets = session is not None and bool(session.standing.possible_secret_holders)
        self._number, self._words, self._version = number, words, version
        self._cues, self._begun, self._only_ask = cues, begun, only_ask
        self._made: dict[tuple[object, ...], str] = {}

    def lines_for_recipient(self, reader: LineRecipient) -> Iterator[LazyLine]:
        """Yield the protocol lines for a recipient, in order and in the recipient's language."""
        words = self._words(reader)
        if self._begun:
            yield self._shared(reader, words, "hello", self._hello)
        if self._snapshot is None:
            return
        if not self._only_ask:
            yield from self._facts(reader, words)
            yield self._shared(reader, words, "state", self._state)
        yield from self._stands(self._snapshot, reader, words)

    def _facts(self, reader: LineRecipient, words: Words) -> Iterator[LazyLine]:
        for n, cue in enumerate(self._cues):
            tell = partial(_told, cue)
            if cue.to is None:
                yield self._shared(reader, words, ("tell", n), tell)
            elif cue.to == reader.seat:
                yield LazyLine(partial(_line, tell, reader, words), own=True)

    def _stands(self, now: Snapshot, reader: LineRecipient, words: Words) -> Iterator[LazyLine]:
        if now.prompt is None and now.outcome is None:
            return
        if now.prompt is None:
            yield self._shared(reader, words, "over", self._over)
        elif self._early_for(reader) or (now.prompt.private and now.prompt.who == reader.seat):
            yield LazyLine(partial(_line, self._ask, reader, words), own=True)
        else:
            yield self._shared(reader, words, "ask", self._ask)
        if reader.may_act and self._anytime:
            yield self._shared(reader, words, "offers", self._offers)

    def question_for_recipient(self, reader: LineRecipient) -> Message | None:
        """Return the message with the pending question, or None if no question is pending.

        Choices that the recipient may not see are removed.
        """
        stands = self._snapshot is not None and self._snapshot.prompt is not None
        return self._ask(reader, self._words(reader)) if stands else None

    def question_or_end_for_recipient(self, reader: LineRecipient) -> Message:
        """Return the message with the pending question; if the game is over, the `over` message."""
        return self.question_for_recipient(reader) or self._over(reader, self._words(reader))

    def state_for_recipient(self, reader: LineRecipient) -> Message:
        """Return the message with the public state in the recipient's language.

        If no game is running, the message contains only its `type`.
        """
        return self._state(reader, self._words(reader))

    @property
    def _now(self) -> Snapshot:
        assert self._snapshot is not None
        return self._snapshot

    def _hello(self, _: LineRecipient, words: Words) -> Message:
        return messages.greeting_message(self._setup, self._version, words)

    def _state(self, _: LineRecipient, words: Words) -> Message:
        return messages.state_message(self._snapshot, words, secrets=self._secrets)

    def _over(self, _: LineRecipient, words: Words) -> Message:
        now = self._now
        assert now.outcome is not None
        return messages.game_end_message(now, now.outcome, words, secrets=self._secrets)

    def _ask(self, reader: LineRecipient, words: Words) -> Message:
        prompt, stands, view = self._now.prompt, self._now.pending_question, self._now.view
        assert prompt is not None and stands is not None  # noqa: PT018 - a question is pending
        if early := self._early_for(reader):
            talk = Conversation(early.prompt, is_pending=True)
            asked = messages.next_question_message(talk, view, words, early.number)
            return (
                private_question_without_choices(asked) | {"kept": True} if early.answer else asked
            )
        hides = prompt.private and prompt.who != reader.seat
        if reader.confirm:
            talk = Conversation(stands, is_pending=True)
            asked = messages.next_question_message(talk, view, words, self._number)
        else:
            asked = messages.pending_question_message(stands, view, words, self._number)
        return private_question_without_choices(asked) if hides else asked

    def _early_for(self, reader: LineRecipient) -> SimultaneousQuestion | None:
        return self._early.get(reader.seat or "")

    def _offers(self, _: LineRecipient, words: Words) -> Message:
        return messages.out_of_turn_questions_message(self._anytime, words)

    def _shared(
        self, reader: LineRecipient, words: Words, content: object, make: MessageMaker
    ) -> LazyLine:
        """Return a line that is built once for recipients with the same language and `confirm`."""
        key = content, reader.confirm, words.language

        def line() -> str:
            if key not in self._made:
                self._made[key] = _line(make, reader, words)
            return self._made[key]

        return LazyLine(line, own=False)


def _told(cue: Cue, _: LineRecipient, words: Words) -> Message:
    return messages.fact_message(cue, words)


def _line(make: MessageMaker, reader: LineRecipient, words: Words) -> str:
    return message_as_protocol_line(make(reader, words))
