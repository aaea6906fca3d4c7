"""Whose board is played on: as it is assumed, as the table taught it, or as it is about to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

ASSUMED, SETTLED, TAUGHT = "assumed", "settled", "taught"
"""How a board stands: nobody was asked about it yet; it is played as assumed; it was taught."""
ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    ASSUMED: ("assumed", "mine", "teach"),
    SETTLED: ("mine", "teach"),
    TAUGHT: ("forget", "teach"),
}
"""What can be said of a board, the first time and later."""


class Spaces(NamedTuple):
    """How many spaces a track, or fields a circle, can have; `start` is as assumed.

    `of` are the questions that count them, one for each.
    """

    lo: int
    hi: int
    start: int
    of: tuple[str, ...] = ("spaces",)


CIRCLES: Final = ("circle_red", "circle_yellow", "circle_blue", "circle_green")
"""In the order of the files in Kojak's edition."""
SPACES: Final[Mapping[str, Spaces]] = {
    "barney-miller": Spaces(7, 60, 28),
    "kojak": Spaces(2, 12, 4, CIRCLES),
}
"""The games whose spaces must be counted before they are taught."""
