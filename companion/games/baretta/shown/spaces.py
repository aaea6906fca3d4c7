"""Texts about Baretta's spaces: their names, positions and effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.baretta.rules.board import HIDEOUT_ID, NOTHING, UNKNOWN_EFFECT
from companion.say.printed_names import printed_entry_name, printed_name_with_article
from companion.say.words import Words


def space_name(words: Words, ident: str) -> str:
    """Return the name of a space, such as a corner's name, or its number."""
    return _named(words, ident) or words("baretta.shortcut", way=ident.upper())


def _named(words: Words, ident: str) -> str | None:
    """Return the name or the number of a space, or None for a space of a shortcut."""
    if ident.isdigit():
        return ident
    if ident == HIDEOUT_ID:
        return words("baretta.hideout")
    corner = _corner(words, ident)
    return None if corner is None else printed_entry_name(words, corner)


def _corner(words: Words, ident: str) -> Mapping[str, Any] | None:
    return next((corner for corner in words.edition["corner"] if corner["id"] == ident), None)


def corner_name_in_sentence(words: Words, ident: str) -> str:
    """Return the name of a corner as a sentence spells it, such as "the Station"."""
    return _kind(words, ident)[1]


def space_sentence_fields(words: Words, ident: str) -> dict[str, str]:
    """Return two texts for a sentence: "in SPACE" (key `at`) and "to SPACE" (key `going`)."""
    kind, name = _kind(words, ident)
    kind = ident if words.has_sentence(f"baretta.at.{ident}") else kind
    return {way: words(f"baretta.{way}.{kind}", name=name) for way in ("at", "going")}


def _kind(words: Words, ident: str) -> tuple[str, str]:
    corner = _corner(words, ident)
    if corner is not None:
        return "corner", printed_name_with_article(words, corner, "baretta.the_corner")
    if ident == HIDEOUT_ID:
        return "hideout", ""
    return ("outside", ident) if ident.isdigit() else ("shortcut", ident.upper())


def space_effect_sentence(words: Words, ident: str, who: str) -> str:
    """Return a sentence about the effect of a space, or "" for a card space."""
    if ident.isdigit():
        return ""
    effect, _, goal = effect_of_space(words, ident).partition(":")
    going = space_sentence_fields(words, goal)["going"] if goal else ""
    return words(f"baretta.does.{effect}", who=who, going=going)


def brief_space_effect_text(words: Words, ident: str) -> str:
    """Return the effect of a corner or the Hideout in a few words; "|" separates two rows."""
    effect, _, goal = effect_of_space(words, ident).partition(":")
    return words(f"baretta.brief.{effect}", goal=space_name(words, goal) if goal else "")


def effect_of_space(words: Words, ident: str) -> str:
    """Return the effect of a corner or the Hideout, or NOTHING for a space of a shortcut (BA-9)."""
    if ident == HIDEOUT_ID:
        return str(words.edition["hideout"])
    corners = {corner["id"]: str(corner["does"]) for corner in words.edition["corner"]}
    return corners.get(ident, NOTHING)


def describe_board(words: Words) -> tuple[str, ...]:
    """Return sentences about the path, the shortcuts, and the effects of corners and Hideout."""
    ids = (*(corner["id"] for corner in words.edition["corner"]), HIDEOUT_ID)
    read = (
        words("baretta.board.corner", space=space_name(words, ident), does=_said(words, ident))
        for ident in ids
    )
    ways = (
        words(
            "baretta.board.shortcut", way=", ".join(short_space_name(words, ident) for ident in way)
        )
        for way in words.edition["shortcuts"]
    )
    _, first = _kind(words, words.edition["path"][0])
    return (words("baretta.board.path", corner=first), *read, *ways)


def _said(words: Words, ident: str) -> str:
    effect = effect_of_space(words, ident)
    if effect == UNKNOWN_EFFECT:
        return words("baretta.board.untold")
    return words.answer_label("corner_does", effect)


def short_space_name(words: Words, ident: str) -> str:
    """Return a space's name or number, or the id of a shortcut space in capital letters."""
    return _named(words, ident) or ident.upper()
