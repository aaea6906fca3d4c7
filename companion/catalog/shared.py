"""What several of the games do in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.game import Cue

if TYPE_CHECKING:
    from companion.core.game import Cues


def high_roll(
    players: tuple[str, ...], rollers: tuple[int, ...], rolls: tuple[int, ...], n: int, clause: str
) -> tuple[tuple[int, ...], tuple[int, ...], Cues]:
    """One roll more for the first turn (BM-4, KO-3, BA-5): who rolls, what they have rolled so far.

    When all `rollers` (seats) have, only the highest are left, with `first_roll` to tell: one
    begins, several roll again.
    """
    rolls = (*rolls, n)
    if len(rolls) < len(rollers):
        return rollers, rolls, ()
    top = max(rolls)
    highest = tuple(seat for seat, roll in zip(rollers, rolls, strict=True) if roll == top)
    rolled = {players[seat]: roll for seat, roll in zip(rollers, rolls, strict=True)}
    facts = {"rolls": rolled, "tied": len(highest) > 1}
    return highest, (), (Cue("first_roll", facts, clause),)
