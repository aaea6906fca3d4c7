"""Baretta's chapter of docs/protocol.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
from companion.games.baretta.facts import CRIMINAL, FACTS, a_card, a_face

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.catalog.chapters import Check, Message

TABLES: Final = tuple(
    {
        "deck": deck,
        "dice": dice,
        "wounded": wounded,
        "criminals": "choose" if wounded == "up" else "seats",
        "cutting": "yes" if wounded == "up" else "no",
    }
    for deck in ("virtual", "own")
    for dice in ("companion", "real")
    for wounded in ("up", "down")
)


SPACE: Final = fields(
    kind=one_of("outside", "shortcut", "corner", "hideout"),
    next=a_list(text),
    does=maybe(text),
    card=maybe(a_face),
    marker=maybe(text),
    cleared=truth,
    at=a_list(lambda value: type(value) is float),
)
STATE: Final = {
    "phase": one_of("opening", "playing", "over"),
    "to_act": maybe(text),
    "baretta": text,
    "spaces": a_dict(SPACE),
    "pile": a_dict(whole),
    "shown": a_dict(maybe(a_card)),
    "markers": a_dict(one_of(*range(7))),
    "out": a_list(text),
    "sitting": a_list(text),
    "accused": a_dict(maybe(CRIMINAL)),
    "moving": maybe(fields(who=text, n=whole, second=truth)),
    "asked": maybe(one_of("landed", "second", "guessed", "top", "corner", "trouble")),
}
QUESTIONS: Final[Mapping[str, Check]] = {
    "accused": CRIMINAL,
    "cut": one_of("no", "yes"),
    "roll": one_of(*range(2, 13)),
    "move_to": text,
    "card": lambda value: value in ("other", "another") or a_card(value),
    "another": a_card,
    "by_hand": text,
    "corner_does": text,
    "hunch": text,
    "take_back": text,
    "unmark": text,
    "look": text,
    "draw": text,
    "swap": text,
    "swap_with": text,
    "who_won": text,
    "agree_undo": one_of("yes", "no"),
}


def _back(value: object) -> bool:
    return value is None or short(value) or type(value) is dict


def _ends(over: Message) -> bool:
    return over["state"]["phase"] == "over" and len(over["winners"]) == 1


CHAPTER: Final = Chapter(
    game="baretta",
    tables=TABLES,
    state=STATE,
    facts=FACTS,
    questions=QUESTIONS,
    to_the_table=("cut", "who_won", "agree_undo"),
    ends=_ends,
    secret=named(
        "secret", who=text, event=one_of("placed", "looked"), text=text, space=text, card=a_card
    ),
    back=_back,
    extra={"move_to": {"steps": whole}, "corner_does": {"space": text}},
)
