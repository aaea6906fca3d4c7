"""Baretta's spoken summary of the game for audio mode: the turn, the board and the players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final

from companion.core.prompts import Answer
from companion.core.snapshot import View
from companion.games.baretta.rules.board import HUNCH
from companion.games.baretta.shown.spaces import corner_name_in_sentence, space_name
from companion.games.baretta.shown.words import SPACE_QUESTIONS, printed_card_name
from companion.say.words import Words

CARD_SPACE_QUESTIONS: Final = (HUNCH, "take_back", "unmark", "look", "swap", "swap_with")
"""Names of the questions whose answers are spaces with a card."""


def spoken_state_sentences(words: Words, view: View, players: Sequence[str]) -> tuple[str, ...]:
    """Return sentences to speak: about the turn, all spaces and their cards, and the players."""
    return (*_turn(words, view), *_walk(words, view), *_people(words, view, players))


def spoken_state_summary(words: Words, view: View, players: Sequence[str]) -> str:
    """Return one text to speak: the turn, Baretta's space, and how many markers each player has."""
    left = ", ".join(f"{who} {view['markers'][who]}" for who in players if who not in view["out"])
    return " ".join((*_turn(words, view), words("baretta.breath", markers=left)))


def spoken_secret_sentences(words: Words, seen: View, view: View) -> tuple[str, ...]:
    """Return sentences to speak, one for each face-down card that the player knows."""
    del view
    return tuple(
        words(
            "baretta.there.known",
            space=spoken_space_name(words, space),
            card=printed_card_name(words, name),
        )
        for space, name in seen.get("seen", {}).items()
    )


def spoken_answer(words: Words, *, question: str, value: Answer, view: View) -> str | None:
    """Return the text to speak for an answer that is a space: the space's name and public content.

    Return None if the answer is not a space.
    """
    if question not in SPACE_QUESTIONS or value not in view.get("spaces", {}):
        return None
    name, beside = space_name(words, value), _beside(words, value)
    name = f"{name}, {beside}" if beside else name
    content = _lies_in_brief(words, view["spaces"][value], is_laid=question in CARD_SPACE_QUESTIONS)
    return words("baretta.there.lies", space=name, what=content) if content else name


def spoken_space_name(words: Words, ident: str) -> str:
    """Return the name of a space to speak, such as "space 7" for the number 7."""
    name = space_name(words, ident)
    return words("baretta.there.space", n=name) if name.isdigit() else name


def _turn(words: Words, view: View) -> Iterator[str]:
    if view["to_act"] is not None:
        yield words("baretta.there.turn", who=view["to_act"])
    if view["baretta"] is not None:
        yield words("baretta.there.baretta", space=spoken_space_name(words, view["baretta"]))
    if view["moving"] is not None:
        yield words("baretta.there.moving", who=view["moving"]["who"], n=view["moving"]["n"])


def _people(words: Words, view: View, players: Sequence[str]) -> Iterator[str]:
    for who in players:
        if who in view["out"]:
            yield words("baretta.there.out", who=who)
            continue
        accused = view["accused"].get(who)
        if accused is not None:
            named = words(f"baretta.criminal.{accused}")
            yield words("baretta.there.accused", who=who, criminal=named)
        yield words(
            "baretta.there.player", who=who, cards=view["pile"][who], markers=view["markers"][who]
        )
        if view["shown"][who] is not None:
            yield words(
                "baretta.there.shown", who=who, card=printed_card_name(words, view["shown"][who])
            )
        if who in view["sitting"]:
            yield words("baretta.there.sitting", who=who)


def _walk(words: Words, view: View) -> Iterator[str]:
    """Yield a sentence for each distance from Baretta, with all spaces at this distance."""
    spaces = view["spaces"]
    here = view["baretta"] or next(iter(spaces))
    seen, ring = {here}, [here]
    for steps in count():
        if not ring:
            return
        spots = "; ".join(_spot(words, ident, spaces[ident]) for ident in ring)
        yield words.sentence_for_count("baretta.there.steps", steps, spaces=spots)
        near = dict.fromkeys(other for ident in ring for other in spaces[ident]["next"])
        ring = [ident for ident in near if ident not in seen]
        seen |= {*ring}


def _beside(words: Words, ident: str) -> str:
    path = [*words.edition["path"]]
    if ident not in path or not ident.isdigit():
        return ""
    corner = path[path.index(ident) - 1]
    if corner.isdigit():
        return ""
    return words("baretta.there.past", corner=corner_name_in_sentence(words, corner))


def _spot(words: Words, ident: str, space: Mapping[str, Any]) -> str:
    lies, name = _lies(words, space), space_name(words, ident)
    return words("baretta.there.lies", space=name, what=lies) if lies else name


def _lies_in_brief(words: Words, space: Mapping[str, Any], *, is_laid: bool) -> str:
    """Return a short text about a possible answer: the public content of the space.

    `is_laid`: True if each possible answer is a space with a card. In this case, the text
    omits that the space has a face-down card.
    """
    if space["card"] not in (None, "down"):
        return _lies(words, space)
    marker = space["marker"] if space["card"] else None
    parts = [words("baretta.there.no_arrest")] if space["card"] and space["cleared"] else []
    if marker is not None:
        parts.append(words("baretta.there.marker", who=marker))
    if space["card"] and not parts and not is_laid:
        return words("baretta.there.down")
    return ", ".join(parts)


def _lies(words: Words, space: Mapping[str, Any]) -> str:
    if space["card"] is None:
        return words("baretta.there.empty") if space["kind"] == "outside" else ""
    if space["card"] == "down":
        text = words("baretta.there.cleared" if space["cleared"] else "baretta.there.down")
    else:
        text = printed_card_name(words, space["card"].partition(":")[2])
    if space["marker"] is not None:
        return words("baretta.there.marked", what=text, who=space["marker"])
    return text
