"""Tests of the box's dice and shuffles for fairness, with a verdict in one word.

Dice: Pearson's chi-squared test over six faces (five degrees of freedom). Shuffles: count how often
a card is followed by a card with a higher number. For n cards the mean is (n - 1) / 2, the variance
(n + 1) / 12 (Eulerian numbers).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import Final, NamedTuple

ONCE_IN_20: Final = 11.07
"""Chi-squared value that fair dice exceed once in 20 times."""
ONCE_IN_1000: Final = 20.52
"""Chi-squared value that fair dice exceed once in 1,000 times."""
MIN_EXPECTED: Final = 5
"""Minimum number of expected rolls per face for which the test is valid."""
DEVIATIONS_ONCE_IN_20: Final = 1.96
"""Deviation (standard deviations) that fair shuffles exceed once in 20 times."""
DEVIATIONS_ONCE_IN_1000: Final = 3.29
"""Deviation (standard deviations) that fair shuffles exceed once in 1,000 times."""
MIN_CARDS: Final = 20


VERDICTS: Final = ("none", "few", "ordinary", "uneven", "strange")
"""Verdicts: no dice, too few to judge, as expected, unlikely, very unlikely."""


def chi_squared(faces: Sequence[int]) -> float:
    """Return Pearson's chi-squared statistic of the counts of faces; 0 without rolls."""
    even = sum(faces) / len(faces)
    return sum((n - even) ** 2 / even for n in faces) if even else 0.0


def dice_verdict(faces: Sequence[int]) -> str:
    """Return the verdict on dice, one of VERDICTS."""
    if not sum(faces):
        return "none"
    if sum(faces) / len(faces) < MIN_EXPECTED:
        return "few"
    deviation = chi_squared(faces)
    return (
        "ordinary"
        if deviation <= ONCE_IN_20
        else "uneven"
        if deviation <= ONCE_IN_1000
        else "strange"
    )


class ShuffleCounts(NamedTuple):
    """The number of shuffles, their cards, and how often a card is followed by a higher one."""

    n: int = 0
    cards: int = 0
    rises: int = 0

    def with_shuffle(self, order: Sequence[int]) -> ShuffleCounts:
        """Return the counts with one more shuffle."""
        rises = sum(upper < lower for upper, lower in pairwise(order))
        return ShuffleCounts(self.n + 1, self.cards + len(order), self.rises + rises)

    @property
    def verdict(self) -> str:
        """Return the verdict on shuffles, one of VERDICTS."""
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
