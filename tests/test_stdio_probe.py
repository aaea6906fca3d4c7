"""Probe over the text protocol, against its chapter of docs/protocol.md."""

from __future__ import annotations

import itertools
import random
import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import pytest

from companion.chance import Chance
from companion.games import find
from companion.journal import Journal
from companion.session import Session, Setup
from companion.words import LANGUAGES
from tests import test_stdio as protocol
from tests.helpers import printed
from tests.test_stdio import a_dict, a_list, fields, maybe, named, one_of, text, truth, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.test_stdio import Bot, Check, Line, Message

GAME: Final = find("probe")
TABLES: Final = tuple(
    {"words": words, "deck": deck, "remember": remember}
    for words in ("racks", "secret")
    for deck in ("virtual", "own")
    for remember in ("no", "yes")
)
KIND: Final = one_of(
    "normal", "additional_turn", "left_uncovers", "right_uncovers", "own_dot", "times", "points"
)
CARD: Final = fields(kind=KIND, n=maybe(whole))


def letter(value: Any) -> bool:
    return text(value) and re.fullmatch("[A-Z.]", value) is not None


STATE: Final = {
    "to_act": maybe(text),
    "scores": a_dict(whole),
    "racks": a_dict(
        lambda places: (
            len(places) == 12
            and a_list(fields(value=one_of(5, 10, 15), covered=truth, letter=maybe(letter)))(places)
        )
    ),
    "card": maybe(CARD),
    "pile": whole,
    "last_rounds": maybe(whole),
    "solved": a_list(text),
    "turn_points": whole,
    "times": one_of(1, 3, 4, 5),
    "whom": maybe(text),
    "letter": maybe(letter),
    "uncovering": a_list(text),
    "because": maybe(one_of("hit", "forced", "own_dot")),
    "items": a_dict(a_dict(whole)),
    "misspelled": a_list(text),
}
REMEMBERED: Final = {**STATE, "asked": a_dict(a_list(letter))}
SAID: Final = {"who": text, "whom": text, "asked": maybe(letter)}
EVENTS: Final[Mapping[str, Mapping[str, Check]]] = {
    "word_stands": {"who": text, "rack": text, "n": one_of(*range(4, 13))},
    "begins": {"who": text},
    "shuffled": {"n": whole},
    "drawn": {"who": text, "card": CARD},
    "card_idle": {"who": text, "card": CARD},
    "scored": {"who": text, "points": whole, "total": whole, "why": text},
    "said_yes": SAID,
    "said_no": SAID,
    "uncovered": {
        "who": text,
        "rack": text,
        "place": one_of(*range(1, 13)),
        "letter": maybe(letter),
        "points": whole,
        "to": maybe(text),
        "times": one_of(1, 3, 4, 5),
        "because": one_of("hit", "forced", "own_dot"),
    },
    "word_open": {"who": maybe(text), "whom": text, "rack": text, "word": maybe(text)},
    "nobody_to_ask": {"who": text},
    "last_rounds": {"who": text, "left": whole, "begins": truth},
    "survived": {"who": text, "covered": whole},
    "revealed": {
        "who": text,
        "rack": text,
        "places": a_list(whole),
        "word": maybe(text),
        "points": whole,
        "to": maybe(text),
    },
    "interrupted": {"who": text, "whom": text, "rack": text, "right": truth},
    "moot": {"who": text},
    "misspelled": {"who": text, "rack": text},
    "corrected": {"who": text, "points": whole},
    "stopped": {},
    "game_over": {"winners": a_list(text), "scores": a_dict(whole)},
}
BACK: Final = {
    "who": maybe(text),
    "question": text,
    "value": maybe(lambda v: whole(v) or text(v) or v is True or isinstance(v, dict)),
}
ALL: Final = {
    **EVENTS,
    "undone": {**BACK, "agreed": truth, "left": whole},
    "redone": BACK,
    "why": protocol.EVENTS["why"],
}
QUESTIONS: Final[Mapping[str, Check]] = {
    "word": text,
    "length": one_of(*range(4, 13)),
    "card": text,
    "ask_whom": text,
    "ask_for": letter,
    "answer": one_of("yes", "no", "no_dot"),
    "uncover": lambda value: whole(value) or text(value),
    "agree_undo": one_of("yes", "no"),
}
CLAUSES: Final = {f"PR-{n}" for n in range(1, 17)}
RACK: Final = {"word", "length"}


def is_tell(message: Message) -> bool:
    told = {
        **protocol.TELL,
        "text": protocol.spoken,
        "clause": maybe(lambda clause: clause in CLAUSES),
    }
    return named("tell", **told, **ALL[message["event"]])(message)


def is_ask(message: Message) -> bool:
    question = message["question"]
    extra: dict[str, Check] = {"rack": text} if question in RACK else {}
    if question == "word":
        extra |= {"free": one_of(True), "pattern": text}
    named(
        "ask", id=whole, who=maybe(text), question=text, text=text, private=truth,
        choices=a_list(fields(value=QUESTIONS[question], label=text)), **extra,
    )(message)  # fmt: skip
    values = [choice["value"] for choice in message["choices"]]
    assert len({*values}) == len(values) > 1
    assert len({choice["label"] for choice in message["choices"]}) == len(values)
    assert (message["who"] is None) == (question == "agree_undo")
    assert not message["private"] or question in ("word", "uncover")
    if question == "word":
        assert all(re.match(message["pattern"], value) for value in values)
    return True


def of_state(message: Message) -> Mapping[str, Check]:
    return REMEMBERED if "asked" in message else STATE


class Referee(protocol.Referee):
    """Reads along, and fails at anything that the chapter does not allow."""

    private: frozenset[str] = frozenset({"word", "uncover"})
    hides: tuple[str, str] = ("words", "secret")
    whole: Mapping[str, Check] = {
        **protocol.WHOLE,
        "tell": is_tell,
        "ask": is_ask,
        "secret": named("secret", who=text, event=one_of("words"), text=text, words=a_dict(text)),
        "state": lambda message: named("state", **of_state(message))(message),
        "over": lambda message: named(
            "over", winners=a_list(text), state=fields(**of_state(message["state"])), seed=text
        )(message),
    }

    def reply(self, line: Line | None, messages: list[Message]) -> None:
        """An interruption is like an answer."""
        taken = isinstance(line, dict) and "interrupt" in line and messages[0]["type"] != "error"
        super().reply({"answer": None} if taken else line, messages)


def talker(rng: random.Random) -> Bot:
    """Answers, takes back, and speaks out of turn; goes on for a while after the end."""
    messages = yield {}
    stands, ends = messages[-1], 0
    players: list[str] = messages[0]["players"]
    racks: list[str] = [*next(m for m in messages if m["type"] == "state")["racks"]]
    while ends < 4:
        who, rack = rng.choice(players), rng.choice(racks)
        spoken: tuple[Any, ...] = (
            {"who": who, "whom": rack.partition(":")[0], "rack": rack, "right": rng.random() < 0.5},
            {"who": who, "whom": rack.partition(":")[0], "rack": rack, "guess": "..PROBE"},
            {"misspelled": rack},
            {"correct": {"who": who, "points": 15}},
        )
        lucky = rng.random()
        if lucky < 0.15:
            line: Line = rng.choice(({"undo": True}, {"redo": True}, {"why": True}))
        elif lucky < 0.22 or stands["type"] == "over":
            line = {"interrupt": rng.choice(spoken)}
        elif lucky < 0.221:
            line = {"interrupt": {"stop": True}}
        else:
            line = {"answer": rng.choice(stands["choices"])["value"]}
        messages = yield line
        if messages[-1]["type"] in ("ask", "over"):
            stands = messages[-1]
            ends += stands["type"] == "over"


def begin(options: Mapping[str, str], n: int, seed: str, journal: Journal | None = None) -> Session:
    setup = Setup(GAME, protocol.NAMES[:n], options, printed("probe"), Chance(seed), mixing=False)
    return Session.begin(journal or Journal(None), setup, 0)


@cache
def said(n: int, at: int, *, restless: bool = True) -> tuple[Message, ...]:
    """All that is said in a game of random answers; `at` is a place in TABLES."""
    rng = random.Random(f"{n} {at} {restless}")
    bot = talker(rng) if restless else protocol.plain_bot(rng)
    table = protocol.Table(bot, Referee())
    table.run(begin(TABLES[at], n, f"{n:x}{at:x}"), rng.choice(LANGUAGES))
    return tuple(table.referee.seen)


def all_said() -> Iterator[tuple[Message, ...]]:
    for n, at in itertools.product((2, 3), range(len(TABLES))):
        yield said(n, at)
        yield said(n, at, restless=False)


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("at", range(len(TABLES)), ids=lambda at: "-".join(TABLES[at].values()))
def test_a_program_that_knows_no_rule_finishes_a_game_of_probe(n: int, at: int) -> None:
    last = said(n, at, restless=False)[-1]
    assert last["type"] == "over"
    assert last["state"]["to_act"] is None
    top = max(last["state"]["scores"].values())
    assert {last["state"]["scores"][who] for who in last["winners"]} == {top}


def test_speaking_out_of_turn_and_undo_go_with_every_question_and_event_of_probe() -> None:
    asked, told = set(), set()
    for messages in all_said():
        asked |= {message["question"] for message in messages if message["type"] == "ask"}
        told |= {message["event"] for message in messages if message["type"] == "tell"}
    assert asked == QUESTIONS.keys()
    assert told == ALL.keys()


def test_a_recorded_game_tells_each_player_the_own_words_alone() -> None:
    journal = Journal(None)
    options = {"words": "secret", "deck": "virtual", "remember": "no"}
    session = begin(options, 3, "5eed", journal)
    for word in ("PROBE", "FLAP", "RACK"):
        session.answer(word, 0)
        session.commit()
    again = Session.resume(journal, session.number, session.setup, 0)
    rng = random.Random(1)
    table = protocol.Table(protocol.plain_bot(rng), Referee()).run(again)
    secrets = [message for message in table.referee.seen if message["type"] == "secret"]
    assert [(m["who"], m["words"]) for m in secrets] == [
        ("Ann", {"Ann": "PROBE"}), ("Bob", {"Bob": "FLAP"}), ("Cy", {"Cy": "RACK"}),
    ]  # fmt: skip


# --- what is written down -------------------------------------------------------------------------


def rows(heading: str) -> dict[str, set[str]]:
    return protocol.rows(heading, "probe")


def test_every_event_of_probe_is_in_the_docs_with_all_its_facts_and_no_other() -> None:
    assert rows("Events") == {name: {*facts} for name, facts in EVENTS.items()}


def test_every_question_state_field_and_option_of_probe_is_in_the_docs_and_no_other() -> None:
    assert {*rows("Questions"), "agree_undo"} == QUESTIONS.keys()
    assert rows("State").keys() == REMEMBERED.keys()
    assert rows("Options") == {option.name: {*option.values} for option in GAME.options}


def test_every_sound_of_probe_is_in_the_docs() -> None:
    heard: dict[str, set[str]] = {}
    for message in itertools.chain.from_iterable(all_said()):
        if message.get("cue"):
            heard.setdefault(message["cue"], set()).add(message["event"])
    assert {**heard, "refused": {"why"}} == rows("Sounds")
