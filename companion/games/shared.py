"""What several of the games do in the same way."""

from __future__ import annotations


def highest(seats: tuple[int, ...], rolls: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that rolled highest, in order: one begins, several roll again (BM-4)."""
    top = max(rolls)
    return tuple(seat for seat, roll in zip(seats, rolls, strict=True) if roll == top)
