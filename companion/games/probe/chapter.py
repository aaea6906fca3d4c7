"""Probe's chapter of docs/protocol.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.catalog.chapters import (
    Chapter,
    a_dict,
    a_list,
    fields,
    maybe,
    named,
    one_of,
    short,
    text,
    truth,
    whole,
)
from companion.games.probe.board import PLACES
from companion.games.probe.facts import CARD, FACTS, letter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.catalog.chapters import Check, Message

TABLES: Final = tuple(
    {"words": words, "deck": deck, "remember": remember, "opens": opens}
    for words in ("racks", "secret")
    for deck in ("virtual", "own")
    for remember in ("no", "yes")
    for opens in ("owner", "cheapest", "chance")[: 3 if words == "secret" else 1]
)
STATE: Final = {
    "to_act": maybe(text),
    "scores": a_dict(whole),
    "racks": a_dict(
        lambda places: (
            len(places) == PLACES
            and a_list(
                fields(value=one_of(5, 10, 15), used=truth, covered=truth, letter=maybe(letter))
            )(places)
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
    "out": a_list(text),
}
QUESTIONS: Final[Mapping[str, Check]] = {
    "word": text,
    "length": one_of(*range(4, 13)),
    "card": text,
    "other_card": text,
    "card_points": one_of(*range(-100, 101)),
    "ask_whom": text,
    "ask_for": letter,
    "answer": one_of("yes", "no", "no_dot"),
    "uncover": lambda value: whole(value) or text(value),
    "agree_undo": one_of("yes", "no"),
}


def _back(value: Any) -> bool:
    return value is None or short(value) or value is True or type(value) is dict


def _words(secret: Message) -> bool:
    """PR-1: the own words, again and again; those of a word that is in no list are doubted."""
    doubted = {"doubted": one_of(True)} if "doubted" in secret else {}
    own = {"who": text, "event": one_of("words"), "text": text, "words": a_dict(text)}
    return named("secret", **own, **doubted)(secret)


def _ends(over: Message) -> bool:
    state = over["state"]
    scores = {who: n for who, n in state["scores"].items() if who not in state["out"]}
    return {scores[who] for who in over["winners"]} == {max(scores.values())}


CHAPTER: Final = Chapter(
    game="probe",
    tables=TABLES,
    state=STATE,
    facts=FACTS,
    questions=QUESTIONS,
    to_the_table=("agree_undo",),
    ends=_ends,
    secret=_words,
    more={"asked": a_dict(a_list(letter))},
    extra={
        "word": {"rack": text, "free": one_of(True), "pattern": text},
        "card_points": {"free": one_of(True), "pattern": text},
        "length": {"rack": text},
    },
    back=_back,
    unsaid=frozenset({"word_stands", "said_yes", "said_no", "revealed"}),
    seats=(2, 3),
)
