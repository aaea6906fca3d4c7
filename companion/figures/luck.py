"""Statistical tests of the fairness of the box's dice and shuffles.

The test of dice is Pearson's chi-squared test over six faces (five degrees of freedom). The test of
shuffles uses the number of cards that are followed by a higher card. For n cards, this number has
the mean (n - 1) / 2 and the variance (n + 1) / 12 (Eulerian numbers).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import Final, NamedTuple

ONCE_IN_20: Final = 11.07
"""Chi-squared value that fair dice exceed in one of 20 tests."""
ONCE_IN_1000: Final = 20.52
"""Chi-squared value that fair dice exceed in one of 1,000 tests."""
MIN_EXPECTED: Final = 5
"""Minimum expected number of rolls of each face for which the dice test is valid."""
DEVIATIONS_ONCE_IN_20: Final = 1.96
"""Number of standard deviations that fair shuffles exceed in one of 20 tests."""
DEVIATIONS_ONCE_IN_1000: Final = 3.29
"""Number of standard deviations that fair shuffles exceed in one of 1,000 tests."""
MIN_CARDS: Final = 20


VERDICTS: Final = ("none", "few", "ordinary", "uneven", "strange")
"""Names of the verdicts: no data, too little data, as expected, unlikely, very unlikely."""


def chi_squared_statistic(faces: Sequence[int]) -> float:
    """Return Pearson's chi-squared statistic for `faces`, the count of each face.

    Return 0 if there are no rolls.
    """
    even = sum(faces) / len(faces)
    return sum((n - even) ** 2 / even for n in faces) if even else 0.0


def dice_fairness_verdict(faces: Sequence[int]) -> str:
    """Return the fairness verdict on dice, one of VERDICTS. `faces` is the count of each face."""
    if not sum(faces):
        return "none"
    if sum(faces) / len(faces) < MIN_EXPECTED:
        return "few"
    deviation = chi_squared_statistic(faces)
    return (
        "ordinary"
        if deviation <= ONCE_IN_20
        else "uneven"
        if deviation <= ONCE_IN_1000
        else "strange"
    )


class ShuffleCounts(NamedTuple):
    """The number of shuffles, of shuffled cards, and of cards followed by a higher card."""

    n: int = 0
    cards: int = 0
    rises: int = 0

    def with_shuffle(self, order: Sequence[int]) -> ShuffleCounts:
        """Return the counts after one more shuffle, with the cards in `order`."""
        rises = sum(upper < lower for upper, lower in pairwise(order))
        return ShuffleCounts(self.n + 1, self.cards + len(order), self.rises + rises)

    @property
    def fairness_verdict(self) -> str:
        """Return the fairness verdict on the counted shuffles, one of VERDICTS."""
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
