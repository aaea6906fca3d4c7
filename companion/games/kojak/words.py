"""Kojak in words: colours, places and names as sentences need them, and the sound of each fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.games.kojak.board import (
    ALL,
    BACK,
    KOJAK,
    LOSE_TURN,
    TO_RED,
    trap_card,
)
from companion.say.people import together

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.core.game import Cue
    from companion.core.prompts import Answer
    from companion.say.words import Words

SOUNDS: Final = {
    "begins": "begins_kojak",
    "first_roll": "rolled",
    "rolled": "rolled",
    "mission": "mission",
    **{f"mission.{why}": "dealt" for why in ("taken", "closed", "taken.own", "closed.own")},
    "trap": "drum_roll",
    "trap.kojak": "kojak",
    "no_criminal": "zero_played",
    "on_red": "alarm",
    "off_red": "alarm",
    "no_arrest": "zero_played",
    "posted": "warrant",
    "advanced": "trap",
    "arrest": "handcuffs",
    "tied": "race",
    "corrected": "dealt",
    "game_won": "won_kojak",
}
SILENT: Final = frozenset({"drawn", "rolled"})
"""Facts that the next question shows anyway."""
IDLE: Final = frozenset({"no_criminal"})
"""What came to nothing is a line at most."""
LEADS: Final = frozenset({
    "first_roll", "cars", "begins", "six_rolled", "blocked", "mission",
    "joined", "no_mission", "parked", "posted",
    "trap", "turn_lost", "advanced", "on_red", "off_red", "no_arrest", "arrest",
    "accused", "file_lost", "tied", "game_won", "corrected",
})  # fmt: skip
"""Facts that begin a moment of their own: all but the reminder of KO-13, which stands under one."""
ALARMING: Final = frozenset({"on_red", "off_red"})
"""Who may arrest has no time to lose (KO-15)."""
WEIGHTY: Final = frozenset({
    "on_red", "off_red", "trap", "mission", "posted", "arrest", "no_arrest", "accused", "file_lost",
    "turn_lost", "tied", "game_won",
})  # fmt: skip
"""Danger, what a card orders, and who wins."""
SLIGHT: Final = frozenset({
    "first_roll", "cars", "rolled", "six_rolled", "no_traps", "no_criminal",
    "mission.taken", "mission.closed",
})  # fmt: skip
"""What the question says, too, or what comes to nothing."""
NAMES: Final = {
    "en": {"Kojak": "Koh-jack"},
    "fr": {
        "Kojak": "Kodjak",
        "McNeil": "Mac Nil",
        "Rizzo": "Rizo",
        "Stavros": "Stavrosse",
    },
}
"""How espeak-ng and pico2wave say names right, by language."""
REFUSED: Final = frozenset({"taken", "closed"})
"""Why a mission card goes under the pile (KO-8)."""
LISTS: Final = ("players", "others", "with", "may_arrest", "hunters", "lost")
"""Facts that are lists of players; a fact has one of them at most that a sentence names."""


def variant(cue: Cue) -> str:
    """The sentence's name: some facts are told in several ways."""
    find = WAYS.get(cue.name)
    way = find(cue.facts) if find else ""
    return f"{cue.name}.{way}" if way else cue.name


def _trap(card: Mapping[str, Any]) -> str:
    """What a trap card orders, to whom: `many`, `back.one`, `all.to_red`."""
    way = _walk(card["kind"], card.get("steps"))
    return f"{ALL}.{way}" if card.get("colour") == ALL else way


def _walk(kind: str, steps: int | None) -> str:
    if steps is None or kind in (KOJAK, TO_RED):
        return kind
    return f"{BACK}.{_count(steps)}" if kind == BACK else _count(steps)


def _count(n: int) -> str:
    return "one" if n == 1 else "many"


def _people(found: Sequence[str]) -> str:
    return _count(len(found)) if found else "nobody"


def _corrected(facts: Mapping[str, Any]) -> str:
    """What the table has put right (KO-21)."""
    if facts["what"] == "arrest":
        return "open" if facts["who"] == "nobody" else "arrest"
    return "no_file" if facts["colour"] == "none" else str(facts["what"])


WAYS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "first_roll": lambda facts: "tied" if facts["tied"] else "",
    "mission": lambda facts: f"{facts['why']}.own" if facts["own"] else str(facts["why"]),
    "trap": lambda facts: _trap(facts["card"]),
    "advanced": lambda facts: _walk(facts["how"], facts["steps"]),
    "posted": lambda facts: _on_red("beside" if facts["with"] else "first", facts["on_red"]),
    "on_red": lambda facts: _already(_people(facts["may_arrest"]), facts["already"]),
    "off_red": lambda facts: "some" if facts["hunters"] else "nobody",
    "accused": lambda facts: "open" if facts["open"] else "last",
    "file_lost": lambda facts: _people(facts["players"]),
    "game_won": lambda facts: str(facts["how"]),
    "corrected": _corrected,
}
"""How the facts that are told in several ways are told."""


def rulings(words: Words, cue: Cue) -> tuple[str, ...]:
    """The clauses behind a fact: each order of a trap card has its own sentence (KO-13)."""
    del words
    match cue.name:
        case "trap":
            return _orders(cue.facts["card"]["kind"])
        case "advanced":
            return _orders(cue.facts["how"])
        case "turn_lost":
            return _orders(LOSE_TURN)
        case "mission" if cue.facts["why"] != "free":
            return (f"KO-8.{cue.facts['why']}",)
        case "no_arrest" | "on_red" | "off_red" | "no_traps":
            return (f"{cue.clause}.{cue.name}",)
        case _:
            return ()


def _orders(kind: str) -> tuple[str, ...]:
    """What explains an order of a trap card."""
    return ("KO-14",) if kind == KOJAK else (f"KO-13.{kind}", "KO-13")


def glossary(
    words: Words, *, question: str, value: Answer, view: Mapping[str, Any]
) -> tuple[str, ...]:
    """What a space that a car can reach is good for, and what a card orders."""
    del words, view
    match question:
        case "field":
            return ("KO-22",)
        case "happened":
            return SPACES.get(value, ())
        case "card" | "order" if value == LOSE_TURN or ":" in value:
            return _orders(trap_card(value)["kind"])
        case "card" | "criminal" if value == KOJAK:
            return _orders(KOJAK)
        case "card":
            return ("KO-7",)
        case "criminal" if value == LOSE_TURN:
            return _orders(LOSE_TURN)
        case _:
            return ()


SPACES: Final[Mapping[str, tuple[str, ...]]] = {
    "mission": ("KO-7",),
    "trap": ("KO-13",),
    "parked": ("KO-10",),
    "station": ("KO-11",),
    "entrance": ("KO-15.no_arrest", "KO-15"),
    "blocked": ("KO-6",),
}
"""What explains what a car can have reached."""


def _on_red(way: str, red: bool) -> str:  # noqa: FBT001 - a fact, as it is given
    return f"{way}_red" if red else way


def _already(way: str, already: bool) -> str:  # noqa: FBT001 - likewise
    return f"already.{way}" if already else way


def facts(words: Words, given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields for the sentences: colours, places and people by name, numbers as words."""
    found = {**_file(words, given), **_team(words, given), **_numbers(words, given)}
    if "car" in given:
        found["car"] = words(f"kojak.car.{given['car']}")
        found["warrant"] = words(f"kojak.colour.{given['car']}")
        found["cars"] = words(f"kojak.cars.{given['car']}")
    if isinstance(given.get("cars"), dict):
        found |= _drivers(words, given["cars"])
    if "rolls" in given:
        found["rolls"] = ", ".join(f"{who} {n}" for who, n in given["rolls"].items())
    if "open" in given:
        found["files"] = ", ".join(words(f"kojak.colour.{colour}") for colour in given["open"])
    if "phase" in given:  # a question
        found["turn"] = ""
        if "car" in given:
            n = given.get("roll")
            key, number = ("kojak.turn_rolled", words.number(n)) if n else ("kojak.turn", "")
            fields = {"who": given["who"], "cars": found["cars"], "number": number.lower()}
            found["turn"] = words(key, **fields)
    return found


def _drivers(words: Words, cars: Mapping[str, str]) -> dict[str, str]:
    """Players with the colours of their cars, to read, line by line, and to hear."""
    drivers = [
        words("kojak.driver", who=who, colour=words(f"kojak.colour.{colour}"))
        for who, colour in cars.items()
    ]
    joined = {"drivers": ", ".join(drivers), "rows": "|".join(drivers)}
    return {**joined, "driven": together(words, drivers)}


def _file(words: Words, given: Mapping[str, Any]) -> dict[str, str]:
    """The file and the place that a fact is about."""
    found = {}
    if (colour := _colour(given)) is not None:
        found["colour"] = words(f"kojak.colour.{colour}")
        found["Colour"] = found["colour"].capitalize()
        found["COLOUR"] = found["colour"].upper()
        found["the_one"] = words(f"kojak.the_one.{colour}")
    if (place := given.get("place")) is not None:
        found["place"] = words(f"kojak.place.{place}")
        found["PLACE"] = found["place"].upper()
        found["at_place"] = words(f"kojak.at.{place}")
    return found


def _colour(given: Mapping[str, Any]) -> str | None:
    """A fact's colour: the trap card's, or for a Kojak card the drawer's own."""
    card = given.get("card")
    if isinstance(card, dict) and "colour" in card:
        return str(card["colour"])
    colour = given.get("colour", given.get("mission"))
    return None if colour in (None, "none") else str(colour)


def _team(words: Words, given: Mapping[str, Any]) -> dict[str, str]:
    """The players that a fact names."""
    found = {}
    for name in LISTS:
        if isinstance(given.get(name), list) and given[name]:
            found["named"] = together(words, given[name])
    return found


def _numbers(words: Words, given: Mapping[str, Any]) -> dict[str, Any]:
    """Steps, arrests and dice, in digits and as words."""
    found: dict[str, Any] = {}
    card = given.get("card")
    steps = given.get("steps", card.get("steps") if isinstance(card, dict) else None)
    if steps is not None:
        found["steps"] = steps
        found["steps_word"] = words.number(steps).lower()
    if isinstance(given.get("arrests"), int):
        found["arrests_word"] = words.number(given["arrests"])
    if "dice" in given:
        found["pips"] = sum(given["dice"])
        found["pips_word"] = words.number(sum(given["dice"]))
    return found


def label(words: Words, question: str, value: Answer, view: Mapping[str, Any]) -> str | None:
    """An answer's label where a fixed sentence will not do; None where it will."""
    if question == "correct":
        return words(f"kojak.option.what.{value['what']}")
    if question == "colour" and value != "none":
        return words(f"kojak.colour.{value}").capitalize()
    if question == "criminal" and value not in (KOJAK, LOSE_TURN):
        return words(f"kojak.colour.{value}").capitalize()
    if question not in ("card", "order") or value in (KOJAK, LOSE_TURN):
        return None
    if ":" not in value:
        return file(words, value, view)
    card = trap_card(value)
    colour, n = words(f"kojak.colour.{card['colour']}").capitalize(), card.get("steps")
    return words(f"kojak.trap.{_walk(card['kind'], n)}", colour=colour, n=n)


def file(words: Words, colour: str, view: Mapping[str, Any]) -> str:
    """A file by its colour and its place: "Red: the bank"."""
    capital = words(f"kojak.colour.{colour}").capitalize()
    if "places" not in view:  # an answer that is taken back: only its value is known
        return capital
    place = words(f"kojak.place.{view['places'][colour]}")
    return words("kojak.file", colour=capital, place=place)


def duty(words: Words, view: Mapping[str, Any], player: str) -> str:
    """What a detective's car or cars have to do now, in a line."""
    stage, mission, place = view["stage"][player], view["mission"][player], ""
    if mission is not None:
        place = words(f"kojak.goal.{view['places'][mission]}")
    if view["race"]:
        stage = "race" if player in view["race"] else "watch"
    elif player in view["may_arrest"]:
        stage = "arrest"
    colour = view["cars"][player]
    it, both = words(f"kojak.it.{colour}"), words(f"kojak.both.{colour}")
    return words(f"kojak.do.{stage}", it=it, both=both, place=place)
