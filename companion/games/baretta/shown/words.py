"""Baretta's texts: labels of answers, and texts for the placeholders of its sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core.prompts import Answer, JsonValues
from companion.core.snapshot import View
from companion.games.baretta.rules.board import (
    ARREST,
    GO_TO,
    HUNCH,
    MARKER,
    MOVE,
    TO_EFFECT,
)
from companion.games.baretta.shown.facts import (
    card_kind,
    clauses_explaining_card,
    clauses_explaining_space,
)
from companion.games.baretta.shown.spaces import (
    short_space_name,
    space_effect_sentence,
    space_name,
    space_sentence_fields,
)
from companion.say.name_lists import first_turn_roll_phrases
from companion.say.words import Words

PASS, OTHER, ANOTHER = "pass", "other", "another"
"""Answers that are neither a space nor the name of a card."""

SPACE_QUESTIONS: Final = (
    "move_to", HUNCH, "take_back", "unmark", "look", "draw", "swap", "swap_with", "by_hand",
    "space",
)  # fmt: skip
"""Names of the questions whose answers are spaces."""
CRIMINALS: Final = ("killer", "bank_robber", "safecracker", "hijacker")
"""Ids of the four criminals that players can play (BA-1)."""
PRONUNCIATIONS: Final = {"fr": {"Fats": "Fatse", "Tony": "Toni"}}
"""For each language, a table from a name to a spelling that the speech synthesiser pronounces well.
"""


def clauses_explaining_answer(
    words: Words, *, question: str, value: Answer, view: View
) -> tuple[str, ...]:
    """Return the clauses that explain an answer: a card, a space, or an effect."""
    if value in (PASS, OTHER, ANOTHER):
        return ("BA-13.pass",) if question == HUNCH else ()
    if question in ("card", "another"):
        return clauses_explaining_card(value)
    if question == HUNCH:
        return ("BA-13",)
    if question == "corner_does":
        return (f"BA-10.{card_kind(value)}", "BA-19")
    if question != "move_to":
        return ()
    spot = view["spaces"][value] if "spaces" in view else {"card": None}
    card = "BA-8" if spot["card"] is None else "BA-7"
    return clauses_explaining_space(words, value) or (card,)


def sentence_placeholder_texts(words: Words, given: JsonValues) -> dict[str, Any]:
    """Return texts for the placeholders of a sentence, such as the names of spaces and cards."""
    fields = {
        "number": words.capitalised_number_word(given.get("steps", 0)).lower(),
        **_space_facts(words, given),
    }
    if "card" in given and "what" not in given:
        fields |= _card_facts(words, given["card"])
        if "n" in given:
            fields["n"] = given["n"]
    if "criminal" in given:
        fields |= _criminal_facts(words, given["criminal"])
    if "dice" in given:
        fields["pips"] = sum(given["dice"])
        fields["pips_word"] = words.capitalised_number_word(sum(given["dice"]))
    if "rolls" in given:
        fields |= first_turn_roll_phrases(words, given["rolls"])
    if given.get("what") == "card" and "marker" in given:
        fields["lying"] = _lying(words, given["card"], given["marker"])
    if given.get("question") in SPACE_QUESTIONS and given.get("value") not in (None, PASS):
        fields |= space_sentence_fields(words, given["value"])
    if "piles" in given:
        fields["piles"] = ", ".join(given["piles"])
    return fields


def _space_facts(words: Words, given: JsonValues) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name in ("space", "to", "from"):
        if given.get(name) is not None:
            fields[name] = space_name(words, given[name])
            fields[name.upper()] = fields[name].upper()
    if given.get("to") or given.get("space"):
        fields |= space_sentence_fields(words, given.get("to") or given["space"])
    if "to" in given and "by" in given:
        fields["does"] = space_effect_sentence(words, given["to"], given["who"])
    return fields


def _card_facts(words: Words, name: str) -> dict[str, Any]:
    value = name.partition(":")[2]
    fields = {
        "card": printed_card_name(words, name),
        "CARD": printed_card_name(words, name).upper(),
        "n": value,
    }
    fields["card_said"] = fields["card"]
    if card_kind(name) == GO_TO:
        fields["card_said"] = words(
            "baretta.said.go_to", going=space_sentence_fields(words, value)["going"]
        )
        fields["goal"] = space_name(words, value)
        fields["going"] = space_sentence_fields(words, value)["going"]
    if card_kind(name) == ARREST:
        fields |= _criminal_facts(words, value)
    return fields


def _criminal_facts(words: Words, ident: str) -> dict[str, Any]:
    short = words(f"baretta.option.accused.{ident}")
    spoken = words(f"baretta.criminal.{ident}")
    return {"criminal": short, "CRIMINAL": short.upper(), "criminal_named": spoken}


def answer_label(words: Words, question: str, value: Answer, view: View) -> str | None:
    """Return the label of an answer, or None if the catalogue has a fixed label for the answer."""
    del view
    if value in ("pass", "other", "another"):
        return None
    if question == "corner_does" and value.startswith(f"{TO_EFFECT}:"):
        return words(
            "baretta.card.go_to", goal=short_space_name(words, value.removeprefix(f"{TO_EFFECT}:"))
        )
    if question in SPACE_QUESTIONS:
        return space_name(words, value)
    if question in ("card", "another"):
        return printed_card_name(words, value)
    if question == "lies" and ":" in value:
        way, _, who = value.partition(":")
        return words(f"baretta.option.lies.{'marker' if way == MARKER else 'same_marked'}", who=who)
    if question == "correct":
        return _correction(words, value)
    return None


def _lying(words: Words, face: str | None, marker: str | None) -> str:
    if face is None:
        return words("baretta.lying.empty")
    name = printed_card_name(words, face.removeprefix("up:")) if face != "down" else ""
    whose = words(f"baretta.lying.{'marked' if marker else 'bare'}", who=marker)
    return words(f"baretta.lying.{face.partition(':')[0]}", card=name, marker=whose)


def _correction(words: Words, value: Mapping[str, Any]) -> str:
    at = space_sentence_fields(words, value["space"])["at"] if "space" in value else ""
    n = value.get("n", 0)
    return words(f"baretta.correction.{value['what']}", who=value.get("who", ""), at=at, n=n)


def is_space_effect_unusable(view: View, does: str) -> bool:
    """Return True if the active player cannot use the effect `does` of a space (BA-17)."""
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


def printed_card_name(words: Words, name: str) -> str:
    """Return a card's printed name."""
    of, _, value = name.partition(":")
    if of == MOVE:
        return words("baretta.card.move", n=value)
    if of == GO_TO:
        return words("baretta.card.go_to", goal=short_space_name(words, value))
    if of == ARREST:
        return words("baretta.card.arrest", criminal=words(f"baretta.option.accused.{value}"))
    return words(f"baretta.card.{of}")


def short_card_name(words: Words, name: str) -> str:
    """Return a card's short name, for lists with many cards."""
    of, _, value = name.partition(":")
    if of == GO_TO:
        return space_name(words, value)
    return words("baretta.brief.move" if of == MOVE else f"baretta.brief.{of}", n=value)


def printed_names(words: Words, view: View) -> dict[str, str]:
    """Return a table from ids in the view to the names that the box shows for these ids.

    The key `does:ID` has a short text about the effect of the space with this id.
    """
    names = {who: words(f"baretta.option.accused.{who}") for who in CRIMINALS}
    for ident, space in view["spaces"].items():
        names[ident] = space_name(words, ident)
        if space["does"]:
            effect, _, to = space["does"].partition(":")
            effect_text = words(f"baretta.brief.{effect}", goal=to and space_name(words, to))
            names[f"does:{ident}"] = effect_text.replace("|", " ")
        if space["card"] not in (None, "down"):
            names[space["card"]] = printed_card_name(words, space["card"].partition(":")[2])
    return names | {
        shown: printed_card_name(words, shown) for shown in filter(None, view["shown"].values())
    }
