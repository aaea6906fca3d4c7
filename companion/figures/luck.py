"""The box's dice and shuffles against what chance allows, as one of three plain verdicts.

Of dice it is Pearson's chi-squared test over the six faces; its quantiles for five degrees of
freedom stand in any table of that distribution. Of shuffles it is how often a card lies on a lower
one: of n cards (n - 1) / 2 times, with a variance of (n + 1) / 12 (the Eulerian numbers').
"""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

ONCE_IN_20: Final = 11.07
"""Fair dice stray further than this once in 20 times."""
ONCE_IN_1000: Final = 20.52
"""And further than this once in 1,000 times."""
MIN_EXPECTED: Final = 5
"""So often at least each face must be expected, for the test to hold."""
DEVIATIONS_ONCE_IN_20: Final = 1.96
"""Fair shuffles are so many standard deviations off the mean once in 20 times."""
DEVIATIONS_ONCE_IN_1000: Final = 3.29
"""And so many once in 1,000 times (the normal distribution)."""
MIN_CARDS: Final = 20


VERDICTS: Final = ("none", "few", "ordinary", "uneven", "strange")
"""No dice, too few to judge; as far from even as chance allows, or further, or much further."""


def chi_squared(faces: Sequence[int]) -> float:
    """How far the counts of the faces are from even: Pearson's chi-squared."""
    even = sum(faces) / len(faces)
    return sum((n - even) ** 2 / even for n in faces) if even else 0.0


def verdict(faces: Sequence[int]) -> str:
    """A word for the dice, one of VERDICTS."""
    if not sum(faces):
        return "none"
    if sum(faces) / len(faces) < MIN_EXPECTED:
        return "few"
    found = chi_squared(faces)
    return "ordinary" if found <= ONCE_IN_20 else "uneven" if found <= ONCE_IN_1000 else "strange"


class Shuffles(NamedTuple):
    """How many shuffles, of how many cards in all, and how often a card lay on a lower one."""

    n: int = 0
    cards: int = 0
    rises: int = 0

    def with_shuffle(self, order: Sequence[int]) -> Shuffles:
        """With one shuffle more."""
        rises = sum(upper < lower for upper, lower in pairwise(order))
        return Shuffles(self.n + 1, self.cards + len(order), self.rises + rises)

    @property
    def verdict(self) -> str:
        """A word for the shuffles, one of VERDICTS."""
        if not self.cards:
            return "none"
        if self.cards < MIN_CARDS:
            return "few"
        mean, variance = (self.cards - self.n) / 2, (self.cards + self.n) / 12
        off = abs(self.rises - mean) / sqrt(variance)
        return (
            "ordinary"
            if off <= DEVIATIONS_ONCE_IN_20
            else "uneven"
            if off <= DEVIATIONS_ONCE_IN_1000
            else "strange"
        )
