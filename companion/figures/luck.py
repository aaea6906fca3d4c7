"""Statistical tests of the fairness of the box's dice and shuffles.

The dice test is Pearson's chi-squared test over six faces (five degrees of freedom). The shuffle
test counts the cards that are followed by a higher card. For n cards in random order, this count
has the mean (n - 1) / 2 and the variance (n + 1) / 12 (Eulerian numbers).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import Final, NamedTuple

CHI_SQUARED_ONCE_IN_20: Final = 11.07
"""The chi-squared value that one in 20 tests of fair dice exceeds."""
CHI_SQUARED_ONCE_IN_1000: Final = 20.52
"""The chi-squared value that one in 1,000 tests of fair dice exceeds."""
MIN_ROLLS_PER_FACE: Final = 5
"""The dice test is valid only if each face was rolled at least this many times on average."""
DEVIATIONS_ONCE_IN_20: Final = 1.96
"""The distance from the mean, in standard deviations, that one in 20 fair tests exceeds."""
DEVIATIONS_ONCE_IN_1000: Final = 3.29
"""The distance from the mean, in standard deviations, that one in 1,000 fair tests exceeds."""
MIN_CARDS: Final = 20


VERDICTS: Final = ("none", "few", "ordinary", "uneven", "strange")
"""The verdicts on fairness.

Their meanings, in this order, are: no data, too little data, an expected result, an unlikely
result, a very unlikely result.
"""


def chi_squared_statistic(faces: Sequence[int]) -> float:
    """Return Pearson's chi-squared statistic for dice.

    `faces`: how often each face was rolled.

    Return 0 if no die was rolled.
    """
    even = sum(faces) / len(faces)
    return sum((n - even) ** 2 / even for n in faces) if even else 0.0


def dice_fairness_verdict(faces: Sequence[int]) -> str:
    """Return the verdict on the fairness of dice, one of VERDICTS.

    `faces`: how often each face was rolled.
    """
    if not sum(faces):
        return "none"
    if sum(faces) / len(faces) < MIN_ROLLS_PER_FACE:
        return "few"
    deviation = chi_squared_statistic(faces)
    return (
        "ordinary"
        if deviation <= CHI_SQUARED_ONCE_IN_20
        else "uneven"
        if deviation <= CHI_SQUARED_ONCE_IN_1000
        else "strange"
    )


class ShuffleCounts(NamedTuple):
    """Counts for the shuffle test, over all shuffles.

    - `n`: the number of shuffles.
    - `cards`: the number of cards in all shuffles together.
    - `rises`: the number of cards that are followed by a higher card.
    """

    n: int = 0
    cards: int = 0
    rises: int = 0

    def with_shuffle(self, order: Sequence[int]) -> ShuffleCounts:
        """Return the counts with one more shuffle.

        `order`: the cards' numbers in shuffled order.
        """
        rises = sum(upper < lower for upper, lower in pairwise(order))
        return ShuffleCounts(self.n + 1, self.cards + len(order), self.rises + rises)

    @property
    def fairness_verdict(self) -> str:
        """Return the verdict on the fairness of the counted shuffles, one of VERDICTS."""
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
