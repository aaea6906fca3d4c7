"""Barney Miller's texts: labels of answers, and texts for the placeholders of its sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from companion.core.prompts import Answer, JsonValues
from companion.core.snapshot import View
from companion.draw.canvas import shorten_text
from companion.draw.parts import ROW_LETTERS
from companion.games.barney_miller.rules.board import (
    INSUFFICIENT_EVIDENCE,
    SUSPECTS_PER_POSTER,
    UNKNOWN_SPACE_OR_GANG,
    parse_poster_suspects,
    parse_track_space,
)
from companion.say.name_lists import first_turn_roll_phrases
from companion.say.printed_names import printed_entry_name, printed_name_with_article
from companion.say.words import Words

SPACE_KINDS_WITHOUT_GANG: Final = (
    "start",
    "positive_identification",
    "arrest_warrant",
    "insufficient_evidence",
)
"""Kinds of spaces that belong to no gang."""
PRONUNCIATIONS: Final = {
    "en": {"Dietrich": "Deetrick", "Wojehowicz": "Wojo-howits"},
    "fr": {
        "Barney": "Barni",
        "Cap Burglars": "Cap Beurgleurz",
        "Chano": "Tchano",
        "Dietrich": "Ditrik",
        "Fifth Gang": "Fif Gangue",
        "Fish": "Fiche",
        "Harris": "Arisse",
        "Levitt": "Lévitte",
        "Luger": "Lougueur",
        "Miller": "Mileur",
        "Ruffian Bears": "Reuffiane Bèrz",
        "Wojehowicz": "Vodjo-aouitse",
        "Wojo": "Vodjo",
    },
}
"""For each language, a table from a name to a spelling that the speech synthesiser pronounces well.
"""


def clauses_explaining_answer(
    words: Words, *, question: str, value: Answer, view: View
) -> tuple[str, ...]:
    """Return the clauses that explain an answer, or () if no clause explains the answer."""
    del words, view
    match question:
        case "space":
            return (f"BM-9.{parse_track_space(value).kind}",)
        case "zero":
            return ("BM-8",)
        case "suspect_gang":
            return ("BM-14",)
        case "free_suspect":
            return (f"BM-9.{INSUFFICIENT_EVIDENCE}",)
        case _:
            return ()


def sentence_placeholder_texts(words: Words, given: JsonValues) -> dict[str, Any]:
    """Return texts for the placeholders of a sentence, such as gangs, chips and numbers."""
    fields = {**_of_desks(words, given), **_of_gang(words, given), **_numbers(words, given)}
    if (
        given.get("what") == "pawn"
        and given.get("kind", UNKNOWN_SPACE_OR_GANG) != UNKNOWN_SPACE_OR_GANG
    ):
        fields["spot"] = words(f"barney-miller.spot.{given['kind']}", **fields)
    if "laid" in given:  # `laid` is a field of a question, never of an event
        by, card = given["by"], given["laid"]
        fields["laid"] = words("barney-miller.laid", who=by, value=card) if by else ""
    if "pips" in given:
        fields["stands"] = _stands(words, given, fields)
    if given.get("captured") is not None:
        fields["chips"] = format_chips_as_squares(given["captured"], given["reserve"])
        none = words("barney-miller.none")
        fields |= {f"{pile}_said": given[pile] or none for pile in ("captured", "reserve")}
    if "rolls" in given:
        fields |= first_turn_roll_phrases(words, given["rolls"])
    if isinstance(given.get("cards"), list):
        fields["cards"] = " ".join(map(str, given["cards"]))
    return fields


def _of_gang(words: Words, given: JsonValues) -> dict[str, str]:
    ident = _gang_of(given)
    if not ident:
        return {}
    named = printed_name_with_article(words, _entry(words, ident), "barney-miller.the_gang")
    return {"gang": gang_name(words, ident), "gang_named": named}


def _numbers(words: Words, given: JsonValues) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if given.get("total") is not None:
        fields["total_word"] = words.capitalised_number_word(given["total"])
        fields["total_lower"] = fields["total_word"].lower()
    if isinstance(given.get("value"), int):
        fields["value_word"] = words.capitalised_number_word(given["value"])
        fields["before"] = given.get("total", 0) - given["value"]
    if "dice" in given:
        fields["pips"] = sum(given["dice"])
        fields["pips_word"] = words.capitalised_number_word(sum(given["dice"]))
    return fields


def _gang_of(given: JsonValues) -> str | None:
    if given.get("question") in ("commit_suspect", "free_suspect"):
        return _printed_gang(given["value"])
    return given.get("gang")


def _printed_gang(ident: str) -> str:
    """Return the gang's id in a suspect's id, such as `caps` in `fish-caps-2`."""
    return re.sub(r"^.*?-|-\d$", "", ident)


def desk_label(words: Words, who: str, detective: str) -> str:
    """Return a row with a player's name and desk, or only the name if both names are the same."""
    if who == detective:
        return who
    row = words("barney-miller.seated", who=who, detective=detective)
    return (
        row
        if len(row) <= ROW_LETTERS
        else f"{shorten_text(who, ROW_LETTERS - 1 - len(detective))} {detective}"
    )


def _sitting(words: Words, desks: Mapping[str, str]) -> dict[str, str]:
    rows = [desk_label(words, who, at) for who, at in desks.items()]
    phrases = [words("barney-miller.sits", who=who, detective=at) for who, at in desks.items()]
    return {"rows": "|".join(rows), "sitting": ", ".join(phrases)}


def _of_desks(words: Words, given: JsonValues) -> dict[str, str]:
    if isinstance(given.get("desks"), dict):
        return _sitting(words, given["desks"])
    if "detective" not in given or "nth" not in given:
        return {}
    where = words(f"barney-miller.where.{given['nth']}")
    return {"where": where, "at": where[:1].lower() + where[1:]}


def _stands(words: Words, given: JsonValues, fields: Mapping[str, Any]) -> str:
    place = words(f"barney-miller.place.{given['kind']}", **fields)
    if given["pips"] is None:
        return words("barney-miller.stands", Place=place[:1].upper() + place[1:])
    return words(
        "barney-miller.stands_rolled",
        number=words.capitalised_number_word(given["pips"]),
        place=place,
    )


def answer_label(words: Words, question: str, value: Answer, view: View) -> str | None:
    """Return the label of an answer, or None if the catalogue has a fixed label for the answer."""
    if question == "suspect":
        captured = any(value in ids for ids in view.get("captured", {}).values())
        return f"{'■' if captured else '□'} {suspect_name(words, value, view)}"
    if question == "nth" and "played" in view:
        who, card = view["played"][int(value) - 1]
        return words("barney-miller.nth", n=value, who=who, card=card)
    if question == "correct":
        return _correction(words, value, view)
    if question == "space" and value.startswith("gang:"):
        return gang_name(words, value.removeprefix("gang:"))
    if question == "suspect_gang":
        return gang_name(words, value)
    if question in ("commit_suspect", "free_suspect"):
        return suspect_name(words, value, view)
    if question == "detective":
        return str(value)
    return None


def _correction(words: Words, value: Mapping[str, Any], view: View) -> str:
    facts = {"who": "", "detective": "", "nth": "", "n": "", **value}
    facts["suspect"] = suspect_name(words, value["suspect"], view) if "suspect" in value else ""
    return words(f"barney-miller.correction.{value['what']}", **facts)


def suspect_name(words: Words, ident: str, view: View) -> str:
    """Return a suspect's name: the gang's name, with a number if the poster repeats the gang.

    The gangs are read from the view, because players can enter a gang during a game (BM-14).
    """
    hung = ([(s["id"], s["gang"]) for s in desk] for desk in view.get("posters", {}).values())
    printed = map(parse_poster_suspects, words.edition["poster"])
    poster = next((p for p in (*hung, *printed) if ident in dict(p)), None)
    # an undone answer has no view, so read the gang from the suspect's id
    if poster is None:
        return gang_name(words, _printed_gang(ident))
    gang = dict(poster)[ident]
    alike = [other for other, its_gang in poster if its_gang == gang]
    name = gang_name(words, gang)
    return f"{name} {alike.index(ident) + 1}" if len(alike) > 1 else name


def gang_name(words: Words, ident: str) -> str:
    """Return a gang's printed name, or "?" for an unknown gang (BM-14)."""
    if ident == UNKNOWN_SPACE_OR_GANG:
        return "?"
    return printed_entry_name(words, _entry(words, ident))


def _entry(words: Words, ident: str) -> Mapping[str, Any]:
    return next(gang for gang in words.edition["gang"] if gang["id"] == ident)


def format_chips_as_squares(captured: int, reserve: int) -> str:
    """Return a player's chips as squares, such as `■■□□+1`: two captures, one reserve chip."""
    return (
        "■" * captured + "□" * (SUSPECTS_PER_POSTER - captured) + (f"+{reserve}" if reserve else "")
    )


def describe_board(words: Words) -> tuple[str, ...]:
    """Return one text about all spaces of the track, and one text about each poster."""
    track, untold = words.edition["track"], words("barney-miller.board.untold")
    rows = [
        words("barney-miller.board.space", n=n, space=_space(words, space, untold))
        for n, space in enumerate(track, start=1)
    ]
    posters = [
        words(
            "barney-miller.board.poster",
            detective=poster["detective"],
            suspects="|".join(
                untold if ident == UNKNOWN_SPACE_OR_GANG else gang_name(words, ident)
                for ident in poster["suspects"]
            ),
        )
        for poster in words.edition["poster"]
    ]
    return ("|".join(rows) or words("barney-miller.board.asked"), *posters)


def _space(words: Words, name: str, untold: str) -> str:
    kind, _, ident = name.partition(":")
    if kind == UNKNOWN_SPACE_OR_GANG:
        return untold
    return gang_name(words, ident) if ident else words(f"barney-miller.option.space.{kind}")


def printed_names(words: Words, view: View) -> dict[str, str]:
    """Return a table from ids in the view to the names that the box shows for these ids.

    The ids are ids of kinds of spaces, of suspects, and of gangs.
    """
    names = {kind: words(f"barney-miller.option.space.{kind}") for kind in SPACE_KINDS_WITHOUT_GANG}
    names[UNKNOWN_SPACE_OR_GANG] = words("barney-miller.unknown_space")
    for posters in view["posters"].values():
        for wanted in posters:
            names[wanted["id"]] = suspect_name(words, wanted["id"], view)
    return names | {entry["id"]: gang_name(words, entry["id"]) for entry in words.edition["gang"]}
