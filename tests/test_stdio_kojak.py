"""Kojak over the text protocol, against its chapter of docs/protocol.md."""

from __future__ import annotations

import itertools
import random
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

    from tests.test_stdio import Check, Message

GAME: Final = find("kojak")
TABLES: Final = tuple(
    {"deck": deck, "die": die, "short": short}
    for deck in ("virtual", "own")
    for die in ("companion", "real", "none")
    for short in ("no", "yes")
)
COLOUR: Final = one_of("red", "yellow", "blue", "green")
PLACE: Final = one_of("bank", "city_hall", "club", "hotel")
STAGE: Final = one_of("to_mission", "to_place", "to_station", "hunting")


def by_file(of: Check) -> Check:
    return fields(red=of, yellow=of, blue=of, green=of)


def trap_card(value: Any) -> bool:
    if value == {"kind": "kojak"}:
        return True
    return fields(kind=one_of("advance"), colour=COLOUR, steps=whole)(value)


STATE: Final = {
    "phase": one_of("opening", "playing", "race", "over"),
    "to_act": maybe(text),
    "roll": maybe(whole),
    "files": by_file(text),
    "places": by_file(PLACE),
    "circle": by_file(maybe(whole)),
    "fields": by_file(whole),
    "red": by_file(a_list(whole)),
    "mission": a_dict(maybe(COLOUR)),
    "stage": a_dict(STAGE),
    "warrant": a_dict(truth),
    "may_arrest": a_list(text),
    "arrests": a_dict(whole),
    "race": a_list(text),
    "trap_pile": one_of(20),
    "mission_pile": whole,
}
MINE: Final = {"who": text, "colour": COLOUR, "place": PLACE}
THERE: Final = {"colour": COLOUR, "place": PLACE}
EVENTS: Final[Mapping[str, Mapping[str, Check]]] = {
    "first_roll": {"rolls": a_dict(whole), "tied": truth},
    "begins": {"who": text},
    "no_traps": {"players": a_list(text)},
    "rolled": {"who": text, "dice": a_list(whole)},
    "six_rolled": {"who": text},
    "drawn": {
        "who": text,
        "pile": one_of("mission", "trap"),
        "card": lambda card: trap_card(card) if isinstance(card, dict) else COLOUR(card),
    },
    "mission": {
        **MINE,
        "kept": truth,
        "why": one_of("free", "joined", "deadlock", "taken", "closed"),
        "others": a_list(text),
        "own": truth,
    },
    "joined": {"who": text, "colour": COLOUR, "with": a_list(text)},
    "parked": MINE,
    "posted": {**MINE, "with": a_list(text), "on_red": truth},
    "trap": {"who": text, "mission": COLOUR, "card": trap_card},
    "no_criminal": {"who": text, "colour": COLOUR},
    "advanced": {
        **THERE,
        "from": whole,
        "to": whole,
        "steps": whole,
        "fields": whole,
        "red": a_list(whole),
        "how": one_of("advance", "kojak"),
    },
    "on_red": {**THERE, "may_arrest": a_list(text), "already": truth},
    "off_red": {**THERE, "hunters": a_list(text)},
    "no_arrest": MINE,
    "arrest": {**MINE, "lost": a_list(text), "arrests": whole},
    "accused": {**MINE, "open": a_list(COLOUR)},
    "file_lost": {"players": a_list(text), "colour": COLOUR},
    "tied": {"players": a_list(text), "arrests": whole},
    "game_won": {"who": text, "arrests": whole, "how": one_of("most", "short", "race")},
}
RARE: Final = {"no_mission": {"who"}}
"""Only editions with fewer than four missions of a file bring it about."""
ALL: Final = {**EVENTS, **{name: protocol.EVENTS[name] for name in ("undone", "redone", "why")}}
QUESTIONS: Final[Mapping[str, Check]] = {
    "first": text,
    "roll": one_of(*range(1, 7)),
    "happened": one_of("nothing", "mission", "trap", "parked", "station", "entrance"),
    "card": text,
    "parked_first": text,
    "agree_undo": one_of("yes", "no"),
}
TO_THE_TABLE: Final = ("first", "agree_undo")


def is_tell(message: Message) -> bool:
    told = {**protocol.TELL, "clause": maybe(lambda clause: clause in CLAUSES)}
    return named("tell", **told, **ALL[message["event"]])(message)


CLAUSES: Final = {f"KO-{n}" for n in range(1, 21)}


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
        "secret": lambda _: False,
        "state": named("state", **STATE),
        "over": named("over", winners=a_list(text), state=fields(**STATE), seed=text),
    }


def begin(options: Mapping[str, str], n: int, seed: str) -> Session:
    setup = Setup(GAME, protocol.NAMES[:n], options, printed("kojak"), Chance(seed), mixing=False)
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
    for at in range(len(TABLES)):
        yield said(2, at)
        yield said(4, at, restless=False)


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("at", range(len(TABLES)), ids=lambda at: "-".join(TABLES[at].values()))
def test_a_program_that_knows_no_rule_finishes_a_game_of_kojak(n: int, at: int) -> None:
    last = said(n, at, restless=False)[-1]
    assert last["type"] == "over"
    assert last["state"]["phase"] == "over"
    assert last["state"]["to_act"] is None
    assert len(last["winners"]) == 1


def test_undo_redo_and_why_go_with_every_question_and_event_of_kojak() -> None:
    asked, told = set(), set()
    for messages in all_said():
        asked |= {message["question"] for message in messages if message["type"] == "ask"}
        told |= {message["event"] for message in messages if message["type"] == "tell"}
    assert asked == QUESTIONS.keys()
    assert told == ALL.keys()


def test_an_undo_asks_the_table_only_past_a_card_that_the_box_drew() -> None:
    for at in range(len(TABLES)):
        asks = {m["question"] for m in said(2, at) if m["type"] == "ask"}
        assert TABLES[at]["deck"] == "virtual" or "agree_undo" not in asks


def test_the_state_never_tells_a_card_that_lies_in_a_pile() -> None:
    """Two shuffles look the same until a card is drawn, but for the seed's commitment."""
    options = {"deck": "virtual", "die": "none", "short": "no"}
    lines = []
    for seed in ("1", "2"):
        rng = random.Random(5)
        table = protocol.Table(protocol.plain_bot(rng), Referee())
        table.run(begin(options, 3, seed))
        seen = table.referee.seen
        first = next(i for i, m in enumerate(seen) if m.get("event") == "drawn")
        lines.append([{**m, "commitment": None} for m in seen[:first]])
    assert lines[0] == lines[1]
    assert len(lines[0]) > 5


# --- what is written down -------------------------------------------------------------------------


def rows(heading: str) -> dict[str, set[str]]:
    return protocol.rows(heading, "kojak")


def test_every_event_of_kojak_is_in_the_docs_with_all_its_facts_and_no_other() -> None:
    assert rows("Events") == {**{name: {*facts} for name, facts in EVENTS.items()}, **RARE}


def test_every_question_state_field_and_option_of_kojak_is_in_the_docs_and_no_other() -> None:
    assert {*rows("Questions"), "agree_undo"} == QUESTIONS.keys()
    assert rows("State").keys() == STATE.keys()
    assert rows("Options") == {option.name: {*option.values} for option in GAME.options}


def test_every_sound_of_kojak_is_in_the_docs() -> None:
    heard: dict[str, set[str]] = {}
    for message in itertools.chain.from_iterable(all_said()):
        if message.get("cue"):
            heard.setdefault(message["cue"], set()).add(message["event"])
    assert {**heard, "refused": {"why"}} == rows("Sounds")
