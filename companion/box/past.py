"""A finished game, looked at again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.game import Cue
from companion.play.verify import check

if TYPE_CHECKING:
    from companion.record.journal import Journal
    from companion.say.words import Words


def fact(journal: Journal, number: int, words: Words) -> Cue:
    """A finished game as one fact: who played, who won, and whether the chance was straight."""
    summary = journal.summary(number)
    straight = check(journal, number).problem is None
    result = words("box.past.won", who=", ".join(summary.winners or ()))
    chance = words("box.past.straight" if straight else "box.past.crooked")
    name = words.called(summary.game).upper()
    players = ", ".join(summary.players)
    return Cue("past", {"GAME": name, "players": players, "result": result, "chance": chance})
