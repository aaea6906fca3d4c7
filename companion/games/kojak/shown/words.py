"""Kojak's texts: labels of answers, and texts for the placeholders of its sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core.prompts import Answer, JsonValues
from companion.core.snapshot import View
from companion.games.kojak.rules.board import (
    KOJAK,
    LOSE_TURN,
    RED_FIELD,
    UNKNOWN_FIELD,
    parse_trap_card_name,
)
from companion.games.kojak.shown.facts import (
    clauses_explaining_trap_order,
    criminal_walk_sentence_variant,
)
from companion.say.name_lists import first_turn_roll_phrases, join_names
from companion.say.words import Words

PRONUNCIATIONS: Final = {
    "en": {"Kojak": "Koh-jack"},
    "fr": {
        "Kojak": "Kodjak",
        "McNeil": "Mac Nil",
        "Rizzo": "Rizo",
        "Stavros": "Stavrosse",
    },
}
"""For each language, a table from a name to a spelling that the speech synthesiser pronounces well.
"""
MISSION_REFUSAL_REASONS: Final = frozenset({"taken", "closed"})
"""Reasons for which a mission card goes under the pile (KO-8): values of the event field `why`."""
PLAYER_LIST_FIELDS: Final = ("players", "others", "with", "may_arrest", "hunters", "lost")
"""Names of the event fields that contain lists of players.

The event's sentence names the players of the last list that is not empty.
"""


def clauses_explaining_answer(
    words: Words, *, question: str, value: Answer, view: View
) -> tuple[str, ...]:
    """Return the clauses that explain an answer, or () if no clause explains the answer."""
    del words, view
    match question:
        case "field":
            return ("KO-22",)
        case "happened":
            return SPACE_CLAUSES.get(value, ())
        case "card" | "order" if value == LOSE_TURN or ":" in value:
            return clauses_explaining_trap_order(parse_trap_card_name(value)["kind"])
        case "card" | "criminal" if value == KOJAK:
            return clauses_explaining_trap_order(KOJAK)
        case "card":
            return ("KO-7",)
        case "criminal" if value == LOSE_TURN:
            return clauses_explaining_trap_order(LOSE_TURN)
        case _:
            return ()


SPACE_CLAUSES: Final[Mapping[str, tuple[str, ...]]] = {
    "mission": ("KO-7",),
    "trap": ("KO-13",),
    "parked": ("KO-10",),
    "station": ("KO-11",),
    "entrance": ("KO-15.no_arrest", "KO-15"),
    "blocked": ("KO-6",),
    "six": ("KO-5",),
}
"""Table from a kind of space that a car reached to the clauses that explain the space."""


def sentence_placeholder_texts(words: Words, given: JsonValues) -> dict[str, Any]:
    """Return texts for the placeholders of a sentence.

    `given`: the fields of the sentence's event or view.
    """
    texts = {**_file(words, given), **_team(words, given), **_numbers(words, given)}
    if "car" in given:
        texts["car"] = words(f"kojak.car.{given['car']}")
        texts["warrant"] = words(f"kojak.colour.{given['car']}")
        texts["cars"] = words(f"kojak.cars.{given['car']}")
    if given.get("what") == "car" and "colour" in given:
        texts["cars"] = words(f"kojak.cars.{given['colour']}")
    if isinstance(given.get("cars"), dict):
        texts |= _drivers(words, given["cars"])
    if "rolls" in given:
        texts |= first_turn_roll_phrases(words, given["rolls"])
    if "open" in given:
        texts["files"] = ", ".join(words(f"kojak.colour.{colour}") for colour in given["open"])
    if "phase" in given:  # `phase` means that `given` is a view, so the sentence is a question
        texts["turn"] = texts["turn_short"] = ""
        if "car" in given:
            n = given.get("roll")
            key, number = (
                ("kojak.turn_rolled", words.capitalised_number_word(n)) if n else ("kojak.turn", "")
            )
            fields = {"who": given["who"], "cars": texts["cars"], "number": number.lower()}
            texts["turn"] = words(key, **fields)
            texts["turn_short"] = words(f"{key}.short", **fields)
    return texts


def _drivers(words: Words, cars: Mapping[str, str]) -> dict[str, str]:
    drivers = [
        words("kojak.driver", who=who, colour=words(f"kojak.colour.{colour}"))
        for who, colour in cars.items()
    ]
    joined = {"drivers": ", ".join(drivers), "rows": "|".join(drivers)}
    return {**joined, "driven": join_names(words, drivers)}


def _file(words: Words, given: JsonValues) -> dict[str, str]:
    fields = {}
    if (colour := _colour(given)) is not None:
        fields["colour"] = words(f"kojak.colour.{colour}")
        fields["Colour"] = fields["colour"].capitalize()
        fields["COLOUR"] = fields["colour"].upper()
        fields["the_one"] = words(f"kojak.the_one.{colour}")
    if (place := given.get("place")) is not None:
        fields["place"] = words(f"kojak.place.{place}")
        fields["PLACE"] = fields["place"].upper()
        fields["at_place"] = words(f"kojak.at.{place}")
    return fields


def _colour(given: JsonValues) -> str | None:
    card = given.get("card")
    if isinstance(card, dict) and "colour" in card:
        return str(card["colour"])
    colour = given.get("colour", given.get("mission"))
    return None if colour in (None, "none") else str(colour)


def _team(words: Words, given: JsonValues) -> dict[str, str]:
    fields = {}
    for name in PLAYER_LIST_FIELDS:
        if isinstance(given.get(name), list) and given[name]:
            fields["named"] = join_names(words, given[name])
    return fields


def _numbers(words: Words, given: JsonValues) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name in ("was", "from", "to"):
        if isinstance(given.get(name), int):
            fields[f"{name}_at"] = _spot(words, given[name])
    card = given.get("card")
    steps = given.get("steps", card.get("steps") if isinstance(card, dict) else None)
    if steps is not None:
        fields["steps"] = steps
        fields["steps_word"] = words.capitalised_number_word(steps).lower()
    if isinstance(given.get("arrests"), int):
        fields["arrests_word"] = words.capitalised_number_word(given["arrests"])
    if "dice" in given:
        fields["pips"] = sum(given["dice"])
        fields["pips_word"] = words.capitalised_number_word(sum(given["dice"]))
    return fields


def _spot(words: Words, field: int) -> str:
    return words("kojak.spot.field", n=field) if field else words("kojak.spot.dot")


def answer_label(words: Words, question: str, value: Answer, view: View) -> str | None:
    """Return the label of an answer that names a colour, a card or a correction.

    Return None for all other answers.
    """
    if question == "correct":
        return _correction(words, value)
    if question in ("colour", "car") and value != "none":
        return words(f"kojak.colour.{value}").capitalize()
    if question == "criminal" and value not in (KOJAK, LOSE_TURN):
        return words(f"kojak.colour.{value}").capitalize()
    if question not in ("card", "order") or value in (KOJAK, LOSE_TURN):
        return None
    if ":" not in value:
        return case_file_name(words, value, view)
    card = parse_trap_card_name(value)
    colour, n = words(f"kojak.colour.{card['colour']}").capitalize(), card.get("steps")
    return words(
        f"kojak.trap.{criminal_walk_sentence_variant(card['kind'], n)}", colour=colour, n=n
    )


def _correction(words: Words, value: Mapping[str, Any]) -> str:
    kind, who, colour = value["what"], value.get("who", ""), value.get("colour", "")
    if kind == "arrest" and who == "nobody":
        kind = "open"
    if kind == "file" and colour == "none":
        kind = "no_file"
    return words(
        f"kojak.correction.{kind}",
        who=who,
        colour=words(f"kojak.colour.{colour}") if colour not in ("", "none") else "",
        spot=_spot(words, value.get("n", 0)),
        stage=words(f"kojak.option.stage.{value['stage']}") if "stage" in value else "",
    )


def case_file_name(words: Words, colour: str, view: View) -> str:
    """Return a case file's label with its colour and place, such as "Red: the bank"."""
    capital = words(f"kojak.colour.{colour}").capitalize()
    if "places" not in view:  # an undone answer has no view, so omit the place
        return capital
    place = words(f"kojak.place.{view['places'][colour]}")
    return words("kojak.file", colour=capital, place=place)


def describe_board(words: Words) -> tuple[str, ...]:
    """Return a sentence about each circle: the number of its fields, and its red fields."""
    return tuple(_circle(words, printed) for printed in words.edition["file"])


def _circle(words: Words, printed: Mapping[str, Any]) -> str:
    fields, places = printed["circle"], {printed["colour"]: printed["place"]}
    reds = [str(n) for n, kind in enumerate(fields) if kind == RED_FIELD]
    untold = [words("kojak.board.untold")] if UNKNOWN_FIELD in fields else []
    return words(
        "kojak.board.circle",
        file=case_file_name(words, printed["colour"], {"places": places}),
        n=len(fields),
        reds=", ".join((*reds, *untold)),
    )


def current_detective_task_text(words: Words, view: View, player: str) -> str:
    """Return one line with the current task of the detective `player`."""
    stage, mission, place = view["stage"][player], view["mission"][player], ""
    if mission is not None:
        place = words(f"kojak.goal.{view['places'][mission]}")
    if player in view["out"]:
        return words("kojak.do.out")
    if view["race"]:
        stage = "race" if player in view["race"] else "watch"
    elif player in view["may_arrest"]:
        stage = "arrest"
    colour = view["cars"][player]
    it, both = words(f"kojak.it.{colour}"), words(f"kojak.both.{colour}")
    named = words(f"kojak.colour.{colour}").capitalize()
    return words(f"kojak.do.{stage}", it=it, both=both, place=place, colour=named)


def printed_names(words: Words, view: View) -> dict[str, str]:
    """Return a table from colours and places in the view to the names that the box shows.

    The keys `duty:PLAYER` and `car:PLAYER` hold each player's task and car colour.
    """
    names = {}
    for colour, place in view["places"].items():
        names[colour] = words(f"kojak.colour.{colour}").capitalize()
        names[place] = words(f"kojak.place.{place}")
    for who, colour in view["cars"].items():
        names[f"duty:{who}"] = current_detective_task_text(words, view, who)
        names[f"car:{who}"] = words(f"kojak.colour.{colour}").capitalize()
    return names
