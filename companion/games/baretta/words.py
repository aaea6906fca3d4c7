"""Baretta in words: spaces and cards by their names, and the sound of each fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.games.baretta.board import (
    ARREST,
    BY_HAND,
    DRAW,
    GO_TO,
    HIDEOUT_ID,
    HUNCH,
    IN_TROUBLE,
    LOOK,
    LOSE_TURN,
    MARKER,
    MOVE,
    NOTHING,
    ROLL_AGAIN,
    STAY_PUT,
    SWAP,
    TAKE_BACK,
    TO,
    UNMARK,
)
from companion.games.baretta.spaces import does, effect_of, goal, space_name, whereabouts

PASS, OTHER, ANOTHER = "pass", "other", "another"
"""Answers that are neither a space nor a card."""
OF_CARDS: Final = {"taken_back": IN_TROUBLE, "placed": STAY_PUT}
"""The cards behind facts (BA-12)."""
OF_CORNERS: Final = {
    "taken_back": TAKE_BACK, "unmarked": UNMARK, "looked": LOOK, "swapped": SWAP, "placed": DRAW,
    ROLL_AGAIN: ROLL_AGAIN, LOSE_TURN: LOSE_TURN, "missed_turn": LOSE_TURN,
}  # fmt: skip
"""What a corner or the Hideout does, behind facts (BA-10, BA-11)."""
IN_VAIN: Final = ("empty_pile", "already", "empty", "no_marked")
"""Why a card or a corner can do nothing, where that has a sentence of its own (BA-17)."""

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import Cue
    from companion.core.prompts import Answer
    from companion.say.words import Words

SOUNDS: Final = {
    "begins": "begins_baretta",
    "dealt": "dealt",
    "cut": "dealt",
    "first_roll": "rolled",
    "rolled": "rolled",
    "wounded": "card_turned",
    "turned.move": "move_on",
    "turned.stay_put": "stay_put",
    "turned.wounded": "wounded",
    "turned.go_to": "go_to",
    "turned.in_trouble": "in_trouble",
    "turned.hunch": "hunch",
    "turned.arrest": "guess",
    "turned.by_hand": "move_on",
    "one_too_many": "card_turned",
    "looked": "card_turned",
    "swapped": "placed",
    "missed_turn": "zero_played",
    "corrected": "card_turned",
    "guessed": "guess",
    "placed": "placed",
    "taken_back": "marker_off",
    "unmarked": "marker_off",
    "nothing": "zero_played",
    "not_arrest": "zero_played",
    "kept_quiet": "zero_played",
    "in_vain": "zero_played",
    "out": "out",
    "arrest": "arrest",
    "game_won": "won_baretta",
}
SILENT: Final = frozenset({
    "accused", "rolled", "moved.outside", "moved.shortcut", "moved.idle", "moved.sent_idle",
    "moved.guess", "discarded", "next_turn", "roll_again", "nothing.shortcut", "nothing.corner",
    "done_by_hand", "lose_turn", "kept_quiet",
    *(f"declined.{question}" for question in ("take_back", "unmark", "look", "draw", "swap")),
})  # fmt: skip
"""Facts that the screen shows by itself, or that another moment has told."""
IDLE: Final = frozenset({"nothing.empty", "nothing.card", "nothing.empty_pile"})
"""What came to nothing is a line at most: under what led to it, or beside the next question."""
LOOKED_AT: Final = frozenset({"placed", "looked"})
"""Whoever puts a card down, or looks at one, may see it at once."""
LEADS: Final = frozenset({
    "dealt", "cut", "first_roll", "begins", "moved.place", "moved.sent", "turned", "guessed",
    "wounded", "placed", "taken_back", "out", "in_vain", "arrest", "game_won",
    *(f"turned.{kind}" for kind in (
        "move", "stay_put", "wounded", "go_to", "in_trouble", "hunch", "arrest", "by_hand",
    )),
    *(f"corrected.{what}" for what in ("baretta", "turn", "out", "in", "card", "pile")),
    "cut.own", "one_too_many", "missed_turn", "looked", "looked.public", "swapped", "corrected",
    "guessed.arrest", "guessed.wrong", "placed.marked", "placed.bare",
    *(f"game_won.{how}" for how in ("landed", "second", "guess", "last", "table")),
})  # fmt: skip
"""Facts that begin a moment of their own; the others stand under them."""
WEIGHTY: Final = frozenset({
    "turned", "moved.place", "moved.sent", "guessed", "out", "in_vain", "arrest", "game_won",
    "wounded", "missed_turn", "one_too_many",
})  # fmt: skip
"""What a space or a card does, and who wins."""
SLIGHT: Final = frozenset({
    "accused", "first_roll", "cut", "rolled", "marker_back", "looked", "nothing",
})  # fmt: skip
"""What the question says, too, or what comes to nothing."""
SPACES: Final = (
    "move_to", HUNCH, "take_back", "unmark", "look", "draw", "swap", "swap_with", "by_hand",
    "space",
)  # fmt: skip
"""The questions that are answered with a space."""
NAMES: Final = {"fr": {"Fats": "Fatse", "Tony": "Toni"}}
"""How espeak-ng and pico2wave say names right, by language."""


def variant(cue: Cue) -> str:
    """The sentence's name: some facts are told in several ways."""
    way = _way(cue)
    return f"{cue.name}.{way}" if way else cue.name


def _way(cue: Cue) -> str | None:
    """What sets this fact apart from others of its name."""
    facts = cue.facts
    match cue.name:
        case "turned":
            return kind(facts["card"])
        case "guessed":
            return ARREST if kind(facts["card"]) == ARREST else "wrong"
        case "wounded":
            return ARREST if kind(facts["card"]) == ARREST else None
        case "placed" | "looked" if cue.to is not None:
            return "secret"
        case "looked":
            return "public"
        case "placed":
            return "marked" if facts["marked"] else "bare"
        case "moved":
            return _move(facts)
        case "accused" if facts["seated"]:
            return "seated"
        case "nothing" | "declined" | "game_won" | "corrected":
            return str(facts[WAYS[cue.name]])
        case _:
            flag = {"first_roll": "tied", "accused": "forced", "dealt": "aside", "cut": "own"}.get(
                cue.name
            )
            return flag if flag and facts[flag] else None


WAYS: Final = {
    "nothing": "why", "declined": "question", "game_won": "how", "corrected": "what",
}  # fmt: skip
"""Which fact sets them apart."""


def _move(facts: Mapping[str, Any]) -> str:
    if facts["by"] == "guess":
        return "guess"
    if facts["kind"] == "outside":
        return "outside"
    idle, sent = facts["does"] in (None, NOTHING), facts["by"] in (GO_TO, "corner")
    if sent:  # whatever sent Baretta there has named it
        return "sent_idle" if idle else "sent"
    return ("shortcut" if facts["kind"] == "shortcut" else "idle") if idle else "place"


def rulings(words: Words, cue: Cue) -> tuple[str, ...]:
    """The clauses behind a fact: each card, corner and way to move has its own sentence."""
    facts = cue.facts
    match cue.name:
        case "turned" | "guessed" | "wounded":
            return (*_of_card(facts["card"]), *((cue.clause,) if cue.clause else ()))
        case "moved" if facts["by"] in (MOVE, GO_TO):
            return (*_of_space(words, facts["to"]), f"BA-12.{facts['by']}")
        case "moved":
            return (*_of_space(words, facts["to"]), cue.clause or "")
        case "nothing":
            vain = (f"BA-17.{facts['why']}",) if facts["why"] in IN_VAIN else ()
            return (*vain, *_of_space(words, facts["space"]))
        case _:
            return _of_effect(cue)


def _of_effect(cue: Cue) -> tuple[str, ...]:
    """What explains that a card, a corner or the Hideout did something."""
    if cue.clause == "BA-12" and cue.name in OF_CARDS:
        return (f"BA-12.{OF_CARDS[cue.name]}",)
    if cue.clause in ("BA-10", "BA-11") and cue.name in OF_CORNERS:
        return (f"BA-10.{OF_CORNERS[cue.name]}", cue.clause)
    return ()


def _of_card(name: str) -> tuple[str, ...]:
    """What explains a card."""
    of = kind(name)
    special = {HUNCH: "BA-13", ARREST: "BA-14", BY_HAND: "BA-2"}
    return (special.get(of, f"BA-12.{of}"),)


def _of_space(words: Words, ident: str) -> tuple[str, ...]:
    """What explains a space without cards; nothing for one of the 24."""
    if ident.isdigit():
        return ()
    effect = effect_of(words, ident).partition(":")[0]
    if ident == HIDEOUT_ID:
        return (f"BA-10.{effect}", "BA-11")
    corners = {corner["id"] for corner in words.edition["corner"]}
    return (f"BA-10.{effect}", "BA-10") if ident in corners else ("BA-9",)


def glossary(
    words: Words, *, question: str, value: Answer, view: Mapping[str, Any]
) -> tuple[str, ...]:
    """What a card does, and what comes of going to a space."""
    if value in (PASS, OTHER, ANOTHER):
        return ("BA-13.pass",) if question == HUNCH else ()
    if question in ("card", "another"):
        return _of_card(value)
    if question == HUNCH:
        return ("BA-13",)
    if question == "corner_does":
        return (f"BA-10.{kind(value)}", "BA-19")
    if question != "move_to":
        return ()
    spot = view["spaces"][value] if "spaces" in view else {"card": None}
    card = "BA-8" if spot["card"] is None else "BA-7"
    return _of_space(words, value) or (card,)


def kind(name: str) -> str:
    """What kind of card it is: "move:5" is a "move"."""
    return name.partition(":")[0]


def facts(words: Words, given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields for the sentences: spaces, cards and criminals by their names."""
    found = {"number": words.number(given.get("steps", 0)).lower(), **_space_facts(words, given)}
    if "card" in given:
        found |= _card_facts(words, given["card"])
        if "n" in given:
            found["n"] = given["n"]
    if "criminal" in given:
        found |= _criminal_facts(words, given["criminal"])
    if "dice" in given:
        found["pips"] = sum(given["dice"])
        found["pips_word"] = words.number(sum(given["dice"]))
    if "rolls" in given:
        found["rolls"] = ", ".join(f"{who} {n}" for who, n in given["rolls"].items())
    if "piles" in given:
        found["piles"] = ", ".join(given["piles"])
    return found


def _space_facts(words: Words, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that spaces give to a sentence: their names, and what one does there."""
    found: dict[str, Any] = {}
    for name in ("space", "to", "from"):
        if given.get(name) is not None:
            found[name] = space_name(words, given[name])
    if given.get("to") or given.get("space"):
        found |= whereabouts(words, given.get("to") or given["space"])
    if "to" in given and "by" in given:
        found["TO"] = found["to"].upper()
        found["does"] = does(words, given["to"], given["who"])
    return found


def _card_facts(words: Words, name: str) -> dict[str, Any]:
    """The fields that a card gives to a sentence: its name, and what stands on it."""
    what = name.partition(":")[2]
    found = {"card": card(words, name), "CARD": card(words, name).upper(), "n": what}
    found["card_said"] = found["card"]
    if kind(name) == GO_TO:
        found["card_said"] = words("baretta.said.go_to", going=whereabouts(words, what)["going"])
        found["goal"] = space_name(words, what)
        found["going"] = whereabouts(words, what)["going"]
    if kind(name) == ARREST:
        found |= _criminal_facts(words, what)
    return found


def _criminal_facts(words: Words, ident: str) -> dict[str, Any]:
    """A criminal, as short as a card has it, in capitals, and as people say it."""
    short = words(f"baretta.option.accused.{ident}")
    said = words(f"baretta.criminal.{ident}")
    return {"criminal": short, "CRIMINAL": short.upper(), "criminal_named": said}


def label(words: Words, question: str, value: Answer, view: Mapping[str, Any]) -> str | None:
    """A space's or a card's name; None where a fixed sentence will do."""
    del view
    if value in ("pass", "other", "another"):
        return None
    if question == "corner_does" and value.startswith(f"{TO}:"):
        return words("baretta.card.go_to", goal=goal(words, value.removeprefix(f"{TO}:")))
    if question in SPACES:
        return space_name(words, value)
    if question in ("card", "another"):
        return card(words, value)
    if question == "lies" and value.startswith(f"{MARKER}:"):
        return words("baretta.option.lies.marker", who=value.partition(":")[2])
    if question == "correct":
        return words(f"baretta.option.what.{value['what']}")
    return None


def is_idle(view: Mapping[str, Any], does: str) -> bool:
    """Whether what a corner or the Hideout does can not be done by whoever's turn it is (BA-17)."""
    who, spaces = view["to_act"], view["spaces"].values()
    laid = [space for space in spaces if space["card"] is not None]
    match does:
        case "unmark":
            return all(space["marker"] != who for space in laid)
        case "take_back":
            return all(space["marker"] is None for space in laid)
        case "draw":
            outside = [space for space in spaces if space["kind"] == "outside"]
            return not view["pile"].get(who) or len(laid) == len(outside)
        case "look":
            return all(space["card"] != "down" for space in laid)
        case "swap":
            return len(laid) <= 1
        case _:
            return False


def card(words: Words, name: str) -> str:
    """A card by its name."""
    of, _, what = name.partition(":")
    if of == MOVE:
        return words("baretta.card.move", n=what)
    if of == GO_TO:
        return words("baretta.card.go_to", goal=goal(words, what))
    if of == ARREST:
        return words("baretta.card.arrest", criminal=words(f"baretta.option.accused.{what}"))
    return words(f"baretta.card.{of}")


def short_card(words: Words, name: str) -> str:
    """A card in few letters, for a list of many."""
    of, _, what = name.partition(":")
    if of == GO_TO:
        return space_name(words, what)
    return words("baretta.brief.move" if of == MOVE else f"baretta.brief.{of}", n=what)
