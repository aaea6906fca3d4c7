"""Rules that several games share."""

from __future__ import annotations

from companion.core.game import Cue, Cues


def apply_high_roll(
    players: tuple[str, ...], rollers: tuple[int, ...], rolls: tuple[int, ...], n: int, clause: str
) -> tuple[tuple[int, ...], tuple[int, ...], Cues]:
    """Apply one roll for the first turn (BM-4, KO-3, BA-5).

    Return the rollers, their rolls, the facts.

    - `rollers`: the seats that roll; `rolls` are their rolls so far.

    When all have rolled, only the highest remain, and the fact `first_roll` announces them: one of
    them begins, several roll again.
    """
    rolls = (*rolls, n)
    if len(rolls) < len(rollers):
        return rollers, rolls, ()
    top = max(rolls)
    highest = tuple(seat for seat, roll in zip(rollers, rolls, strict=True) if roll == top)
    rolled = {players[seat]: roll for seat, roll in zip(rollers, rolls, strict=True)}
    facts = {"rolls": rolled, "tied": len(highest) > 1}
    return highest, (), (Cue("first_roll", facts, clause),)
