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
    truth,
    whole,
)
from companion.games.barney_miller.board import SUSPECTS

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
        "rulings": "2",
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
}
CHIPS: Final = {"who": text, "captured": whole, "reserve": whole}
EVENTS: Final[Mapping[str, Mapping[str, Check]]] = {
    "seated": {"who": text, "detective": text},
    "first_roll": {"rolls": a_dict(whole), "tied": truth},
    "begins": {"who": text},
    "rolled": {"who": text, "dice": a_list(whole)},
    "moved": {"who": text, "kind": text, "gang": maybe(text)},
    "unwanted": {"who": text, "gang": text},
    "dealt": {"how": one_of("first", "half", "again", "rest"), "cards": whole, "deal": whole},
    "card_played": {"who": text, "value": whole, "total": whole, "forced": truth, "own": truth},
    "too_many": {"who": text, "value": one_of(*range(11)), "n": whole, "count": whole},
    "ten": {"who": text},
    "zero_played": {"who": text, "total": one_of(10)},
    "picked_up": {"who": text},
    "round_won": {
        "who": text,
        "last": text,
        "value": one_of(*range(11)),
        "how": one_of("over", "ten", "zero"),
        "total": whole,
        "round": whole,
    },
    "captured": {**CHIPS, "suspect": text, "gang": text, "kind": text},
    "freed": {**CHIPS, "suspect": text, "gang": text},
    "reserve": CHIPS,
    "nothing": {"who": text, "kind": text, "gang": maybe(text)},
    "next_roller": {"who": text},
    "corrected": {
        "what": one_of("chip", "reserve", "turn", "pawn"),
        "who": maybe(text),
        "suspect": maybe(text),
        "n": maybe(whole),
        "captured": maybe(whole),
        "reserve": maybe(whole),
    },
    "game_won": CHIPS,
}
QUESTIONS: Final[Mapping[str, Check]] = {
    "detective": text,
    "roll": one_of(*range(1, 7)),
    "suspect_gang": text,
    "space": text,
    "play_card": one_of(*range(11)),
    "zero": one_of("play", "pass"),
    "commit_suspect": text,
    "free_suspect": text,
    "agree_undo": one_of("yes", "no"),
}


def _ends(over: Message) -> bool:
    (winner,) = over["winners"]
    state = over["state"]
    chips: int = len(state["captured"][winner]) + state["reserve"][winner]
    return chips == SUSPECTS


LAID: Final = {"by": maybe(text), "laid": maybe(one_of(*range(11)))}
"""Who played the card before in this round, and which."""

CHAPTER: Final = Chapter(
    game="barney-miller",
    clauses=frozenset(("BM-1", *(f"BM-{n}" for n in range(3, 15)))),
    tables=TABLES,
    state=STATE,
    events=EVENTS,
    questions=QUESTIONS,
    to_the_table=("space", "agree_undo"),
    ends=_ends,
    back=formed,
    extra={
        "suspect_gang": {"nth": whole, "detective": text},
        "play_card": LAID,
        "zero": LAID,
    },
    secret=named(
        "secret", who=text, event=one_of("hand"), text=text, cards=a_list(one_of(*range(11)))
    ),
    seats=(2, 3, 4),
)
