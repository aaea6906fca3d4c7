"""Kojak's chapter of docs/protocol.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.catalog.chapters import (
    Chapter,
    a_dict,
    a_list,
    fields,
    formed,
    maybe,
    one_of,
    text,
    truth,
    whole,
)
from companion.games.kojak.facts import COLOUR, FACTS, PLACE, STAGE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.catalog.chapters import Check, Message

TABLES: Final = tuple(
    {"deck": deck, "die": die, "short": short, "beside": beside}
    for deck in ("virtual", "own")
    for die in ("companion", "real", "none")
    for short in ("no", "yes")
    for beside in ("fetched", "at_once")
)


def by_file(of: Check) -> Check:
    """Such a value for each of the four files."""
    return fields(red=of, yellow=of, blue=of, green=of)


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
    "cars": a_dict(COLOUR),
    "stage": a_dict(STAGE),
    "warrant": a_dict(truth),
    "may_arrest": a_list(text),
    "arrests": a_dict(whole),
    "lose_turn": a_list(text),
    "race": a_list(text),
    "out": a_list(text),
    "trap_pile": one_of(20),
    "mission_pile": whole,
}
QUESTIONS: Final[Mapping[str, Check]] = {
    "car": COLOUR,
    "first": text,
    "roll": one_of(*range(1, 7)),
    "happened": one_of("nothing", "mission", "trap", "parked", "station", "entrance", "blocked"),
    "card": text,
    "criminal": one_of("kojak", "red", "yellow", "blue", "green", "all", "lose_turn"),
    "order": text,
    "field": one_of("plain", "red"),
    "parked_first": text,
    "agree_undo": one_of("yes", "no"),
}


def _ends(over: Message) -> bool:
    return over["state"]["phase"] == "over" and len(over["winners"]) == 1


CHAPTER: Final = Chapter(
    game="kojak",
    tables=TABLES,
    state=STATE,
    facts=FACTS,
    questions=QUESTIONS,
    to_the_table=("first", "agree_undo"),
    ends=_ends,
    back=formed,
    rare=frozenset({"no_mission"}),  # in editions with fewer than four missions of a file
    extra={"happened": {"car": COLOUR}, "field": {"colour": COLOUR, "field": whole}},
    seats=(2,),
)
