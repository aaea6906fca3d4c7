"""What only this box can count of Probe."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.game import Cue
    from companion.games.probe.state import State


def scores(state: State) -> tuple[int, ...]:
    """The totals of the seats (PR-14)."""
    return state.scores


def count(cue: Cue) -> Iterator[tuple[str, str, int]]:
    """Whom a fact is counted for ("" is the table), under what name, and how often."""
    facts = cue.facts
    match cue.name:
        case "said_yes" | "said_no":
            yield facts["who"], "asked", 1
            if cue.name == "said_yes":
                yield facts["who"], "hit", 1
        case "scored" if facts["points"] < 0:
            yield facts["who"], "lost", -facts["points"]
        case "survived":
            yield facts["who"], "survived", 1
