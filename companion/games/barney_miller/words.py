"""Barney Miller in words: the names printed on the board, chips, and the sound of each fact."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from companion.games.barney_miller.board import (
    IDENTIFICATION,
    INSUFFICIENT,
    SUSPECTS,
    TEN,
    UNKNOWN,
    space_of,
    suspects,
)
from companion.say.printed import in_a_sentence, printed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import Cue
    from companion.core.prompts import Answer
    from companion.say.words import Words

SOUNDS: Final = {
    "begins": "begins_barney_miller",
    "ten": "total_reached",
    "zero_played": "zero_played",
    "round_won": "round_won",
    "captured": "captured",
    "reserve": "captured",
    "freed": "freed",
    "game_won": "won_barney_miller",
    "dealt": "dealt",
    "rolled": "rolled",
    "first_roll": "rolled",
    "corrected": "captured",
}
SILENT: Final = frozenset({
    "card_played", "card_played.last", "card_played.dealt", "card_played.dealt.first",
    "card_played.dealt.zero", "card_played.dealt.last", "card_played.dealt.ten", "ten",
    "zero_played", "hand",
})  # fmt: skip
"""Facts that the screen shows by itself, without a moment."""
ADDRESSED: Final = frozenset({"picked_up"})
"""Facts that concern one player alone: they are said in that player's language."""
CORRECTED: Final = {"chip": "chips", "reserve": "chips", "turn": "turn", "pawn": "pawn"}
"""How it is told that the table has put something right (BM-13)."""
LEADS: Final = frozenset({
    "corrected",
    "first_roll", "begins", "rolled", "card_played.forced", "card_played.forced.only", "too_many",
    "round_won", "dealt", "game_won",
})  # fmt: skip
"""Facts that begin a moment of their own; the others stand under them."""
WEIGHTY: Final = frozenset({
    "moved", "too_many", "round_won", "captured", "reserve", "freed", "game_won",
})  # fmt: skip
"""What the round is for, and who wins what."""
SLIGHT: Final = frozenset(
    {
        *("first_roll", "rolled", "unwanted"),
        *("card_played.last", "card_played.dealt.last", "card_played.dealt.ten"),
    }
)
"""Who rolls what, which the space says, too; the total that ends a round, as its end does."""
NAMES: Final = {
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
"""How espeak-ng and pico2wave say names right, by language."""


def variant(cue: Cue) -> str:
    """The sentence's name: some facts are told in several ways."""
    match cue.name:
        case "corrected":
            return f"corrected.{CORRECTED[cue.facts['what']]}"
        case "round_won":
            return f"round_won.{cue.facts['how']}"
        case "moved" | "nothing":
            return f"{cue.name}.{cue.facts['kind']}"
        case "first_roll" if cue.facts["tied"]:
            return "first_roll.tied"
        case "card_played":
            return f"card_played{_laid(cue.facts)}"
        case "dealt":
            return f"dealt.{cue.facts['how']}"
        case _:
            return cue.name


def _laid(card: Mapping[str, Any]) -> str:
    """How a card is told: to a table that holds it, its total; else the card, and what it makes.

    The total of the last one is told as the round's end is; the first one is the total.
    """
    value, total = card["value"], card["total"]
    if card["forced"]:
        return ".forced.only" if value == total or total >= TEN else ".forced"
    if card["own"]:
        return ".last" if total >= TEN else ""
    if total >= TEN:
        return ".dealt.ten" if value == total else ".dealt.last"
    if value == total:
        return ".dealt.first"
    return ".dealt" if value else ".dealt.zero"


def rulings(words: Words, cue: Cue) -> tuple[str, ...]:
    """The clauses behind a fact: each space of the track has a sentence of its own (BM-9)."""
    del words
    match cue.name:
        case "moved":
            return (f"BM-9.{cue.facts['kind']}", "BM-5")
        case "captured" | "nothing":
            return (f"BM-9.{cue.facts['kind']}",)
        case "reserve":
            return (f"BM-9.{IDENTIFICATION}",)
        case "freed":
            return (f"BM-9.{INSUFFICIENT}",)
        case _:
            return ()


def glossary(
    words: Words, *, question: str, value: Answer, view: Mapping[str, Any]
) -> tuple[str, ...]:
    """What a space does, and what a 0 does at ten (BM-8, BM-9)."""
    del words, view
    match question:
        case "space":
            return (f"BM-9.{space_of(value).kind}",)
        case "zero":
            return ("BM-8",)
        case "suspect_gang":
            return ("BM-14",)
        case "free_suspect":
            return (f"BM-9.{INSUFFICIENT}",)
        case _:
            return ()


def facts(words: Words, given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields for the sentences: names from the board, chips as squares, numbers as words."""
    found: dict[str, Any] = {}
    if given.get("gang"):
        found["gang"] = gang(words, given["gang"])
        named = _entry(words, given["gang"])
        found["gang_named"] = in_a_sentence(words, named, "barney-miller.the_gang")
    if "laid" in given:  # a question
        by, card = given["by"], given["laid"]
        found["laid"] = words("barney-miller.laid", who=by, value=card) if by else ""
    if given.get("captured") is not None:
        found["chips"] = chips(given["captured"], given["reserve"])
    if "total" in given:
        found["total_word"] = words.number(given["total"])
        found["total_lower"] = found["total_word"].lower()
    if isinstance(given.get("value"), int):
        found["value_word"] = words.number(given["value"])
    if "dice" in given:
        found["pips"] = sum(given["dice"])
        found["pips_word"] = words.number(sum(given["dice"]))
    if "rolls" in given:
        found["rolls"] = ", ".join(f"{who} {n}" for who, n in given["rolls"].items())
    if isinstance(given.get("cards"), list):
        found["cards"] = " ".join(map(str, given["cards"]))
    return found


def label(words: Words, question: str, value: Answer, view: Mapping[str, Any]) -> str | None:
    """An answer's label where a fixed sentence will not do; None where it will."""
    if question == "suspect":
        captured = any(value in ids for ids in view.get("captured", {}).values())
        return f"{'■' if captured else '□'} {suspect(words, value, view)}"
    if question == "correct":
        return words(f"barney-miller.option.what.{value['what']}")
    if question == "space" and value.startswith("gang:"):
        return gang(words, value.removeprefix("gang:"))
    if question == "suspect_gang":
        return gang(words, value)
    if question in ("commit_suspect", "free_suspect"):
        return suspect(words, value, view)
    if question == "detective":
        return str(value)
    return None


def suspect(words: Words, ident: str, view: Mapping[str, Any]) -> str:
    """A suspect by the gang, numbered if the poster has several of it.

    What hangs at the desks is in the view, for a table can name it while it plays (BM-14).
    """
    hung = ([(s["id"], s["gang"]) for s in desk] for desk in view.get("posters", {}).values())
    printed = map(suspects, words.edition["poster"])
    poster = next((p for p in (*hung, *printed) if ident in dict(p)), None)
    if poster is None:  # taken back: the view is not known, but the id says the gang
        return gang(words, re.sub(r"^.*?-|-\d$", "", ident))
    own = dict(poster)[ident]
    alike = [other for other, its_gang in poster if its_gang == own]
    name = gang(words, own)
    return f"{name} {alike.index(ident) + 1}" if len(alike) > 1 else name


def gang(words: Words, ident: str) -> str:
    """A gang's name as the board prints it; a mark for one that nobody has named yet (BM-14)."""
    if ident == UNKNOWN:
        return "?"
    return printed(words, _entry(words, ident))


def _entry(words: Words, ident: str) -> Mapping[str, Any]:
    return next(gang for gang in words.edition["gang"] if gang["id"] == ident)


def chips(captured: int, reserve: int) -> str:
    """Chips as squares: `■■□□`, and `+1` for those in reserve."""
    return "■" * captured + "□" * (SUSPECTS - captured) + (f"+{reserve}" if reserve else "")
