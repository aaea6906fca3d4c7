"""Barney Miller's chapter of docs/protocol.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.catalog.chapters import (
    Chapter,
    a_dict,
    a_list,
    fields,
    formed,
    maybe,
    named,
    one_of,
    text,
    whole,
)
from companion.games.barney_miller.board import SUSPECTS
from companion.games.barney_miller.facts import FACTS, VALUE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.catalog.chapters import Check, Message

TABLES: Final = tuple(
    {
        "deck": deck,
        "die": die,
        "track": track,
        "posters": "seats" if (die == "real") == (track == "ask") else "choose",
        "redeal": "aside" if die == "real" else "all",
    }
    for deck in ("own", "virtual")
    for die in ("companion", "real")
    for track in ("edition", "ask")
)


def laid(value: Any) -> bool:
    """A card on the pile: who laid it, and its number."""
    who, number = value
    return text(who) and whole(number)


SPACE: Final = fields(
    kind=one_of(
        "start",
        "gang",
        "positive_identification",
        "arrest_warrant",
        "insufficient_evidence",
        "unknown",
    ),
    gang=maybe(text),
)
STATE: Final = {
    "round": whole,
    "roller": maybe(text),
    "to_act": maybe(text),
    "total": whole,
    "played": a_list(laid),
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
    "out": a_list(text),
}
QUESTIONS: Final[Mapping[str, Check]] = {
    "detective": text,
    "roll": one_of(*range(1, 7)),
    "suspect_gang": text,
    "space": text,
    "play_card": VALUE,
    "zero": one_of("play", "pass"),
    "commit_suspect": text,
    "free_suspect": text,
    "agree_undo": one_of("yes", "no"),
}


def _ends(over: Message) -> bool:
    (winner,) = over["winners"]
    state = over["state"]
    chips: int = len(state["captured"][winner]) + state["reserve"][winner]
    return chips == SUSPECTS or len(state["out"]) == len(state["hand"]) - 1


LAID: Final = {"by": maybe(text), "laid": maybe(VALUE)}
"""Who played the card before in this round, and which."""

CHAPTER: Final = Chapter(
    game="barney-miller",
    tables=TABLES,
    state=STATE,
    facts=FACTS,
    questions=QUESTIONS,
    to_the_table=("space", "agree_undo"),
    ends=_ends,
    back=formed,
    extra={
        "suspect_gang": {"nth": whole, "detective": text},
        "play_card": LAID,
        "zero": LAID,
    },
    secret=named("secret", who=text, event=one_of("hand"), text=text, cards=a_list(VALUE)),
    seats=(2, 3, 4),
)
