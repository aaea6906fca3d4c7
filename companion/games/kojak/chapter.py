"""Kojak's chapter of docs/protocol.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

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
COLOUR: Final = one_of("red", "yellow", "blue", "green")
PLACE: Final = one_of("bank", "city_hall", "club", "hotel")
STAGE: Final = one_of("to_mission", "to_place", "to_station", "hunting")


def by_file(of: Check) -> Check:
    """Such a value for each of the four files."""
    return fields(red=of, yellow=of, blue=of, green=of)


def trap_card(value: Any) -> bool:
    """KO-13, KO-14: what a trap card orders."""
    if value in ({"kind": "kojak"}, {"kind": "lose_turn"}):
        return True
    whom = one_of("red", "yellow", "blue", "green", "all")
    if value["kind"] in ("stay", "to_red"):
        return fields(kind=text, colour=whom)(value)
    return fields(kind=one_of("advance", "back"), colour=whom, steps=whole)(value)


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
    "trap_pile": one_of(20),
    "mission_pile": whole,
}
MINE: Final = {"who": text, "colour": COLOUR, "place": PLACE}
DRIVEN: Final = {**MINE, "car": COLOUR}
THERE: Final = {"colour": COLOUR, "place": PLACE}
EVENTS: Final[Mapping[str, Mapping[str, Check]]] = {
    "first_roll": {"rolls": a_dict(whole), "tied": truth},
    "cars": {"cars": a_dict(COLOUR)},
    "begins": {"who": text, "car": COLOUR},
    "no_traps": {"players": a_list(text)},
    "rolled": {"who": text, "dice": a_list(whole)},
    "six_rolled": {"who": text, "car": COLOUR},
    "blocked": {"who": text, "car": COLOUR},
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
    "parked": DRIVEN,
    "posted": {**DRIVEN, "with": a_list(text), "on_red": truth},
    "trap": {"who": text, "mission": COLOUR, "card": trap_card},
    "turn_lost": {"who": text},
    "no_criminal": {"who": text, "colour": COLOUR},
    "advanced": {
        **THERE,
        "from": whole,
        "to": whole,
        "steps": whole,
        "fields": whole,
        "red": a_list(whole),
        "how": one_of("advance", "back", "to_red", "kojak"),
    },
    "on_red": {**THERE, "may_arrest": a_list(text), "already": truth},
    "off_red": {**THERE, "hunters": a_list(text)},
    "no_arrest": DRIVEN,
    "arrest": {**DRIVEN, "lost": a_list(text), "arrests": whole},
    "accused": {**DRIVEN, "open": a_list(COLOUR)},
    "file_lost": {"players": a_list(text), "colour": COLOUR},
    "tied": {"players": a_list(text), "cars": a_dict(COLOUR), "arrests": whole},
    "corrected": {
        "what": one_of("turn", "criminal", "arrest", "file", "stage"),
        "who": maybe(text),
        "colour": maybe(one_of("red", "yellow", "blue", "green", "none")),
        "n": maybe(whole),
        "stage": maybe(STAGE),
    },
    "game_won": {"who": text, "arrests": whole, "how": one_of("most", "short", "race")},
}
QUESTIONS: Final[Mapping[str, Check]] = {
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
    clauses=frozenset(f"KO-{n}" for n in range(1, 23)),
    tables=TABLES,
    state=STATE,
    events=EVENTS,
    questions=QUESTIONS,
    to_the_table=("first", "agree_undo"),
    ends=_ends,
    back=formed,
    rare={"no_mission": {"who"}},  # in editions with fewer than four missions of a file
    extra={"happened": {"car": COLOUR}, "field": {"colour": COLOUR, "field": whole}},
    seats=(2,),
)
