"""Names of several people in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.say.words import Words


def join_names(words: Words, names: Sequence[str]) -> str:
    """Return names as a phrase: "Ann, Bob and Cy"."""
    *first, last = names
    return words("box.and", first=", ".join(first), last=last) if first else last


def roll_fields(words: Words, rolls: Mapping[str, int]) -> dict[str, str]:
    """Return the phrases of the rolls for the first turn, and of the `highest` rollers."""
    best = [who for who, n in rolls.items() if n == max(rolls.values())]
    text = ", ".join(f"{who} {n}" for who, n in rolls.items())
    return {"rolls": text, "highest": join_names(words, best)}
