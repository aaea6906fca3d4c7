"""Probe's texts: labels of answers, and texts for the placeholders of its sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core.prompts import Answer, JsonValues
from companion.core.snapshot import View
from companion.games.probe.rules.board import NO_DOT_ANSWER
from companion.games.probe.shown.facts import DOT, clauses_explaining_activity_card
from companion.say.name_lists import join_names
from companion.say.words import Words

ANY_POINTS_CARD: Final = "points"
LARGE_LETTERS, BESIDE_CLAUSE_LETTERS = 16, 15
"""Maximum numbers of letters in a display row.

- LARGE_LETTERS: large letters.
- BESIDE_CLAUSE_LETTERS: small letters, if a clause's number is at the right of the row.
"""
DOT_SIGN: Final = "●"
"""Large sign for a dot on the display; players can see this sign from across a table."""


def clauses_explaining_answer(
    words: Words, *, question: str, value: Answer, view: View
) -> tuple[str, ...]:
    """Return the clauses that explain an answer, or () if no clause explains the answer."""
    del words, view
    match question:
        case "card" | "other_card":
            return clauses_explaining_activity_card(value.partition(" ")[0])
        case "ask_for" if value == DOT:
            return ("PR-10",)
        case "answer":
            return {"yes": ("PR-7",), "no": ("PR-4",)}.get(value, ("PR-10",))
        case _:
            return ()


def sentence_placeholder_texts(words: Words, given: JsonValues) -> dict[str, Any]:
    """Return texts for the placeholders of a sentence, such as racks, letters and points."""
    fields: dict[str, Any] = _answer_facts(words, given.get("question"), given.get("value"))
    if given.get("rack"):
        fields |= _rack_facts(words, given["rack"], given.get("place"))
        spell = words(f"probe.spell_own.{given['rack'].partition(':')[2] or 'only'}")
        fields |= {"spell": spell, "Spell": spell[:1].upper() + spell[1:]}
    if isinstance(given.get("points"), int):
        fields |= _booked(words, given["points"], given.get("total"))
        fields["worth"] = given["points"] // given.get("times", 1)
    for name in ("letter", "asked"):
        if isinstance(given.get(name, 0), (str, type(None))):
            fields[f"{name}_shown"] = displayed_letter(given[name]) if given[name] else ""
            fields[f"{name}_said"] = spoken_letter(words, given[name]) if given[name] else ""
    if "letter_shown" in fields and "place_name" in fields:
        fields["lettered"] = _lettered(words, given, fields)
    if isinstance(given.get("whom"), str):
        whose = words("probe.word_of", who=given["whom"])
        fields["whose"] = whose if len(whose) <= BESIDE_CLAUSE_LETTERS else given["whom"]
    if isinstance(given.get("card"), dict):
        n = given["card"]["n"]
        fields |= {
            "n": n,
            "n_shown": _figure(f"{n or 0:+}"),
            "n_said": _signed(words, n or 0, plus=True),
        }
    if "word" in given:
        fields["word_shown"] = (given["word"] or "").replace(DOT, DOT_SIGN)
        fields["word_said"] = (given["word"] or "").replace(DOT, "").capitalize()
    if "winners" in given:
        fields["named"] = ", ".join(given["winners"])
        fields["together"] = join_names(words, given["winners"])
        fields["top"] = given["scores"][given["winners"][0]]
        fields["top_shown"] = _figure(str(fields["top"]))
        fields["top_said"] = _signed(words, fields["top"])
        fields["WHO"] = given["winners"][0].upper()
    return fields


def _answer_facts(words: Words, question: str | None, value: Answer) -> dict[str, Any]:
    if question == "ask_for" and value:
        return {"letter": spoken_letter(words, value)}
    if question != "uncover" or value in (None, NO_DOT_ANSWER):
        return {}
    rack, _, place = str(value).rpartition(":")
    side, number = (
        rack.partition(":")[2] or "only",
        words.capitalised_number_word(int(place)).lower(),
    )
    return {"place": words(f"probe.place_said.{side}", n=number)}


def _booked(words: Words, points: int, total: int | None) -> dict[str, Any]:
    text_fields = {
        "points_shown": _figure(f"{points:+}"),
        "points_said": words.capitalised_number_word(points),
    }
    text_fields["lost"] = str(abs(points))
    if total is None:
        return text_fields
    before = total - points
    spoken_fields = {"before_said": _signed(words, before), "total_said": _signed(words, total)}
    return {
        **text_fields,
        **spoken_fields,
        "before": _figure(str(before)),
        "total": _figure(str(total)),
    }


def _lettered(words: Words, given: JsonValues, given_fields: Mapping[str, Any]) -> str:
    """Return the longest text of up to LARGE_LETTERS letters that names a letter and its place."""
    side = given["rack"].partition(":")[2]
    ways = (*filter(None, (side,)), "brief") if given_fields["letter_shown"] else ()
    fields = {"who": given["who"], "n": given["place"], "place": given_fields["place_name"]}
    texts = [
        words(f"probe.lettered.{way}", letter=given_fields["letter_shown"], **fields)
        for way in ways
    ]
    shortest = words(
        "probe.lettered.shortest", letter=given_fields["letter_shown"], **fields
    ).strip()
    return next((text for text in texts if len(text) <= LARGE_LETTERS), shortest)


def _rack_facts(words: Words, rack: str, place: int | None) -> dict[str, Any]:
    owner, _, side = rack.partition(":")
    named = words(f"probe.word.{side or 'only'}", who=owner)
    fields = {"owner": owner, "rack_name": rack_name(words, rack), "word_of": named}
    fields["Word_of"] = named[0].upper() + named[1:]
    fields["word_of_own"] = words(f"probe.own.{side or 'only'}")
    if place is not None:
        number = words.capitalised_number_word(place).lower()
        fields["place_name"] = place_name(words, rack, place)
        fields["place_said"] = words(f"probe.place_said.{side or 'only'}", n=number)
    return fields


def _figure(number: str) -> str:
    """Return `number` with a minus sign in place of a hyphen."""
    return number.replace("-", "−")


def _signed(words: Words, n: int, *, plus: bool = False) -> str:
    sign = "minus" if n < 0 else "plus" if plus else ""
    return words(f"probe.{sign}", n=abs(n)) if sign else str(n)


def rack_name(words: Words, rack: str) -> str:
    """Return a rack's name: the owner's name; in a game of two, also the rack's side (PR-16)."""
    who, _, side = rack.partition(":")
    return words(f"probe.rack.{side}", who=who) if side else who


def place_name(words: Words, rack: str, place: int) -> str:
    """Return a place's name: the number; in a game of two, also the side of the rack (PR-16)."""
    side = rack.partition(":")[2]
    return words(f"probe.place.{side}", n=place) if side else str(place)


def displayed_letter(letter: str) -> str:
    """Return the text for a letter on the display; a dot becomes DOT_SIGN."""
    return DOT_SIGN if letter == DOT else letter


def spoken_letter(words: Words, letter: str) -> str:
    """Return the text for a letter in speech; a dot becomes a word."""
    return words("probe.dot") if letter == DOT else letter


def answer_label(words: Words, question: str, value: Answer, view: View) -> str | None:
    """Return the label of an answer, or None if the catalogue has a fixed label for the answer."""
    del view
    match question:
        case "ask_for":
            return displayed_letter(value)
        case "uncover" if ":" in str(value):
            rack, _, place = str(value).rpartition(":")
            return place_name(words, rack, int(place))
        case "rack" | "misspelled":
            return rack_name(words, value)
        case "card" | "other_card":
            if value == ANY_POINTS_CARD:
                return words("probe.card.any_points")
            kind, _, n = value.partition(" ")
            return words(f"probe.card.{kind}", n=n if kind == "times" else f"{int(n or 0):+}")
        case "points" | "card_points":
            return f"{value:+}"
        case "word":
            return value or words("probe.hidden")
        case "interrupt":
            rack = value.get("rack", value["whom"])
            return words("probe.interrupts", who=value["who"], rack=rack_name(words, rack))
        case "correct":
            return f"{value['who']} {value['points']:+}"
        case _:
            return None


def printed_names(words: Words, view: View) -> dict[str, str]:
    """Return a table from names in the view to the names that the box shows.

    The table contains the name of each rack, and of the drawn card (key `card`).
    """
    names = {rack: rack_name(words, rack) for rack in view["racks"]}
    if view["card"] is not None:
        kind, n = view["card"]["kind"], view["card"]["n"]
        shown = n if kind == "times" else f"{n or 0:+}"
        names["card"] = words(f"probe.card.{kind}", n=shown)
    return names
