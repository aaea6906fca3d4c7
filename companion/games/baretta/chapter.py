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
from companion.games.baretta.board import CRIMINALS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.catalog.chapters import Check, Message

TABLES: Final = tuple(
    {
        "deck": deck,
        "dice": dice,
        "wounded": wounded,
        "rulings": "0.2",
        "criminals": "choose" if wounded == "up" else "seats",
        "cutting": "yes" if wounded == "up" else "no",
    }
    for deck in ("virtual", "own")
    for dice in ("companion", "real")
    for wounded in ("up", "down")
)
KINDS: Final = ("stay_put", "hunch", "wounded", "in_trouble", "by_hand", "move", "go_to", "arrest")
EFFECTS: Final = ("take_back", "unmark", "look", "draw", "swap")


def a_card(value: object) -> bool:
    """A card's name: of the edition, or another that the table named."""
    return type(value) is str and value.partition(":")[0] in KINDS


def a_face(value: object) -> bool:
    """How a card lies: face down, or up, with its name."""
    return value == "down" or (
        type(value) is str and value.startswith("up:") and a_card(value.removeprefix("up:"))
    )


CRIMINAL: Final = one_of(*CRIMINALS)
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
THERE: Final = {"who": text, "space": text}
EVENTS: Final[Mapping[str, Mapping[str, Check]]] = {
    "accused": {"who": text, "criminal": CRIMINAL, "forced": truth, "seated": truth},
    "dealt": {"spaces": one_of(24), "pile": whole, "aside": one_of(0, 2)},
    "cut": {"piles": a_list(text), "own": truth},
    "first_roll": {"rolls": a_dict(whole), "tied": truth},
    "begins": {"who": text},
    "rolled": {"who": text, "dice": a_list(whole)},
    "moved": {
        "who": text,
        "from": text,
        "to": text,
        "kind": one_of("outside", "shortcut", "corner", "hideout"),
        "does": maybe(text),
        "by": one_of("roll", "move", "go_to", "corner", "guess"),
    },
    "turned": {**THERE, "card": a_card},
    "marker_back": THERE,
    "discarded": {"space": text, "card": a_card},
    "placed": {**THERE, "marked": truth, "left": whole},
    "wounded": {"who": text, "card": a_card},
    "taken_back": {**THERE, "owner": text},
    "unmarked": THERE,
    "roll_again": THERE,
    "declined": {"who": text, "question": one_of(*EFFECTS)},
    "not_arrest": THERE,
    "nothing": {
        **THERE,
        "why": one_of(
            "shortcut", "corner", "no_marked", "no_own", "empty_pile", "already", "empty", "card",
            "no_card", "full",
        ),
    },
    "kept_quiet": THERE,
    "guessed": {**THERE, "card": a_card},
    "out": {"who": text},
    "in_vain": {**THERE, "criminal": CRIMINAL},
    "arrest": {"space": text, "criminal": CRIMINAL, "winner": text},
    "game_won": {"who": text, "how": one_of("landed", "second", "guess", "last", "table")},
    "next_turn": {"who": text},
    "one_too_many": {"who": text, "card": a_card, "n": whole},
    "done_by_hand": THERE,
    "lose_turn": THERE,
    "missed_turn": {"who": text},
    "looked": THERE,
    "swapped": {**THERE, "to": text},
    "corrected": {
        "what": one_of("baretta", "turn", "out", "in", "card", "pile"),
        "who": maybe(text),
        "space": maybe(text),
        "lies": maybe(text),
        "n": maybe(whole),
    },
}  # fmt: skip
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
    clauses=frozenset(f"BA-{n}" for n in range(1, 20)),
    tables=TABLES,
    state=STATE,
    events=EVENTS,
    questions=QUESTIONS,
    to_the_table=("cut", "who_won", "agree_undo"),
    ends=_ends,
    secret=named(
        "secret", who=text, event=one_of("placed", "looked"), text=text, space=text, card=a_card
    ),
    back=_back,
    extra={"move_to": {"steps": whole}, "corner_does": {"space": text}},
)
