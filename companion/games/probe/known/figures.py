"""Probe's statistics: the players' scores, and amounts that are added up over all games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.core.game import Cue, Cues
from companion.games.probe.rules.board import DOT
from companion.games.probe.rules.state import State, word_on_rack


def scores(state: State) -> tuple[int, ...]:
    """Return each player's total of points (PR-14)."""
    return state.scores


def count(cue: Cue) -> Iterator[tuple[str, str, int]]:
    """Yield (player, statistic, amount) for each statistic that the event `cue` increases.

    If the amount belongs to no single player, the player is "".
    """
    facts = cue.facts
    match cue.name:
        case "said_yes" | "said_no":
            yield facts["who"], "asked", 1
            if cue.name == "said_yes":
                yield facts["who"], "hit", 1
        case "scored" if facts["points"] < 0:
            yield facts["who"], "lost", -facts["points"]
            if facts["why"] == "wrong_guess":
                yield facts["who"], "lost_interrupting", -facts["points"]
        case "survived":
            yield facts["who"], "survived", 1


def count_secrets(moments: Iterable[tuple[State, Cues]]) -> Iterator[tuple[str, str, int]]:
    """Yield (player, statistic, amount) for statistics about the hidden words of a finished game.

    Each word is a statistic of its owner. The amount is the number of letters that players
    requested from the owner until the word was open.
    """
    asked: Counter[int] = Counter()
    before: State | None = None
    for state, cues in moments:
        if before is not None:
            players = before.table.players
            whom = {cue.facts["whom"] for cue in cues if cue.name in ("said_yes", "said_no")}
            for rack, places in enumerate(before.racks):
                if places.covered and players[before.table.seat_owning_rack(rack)] in whom:
                    asked[rack] += 1
        before = state
    if before is not None:
        for rack in range(len(before.racks)):
            if (word := (word_on_rack(before, rack) or "").strip(DOT)) and asked[rack]:
                yield (
                    before.table.players[before.table.seat_owning_rack(rack)],
                    f"word:{word}",
                    asked[rack],
                )
