"""Kojak's statistics: the players' scores, and amounts that are added up over all games."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Cue
from companion.games.kojak.rules import state as moments
from companion.games.kojak.rules.state import State


def scores(state: State) -> tuple[int, ...]:
    """Return the number of arrests of each player (KO-18)."""
    return tuple(moments.count_arrests_by_seat(state))


def count(cue: Cue) -> Iterator[tuple[str, str, int]]:
    """Yield (player, statistic, amount) for each statistic that the event `cue` increases.

    If the amount belongs to no single player, the player is "".
    """
    facts = cue.facts
    match cue.name:
        case "rolled" | "arrest" | "posted" | "no_arrest":
            yield facts["who"], cue.name, 1
        case "trap":
            yield "", f"trap.{facts['card'].get('colour') or 'all'}", 1
        case "off_red":
            for who in facts["hunters"]:
                yield who, "alarm_missed", 1
