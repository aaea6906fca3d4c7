"""Rules that several games share."""

from __future__ import annotations

from companion.core.game import Cue, Cues


def apply_first_turn_roll(
    players: tuple[str, ...], rollers: tuple[int, ...], rolls: tuple[int, ...], n: int, clause: str
) -> tuple[tuple[int, ...], tuple[int, ...], Cues]:
    """Apply a player's roll of `n`; the highest roll gets the first turn (BM-4, KO-3, BA-5).

    `rollers`: the seats that roll in this round. `rolls`: the rolls before `n`, in the order of
    `rollers`. `clause`: the number of the rule about this roll, such as "KO-3".

    Return the seats that must roll, their rolls so far, and the events. When all seats have rolled,
    return the seats with the highest roll, no rolls, and the event `first_roll`, which announces
    the rolls. If several seats have the highest roll, these seats must roll again.
    """
    rolls = (*rolls, n)
    if len(rolls) < len(rollers):
        return rollers, rolls, ()
    top = max(rolls)
    highest = tuple(seat for seat, roll in zip(rollers, rolls, strict=True) if roll == top)
    rolled = {players[seat]: roll for seat, roll in zip(rollers, rolls, strict=True)}
    facts = {"rolls": rolled, "tied": len(highest) > 1}
    return highest, (), (Cue("first_roll", facts, clause),)
