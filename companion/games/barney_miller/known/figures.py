"""Barney Miller's statistics: the players' scores, and amounts that are added up over all games."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Cue
from companion.games.barney_miller.rules.state import State


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's number of chips: captures and reserve chips (BM-12)."""
    if not state.captured:
        return (0,) * len(state.table.players)
    return tuple(len(ids) + n for ids, n in zip(state.captured, state.reserve, strict=True))


def count(cue: Cue) -> Iterator[tuple[str, str, int]]:
    """Yield (player, statistic, amount) for each statistic that the event `cue` increases.

    If the amount belongs to no single player, the player is "".
    """
    facts = cue.facts
    match cue.name:
        case "round_won":
            yield facts["who"], "round", 1
            if facts["how"] == "over":
                yield facts["last"], "over_ten", 1
        case "zero_played":
            yield facts["who"], "zero_at_ten", 1
        case "captured" | "freed":
            yield facts["who"], cue.name, 1
        case "moved":
            yield "", f"space.{facts['kind']}", 1
