"""Probe in words: racks and places by their names, letters and dots, and each fact's sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.say.people import together

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.game import Cue
    from companion.core.prompts import Answer
    from companion.say.words import Words

DOT: Final = "."
CARDS: Final = (
    "normal", "additional_turn", "left_uncovers", "right_uncovers", "own_dot", "times", "points",
)  # fmt: skip
"""The kinds of activity cards that are explained one by one."""
POINTS: Final = "points"
MARK: Final = "●"
TURNS: Final = 2
"""The turns that a single adversary has left (PR-13)."""
"""How a dot is shown: large enough to be seen across a table."""
SOUNDS: Final = {
    "begins": "begins_probe",
    "shuffled": "dealt",
    "drawn": "card_drawn",
    "said_no": "said_no",
    "uncovered": "uncovered",
    "word_open": "word_open",
    "interrupted.right": "interruption_right",
    "interrupted.wrong": "interruption_wrong",
    "last_rounds": "last_rounds",
    "survived": "word_kept",
    "game_over": "won_probe",
}
SILENT: Final = frozenset({
    "word_stands", "said_yes.table", "said_no.table", "revealed.unknown", "drawn.normal",
})  # fmt: skip
"""Facts that the next question shows by itself, without a moment."""
IDLE: Final = frozenset({"card_idle", "nobody_to_ask", "shuffled"})
"""What came to nothing, or changes nothing, is a line at most."""
LEADS: Final = frozenset({
    "begins", "drawn", "said_yes", "said_no", "uncovered.forced", "uncovered.own_dot",
    "word_open", "last_rounds", "survived", "revealed.end", "interrupted", "misspelled",
    "corrected", "stopped", "game_over",
})  # fmt: skip
"""Facts that begin a moment of their own; the others stand under them."""
WEIGHTY: Final = frozenset({
    "drawn", "scored", "said_yes", "said_no", "uncovered", "word_open", "revealed", "survived",
    "interrupted", "misspelled", "last_rounds", "corrected", "stopped", "game_over",
})  # fmt: skip
"""What a card does, what is found, and points."""
SLIGHT: Final = frozenset({
    "begins", "shuffled", "word_stands", "card_idle", "nobody_to_ask", "moot",
    "last_rounds.goes_on",
})  # fmt: skip
"""What the question says, too, or what comes to nothing."""


def variant(cue: Cue) -> str:
    """The sentence's name: some facts are told in several ways."""
    find = _WAYS.get(cue.name)
    way = find(cue) if find else ""
    return f"{cue.name}.{way}" if way else cue.name


def _asked(cue: Cue) -> str:
    asked = cue.facts["asked"]
    return "table" if asked is None else "dot" if asked == DOT else "letter"


def _revealed(cue: Cue) -> str:
    if cue.facts["word"] is None:
        return "unknown"
    return "guessed" if cue.clause == "PR-15" else "end"


def _last_rounds(facts: Mapping[str, Any]) -> str:
    if not facts["begins"]:
        return "goes_on"
    return "begins.two" if facts["left"] <= TURNS else "begins"


def _open(cue: Cue) -> str:
    if cue.facts["who"] is None:
        return "shown"
    return "solved" if cue.facts["word"] else "guessed"


_WAYS: Final[Mapping[str, Callable[[Cue], str]]] = {
    "said_yes": _asked,
    "said_no": _asked,
    "drawn": lambda cue: str(cue.facts["card"]["kind"]),
    "card_idle": lambda cue: str(cue.facts["card"]["kind"]),
    "scored": lambda cue: "gain" if cue.facts["points"] > 0 else "loss",
    "uncovered": lambda cue: str(cue.facts["because"]),
    "word_open": _open,
    "last_rounds": lambda cue: _last_rounds(cue.facts),
    "words": lambda cue: "doubted" if cue.facts.get("doubted") else "",
    "interrupted": lambda cue: "right" if cue.facts["right"] else "wrong",
    "revealed": _revealed,
    "survived": lambda cue: "one" if cue.facts["covered"] == 1 else "",
    "game_over": lambda cue: "tied" if len(cue.facts["winners"]) > 1 else "alone",
}
"""How each of these facts is told."""


def rulings(words: Words, cue: Cue) -> tuple[str, ...]:
    """The clauses behind a fact: each kind of activity card has a sentence of its own (PR-5)."""
    del words
    if cue.name in ("drawn", "card_idle"):
        return _of_card(str(cue.facts["card"]["kind"]))
    if cue.name == "scored" and cue.facts["why"] == "solved":
        return ("PR-7.solved",)
    return ()


def glossary(
    words: Words, *, question: str, value: Answer, view: Mapping[str, Any]
) -> tuple[str, ...]:
    """What an activity card does, and what comes of what was asked."""
    del words, view
    match question:
        case "card" | "other_card":
            return _of_card(value.partition(" ")[0])
        case "ask_for" if value == DOT:
            return ("PR-10",)
        case "answer":
            return {"yes": ("PR-7",), "no": ("PR-4",)}.get(value, ("PR-10",))
        case _:
            return ()


def _of_card(kind: str) -> tuple[str, ...]:
    return (f"PR-5.{kind}",) if kind in CARDS else ("PR-5",)


def facts(words: Words, given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields for the sentences: names of racks and places, letters, points, cards."""
    found: dict[str, Any] = {}
    if given.get("rack"):
        found |= _rack_facts(words, given["rack"], given.get("place"))
    for name in ("letter", "asked"):
        if isinstance(given.get(name, 0), (str, type(None))):
            found[f"{name}_shown"] = shown(given[name]) if given[name] else ""
            found[f"{name}_said"] = said(words, given[name]) if given[name] else ""
    if isinstance(given.get("card"), dict):
        n = given["card"]["n"]
        found |= {"n": n, "n_shown": f"{n or 0:+}", "n_said": _signed(words, n or 0, plus=True)}
    if isinstance(given.get("points"), int):
        found["points_shown"] = f"{given['points']:+}"
        found["points_said"] = words.number(given["points"])
        found["lost"] = abs(given["points"])
    if isinstance(given.get("total"), int):
        found["total_said"] = _signed(words, given["total"])
    if "word" in given:
        found["word_shown"] = given["word"] or ""
        found["word_said"] = (given["word"] or "").replace(DOT, "").capitalize()
    if "winners" in given:
        found["named"] = ", ".join(given["winners"])
        found["together"] = together(words, given["winners"])
        found["top"] = max(given["scores"].values())
        found["top_said"] = _signed(words, found["top"])
        found["WHO"] = given["winners"][0].upper()
    return found


def _rack_facts(words: Words, rack: str, place: int | None) -> dict[str, Any]:
    """A rack, its word and a place of it, to read and to hear."""
    who, _, side = rack.partition(":")
    named = words(f"probe.word.{side or 'only'}", who=who)
    found = {"rack_name": rack_name(words, rack), "word_of": named}
    found["Word_of"] = named[0].upper() + named[1:]
    found["word_of_own"] = words(f"probe.own.{side or 'only'}")
    if place is not None:
        number = words.number(place).lower()
        found["place_name"] = place_name(words, rack, place)
        found["place_said"] = words(f"probe.place_said.{side or 'only'}", n=number)
    return found


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


def shown(letter: str) -> str:
    """A letter or a dot to read."""
    return MARK if letter == DOT else letter


def said(words: Words, letter: str) -> str:
    """A letter or a dot to hear."""
    return words("probe.dot") if letter == DOT else letter


def label(words: Words, question: str, value: Answer, view: Mapping[str, Any]) -> str | None:
    """An answer's label where a fixed sentence will not do; None where it will."""
    del view
    match question:
        case "ask_for":
            return shown(value)
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
