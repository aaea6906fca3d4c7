"""Baretta for those who play by ear: the piles, and the board step by step from where he stands."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from companion.games.baretta.shown.spaces import in_a_sentence_of, space_name
from companion.games.baretta.shown.words import SPACES, card

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from companion.core.prompts import Answer
    from companion.core.snapshot import View
    from companion.say.words import Words


def survey(words: Words, view: View, players: Sequence[str]) -> tuple[str, ...]:
    """Whose turn it is, where Baretta stands, all spaces step by step from there, the players."""
    return (*_turn(words, view), *_walk(words, view), *_people(words, view, players))


def breath(words: Words, view: View, players: Sequence[str]) -> str:
    """Whose turn it is, where Baretta stands, and how many markers everybody has left."""
    left = ", ".join(f"{who} {view['markers'][who]}" for who in players if who not in view["out"])
    return " ".join((*_turn(words, view), words("baretta.breath", markers=left)))


def whisper(words: Words, seen: View, view: View) -> tuple[str, ...]:
    """The hidden cards that one player knows, space by space."""
    del view
    return tuple(
        words("baretta.there.known", space=spoken_space(words, space), card=card(words, name))
        for space, name in seen.get("seen", {}).items()
    )


def aloud(words: Words, *, question: str, value: Answer, view: View) -> str | None:
    """A space with what all can see there, and the corner beside it."""
    if question not in SPACES or value not in view.get("spaces", {}):
        return None
    return _spot(words, value, view["spaces"][value], beside=_beside(words, value))


def spoken_space(words: Words, ident: str) -> str:
    """A space by its name, a bare number as that of a space."""
    name = space_name(words, ident)
    return words("baretta.there.space", n=name) if name.isdigit() else name


def _turn(words: Words, view: View) -> Iterator[str]:
    if view["to_act"] is not None:
        yield words("baretta.there.turn", who=view["to_act"])
    if view["baretta"] is not None:
        yield words("baretta.there.baretta", space=spoken_space(words, view["baretta"]))
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
            yield words("baretta.there.shown", who=who, card=card(words, view["shown"][who]))
        if who in view["sitting"]:
            yield words("baretta.there.sitting", who=who)


def _walk(words: Words, view: View) -> Iterator[str]:
    """What lies there where Baretta stands, then so many steps from there: a sentence each."""
    spaces = view["spaces"]
    here = view["baretta"] or next(iter(spaces))
    seen, ring = {here}, [here]
    for steps in count():
        if not ring:
            return
        spots = "; ".join(_spot(words, ident, spaces[ident]) for ident in ring)
        yield words.for_count("baretta.there.steps", steps, spaces=spots)
        near = dict.fromkeys(other for ident in ring for other in spaces[ident]["next"])
        ring = [ident for ident in near if ident not in seen]
        seen |= {*ring}


def _beside(words: Words, ident: str) -> str:
    """Return the corner that lies just before a space on the path, "" if none does."""
    path = [*words.edition["path"]]
    if ident not in path or not ident.isdigit():
        return ""
    corner = path[path.index(ident) - 1]
    if corner.isdigit():
        return ""
    return words("baretta.there.past", corner=in_a_sentence_of(words, corner))


def _spot(words: Words, ident: str, space: Mapping[str, Any], beside: str = "") -> str:
    """A space and what all can see there; `beside` tells where it is."""
    lies, name = _lies(words, space), space_name(words, ident)
    name = f"{spoken_space(words, ident)}, {beside}" if beside else name
    return words("baretta.there.lies", space=name, what=lies) if lies else name


def _lies(words: Words, space: Mapping[str, Any]) -> str:
    """What all can see on a space; nothing of one that holds no card."""
    if space["card"] is None:
        return words("baretta.there.empty") if space["kind"] == "outside" else ""
    if space["card"] == "down":
        text = words("baretta.there.cleared" if space["cleared"] else "baretta.there.down")
    else:
        text = card(words, space["card"].partition(":")[2])
    if space["marker"] is not None:
        return words("baretta.there.marked", what=text, who=space["marker"])
    return text
