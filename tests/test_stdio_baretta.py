"""Baretta over the text protocol, against its chapter of docs/protocol.md."""

from __future__ import annotations

import itertools
import random
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import pytest

from companion.chance import Chance
from companion.games import find
from companion.games.baretta.board import CRIMINALS, decks
from companion.journal import Journal
from companion.session import Session, Setup
from companion.words import LANGUAGES
from tests import test_stdio as protocol
from tests.helpers import printed
from tests.test_stdio import a_dict, a_list, fields, maybe, named, one_of, text, truth, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.test_stdio import Check, Message

GAME: Final = find("baretta")
TABLES: Final = tuple(
    {"deck": deck, "dice": dice, "wounded": wounded}
    for deck in ("virtual", "own")
    for dice in ("companion", "real")
    for wounded in ("down", "up")
)
CARDS: Final = decks(printed("baretta"))
CARD: Final = one_of(*CARDS)
FACE: Final = one_of("down", *(f"up:{card}" for card in CARDS))
CRIMINAL: Final = one_of(*CRIMINALS)
SPACE: Final = fields(
    kind=one_of("outside", "shortcut", "corner", "hideout"),
    next=a_list(text),
    does=maybe(text),
    card=maybe(FACE),
    marker=maybe(text),
    at=a_list(lambda value: type(value) is float),
)
STATE: Final = {
    "phase": one_of("opening", "playing", "over"),
    "to_act": maybe(text),
    "baretta": text,
    "spaces": a_dict(SPACE),
    "pile": a_dict(whole),
    "shown": a_dict(maybe(CARD)),
    "markers": a_dict(one_of(*range(7))),
    "out": a_list(text),
    "accused": a_dict(maybe(CRIMINAL)),
    "moving": maybe(fields(who=text, n=whole, second=truth)),
    "asked": maybe(one_of("landed", "second", "guessed", "top", "corner", "trouble")),
}
THERE: Final = {"who": text, "space": text}
EVENTS: Final[Mapping[str, Mapping[str, Check]]] = {
    "accused": {"who": text, "criminal": CRIMINAL, "forced": truth},
    "dealt": {"spaces": one_of(24), "pile": whole, "aside": one_of(0, 2)},
    "cut": {"piles": a_list(text)},
    "first_roll": {"rolls": a_dict(whole), "tied": truth},
    "begins": {"who": text},
    "rolled": {"who": text, "dice": a_list(whole)},
    "moved": {
        "who": text,
        "from": text,
        "to": text,
        "by": one_of("roll", "move", "go_to", "corner", "guess"),
    },
    "turned": {**THERE, "card": CARD},
    "marker_back": THERE,
    "discarded": {"space": text, "card": CARD},
    "placed": {**THERE, "marked": truth, "left": whole},
    "wounded": {"who": text, "card": CARD},
    "taken_back": {**THERE, "owner": text},
    "unmarked": THERE,
    "roll_again": THERE,
    "declined": {"who": text, "question": one_of("take_back", "unmark")},
    "not_arrest": THERE,
    "nothing": {
        **THERE,
        "why": one_of(
            "shortcut", "corner", "no_marked", "empty_pile", "already", "empty", "card"
        ),
    },
    "kept_quiet": THERE,
    "guessed": {**THERE, "card": CARD},
    "out": {"who": text},
    "in_vain": {**THERE, "criminal": CRIMINAL},
    "arrest": {"space": text, "criminal": CRIMINAL, "winner": text},
    "game_won": {"who": text, "how": one_of("landed", "second", "guess", "last")},
    "next_turn": {"who": text},
}  # fmt: skip
ALL: Final = {**EVENTS, **{name: protocol.EVENTS[name] for name in ("undone", "redone", "why")}}
QUESTIONS: Final[Mapping[str, Check]] = {
    "accused": CRIMINAL,
    "cut": one_of("no", "yes"),
    "roll": one_of(*range(2, 13)),
    "move_to": text,
    "card": one_of("other", *CARDS),
    "hunch": text,
    "take_back": text,
    "unmark": text,
    "agree_undo": one_of("yes", "no"),
}
TO_THE_TABLE: Final = ("cut", "agree_undo")
CLAUSES: Final = {f"BA-{n}" for n in range(1, 18)}


def is_tell(message: Message) -> bool:
    told = {**protocol.TELL, "clause": maybe(lambda clause: clause in CLAUSES)}
    return named("tell", **told, **ALL[message["event"]])(message)


def is_ask(message: Message) -> bool:
    question = message["question"]
    choice = fields(value=QUESTIONS[question], label=text)
    named(
        "ask", id=whole, who=maybe(text), question=text, text=text, private=one_of(False),
        choices=a_list(choice),
    )(message)  # fmt: skip
    values = [choice["value"] for choice in message["choices"]]
    assert len({*values}) == len(values) > 1
    assert len({choice["label"] for choice in message["choices"]}) == len(values)
    assert (message["who"] is None) == (question in TO_THE_TABLE)
    return True


class Referee(protocol.Referee):
    """Reads along, and fails at anything that the chapter does not allow."""

    private: frozenset[str] = frozenset()
    whole: Mapping[str, Check] = {
        **protocol.WHOLE,
        "tell": is_tell,
        "ask": is_ask,
        "secret": named(
            "secret", who=text, event=one_of("placed"), text=text, space=text, card=CARD
        ),
        "state": named("state", **STATE),
        "over": named("over", winners=a_list(text), state=fields(**STATE), seed=text),
    }  # fmt: skip


def begin(options: Mapping[str, str], n: int, seed: str) -> Session:
    setup = Setup(GAME, protocol.NAMES[:n], options, printed("baretta"), Chance(seed), mixing=False)
    return Session.begin(Journal(None), setup, 0)


@cache
def said(n: int, at: int, *, restless: bool = True) -> tuple[Message, ...]:
    """All that is said in a game of random answers; `at` is a place in TABLES."""
    rng = random.Random(f"{n} {at} {restless}")
    bot = protocol.restless_bot(rng, 0.1) if restless else protocol.plain_bot(rng)
    table = protocol.Table(bot, Referee())
    table.run(begin(TABLES[at], n, f"{n:x}{at:x}"), rng.choice(LANGUAGES))
    return tuple(table.referee.seen)


def all_said() -> Iterator[tuple[Message, ...]]:
    for n, at in itertools.product((2, 4), range(len(TABLES))):
        yield said(n, at)
        yield said(n, at, restless=False)


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("at", range(len(TABLES)), ids=lambda at: "-".join(TABLES[at].values()))
def test_a_program_that_knows_no_rule_finishes_a_game_of_baretta(n: int, at: int) -> None:
    last = said(n, at, restless=False)[-1]
    assert last["type"] == "over"
    assert last["state"]["phase"] == "over"
    assert last["state"]["to_act"] is None
    assert len(last["winners"]) == 1


def test_undo_redo_and_why_go_with_every_question_and_event_of_baretta() -> None:
    asked, told = set(), set()
    for messages in all_said():
        asked |= {message["question"] for message in messages if message["type"] == "ask"}
        told |= {message["event"] for message in messages if message["type"] == "tell"}
    assert asked == QUESTIONS.keys()
    assert told == ALL.keys()


def test_what_a_player_puts_down_is_told_to_that_player_alone_and_only_by_the_box() -> None:
    for n, at in itertools.product((2, 4), range(len(TABLES))):
        messages = said(n, at, restless=False)
        virtual = TABLES[at]["deck"] == "virtual"
        placed = [m for m in messages if m.get("event") == "placed"]
        secrets = [m for m in placed if m["type"] == "secret"]
        public = [m for m in placed if m["type"] == "tell"]
        assert not any("card" in message for message in public)
        pairs = [(m["who"], m["space"]) for m in public]
        assert [(m["who"], m["space"]) for m in secrets] == (pairs if virtual else [])


# --- what is written down -------------------------------------------------------------------------


def rows(heading: str) -> dict[str, set[str]]:
    return protocol.rows(heading, "baretta")


def test_every_event_of_baretta_is_in_the_docs_with_all_its_facts_and_no_other() -> None:
    assert rows("Events") == {name: {*facts} for name, facts in EVENTS.items()}


def test_every_question_state_field_and_option_of_baretta_is_in_the_docs_and_no_other() -> None:
    assert {*rows("Questions"), "agree_undo"} == QUESTIONS.keys()
    assert rows("State").keys() == STATE.keys()
    assert rows("Options") == {option.name: {*option.values} for option in GAME.options}


def test_every_sound_of_baretta_is_in_the_docs() -> None:
    heard: dict[str, set[str]] = {}
    for message in itertools.chain.from_iterable(all_said()):
        if message.get("cue"):
            heard.setdefault(message["cue"], set()).add(message["event"])
    assert {**heard, "refused": {"why"}} == rows("Sounds")


def test_a_sound_is_told_with_every_kind_of_card() -> None:
    sounds: dict[str, Any] = {}
    for message in itertools.chain.from_iterable(all_said()):
        if message.get("event") == "turned":
            sounds.setdefault(message["card"].partition(":")[0], set()).add(message["cue"])
    assert len(sounds) == 7
    assert all(len(names) == 1 for names in sounds.values())
    assert len(set.union(*sounds.values())) == 7
