"""Baretta's chapter of docs/protocol.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games import editions
from companion.games.baretta.board import CRIMINALS, decks
from companion.games.chapters import (
    Chapter,
    a_dict,
    a_list,
    fields,
    maybe,
    named,
    one_of,
    text,
    truth,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.chapters import Check, Message

TABLES: Final = tuple(
    {"deck": deck, "dice": dice, "wounded": wounded}
    for deck in ("virtual", "own")
    for dice in ("companion", "real")
    for wounded in ("down", "up")
)
CARDS: Final = decks(editions.load("baretta"))
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


def _ends(over: Message) -> bool:
    return over["state"]["phase"] == "over" and len(over["winners"]) == 1


CHAPTER: Final = Chapter(
    game="baretta",
    clauses=frozenset(f"BA-{n}" for n in range(1, 18)),
    tables=TABLES,
    state=STATE,
    events=EVENTS,
    questions=QUESTIONS,
    to_the_table=("cut", "agree_undo"),
    ends=_ends,
    secret=named("secret", who=text, event=one_of("placed"), text=text, space=text, card=CARD),
)
