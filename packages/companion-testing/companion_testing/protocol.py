"""Checks of the text protocol, which docs/protocol.md describes.

A program that does not know the rules plays whole games. The program also undoes, redoes, asks for
rulings, answers out of turn and sends invalid lines.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator
from contextlib import closing
from random import Random
from typing import Any, Final, TypeAlias

from companion.core.chance import Chance
from companion.core.prompts import (
    LEAVING_PLAYER_QUESTION,
    PRESSED_ROLL_QUESTION,
    Form,
    Question,
    legal_answers,
)
from companion.door.lines import Message
from companion.door.stdio import StdioGame
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.play.standing import UNDO_AGREEMENT
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from companion_testing.face_recording import game_words_for_edition
from companion_testing.lines import (
    ProtocolFault,
    ProtocolLineChecks,
    raise_protocol_fault_unless,
)
from companion_testing.table import Faults, GameFault, GamePlace, GameTable

Line: TypeAlias = "Message | bytes"
Bot: TypeAlias = "Generator[Line, list[Message], None]"
"""Type of a generator that receives messages of the text protocol and yields lines to the game."""

NONSENSE_LINES: Final[tuple[Line, ...]] = (
    {"answer": "nonsense"}, {"answer": True}, {"answer": None}, {"interrupt": {}}, b"", b"{",
    {"answer": 0, "id": 0}, {"undo": 1}, {"answer": 1.0}, {"answer": [1]},
)  # fmt: skip
UNDO_RATE: Final = 0.1
"""Probability that `disruptive_random_bot` undoes an answer."""
LEAVING_THRESHOLD: Final = 2.62
"""Limit for the random number with which `_restless` chooses a line.

Above this limit, the bot sends no line by which a player leaves, so few players leave.
"""
MAX_LINES: Final = 4000
"""Number of lines after which `disruptive_random_bot` stops."""


class ProtocolReferee:
    """A checker that raises ProtocolFault if a message breaks docs/protocol.md.

    - `check`: function that checks one message; if None, `RefereedBotGame` uses a
      `ProtocolLineChecks`.
    - `pending_message`: the message with the pending question, or with the end of the game.
    - `state`: the last `state` message, without its type.
    - `back`, `forth`: the expected states and questions after an undo and after a redo.
    - `seen`: all messages from the game except `offers`.
    """

    def __init__(self, check: Callable[[Message], object] | None = None) -> None:
        self.check = check
        self.hello: Message = {}
        self.pending_message: Message = {}
        self.state: Message = {}
        self.back: list[tuple[Message, Message]] = []
        self.forth: list[tuple[Message, Message]] = []
        self.seen: list[Message] = []
        self._ids: set[int] = set()
        self._before: Message = {}

    def check_reply(self, line: Line | None, messages: list[Message]) -> None:
        """Check the messages that the game sent after `line`, or at the start if `line` is None."""
        assert self.check is not None  # `RefereedBotGame.run` sets `check` before the first line
        for message in messages:
            self.check(message)
        if messages and messages[-1]["type"] == "offers":
            messages = messages[:-1]
        self.seen += messages
        raise_protocol_fault_unless(bool(messages), "a line was not answered")
        sent = line if isinstance(line, dict) else {"garbage": True}
        if line is None:
            self.hello, *messages = messages
            raise_protocol_fault_unless(self.hello["type"] == "hello", "the first line is no hello")
            self._body(messages)
        elif messages[0]["type"] == "error":
            raise_protocol_fault_unless(len(messages) == 1, "an error is not alone")
            self._refused(sent)
        elif "why" in sent:
            raise_protocol_fault_unless(
                [message["event"] for message in messages] == ["why"], "a why is not alone"
            )
        elif "undo" in sent:
            self._undone(messages)
        elif "redo" in sent:
            self._redone(messages)
        else:  # the line is an answer or an out-of-turn answer
            raise_protocol_fault_unless(
                "answer" in sent or "interrupt" in sent, f"{sent} was taken"
            )
            self._answered(sent.get("answer"), messages)

    @property
    def is_undo_consent_pending(self) -> bool:
        """Return True if the game asks the players to agree to an undo."""
        return bool(self.pending_message.get("question") == UNDO_AGREEMENT.name)

    def _body(self, messages: list[Message]) -> list[Message]:
        """Check the order of the messages after a line, and return the `tell` messages.

        The order must be `tell` and `secret` messages, one `state`, then a question or the end.
        """
        *facts, state, last = messages
        raise_protocol_fault_unless(
            {message["type"] for message in facts} <= {"tell", "secret"}, "the order is wrong"
        )
        raise_protocol_fault_unless(state["type"] == "state", "no state before the question")
        self.state = {name: fact for name, fact in state.items() if name != "type"}
        self._stand(last)
        return [message for message in facts if message["type"] == "tell"]

    def _stand(self, last: Message) -> None:
        raise_protocol_fault_unless(
            last["type"] in ("ask", "over"), "neither a question nor the end"
        )
        if last["type"] == "over":
            raise_protocol_fault_unless(last["state"] == self.state, "the end has another state")
            shown = hashlib.sha256(last["seed"].encode()).hexdigest()
            raise_protocol_fault_unless(
                shown == self.hello["commitment"], "the seed is not the one that was promised"
            )
        else:
            raise_protocol_fault_unless(
                last["id"] not in self._ids, "an id stands for two questions"
            )
            self._ids.add(last["id"])
            raise_protocol_fault_unless(
                last["who"] in {None, *self.hello["players"]}, f"{last['who']} is asked"
            )
        self.pending_message = last

    def _refused(self, sent: Message) -> None:
        """Raise ProtocolFault if the game refused a request that was possible."""
        if "id" in sent and "answer" not in sent:
            return
        if sent.get("undo") is True:
            raise_protocol_fault_unless(not self.back, "an undo was refused")
        elif sent.get("redo") is True:
            raise_protocol_fault_unless(
                not self.forth or self.is_undo_consent_pending, "a redo was refused"
            )
        else:
            raise_protocol_fault_unless(sent.get("why") is not True, "a why was refused")
            values = [choice["value"] for choice in self.pending_message.get("choices", ())]
            fits = any(type(v) is type(sent.get("answer")) and v == sent["answer"] for v in values)
            here = "id" not in sent or (
                type(sent["id"]) is int and sent["id"] == self.pending_message.get("id")
            )
            raise_protocol_fault_unless(not fits or not here, f"{sent} was refused")

    def _answered(self, value: Any, messages: list[Message]) -> None:
        if self.is_undo_consent_pending:
            if value == "yes":
                self._taken_back(messages)
            else:
                raise_protocol_fault_unless(self._body(messages) == [], "a no told something")
                self._same(self._before)
            return
        if value != PRESSED_ROLL_QUESTION:  # an undo skips the press that starts a roll
            self.back.append((self.state, self.pending_message))
        self.forth.clear()
        events = {tell["event"] for tell in self._body(messages)}
        raise_protocol_fault_unless(
            not {"undone", "redone", "why"} & events, "an answer was told as something else"
        )

    def _undone(self, messages: list[Message]) -> None:
        if messages[0]["type"] == "ask":
            asked = [message["question"] for message in messages]
            raise_protocol_fault_unless(
                asked == [UNDO_AGREEMENT.name], "an undo asked something else"
            )
            if not self.is_undo_consent_pending:
                self._before = self.pending_message
            self._stand(messages[0])
        else:
            raise_protocol_fault_unless(
                not self.is_undo_consent_pending, "the table was not waited for"
            )
            self._taken_back(messages)

    def _taken_back(self, messages: list[Message]) -> None:
        """Raise ProtocolFault unless state and question are as before the undone answer."""
        self.forth.append(
            (self.state, self._before if self.is_undo_consent_pending else self.pending_message)
        )
        state, stood = self.back.pop()
        facts = self._body(messages)
        raise_protocol_fault_unless(
            [tell["event"] for tell in facts] == ["undone"], "an undo told something else"
        )
        raise_protocol_fault_unless(facts[0]["left"] == len(self.back), "an undo counts wrongly")
        raise_protocol_fault_unless(
            len(messages) == 3, "an undo told a secret"
        )  # allowed: one `tell`, one `state` and one `ask`
        raise_protocol_fault_unless(self.state == state, "after an undo the state is not as before")
        self._same(stood)

    def _redone(self, messages: list[Message]) -> None:
        self.back.append((self.state, self.pending_message))
        state, stood = self.forth.pop()
        facts = self._body(messages)
        raise_protocol_fault_unless(
            facts[:1] != [] and facts[0]["event"] == "redone", "a redo is not told as one"
        )
        raise_protocol_fault_unless(self.state == state, "after a redo the state is not as before")
        self._same(stood)

    def _same(self, stood: Message) -> None:
        raise_protocol_fault_unless(
            {**self.pending_message, "id": 0} == {**stood, "id": 0},
            "another question stands than before",
        )


class RefereedBotGame:
    """A game and a bot in this process that exchange lines, checked by a `ProtocolReferee`.

    - `written`: all lines from the game.
    - `lines`: all lines from the bot. The bot receives no `offers` messages.
    """

    def __init__(self, bot: Bot, referee: ProtocolReferee | None = None) -> None:
        self.bot, self.referee = bot, referee or ProtocolReferee()
        self.written: list[str] = []
        self.lines: list[bytes] = []
        self._new: list[Message] = []
        self._sent: Line | None = None
        next(bot)

    def run(self, session: Session, language: str = "en") -> RefereedBotGame:
        """Play the game until the bot stops.

        Raise ProtocolFault if a message breaks the protocol.
        """
        pipe: Any = self
        setup = session.game_setup
        own = setup.options.get("deck") == "own"
        words = game_words_for_edition(setup.game.name, language, setup.edition, own=own)
        self.referee.check = (
            self.referee.check or ProtocolLineChecks(setup.game.name, session).check_line
        )
        StdioGame(session, words, source=pipe, sink=pipe, wall=lambda: 0, version="1").run()
        return self

    def readline(self, _limit: int) -> bytes:
        """Check the game's messages, and then return the bot's next line."""
        new, self._new = self._new, []
        self.referee.check_reply(self._sent, new)
        try:
            self._sent = self.bot.send([message for message in new if message["type"] != "offers"])
        except StopIteration:
            return b""
        line = self._sent
        self.lines.append(line if isinstance(line, bytes) else json.dumps(line).encode())
        return self.lines[-1] + b"\n"

    def write(self, line: str) -> None:
        """Receive a line from the game. Raise ProtocolFault if `line` is not exactly one line."""
        raise_protocol_fault_unless(
            line.endswith("\n") and line.count("\n") == 1, "a message is not one line"
        )
        self.written.append(line)
        self._new.append(json.loads(line))

    def flush(self) -> None:
        """Do nothing, because lines are not buffered."""


# --- programs without knowledge of the rules ------------------------------------------------------


def random_bot(rng: Random) -> Bot:
    """Send random answers until the game is over."""
    messages = yield {}
    while messages[-1]["type"] == "ask":
        choice = rng.choice(messages[-1]["choices"])
        messages = yield {"answer": choice["value"], "id": messages[-1]["id"]}


def disruptive_random_bot(rng: Random, session: Session | None = None, ends: int = 2) -> Bot:
    """Play at random, and also undo, redo, ask for rulings and send invalid lines.

    If `session` is given, also answer out of turn. Continue after the end of the game with an undo,
    until the game has ended `ends` times.
    """
    messages = yield {}
    stands, over = messages[-1], 0
    for _ in range(MAX_LINES):
        if stands["type"] == "over" and messages[-1] is stands:
            over += 1
        if over == ends:
            return
        messages = yield _restless(rng, session, stands)
        if messages[-1]["type"] in ("ask", "over"):
            stands = messages[-1]


def _restless(rng: Random, session: Session | None, stands: Message) -> Line:
    lucky = rng.random() / UNDO_RATE
    if lucky < 1:
        return {"undo": True}
    if lucky < 1.8:  # redo: 0.8 times as likely as an undo
        return {"redo": True}
    if lucky < 2.2:
        return {"why": True}
    if lucky < 2.6:
        return rng.choice(NONSENSE_LINES)
    spoken = session.standing.out_of_turn_questions if session is not None else ()
    if lucky > LEAVING_THRESHOLD:
        spoken = tuple(question for question in spoken if question.name != LEAVING_PLAYER_QUESTION)
    if spoken and lucky < 3.2:
        return _interruption(rng, rng.choice(spoken))
    if stands["type"] == "over":
        return {"undo": True}
    return {"answer": rng.choice(stands["choices"])["value"]}


def _interruption(rng: Random, question: Question) -> Line:
    if not isinstance(question, Form):
        return {"interrupt": {question.name: rng.choice(legal_answers(question))}}
    given: dict[str, Any] = {}
    while (part := question.ask(given)) is not None:
        given[part.name] = rng.choice(legal_answers(part))
    return {"interrupt": given if question.name == "interrupt" else {question.name: given}}


def find_protocol_faults(table: GameTable, rng: Random, seed: str, number: int) -> Faults:
    """Play a random game with `disruptive_random_bot`, and yield the fault that ended the game.

    - `number`: the number of this game, which the fault's `GamePlace` contains.
    """
    with closing(Journal(None)) as journal:
        session = Session.begin(journal, GameSetup(*table, Chance(seed), mixing=False), 0)
        talk = RefereedBotGame(disruptive_random_bot(rng, session))
        try:
            talk.run(session, rng.choice(LANGUAGES))
        except ProtocolFault as fault:
            yield GameFault(str(fault), _at(table, number, talk))


def _at(table: GameTable, number: int, talk: RefereedBotGame) -> GamePlace:
    stood, move = talk.referee.pending_message, len(talk.referee.back) + 1
    name, who = str(stood.get("question", "the start")), stood.get("who")
    seat = table.players.index(who) + 1 if who in table.players else None
    sent = talk.lines[-1].decode(errors="replace") if talk.lines else None
    return GamePlace(table.id, number, move, name, who, seat, sent, answered=bool(sent))
