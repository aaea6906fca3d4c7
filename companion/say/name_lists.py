"""Phrases that list several people by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.say.words import Words


def join_names(words: Words, names: Sequence[str]) -> str:
    """Return names as a phrase, such as "Ann, Bob and Cy"."""
    *first, last = names
    return words("box.and", first=", ".join(first), last=last) if first else last


def first_turn_roll_phrases(words: Words, rolls: Mapping[str, int]) -> dict[str, str]:
    """Return placeholder values for sentences about the rolls that decide who begins.

    The value "rolls" lists every player with the player's roll. The value "highest" names the
    players with the highest roll.
    """
    best = [who for who, n in rolls.items() if n == max(rolls.values())]
    text = ", ".join(f"{who} {n}" for who, n in rolls.items())
    return {"rolls": text, "highest": join_names(words, best)}
