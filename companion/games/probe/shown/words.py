"""Probe in words: racks and places by their names, letters and dots, and each fact's sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.games.probe.rules.board import NONE
from companion.games.probe.shown.facts import DOT, of_card
from companion.say.people import join_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.prompts import Answer, Values
    from companion.core.snapshot import View
    from companion.say.words import Words

POINTS: Final = "points"
LARGE, BESIDE_CLAUSE = 16, 15
"""Large letters in a row, and small ones in that of a clause."""
MARK: Final = "●"
"""How a dot is shown: large enough to be seen across a table."""


def glossary(words: Words, *, question: str, value: Answer, view: View) -> tuple[str, ...]:
    """What an activity card does, and what comes of what was asked."""
    del words, view
    match question:
        case "card" | "other_card":
            return of_card(value.partition(" ")[0])
        case "ask_for" if value == DOT:
            return ("PR-10",)
        case "answer":
            return {"yes": ("PR-7",), "no": ("PR-4",)}.get(value, ("PR-10",))
        case _:
            return ()


def fields(words: Words, given: Values) -> dict[str, Any]:
    """Fields for the sentences: names of racks and places, letters, points, cards."""
    found: dict[str, Any] = _answer_facts(words, given.get("question"), given.get("value"))
    if given.get("rack"):
        found |= _rack_facts(words, given["rack"], given.get("place"))
        spell = words(f"probe.spell_own.{given['rack'].partition(':')[2] or 'only'}")
        found |= {"spell": spell, "Spell": spell[:1].upper() + spell[1:]}
    if isinstance(given.get("points"), int):
        found |= _booked(words, given["points"], given.get("total"))
        found["worth"] = given["points"] // given.get("times", 1)
    for name in ("letter", "asked"):
        if isinstance(given.get(name, 0), (str, type(None))):
            found[f"{name}_shown"] = letter_mark(given[name]) if given[name] else ""
            found[f"{name}_said"] = spoken_letter(words, given[name]) if given[name] else ""
    if "letter_shown" in found and "place_name" in found:
        found["lettered"] = _lettered(words, given, found)
    if isinstance(given.get("whom"), str):
        whose = words("probe.word_of", who=given["whom"])
        found["whose"] = whose if len(whose) <= BESIDE_CLAUSE else given["whom"]
    if isinstance(given.get("card"), dict):
        n = given["card"]["n"]
        found |= {
            "n": n,
            "n_shown": _figure(f"{n or 0:+}"),
            "n_said": _signed(words, n or 0, plus=True),
        }
    if "word" in given:
        found["word_shown"] = (given["word"] or "").replace(DOT, MARK)
        found["word_said"] = (given["word"] or "").replace(DOT, "").capitalize()
    if "winners" in given:
        found["named"] = ", ".join(given["winners"])
        found["together"] = join_names(words, given["winners"])
        found["top"] = given["scores"][given["winners"][0]]
        found["top_shown"] = _figure(str(found["top"]))
        found["top_said"] = _signed(words, found["top"])
        found["WHO"] = given["winners"][0].upper()
    return found


def _answer_facts(words: Words, question: str | None, value: Answer) -> dict[str, Any]:
    """The letter that was asked for, or the place that was uncovered, as people say it."""
    if question == "ask_for" and value:
        return {"letter": spoken_letter(words, value)}
    if question != "uncover" or value in (None, NONE):
        return {}
    rack, _, place = str(value).rpartition(":")
    side, number = rack.partition(":")[2] or "only", words.number(int(place)).lower()
    return {"place": words(f"probe.place_said.{side}", n=number)}


def _booked(words: Words, points: int, total: int | None) -> dict[str, Any]:
    """Points won or lost, and the total before and after them, to read and to hear."""
    found = {"points_shown": _figure(f"{points:+}"), "points_said": words.number(points)}
    found["lost"] = str(abs(points))
    if total is None:
        return found
    before = total - points
    said = {"before_said": _signed(words, before), "total_said": _signed(words, total)}
    return {**found, **said, "before": _figure(str(before)), "total": _figure(str(total))}


def _lettered(words: Words, given: Values, found: Mapping[str, Any]) -> str:
    """Whose place has which letter, for large letters: as much in words as fits them."""
    side = given["rack"].partition(":")[2]
    ways = (*filter(None, (side,)), "brief") if found["letter_shown"] else ()
    fields = {"who": given["who"], "n": given["place"], "place": found["place_name"]}
    texts = [words(f"probe.lettered.{way}", letter=found["letter_shown"], **fields) for way in ways]
    shortest = words("probe.lettered.shortest", letter=found["letter_shown"], **fields).strip()
    return next((text for text in texts if len(text) <= LARGE), shortest)


def _rack_facts(words: Words, rack: str, place: int | None) -> dict[str, Any]:
    """A rack, its word and a place of it, to read and to hear."""
    owner, _, side = rack.partition(":")
    named = words(f"probe.word.{side or 'only'}", who=owner)
    found = {"owner": owner, "rack_name": rack_name(words, rack), "word_of": named}
    found["Word_of"] = named[0].upper() + named[1:]
    found["word_of_own"] = words(f"probe.own.{side or 'only'}")
    if place is not None:
        number = words.number(place).lower()
        found["place_name"] = place_name(words, rack, place)
        found["place_said"] = words(f"probe.place_said.{side or 'only'}", n=number)
    return found


def _figure(number: str) -> str:
    """A number to read, with a minus sign and not a hyphen."""
    return number.replace("-", "−")


def _signed(words: Words, n: int, *, plus: bool = False) -> str:
    """A number of points to hear; `plus`: it is told if they are won."""
    sign = "minus" if n < 0 else "plus" if plus else ""
    return words(f"probe.{sign}", n=abs(n)) if sign else str(n)


def rack_name(words: Words, rack: str) -> str:
    """A rack by its owner; with two players also left or right (PR-16)."""
    who, _, side = rack.partition(":")
    return words(f"probe.rack.{side}", who=who) if side else who


def place_name(words: Words, rack: str, place: int) -> str:
    """A place by its number, with two players after its side."""
    side = rack.partition(":")[2]
    return words(f"probe.place.{side}", n=place) if side else str(place)


def letter_mark(letter: str) -> str:
    """A letter or a dot to read."""
    return MARK if letter == DOT else letter


def spoken_letter(words: Words, letter: str) -> str:
    """A letter or a dot to hear."""
    return words("probe.dot") if letter == DOT else letter


def label(words: Words, question: str, value: Answer, view: View) -> str | None:
    """An answer's label where a fixed sentence will not do; None where it will."""
    del view
    match question:
        case "ask_for":
            return letter_mark(value)
        case "uncover" if ":" in str(value):
            rack, _, place = str(value).rpartition(":")
            return place_name(words, rack, int(place))
        case "rack" | "misspelled":
            return rack_name(words, value)
        case "card" | "other_card":
            if value == POINTS:
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
    """The racks as people call them, and the `card` that was drawn."""
    found = {rack: rack_name(words, rack) for rack in view["racks"]}
    if view["card"] is not None:
        kind, n = view["card"]["kind"], view["card"]["n"]
        shown = n if kind == "times" else f"{n or 0:+}"
        found["card"] = words(f"probe.card.{kind}", n=shown)
    return found
