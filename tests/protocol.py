"""The text protocol as the tests speak it: what a message may be, who reads along, who plays."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import companion
from companion.cmd.stdio import Stdio
from companion.games.registry import NAMES as NAMES_OF_GAMES
from tests.helpers import words_of

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Generator, Iterable, Mapping

    from companion.play.session import Session

Message: TypeAlias = dict[str, Any]
Line: TypeAlias = "Message | bytes"
Bot: TypeAlias = "Generator[Line, list[Message], None]"
Check: TypeAlias = "Callable[[Any], bool]"

ROOT: Final = Path(companion.__file__).parents[1]

# --- what a value is ------------------------------------------------------------------------------


def text(value: Any) -> bool:
    return type(value) is str and bool(value.strip()) and "|" not in value


def spoken(value: Any) -> bool:
    return type(value) is str and "|" not in value


def whole(value: Any) -> bool:
    return type(value) is int


def truth(value: Any) -> bool:
    return type(value) is bool


def a_list(of: Check) -> Check:
    return lambda value: type(value) is list and all(map(of, value))


def a_dict(of: Check) -> Check:
    return lambda value: (
        type(value) is dict and all(map(text, value)) and all(map(of, [*value.values()]))
    )


def maybe(of: Check) -> Check:
    return lambda value: value is None or of(value)


def one_of(*values: Any) -> Check:
    return lambda value: any(type(value) is type(v) and value == v for v in values)


def fields(**checks: Check) -> Check:
    """Exactly these fields, each as it must be."""

    def check(value: Any) -> bool:
        assert type(value) is dict
        assert value.keys() == checks.keys(), value.keys() ^ checks.keys()
        for name, of in checks.items():
            assert of(value[name]), (name, value[name])
        return True

    return check


def named(kind: str, /, **checks: Check) -> Check:
    return fields(type=one_of(kind), **checks)


def short(value: Any) -> bool:
    """A number or a name: what most questions are answered with."""
    return whole(value) or text(value)


# --- what docs/protocol.md says -------------------------------------------------------------------


class Chapter(NamedTuple):
    """What docs/protocol.md says of one game, and how random programs play it.

    `events`, `questions` and `state` map names to what their facts, answers and fields must be.
    `rare` are events that random games do not come to, `more` are fields of the state that are
    there with some options only, `extra` are fields of some questions. `private` are the questions
    that are one player's when the option `hides` has that value; `back` is what an answer that was
    taken back may be, and `unsaid` are events that may have no sentence. `ends` is what is true of
    the last message. `seats` are the numbers of players with whom restless games are played.
    """

    game: str
    clauses: frozenset[str]
    tables: tuple[Mapping[str, str], ...]
    state: Mapping[str, Check]
    events: Mapping[str, Mapping[str, Check]]
    questions: Mapping[str, Check]
    to_the_table: tuple[str, ...]
    ends: Callable[[Message], bool]
    restless: Callable[[random.Random], Bot]
    secret: Check = lambda _: False
    private: tuple[str, ...] = ()
    hides: tuple[str, str] = ("deck", "virtual")
    rare: Mapping[str, set[str]] = {}
    more: Mapping[str, Check] = {}
    extra: Mapping[str, Mapping[str, Check]] = {}
    back: Check = short
    unsaid: frozenset[str] = frozenset()
    seats: tuple[int, ...] = (2, 4)

    @property
    def all_events(self) -> Mapping[str, Mapping[str, Check]]:
        """The game's own, and those of every game."""
        back = {"who": maybe(text), "question": text, "value": self.back}
        shared: dict[str, Mapping[str, Check]] = {
            "undone": {**back, "agreed": truth, "left": whole},
            "redone": back,
            "why": {"of": maybe(text)},
        }
        return {**self.events, **shared}

    def check(self, message: Message) -> bool:
        """Whether a message is what the chapter says, field by field."""
        checks: Mapping[str, Check] = {
            "hello": _is_hello,
            "tell": self._is_tell,
            "ask": self._is_ask,
            "secret": self.secret,
            "state": lambda state: named("state", **self._state(state))(state),
            "error": named("error", message=text),
            "over": self._is_over,
        }
        return checks[message["type"]](message)

    def _state(self, state: Message) -> Mapping[str, Check]:
        return {**self.state, **{name: of for name, of in self.more.items() if name in state}}

    def _is_over(self, message: Message) -> bool:
        state = fields(**self._state(message["state"]))
        return named("over", winners=a_list(text), state=state, seed=text)(message)

    def _is_tell(self, message: Message) -> bool:
        event = message["event"]
        return named(
            "tell", event=text, text=spoken if event in self.unsaid else text, speech=spoken,
            cue=maybe(text), clause=maybe(self.clauses.__contains__), **self.all_events[event],
        )(message)  # fmt: skip

    def _is_ask(self, message: Message) -> bool:
        question = message["question"]
        choice = fields(value=self.questions[question], label=text)
        named(
            "ask", id=whole, who=maybe(text), question=text, text=text, private=truth,
            choices=a_list(choice), **self.extra.get(question, {}),
        )(message)  # fmt: skip
        values = [json.dumps(choice["value"]) for choice in message["choices"]]
        labels = [choice["label"] for choice in message["choices"]]
        assert len(values) > 1 or (message["private"] and values)
        assert len({*values}) == len(values)
        assert len({*labels}) == len(labels)
        assert (message["who"] is None) == (question in self.to_the_table)
        if "pattern" in message:
            assert all(re.match(message["pattern"], json.loads(value)) for value in values)
        return True


_is_hello: Final = named(
    "hello", protocol=one_of(1), version=text, game=text, players=a_list(text),
    options=a_dict(text), edition=a_dict(whole),
    commitment=lambda value: re.fullmatch("[0-9a-f]{64}", value) is not None,
)  # fmt: skip


def rows(heading: str, game: str) -> dict[str, set[str]]:
    """The table under a heading of docs/protocol.md: first cell -> the names in the second.

    Of the games' own headings those of `game`.
    """
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    chapters = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    others = {f"## {name}\n" for name in NAMES_OF_GAMES} - {f"## {game}\n"}
    text = "".join(part for part in chapters if not part.startswith(tuple(others)))
    section = rf"^#+ `?{re.escape(heading)}`?\n(.*?)(?=^#|\Z)"
    (found,) = re.findall(section, text, re.DOTALL | re.MULTILINE)
    lines = re.findall(r"^\| `(\w+)` \| ([^|]*)\|", found, re.MULTILINE)
    return {name: set(re.findall(r"`(\w+)`", cell)) for name, cell in lines}


def events(messages: Iterable[Message]) -> list[str]:
    return [message["event"] for message in messages if message["type"] == "tell"]


# --- the referee ----------------------------------------------------------------------------------


class Referee:
    """Reads along, and fails at anything that docs/protocol.md does not allow."""

    def __init__(self, chapter: Chapter) -> None:
        self.chapter = chapter
        self.hello: Message = {}
        self.stands: Message = {}
        self.state: Message = {}
        self.back: list[tuple[Message, Message]] = []
        self.forth: list[tuple[Message, Message]] = []
        self.ids: set[int] = set()
        self.seen: list[Message] = []

    def reply(self, line: Line | None, messages: list[Message]) -> None:
        """What came after `line`; None is the start."""
        for message in messages:
            assert self.chapter.check(message)
        self.seen += messages
        sent = line if isinstance(line, dict) else {"garbage": True}
        if line is None:
            self.hello, *messages = messages
            assert self.hello["type"] == "hello"
            self.body(messages)
        elif messages[0]["type"] == "error":
            assert len(messages) == 1
            self.refused(sent)
        elif "why" in sent:
            assert [message["event"] for message in messages] == ["why"]
        elif "undo" in sent:
            self.undone(messages)
        elif "redo" in sent:
            self.redone(messages)
        else:  # what is said out of turn is like an answer
            assert "answer" in sent or "interrupt" in sent, sent
            self.answered(sent.get("answer"), messages)

    def body(self, messages: list[Message]) -> list[Message]:
        """Tells and secrets, one state, then the question or the end; the tells."""
        *told, state, last = messages
        assert {message["type"] for message in told} <= {"tell", "secret"}
        assert state["type"] == "state"
        self.state = {name: fact for name, fact in state.items() if name != "type"}
        self.stand(last)
        return [message for message in told if message["type"] == "tell"]

    def stand(self, last: Message) -> None:
        assert last["type"] in ("ask", "over")
        if last["type"] == "over":
            assert last["state"] == self.state
            seed = last["seed"].encode()
            assert hashlib.sha256(seed).hexdigest() == self.hello["commitment"]
        else:
            assert last["id"] not in self.ids
            self.ids.add(last["id"])
            option, value = self.chapter.hides
            hidden = self.hello["options"][option] == value
            assert last["private"] == (hidden and last["question"] in self.chapter.private)
            assert last["who"] is None or last["who"] in self.hello["players"]
        self.stands = last

    def asking(self) -> bool:
        return bool(self.stands.get("question") == "agree_undo")

    def refused(self, sent: Message) -> None:
        """Only what can not be done is refused."""
        if "id" in sent and "answer" not in sent:
            return
        if sent.get("undo") is True:
            assert not self.back
        elif sent.get("redo") is True:
            assert not self.forth or self.asking()
        else:
            assert sent.get("why") is not True
            values = [choice["value"] for choice in self.stands.get("choices", ())]
            fits = any(type(v) is type(sent.get("answer")) and v == sent["answer"] for v in values)
            here = self.stands.get("id")
            assert not fits or type(sent["id"]) is not int or sent["id"] != here

    def answered(self, value: Any, messages: list[Message]) -> None:
        if self.asking():
            if value == "yes":
                self.taken_back(messages)
            else:
                assert self.body(messages) == []
                assert self.same(self.asked_before)
            return
        self.back.append((self.state, self.stands))
        self.forth.clear()
        tells = self.body(messages)
        assert not {"undone", "redone", "why"} & {tell["event"] for tell in tells}

    def undone(self, messages: list[Message]) -> None:
        if messages[0]["type"] == "ask":
            assert [message["question"] for message in messages] == ["agree_undo"]
            if not self.asking():
                self.asked_before = self.stands
            self.stand(messages[0])
        else:
            assert not self.asking()
            self.taken_back(messages)

    def taken_back(self, messages: list[Message]) -> None:
        """The state and the question are those of before the answer."""
        before = self.asked_before if self.asking() else self.stands
        self.forth.append((self.state, before))
        state, stood = self.back.pop()
        (told,) = self.body(messages)
        assert len(messages) == 3
        assert (told["event"], told["left"]) == ("undone", len(self.back))
        assert self.state == state
        assert self.same(stood)

    def redone(self, messages: list[Message]) -> None:
        self.back.append((self.state, self.stands))
        state, stood = self.forth.pop()
        tells = self.body(messages)
        assert tells[0]["event"] == "redone"
        assert self.state == state
        assert self.same(stood)

    def same(self, stood: Message) -> bool:
        return {**self.stands, "id": 0} == {**stood, "id": 0}


class Table:
    """Stdio in this process, played by a bot: its source and its sink, with a referee between."""

    def __init__(self, bot: Bot, chapter: Chapter) -> None:
        self.bot, self.referee = bot, Referee(chapter)
        self.raw = ""
        self.lines: list[bytes] = []
        self._new: list[Message] = []
        self._sent: Line | None = None
        next(bot)

    def readline(self, limit: int) -> bytes:
        assert limit > 0
        new, self._new = self._new, []
        self.referee.reply(self._sent, new)
        try:
            self._sent = self.bot.send(new)
        except StopIteration:
            return b""
        line = self._sent
        self.lines.append(line if isinstance(line, bytes) else json.dumps(line).encode())
        return self.lines[-1] + b"\n"

    def write(self, line: str) -> None:
        assert line.endswith("\n")
        assert line.count("\n") == 1
        self.raw += line
        self._new.append(json.loads(line))

    def flush(self) -> None:
        pass

    def run(self, session: Session, language: str = "en") -> Table:
        source: Any = self
        face = Stdio(
            session,
            words_of(session, language),
            source=source,
            sink=source,
            wall=lambda: 0,
            version="1",
        )
        face.run()
        return self


# --- bots that know no rule -----------------------------------------------------------------------


def plain_bot(rng: random.Random) -> Bot:
    """Answers choices[i].value until the game is over."""
    messages = yield {}
    while messages[-1]["type"] == "ask":
        choice = rng.choice(messages[-1]["choices"])
        messages = yield {"answer": choice["value"], "id": messages[-1]["id"]}


def restless_bot(rng: random.Random, back: float = 0.1) -> Bot:
    """Also undoes, redoes, asks why and says nonsense; goes on for a while after the end."""
    messages = yield {}
    stands = messages[-1]
    ends = 0
    nonsense: tuple[Line, ...] = (
        {"answer": "nonsense"}, {"answer": True}, {"answer": None}, {"interrupt": {}}, b"", b"{",
        {"answer": 0, "id": 0}, {"undo": 1}, {"answer": 1.0}, {"answer": [1]},
    )  # fmt: skip
    while ends < 3:
        lucky = rng.random()
        if lucky < back:
            line: Line = {"undo": True}
        elif lucky < back * 1.8:
            line = {"redo": True}
        elif lucky < back * 2.2:
            line = {"why": True}
        elif lucky < back * 2.6:
            line = rng.choice(nonsense)
        elif stands["type"] == "over":
            ends += 1
            line = {"undo": True}
        else:
            line = {"answer": rng.choice(stands["choices"])["value"]}
        messages = yield line
        if messages[-1]["type"] in ("ask", "over"):
            stands = messages[-1]
