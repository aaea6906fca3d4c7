"""Barney Miller's spoken summary of the game for audio mode: round, pawn, chips and cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from companion.core.prompts import Answer
from companion.core.snapshot import View
from companion.games.barney_miller.rules.board import TARGET_TOTAL, UNKNOWN_SPACE_OR_GANG
from companion.games.barney_miller.shown.words import gang_name, suspect_name
from companion.say.words import Words

LONG_SPACE_KINDS: Final = ("positive_identification", "insufficient_evidence")
"""Kinds of spaces that have a longer name in speech than on the display."""


def spoken_state_sentences(words: Words, view: View, players: Sequence[str]) -> tuple[str, ...]:
    """Return sentences to speak about the round, the total, the pawn's space, and all players."""
    return (*_round(words, view), *_pawn(words, view), *_people(words, view, players))


def spoken_secret_sentences(words: Words, seen: View, view: View) -> tuple[str, ...]:
    """Return one sentence to speak with the player's hand, or () if the hand is empty."""
    del view
    cards = seen.get("cards", ())
    if not cards:
        return ()
    return (words("barney-miller.there.hand", cards=", ".join(map(str, cards))),)


def spoken_answer(words: Words, *, question: str, value: Answer, view: View) -> str | None:
    """Return the text to speak for an answer, or None if the box speaks the displayed label."""
    if question == "suspect":
        captured = any(value in ids for ids in view.get("captured", {}).values())
        name = suspect_name(words, value, view)
        return words(f"barney-miller.there.{'captured' if captured else 'free'}", name=name)
    if question == "space" and value in LONG_SPACE_KINDS:
        return words(f"barney-miller.there.space.{value}")
    if question == "zero" and value == "play":
        return words("barney-miller.there.zero")
    if question == "play_card" and value and view.get("total"):
        return _makes(words, value, view["total"])
    return None


def _makes(words: Words, value: int, before: int) -> str:
    total = before + value
    way = "over" if total > TARGET_TOTAL else "ten" if total == TARGET_TOTAL else "makes"
    card, made = words.capitalised_number_word(value), words.capitalised_number_word(total).lower()
    return words(f"barney-miller.there.{way}", card=card, total=made)


def spoken_state_summary(words: Words, view: View, players: Sequence[str]) -> str:
    """Return one text to speak: the active player, the total, and each player's captures."""
    caught = ", ".join(f"{who} {len(view['captured'][who])}" for who in players)
    total = words.capitalised_number_word(view["total"]).lower()
    who = view["to_act"] or ""
    way = "turn" if who else "none"
    return words(f"barney-miller.breath.{way}", who=who, total=total, captured=caught)


def _round(words: Words, view: View) -> Iterator[str]:
    total = words.capitalised_number_word(view["total"]).lower()
    yield words("barney-miller.there.round", n=view["round"], total=total)
    if view["to_act"] is not None:
        yield words("barney-miller.there.turn", who=view["to_act"])
    if view["played"]:
        played = ", ".join(f"{who} {value}" for who, value in view["played"])
        yield words("barney-miller.there.played", played=played)


def _pawn(words: Words, view: View) -> Iterator[str]:
    if view["space"] is not None:
        yield words("barney-miller.there.pawn", space=_space(words, view["space"]))
    if view["track"] and view["pawn"] is not None:
        track, at = view["track"], view["pawn"]
        ahead = [_space(words, track[(at + n) % len(track)]) for n in range(1, 7)]
        yield words("barney-miller.there.ahead", spaces=", ".join(ahead))


def _space(words: Words, space: Mapping[str, Any]) -> str:
    if space["kind"] == UNKNOWN_SPACE_OR_GANG:
        return words("barney-miller.there.unknown")
    if space.get("gang"):
        name = gang_name(words, space["gang"])
        return words("barney-miller.there.unknown") if name == "?" else name
    kind = space["kind"]
    way = "there" if kind in LONG_SPACE_KINDS else "option"
    return words(f"barney-miller.{way}.space.{kind}")


def _people(words: Words, view: View, players: Sequence[str]) -> Iterator[str]:
    for who in players:
        if who in view["out"]:
            yield words("box.there.out", who=who)
            continue
        taken, poster = view["captured"][who], view["posters"][who]
        yield words("barney-miller.there.desk", who=who, detective=view["detectives"][who])
        yield words(
            "barney-miller.there.player",
            who=who,
            n=len(taken),
            all=len(poster),
            reserve=view["reserve"][who],
            cards=view["hand"][who],
            second=view["second"][who],
        )
        for is_taken, way in ((True, "behind"), (False, "wanted")):
            some = [s["id"] for s in poster if (s["id"] in taken) == is_taken]
            if some:
                names = ", ".join(_suspect(words, ident, view) for ident in some)
                yield words(f"barney-miller.there.{way}", who=who, names=names)


def _suspect(words: Words, ident: str, view: View) -> str:
    name = suspect_name(words, ident, view)
    return words("barney-miller.there.unknown") if "?" in name else name
