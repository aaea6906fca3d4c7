"""The box's dice against what chance allows, as one of three plain verdicts.

Pearson's chi-squared test over the six faces; its quantiles for five degrees of freedom stand in
any table of that distribution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

SELDOM: Final = 11.07
"""Fair dice stray further than this once in 20 times."""
HARDLY: Final = 20.52
"""And further than this once in 1,000 times."""
FEWEST: Final = 5
"""So often at least each face must be expected, for the test to hold."""


VERDICTS: Final = ("none", "few", "ordinary", "uneven", "strange")
"""No dice, too few to judge; as far from even as chance allows, or further, or much further."""


def strays(faces: Sequence[int]) -> float:
    """How far the counts of the faces are from even: Pearson's chi-squared."""
    even = sum(faces) / len(faces)
    return sum((n - even) ** 2 / even for n in faces) if even else 0.0


def verdict(faces: Sequence[int]) -> str:
    """A word for the dice, one of VERDICTS."""
    if not sum(faces):
        return "none"
    if sum(faces) / len(faces) < FEWEST:
        return "few"
    found = strays(faces)
    return "ordinary" if found <= SELDOM else "uneven" if found <= HARDLY else "strange"
