"""The text protocol against docs/protocol.md: every message, every order, every refusal.

GARBAGE=100000 feeds that many bad lines to the process instead of ten thousand.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import os
import random
import re
import subprocess
import sys
from contextlib import ExitStack
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import pytest

import companion
from companion import editions
from companion.chance import Chance
from companion.core import Roll, Shuffle
from companion.games import NAMES as NAMES_OF_GAMES
from companion.games.barney_miller import GAME
from companion.journal import Damage, Journal, JournalError
from companion.session import Session, Setup
from companion.stdio import LONGEST, Stdio

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

    from companion.core import Answer

Message: TypeAlias = dict[str, Any]
Line: TypeAlias = "Message | bytes"
Bot: TypeAlias = "Generator[Line, list[Message], None]"

ROOT: Final = Path(companion.__file__).parents[1]
NAMES: Final = ("Ann", "Bob", "Cy", "Dee")
GARBAGE: Final = int(os.environ.get("GARBAGE", "10000"))
TIMEOUT: Final = 60 + GARBAGE / 500
COMMAND: Final = (sys.executable, "-c", "from companion.cli import main; main()")
TABLES: Final = tuple(
    {"deck": deck, "die": die, "track": track}
    for deck in ("own", "virtual")
    for die in ("companion", "real")
    for track in ("edition", "ask")
)
VIRTUAL: Final = {"deck": "virtual", "die": "companion", "track": "edition"}
OWN: Final = {"deck": "own", "die": "companion", "track": "edition"}

# --- what a message is ----------------------------------------------------------------------------

Check: TypeAlias = "Callable[[Any], bool]"


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


SPACE: Final = fields(
    kind=one_of(
        "start", "gang", "positive_identification", "arrest_warrant", "insufficient_evidence"
    ),
    gang=maybe(text),
)
STATE: Final = {
    "round": whole,
    "roller": maybe(text),
    "to_act": maybe(text),
    "total": whole,
    "played": a_list(lambda pair: len(pair) == 2 and text(pair[0]) and whole(pair[1])),
    "pawn": maybe(whole),
    "track": maybe(a_list(SPACE)),
    "space": maybe(SPACE),
    "posters": a_dict(a_list(fields(id=text, gang=text))),
    "captured": a_dict(a_list(text)),
    "reserve": a_dict(whole),
    "hand": a_dict(whole),
    "second": a_dict(whole),
    "deck_aside": whole,
    "detectives": a_dict(text),
}
CHIPS: Final = {"who": text, "captured": whole, "reserve": whole}
BACK: Final = {
    "who": maybe(text),
    "question": text,
    "value": lambda value: whole(value) or text(value),
}
EVENTS: Final[Mapping[str, Mapping[str, Check]]] = {
    "first_roll": {"rolls": a_dict(whole), "tied": truth},
    "begins": {"who": text},
    "rolled": {"who": text, "dice": a_list(whole)},
    "moved": {"who": text, "kind": text, "gang": maybe(text)},
    "unwanted": {"who": text, "gang": text},
    "dealt": {"how": one_of("first", "half", "again"), "cards": whole, "deal": whole},
    "card_played": {"who": text, "value": whole, "total": whole, "forced": truth},
    "ten": {"who": text},
    "zero_played": {"who": text, "total": one_of(10)},
    "picked_up": {"who": text},
    "round_won": {
        "who": text,
        "last": text,
        "how": one_of("over", "ten", "zero"),
        "total": whole,
        "round": whole,
    },
    "captured": {**CHIPS, "suspect": text, "gang": text},
    "freed": {**CHIPS, "suspect": text, "gang": text},
    "reserve": CHIPS,
    "nothing": {"who": text, "kind": text, "gang": maybe(text)},
    "next_roller": {"who": text},
    "game_won": CHIPS,
    "undone": {**BACK, "agreed": truth, "left": whole},
    "redone": BACK,
    "why": {"of": maybe(text)},
}
TELL: Final = {
    "event": text,
    "text": text,
    "speech": spoken,
    "cue": maybe(text),
    "clause": maybe(lambda clause: re.fullmatch(r"BM-\d+", clause) is not None),
}
PRIVATE: Final = {"play_card", "zero"}
QUESTIONS: Final[Mapping[str, Check]] = {
    "roll": one_of(*range(1, 7)),
    "space": text,
    "play_card": one_of(*range(11)),
    "zero": one_of("play", "pass"),
    "commit_suspect": text,
    "free_suspect": text,
    "agree_undo": one_of("yes", "no"),
}


def named(kind: str, /, **checks: Check) -> Check:
    return fields(type=one_of(kind), **checks)


def is_tell(message: Message) -> bool:
    assert message["event"] in EVENTS, message["event"]
    return named("tell", **TELL, **EVENTS[message["event"]])(message)


def is_ask(message: Message) -> bool:
    question = message["question"]
    value = QUESTIONS[question]
    named(
        "ask", id=whole, who=maybe(text), question=text, text=text, private=truth,
        choices=a_list(fields(value=value, label=text)),
    )(message)  # fmt: skip
    values = [json.dumps(choice["value"]) for choice in message["choices"]]
    labels = [choice["label"] for choice in message["choices"]]
    assert len(values) > 1 or (message["private"] and values)
    assert len(set(values)) == len(values)
    assert len(set(labels)) == len(labels)
    assert (message["who"] is None) == (question in ("space", "agree_undo"))
    return True


WHOLE: Final[Mapping[str, Check]] = {
    "hello": named(
        "hello", protocol=one_of(1), version=text, game=text, players=a_list(text),
        options=a_dict(text), edition=a_dict(whole),
        commitment=lambda value: re.fullmatch("[0-9a-f]{64}", value) is not None,
    ),
    "tell": is_tell,
    "ask": is_ask,
    "secret": named(
        "secret", who=text, event=one_of("hand"), text=text, cards=a_list(one_of(*range(11)))
    ),
    "state": named("state", **STATE),
    "error": named("error", message=text),
    "over": named("over", winners=a_list(text), state=fields(**STATE), seed=text),
}  # fmt: skip


# --- the referee ----------------------------------------------------------------------------------


class Referee:
    """Reads along, and fails at anything that docs/protocol.md does not allow."""

    whole: Mapping[str, Check] = WHOLE
    private: frozenset[str] = frozenset(PRIVATE)
    hides: tuple[str, str] = ("deck", "virtual")
    """The option, and its value, with which those questions are private."""

    def __init__(self) -> None:
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
            assert self.whole[message["type"]](message)
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
        else:
            assert "answer" in sent, sent
            self.answered(sent["answer"], messages)

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
            option, value = self.hides
            hidden = self.hello["options"][option] == value
            assert last["private"] == (hidden and last["question"] in self.private)
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

    def __init__(self, bot: Bot, referee: Referee | None = None) -> None:
        self.bot, self.referee = bot, referee or Referee()
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
            session.words(language),
            source=source,
            sink=source,
            wall=lambda: 0,
            version="1",
        )
        face.run()
        return self


@cache
def printed() -> Mapping[str, Any]:
    return editions.load("barney-miller")


def begin(
    options: Mapping[str, str], n: int = 3, seed: str = "5eed", journal: Journal | None = None,
    *, mixing: bool = False,
) -> Session:  # fmt: skip
    setup = Setup(GAME, NAMES[:n], options, printed(), Chance(seed), mixing)
    return Session.begin(journal or Journal(None), setup, 0)


def events(messages: Iterable[Message]) -> list[str]:
    return [message["event"] for message in messages if message["type"] == "tell"]


# --- bots that know no rule -----------------------------------------------------------------------


def plain_bot(rng: random.Random) -> Bot:
    """Answers choices[i].value until the game is over."""
    messages = yield {}
    while messages[-1]["type"] == "ask":
        choice = rng.choice(messages[-1]["choices"])
        messages = yield {"answer": choice["value"], "id": messages[-1]["id"]}


def restless_bot(rng: random.Random, back: float = 0.2) -> Bot:
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


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_program_that_knows_no_rule_finishes_any_game(n: int, language: str) -> None:
    for options in TABLES:
        rng = random.Random(f"{n} {language} {options}")
        table = Table(plain_bot(rng)).run(
            begin(options, n, seed=f"{rng.getrandbits(64):x}"), language
        )
        last = table.referee.seen[-1]
        assert last["type"] == "over"
        assert last["state"]["to_act"] is None
        (winner,) = last["winners"]
        chips = len(last["state"]["captured"][winner]) + last["state"]["reserve"][winner]
        assert chips == 4


@cache
def restless(n: int, at: int) -> tuple[Message, ...]:
    """All that is said in a restless game; `at` is a place in TABLES."""
    rng = random.Random(f"restless {n} {at}")
    session = begin(TABLES[at], n, seed=f"{at:x}")
    return tuple(Table(restless_bot(rng)).run(session, rng.choice(["en", "fr"])).referee.seen)


def all_restless() -> Iterator[tuple[Message, ...]]:
    return itertools.starmap(restless, itertools.product((2, 3, 4), range(len(TABLES))))


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("at", range(len(TABLES)), ids=lambda at: "-".join(TABLES[at].values()))
def test_undo_redo_and_why_at_any_time_are_answered_as_the_protocol_says(n: int, at: int) -> None:
    said = restless(n, at)
    assert {"undone", "redone", "why"} <= {*events(said)}
    assert {message["type"] for message in said} >= {"error", "over"}


def test_the_restless_games_bring_about_every_event_and_every_question() -> None:
    asked, told, clauses = set(), set(), set()
    for said in all_restless():
        asked |= {message["question"] for message in said if message["type"] == "ask"}
        told |= {*events(said)}
        clauses |= {message.get("clause") for message in said}
    assert asked == QUESTIONS.keys()
    assert told == EVENTS.keys()
    assert clauses == {None, *(f"BM-{n}" for n in range(3, 13))}


def test_a_referee_that_finds_nothing_would_find_a_fault() -> None:
    """Each message of a game, harmed in one field, is noticed."""
    harmed = 0
    for message in restless(3, len(TABLES) - 1)[:200]:
        for name in message.keys() - {"type"}:
            worse = {other: fact for other, fact in message.items() if other != name}
            for broken in (worse, {**message, name: 0.5}, {**message, f"{name}_": 1}):
                harmed += 1
                with pytest.raises((AssertionError, KeyError, TypeError)):
                    assert WHOLE[message["type"]](broken)
    assert harmed > 1000


# --- what is written down -------------------------------------------------------------------------


def rows(heading: str, game: str = "barney-miller") -> dict[str, set[str]]:
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


def test_every_event_is_in_the_docs_with_all_its_facts_and_no_other() -> None:
    shared, own = rows("Events of every game"), rows("Events")
    assert shared.pop("damaged") == {*Damage._fields}
    assert shared.pop("rules_changed") == {"answer"}
    assert {**shared, **own} == {name: {*facts} for name, facts in EVENTS.items()}


def test_every_question_is_in_the_docs_and_no_other() -> None:
    assert {*rows("Questions of every game"), *rows("Questions")} == {*QUESTIONS, "mix"}


def test_every_field_of_every_message_is_in_the_docs_and_no_other() -> None:
    assert rows("State").keys() == STATE.keys()
    seen = restless(3, TABLES.index(VIRTUAL))
    for kind in WHOLE.keys() - {"state"}:
        found = {*next(message for message in seen if message["type"] == kind)} - {"type"}
        own = {
            "tell": {*EVENTS["rolled"], *EVENTS["first_roll"], *EVENTS["dealt"]},
            "secret": {"cards"},
        }
        extra = {"ask": {"free", "pattern"}}.get(kind, set())
        assert {*rows(kind)} == (found - own.get(kind, set())) | extra, kind


def test_every_option_is_in_the_docs_with_its_values_and_no_other() -> None:
    assert rows("Options") == {option.name: {*option.values} for option in GAME.options}


def test_every_sound_of_a_tell_is_in_the_docs_and_has_a_file() -> None:
    heard: dict[str, set[str]] = {}
    for tell in itertools.chain.from_iterable(all_restless()):
        if tell.get("cue"):
            heard.setdefault(tell["cue"], set()).add(tell["event"])
    early = Table(answers_then(0, [{"why": True}])).run(begin({**OWN, "die": "real"})).referee.seen
    heard[early[-1]["cue"]] = {early[-1]["event"]}
    assert heard == rows("Sounds")
    assert all((ROOT / "sounds" / f"{cue}.wav").exists() for cue in heard)


# --- taking back ----------------------------------------------------------------------------------


def answers_then(answers: int, then: Sequence[Line]) -> Bot:
    """The first choice, so many times, or to the end (-1); then these lines."""
    messages = yield {}
    while messages[-1]["type"] == "ask" and answers:
        answers -= 1
        messages = yield {"answer": messages[-1]["choices"][0]["value"]}
    for line in then:
        messages = yield line


def back_to_the_first() -> Bot:
    """To the end, then all the way back, agreeing whenever the table is asked."""
    messages = yield {}
    rng = random.Random(3)
    while messages[-1]["type"] == "ask":
        messages = yield {"answer": rng.choice(messages[-1]["choices"])["value"]}
    while messages[-1]["type"] != "error":
        agree = messages[-1].get("question") == "agree_undo"
        messages = yield ({"answer": "yes"} if agree else {"undo": True})


@pytest.mark.parametrize("options", TABLES, ids=lambda options: "-".join(options.values()))
def test_undo_goes_from_the_end_back_to_the_first_answer(options: dict[str, str]) -> None:
    table = Table(back_to_the_first()).run(begin(options))
    referee, seen = table.referee, table.referee.seen
    assert "over" in {message["type"] for message in seen}
    assert referee.back == []
    opening = next(message for message in seen if message["type"] == "state")
    assert referee.state == {name: fact for name, fact in opening.items() if name != "type"}
    agreed = any(message.get("question") == "agree_undo" for message in seen)
    assert agreed == (options["deck"] == "virtual")


def until_agree_undo(then: Sequence[Line]) -> Bot:
    """Plays and tries to take back, until the table is asked; then these lines."""
    messages = yield {}
    while True:
        messages = yield {"answer": messages[-1]["choices"][0]["value"]}
        messages = yield {"undo": True}
        if messages[-1]["question"] == "agree_undo":
            break
        messages = yield {"redo": True}
    for line in then:
        messages = yield line


def test_the_table_that_does_not_agree_keeps_the_answer() -> None:
    table = Table(until_agree_undo([{"answer": "no"}])).run(begin(VIRTUAL))
    assert [message["type"] for message in table.referee.seen[-3:]] == ["ask", "state", "ask"]
    assert table.referee.stands["question"] != "agree_undo"


def test_the_table_that_agrees_takes_the_answer_back_and_that_is_told() -> None:
    table = Table(until_agree_undo([{"answer": "yes"}])).run(begin(VIRTUAL))
    told, _, ask = table.referee.seen[-3:]
    assert (told["event"], told["agreed"]) == ("undone", True)
    assert ask["question"] != "agree_undo"


def test_undo_while_the_table_is_asked_asks_it_again() -> None:
    table = Table(until_agree_undo([{"undo": True}, {"undo": True}])).run(begin(VIRTUAL))
    assert [message["question"] for message in table.referee.seen[-3:]] == ["agree_undo"] * 3


def test_redo_and_nonsense_while_the_table_is_asked_are_refused() -> None:
    lines: list[Line] = [{"redo": True}, {"answer": "perhaps"}, {"interrupt": "yes"}]
    table = Table(until_agree_undo(lines)).run(begin(VIRTUAL))
    assert [message["type"] for message in table.referee.seen[-4:]] == ["ask", *["error"] * 3]


def test_the_id_of_another_question_is_refused_and_the_question_stands() -> None:
    lines: list[Line] = [{"answer": 1, "id": n} for n in (1, 3, 0, -2, 2.0, True, "2", None)]
    table = Table(answers_then(1, [*lines, {"answer": 1, "id": 2}])).run(begin(OWN))
    kinds = [message["type"] for message in table.referee.seen if message["type"] != "tell"]
    assert kinds == ["hello", "state", "ask", "state", "ask", *["error"] * 8, "state", "ask"]


REFUSED: Final[Mapping[bytes, str]] = {
    b'{"answer": NaN}': "stdio.not_json",
    b'{"answer": 1, "answer": 1}': "stdio.not_json",
    b'{"answer": [' * 900: "stdio.not_json",
    b"[1]": "stdio.not_json",
    b" " * LONGEST: "stdio.too_long",
    b"{}": "stdio.one_verb",
    b'{"undo": true, "redo": true}': "stdio.one_verb",
    b'{"answer": 1, "hint": 1}': "stdio.one_verb",
    b'{"undo": true, "id": 2}': "stdio.stray_id",
    b'{"quit": "true"}': "stdio.say_true",
    b'{"answer": 1, "id": 9}': "stdio.other_id",
    b'{"answer": 77}': "box.cue.refused.not_offered.text",
    b'{"interrupt": 1}': "box.cue.refused.not_asked.text",
    b'{"redo": true}': "box.cue.refused.nothing_to_redo.text",
}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_refusal_says_in_the_language_of_the_game_what_is_wrong(language: str) -> None:
    session = begin(OWN)
    table = Table(answers_then(1, [*REFUSED])).run(session, language)
    words = session.words(language)
    facts = {
        "n": LONGEST, "verb": "quit", "id": 2, "verbs": "answer, undo, redo, why, interrupt, quit"
    }  # fmt: skip
    said = [message["message"] for message in table.referee.seen if message["type"] == "error"]
    assert said == [words(key, **facts) for key in REFUSED.values()]


def test_after_the_end_only_undo_and_why_are_taken() -> None:
    lines: list[Line] = [{"answer": 1}, {"redo": True}, {"interrupt": {}}, {"why": True}]
    table = Table(answers_then(-1, lines)).run(begin(OWN))
    over, *errors, why = table.referee.seen[-5:]
    assert over["type"] == "over"
    assert [message["type"] for message in errors] == ["error"] * 3
    assert (why["event"], why["of"], why["clause"]) == ("why", "game_won", "BM-12")


def test_why_before_the_first_ruling_says_that_there_is_none() -> None:
    table = Table(answers_then(0, [{"why": True}])).run(begin({**OWN, "die": "real"}))
    why = table.referee.seen[-1]
    assert (why["event"], why["of"], why["clause"]) == ("why", None, None)


def test_an_answer_that_can_not_be_written_is_one_error_and_the_question_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def bot() -> Bot:
        messages = yield {}
        value = messages[-1]["choices"][0]["value"]
        write = Journal.append

        def full(*_: Any) -> None:
            raise JournalError("The disk is full.", "full")

        monkeypatch.setattr(Journal, "append", full)
        messages = yield {"answer": value, "id": 1}
        assert [message["type"] for message in messages] == ["error"]
        monkeypatch.setattr(Journal, "append", write)
        messages = yield {"answer": value, "id": 1}
        assert messages[-1]["type"] == "ask"

    table = Table(bot())
    monkeypatch.setattr(table.referee, "refused", lambda _: None)  # though it was right
    session = begin(OWN)
    table.run(session, "fr")
    errors = [m["message"] for m in table.referee.seen if m["type"] == "error"]
    assert errors == [session.words("fr")("box.record.full")]


def test_a_record_of_the_box_asks_for_the_presses_and_does_not_list_four_billion() -> None:
    session = begin(VIRTUAL, mixing=True)
    sink = io.StringIO()
    lines = io.BytesIO(b'{"answer": 5}\n{"answer": -1}\n{"answer": 4294967296}\n{"answer": 6}\n')
    words = session.words("en")
    Stdio(session, words, source=lines, sink=sink, wall=lambda: 0, version="1").run()
    said = [json.loads(line) for line in sink.getvalue().splitlines()]
    asked = [message for message in said if message["type"] == "ask"]
    assert [(ask["question"], ask["who"]) for ask in asked] == [("mix", who) for who in NAMES[:3]]
    assert all(ask["free"] is True and len(ask["choices"]) == 1 for ask in asked)
    assert all(re.search(ask["pattern"], str(ask["choices"][0]["value"])) for ask in asked)
    assert [message["type"] for message in said].count("error") == 2


# --- secrets --------------------------------------------------------------------------------------


def hands_told(messages: Iterable[Message]) -> Iterator[tuple[str, list[int]]]:
    return ((m["who"], m["cards"]) for m in messages if m["type"] == "secret")


def test_each_hand_is_told_to_its_owner_at_deal_and_pick_up_and_holds_what_is_played_from_it() -> (
    None
):
    seen = Table(plain_bot(random.Random(8))).run(begin(VIRTUAL, 4)).referee.seen
    hands: dict[str, list[int]] = {}
    for message in seen:
        if message["type"] == "secret":
            assert not hands.get(message["who"])
            hands[message["who"]] = [*message["cards"]]
        elif message.get("event") in ("card_played", "zero_played"):
            hands[message["who"]].remove(message.get("value", 0))
        elif message.get("question") == "play_card":
            values = [choice["value"] for choice in message["choices"]]
            assert values == sorted(set(hands[message["who"]]))
        elif message.get("question") == "zero":
            assert 0 in hands[message["who"]]
    deals = events(seen).count("dealt") * 4
    assert len([*hands_told(seen)]) == deals + events(seen).count("picked_up")


def seen_by(player: str, messages: list[Message]) -> list[Message]:
    """What everybody sees, and this player's own secrets."""
    return [
        {**message, "choices": []}
        if message.get("private") and message["who"] != player
        else message
        for message in messages
        if message["type"] != "secret" or message["who"] == player
    ]


def avoiding(values: set[int], rng: random.Random) -> Bot:
    """Plays no card of these values, and undoes now and then; ends where it can not help it."""
    messages = yield {}
    for turn in itertools.count(1):
        choices = messages[-1].get("choices", ())
        free = [choice["value"] for choice in choices if choice["value"] not in values]
        if not free:
            return
        messages = yield {"answer": rng.choice(free)}
        if turn % 5 == 0 and messages[-1]["type"] == "ask":
            messages = yield {"undo": True}
            if messages[-1]["question"] == "agree_undo":
                messages = yield {"answer": rng.choice(("yes", "no"))}


def swap_in_the_deal(monkeypatch: pytest.MonkeyPatch, here: int, there: int) -> None:
    """The same shuffle but for two places of the deck."""
    straight = Chance.answer

    def swapped(self: Chance, prompt: Roll | Shuffle, position: int) -> Answer:
        order = straight(self, prompt, position)
        if isinstance(prompt, Shuffle):
            order[here], order[there] = order[there], order[here]
        return order

    monkeypatch.setattr(Chance, "answer", swapped)


def card_at(session: Session, place: int) -> Any:
    """With three players: two hands each of nine, dealt in turn; the last two are put aside."""
    state = session._line.last.state
    hands = (*state.hands, *state.seconds)
    return state.aside[place - 54] if place >= 54 else hands[place % 6][place // 6]


def compared(monkeypatch: pytest.MonkeyPatch, seed: str, here: int, there: int) -> tuple[int, bool]:
    """Play at two tables that differ in one swap: how much was alike to Ann, and was all alike."""
    cards = {card_at(begin(VIRTUAL, seed=seed), place) for place in (here, there)}
    if len(cards) == 1 or 0 in cards:
        return 0, True
    one, other = (
        Table(avoiding(cards, random.Random(0))),
        Table(avoiding(cards, random.Random(0))),
    )
    one.run(begin(VIRTUAL, seed=seed))
    with monkeypatch.context() as patch:
        swap_in_the_deal(patch, here, there)
        other.run(begin(VIRTUAL, seed=seed))
    known, also = (
        seen_by("Ann", [*takewhile(lambda m: not is_forced(m, cards), table.referee.seen)])
        for table in (one, other)
    )
    assert known == also
    return len(known), one.raw == other.raw


def is_forced(message: Message, cards: set[int]) -> bool:
    """The last card of a hand is played without a question: then all may see it."""
    return message.get("forced", False) and message["value"] in cards


def test_two_tables_that_differ_in_a_hidden_card_look_the_same_to_who_does_not_hold_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cards of Bob, of Cy, and of those put aside change places."""
    rng = random.Random(6)
    places = [place for place in range(56) if place >= 54 or place % 3]
    found = [compared(monkeypatch, f"{n:x}", *rng.sample(places, 2)) for n in range(60)]
    assert sum(alike > 30 for alike, _ in found) > 20
    assert sum(not all_alike for _, all_alike in found) > 20


# --- seed and commitment --------------------------------------------------------------------------


def test_the_same_seed_and_answers_give_the_same_lines_to_the_letter() -> None:
    one, two = (Table(restless_bot(random.Random(4))).run(begin(VIRTUAL)).raw for _ in range(2))
    other = Table(restless_bot(random.Random(4))).run(begin(VIRTUAL, seed="5eee")).raw
    assert one == two
    assert one != other


# --- a real process -------------------------------------------------------------------------------


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment without anything of this machine's user in it."""
    own = {"HOME": "home", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config"}
    return {**os.environ, **{name: str(tmp_path / place) for name, place in own.items()}}


class Process:
    """`companion stdio` in its own process, with a referee."""

    def __init__(self, env: dict[str, str], *arguments: str) -> None:
        self.referee = Referee()
        self.process = subprocess.Popen(
            [*COMMAND, "stdio", "barney-miller", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            cwd=ROOT,
        )

    def open(self) -> None:
        self.referee.reply(None, self.read(lambda m: m["type"] in ("ask", "over")))

    def read(self, is_last: Callable[[Message], bool]) -> list[Message]:
        assert self.process.stdout is not None
        found: list[Message] = []
        while not found or not is_last(found[-1]):
            line = self.process.stdout.readline()
            assert line.endswith(b"\n"), self.process.communicate()
            found.append(json.loads(line))
        return found

    def send(self, line: Message) -> list[Message]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()
        found = self.read(
            lambda m: m["type"] in ("ask", "over", "error") or m.get("event") == "why"
        )
        self.referee.reply(line, found)
        return found

    def play(self, rng: random.Random, answers: int = 10**6) -> Message:
        """Random answers, to the end at most; what stands then."""
        while self.referee.stands["type"] == "ask" and answers:
            answers -= 1
            self.send({"answer": rng.choice(self.referee.stands["choices"])["value"]})
        return self.referee.stands

    def end(self) -> int:
        """Close its input; its exit status."""
        out, err = self.process.communicate(timeout=TIMEOUT)
        assert (out, err) == (b"", b"")
        return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=TIMEOUT)


@pytest.fixture
def start(env: dict[str, str]) -> Iterator[Callable[..., Process]]:
    """Starts processes; what is left of them at the end of a test is killed."""
    with ExitStack() as stack:

        def started(*arguments: str) -> Process:
            process = Process(env, *arguments)
            stack.enter_context(process.process)
            stack.callback(process.process.kill)
            process.open()
            return process

        yield started


def test_a_process_ends_with_0_after_the_game_and_the_end_of_its_input(
    start: Callable[..., Process],
) -> None:
    process = start("--players", "Ann, Bob,Cy", "--set", "deck=virtual", "--lang", "fr")
    assert process.referee.hello["players"] == ["Ann", "Bob", "Cy"]
    assert process.referee.hello["options"]["deck"] == "virtual"
    assert process.referee.hello["edition"] == {str(card): n for card, n in enumerate(
        (4, 10, 10, 8, 6, 4, 4, 4, 2, 2, 2))}  # fmt: skip
    assert process.play(random.Random(2))["type"] == "over"
    assert process.end() == 0


def test_a_process_ends_with_0_at_quit_and_at_the_end_of_its_input(env: dict[str, str]) -> None:
    for given in (b'{"quit": true}\n{"why": true}\n', b""):
        done = run(env, ["stdio", "barney-miller"], given)
        assert (done.returncode, done.stderr) == (0, b"")
        assert json.loads(done.stdout.splitlines()[-1])["type"] == "ask"


def test_a_process_whose_reader_goes_away_ends_in_silence(env: dict[str, str]) -> None:
    command = [*COMMAND, "stdio", "barney-miller"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
        cwd=ROOT,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b'{"answer": 1}\n' * 10)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(TIMEOUT) == 0


def test_a_killed_process_goes_on_where_it_was_and_then_a_new_game_begins(
    start: Callable[..., Process], tmp_path: Path
) -> None:
    rng = random.Random(9)
    arguments = ("--players", "Ann,Bob,Cy", "--set", "deck=virtual", "--journal", f"{tmp_path}/g")
    begun = killed = start(*arguments, "--seed", "5eed")
    for answers in (1, 7, 12):
        assert killed.play(rng, answers)["type"] == "ask"
        killed.kill()
        again = start("--journal", f"{tmp_path}/g")
        assert again.referee.hello == begun.referee.hello
        assert again.referee.state == killed.referee.state
        assert {**again.referee.stands, "id": 0} == {**killed.referee.stands, "id": 0}
        assert {who for who, _ in hands_told(again.referee.seen)} == {"Ann", "Bob", "Cy"}
        again.referee.back = killed.referee.back
        killed = again
    assert killed.play(rng)["type"] == "over"
    assert killed.end() == 0
    new = start(*arguments)
    assert new.referee.state["round"] == 1
    assert new.referee.hello["commitment"] != begun.referee.hello["commitment"]
    assert new.end() == 0


def test_a_game_with_a_seed_is_the_same_in_every_process(env: dict[str, str]) -> None:
    lines = b'{"answer": 1}\n{"answer": 2}\n{"answer": 1}\n'
    arguments = ["stdio", "barney-miller", "--seed", "C0FFEE"]
    one, two = (run(env, arguments, lines).stdout for _ in range(2))
    hello = json.loads(one.splitlines()[0])
    assert one == two
    assert len(one.splitlines()) > 10
    assert hello["commitment"] == hashlib.sha256(b"C0FFEE").hexdigest()


def test_a_sentence_with_letters_of_any_script_is_utf_8_whatever_the_locale(
    env: dict[str, str],
) -> None:
    arguments = ["stdio", "barney-miller", "--players", "Zoë,Łódź 東京,🂡", "--lang", "fr"]
    done = run({**env, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}, arguments)
    hello = json.loads(done.stdout.decode("utf-8").splitlines()[0])
    assert hello["players"] == ["Zoë", "Łódź 東京", "🂡"]


# --- bad arguments --------------------------------------------------------------------------------


def run(
    env: dict[str, str], arguments: list[str], given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    command = [*COMMAND, *arguments]
    return subprocess.run(
        command, input=given, capture_output=True, env=env, cwd=ROOT, timeout=TIMEOUT, check=False
    )


BAD: Final = (
    ("", "GAME"),
    ("barny-miler", "did you mean barney-miller?"),
    ("xyzzy", "the box has barney-miller"),
    ("barney-miller kojak", "kojak"),
    ("barney-miller --plyers Ann,Bob", "--players"),
    ("barney-miller --players Ann,open", "'open'"),
    ("barney-miller --players Nobody,Ann", "'Nobody'"),
    ("barney-miller --players Ann:left,Bob", "colon"),
    ("barney-miller --players Ann,,Bob", "''"),
    ("barney-miller --players A\nnn,Bob", "no name"),
    ("barney-miller --players A\udcffnn,Bob", "no name"),
    ("barney-miller --players Ann,Bob,Ann", "same name"),
    ("barney-miller --players A,B,C,D,E", "2 to 4 players, not 5"),
    ("barney-miller --players Ann", "2 to 4 players, not 1"),
    ("barney-miller --players", "--players"),
    ("barney-miller --set dek=own", "did you mean deck?"),
    ("barney-miller --set deck=virtul", "did you mean virtual?"),
    ("barney-miller --set deck", "own, virtual"),
    ("barney-miller --seed 0xab", "hexadecimal"),
    ("barney-miller --seed=", "hexadecimal"),
    ("barney-miller --lang de", "fr"),
    ("barney-miller --journal .", "'.'"),
    ("barney-miller --journal /dev/null/x", "/dev/null/x"),
    ("barney-miller --journal /dev/null/x\ny", "/dev/null/x y"),
)


@pytest.mark.parametrize(("arguments", "hint"), BAD)
def test_a_bad_argument_is_status_2_and_one_line_that_says_what_to_do(
    arguments: str, hint: str, env: dict[str, str]
) -> None:
    done = run(env, ["stdio", *filter(None, arguments.split(" "))])
    err = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert err.count("\n") == 1
    assert err.startswith("companion: ")
    assert hint in err


def test_a_journal_that_another_companion_has_is_a_bad_argument(
    env: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "games"
    journal = Journal(file)
    done = run(env, ["stdio", "barney-miller", "--journal", str(file)])
    journal.close()
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        f"companion: Another companion is using {file}: end that one first.\n"
    )


# --- garbage --------------------------------------------------------------------------------------


def bad_line(rng: random.Random) -> bytes:
    """A line that is no message, or that can not be taken at the first question."""
    kind = rng.randrange(len(BAD_LINES) + 3)
    if kind < len(BAD_LINES):
        return BAD_LINES[kind]
    if kind == len(BAD_LINES):
        return rng.randbytes(rng.randrange(1, 60)).replace(b"\n", b"\r")
    if kind == len(BAD_LINES) + 1:
        return b'{"answer": %d, "id": %d}' % (rng.randrange(11), rng.choice((0, 2, 10**9, -1)))
    whole = b'{"answer": 1, "id": 1}'
    return whole[: rng.randrange(len(whole))]


BAD_LINES: Final = (
    b"", b" ", b"\r", b"\0", b"\0" * 50, b"null", b"true", b"1", b'"quit"', b"[]", b"{}", b"{" * 50,
    b"\xff\xfe", b'{"answer": "\xc3"}', b"\xef\xbb\xbf" + b'{"answer": 1}', b'{"answer": 1',
    b'{"answer": NaN}', b'{"answer": Infinity}', b'{"answer": -Infinity}', b'{"answer": 1e999}',
    b'{"answer": 1.0}', b'{"answer": true}', b'{"answer": null}', b'{"answer": "1"}',
    b'{"answer": [1]}',
    b'{"answer": {"value": 1}}', b'{"answer": -1}', b'{"answer": 11}', b'{"answer": 1}x',
    b'{"answer": 1}{"answer": 1}', b'{"answer": 1, "answer": 1}', b'{"quit": true, "quit": true}',
    b'{"answer": "\\ud800"}', b'{"\\udfff": 1}', b'{"answer": "\\u0000"}', b"{'answer': 1}",
    b'{"answer": 1' + b"0" * 5000 + b"}", b'{"answer": 1, "id": 1' + b"0" * 5000 + b"}",
    b'{"answer": 1, "id": null}', b'{"answer": 1, "id": "1"}', b'{"answer": 1, "id": 1.0}',
    b'{"answer": 1, "undo": true}', b'{"answer": 1, "hint": true}', b'{"id": 1}', b'{"Answer": 1}',
    b'{"undo": false}', b'{"undo": 1}', b'{"undo": null}', b'{"undo": true, "id": 1}',
    b'{"undo": true}',
    b'{"redo": true}', b'{"redo": "true"}', b'{"why": false}', b'{"why": []}', b'{"quit": 1}',
    b'{"quit": "true"}', b'{"interrupt": {}}', b'{"interrupt": null}',
    b'{"interrupt": {"stop": true}}',
    b"[" * 30_000, b'{"answer":' * 5_000, b'{"a":[' * 9_000, b"[" * 500 + b"]" * 500,
    b'{"answer": ' + b"[" * 800 + b"]" * 800 + b"}",
)  # fmt: skip
HUGE: Final = (
    b'{"answer": 1, "id": 1' + b" " * LONGEST + b"}",
    b"x" * (LONGEST + 1),
    b"[" * (LONGEST * 2),
    b'{"answer": "' + b"y" * (LONGEST * 3) + b'"}',
)


def garbage(n: int) -> Iterator[bytes]:
    """`n` bad lines: every kind of them, and one in a hundred is over-long."""
    rng = random.Random("garbage")
    kinds = itertools.chain(BAD_LINES, HUGE)
    for count in range(n):
        known = next(kinds, None)
        if known is not None:
            yield known
        else:
            yield rng.choice(HUGE) if count % 100 == 0 else bad_line(rng)


MEASURED: Final = (
    "import atexit, sys; from companion.cli import main\n"
    "def peak(): print(next(line for line in open('/proc/self/status') if 'VmHWM' in line),"
    " file=sys.stderr)\n"
    "atexit.register(peak); main()"
)


def fed(env: dict[str, str], given: bytes) -> tuple[list[Message], int]:
    """What a process says to this input, and its peak memory in KiB."""
    command = [sys.executable, "-c", MEASURED, "stdio", "barney-miller", "--seed", "5eed"]
    command += ["--players", "Ann,Bob"]
    done = subprocess.run(
        command, input=given, capture_output=True, env=env, cwd=ROOT, timeout=TIMEOUT, check=False
    )
    assert done.returncode == 0, done.stderr
    peak = done.stderr.split()
    assert peak[0] == b"VmHWM:", done.stderr
    return [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()], int(peak[1])


def test_each_bad_line_is_one_error_and_then_the_game_goes_on_to_its_end(
    env: dict[str, str],
) -> None:
    table = Table(plain_bot(random.Random(5))).run(begin(OWN, 2, seed="5eed"))
    lines = table.lines
    usual, peak = fed(env, b"\n".join(lines))
    said, peak_after = fed(env, b"\n".join([*garbage(GARBAGE), *lines, b'{"answer": 1}']))
    start = next(n for n, message in enumerate(usual) if message["type"] == "ask") + 1
    errors, rest = said[start : start + GARBAGE], said[start + GARBAGE :]
    assert said[:start] == usual[:start]
    assert [message["type"] for message in errors] == ["error"] * GARBAGE
    assert all(WHOLE["error"](message) for message in errors)
    assert rest[:-1] == usual[start:]
    assert [message["type"] for message in rest[-2:]] == ["over", "error"]
    assert usual[start:] == table.referee.seen[start:]
    assert peak_after < peak + 4_096
