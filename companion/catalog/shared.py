"""Game rules that several games share."""

from __future__ import annotations

from companion.core.game import Cue, Cues


def apply_first_turn_roll(
    players: tuple[str, ...], rollers: tuple[int, ...], rolls: tuple[int, ...], n: int, clause: str
) -> tuple[tuple[int, ...], tuple[int, ...], Cues]:
    """Apply one roll `n` for the first turn, which the highest roll decides (BM-4, KO-3, BA-5).

    Return the seats that roll, their rolls so far, and the facts. The seats `rollers` roll in this
    round. The rolls so far, `rolls`, are in the order of `rollers`. When all seats have rolled, the
    fact `first_roll` announces the highest roll. If several players share the highest roll, these
    players roll again.
    """
    rolls = (*rolls, n)
    if len(rolls) < len(rollers):
        return rollers, rolls, ()
    top = max(rolls)
    highest = tuple(seat for seat, roll in zip(rollers, rolls, strict=True) if roll == top)
    rolled = {players[seat]: roll for seat, roll in zip(rollers, rolls, strict=True)}
    facts = {"rolls": rolled, "tied": len(highest) > 1}
    return highest, (), (Cue("first_roll", facts, clause),)
