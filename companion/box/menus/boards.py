"""Whose board is played on: as it is assumed, as the table taught it, or as it is about to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.catalog.editions import Teachable

ASSUMED, SETTLED, TAUGHT = "assumed", "settled", "taught"
"""How a board stands: nobody was asked about it yet; it is played as assumed; it was taught."""
ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    ASSUMED: ("assumed", "mine", "teach"),
    SETTLED: ("mine", "teach"),
    TAUGHT: ("forget", "teach"),
}
"""What can be said of a board, the first time and later."""


def counted(game: str) -> Teachable:
    """What is counted of a board before it is taught: nothing of one that cannot be."""
    from companion.catalog import editions  # noqa: PLC0415 - seldom needed

    return editions.teachable(game) or editions.Teachable()
