"""How long an evening stays on its broker, and when a box that was there takes it off."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from companion_club import folder as files
from companion_club import kept
from companion_club.fold import fold

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion_club.broker import Address
    from companion_club.finding import FoundEvening

DAY: Final = 86_400.0
KEPT: Final = DAY
"""Seconds for which an evening that is over stays: whoever wants its results comes by then."""
ABANDONED: Final = 30 * DAY
"""Seconds after which nobody goes on with one that is not over."""


def age(folder: Path, epoch: float) -> float:
    """Seconds from what was last heard of an evening to now, both by `epoch`. Raises OSError."""
    return epoch - files.last_news_time(folder)


def is_past(found: FoundEvening, folder: Path, epoch: float, now: Callable[[], float]) -> bool:
    """Whether we were there, and nobody goes on with it; then it is taken off its broker.

    Raises OSError if the folder cannot be read.
    """
    quiet = age(folder, epoch)
    if quiet < KEPT:
        return False
    known, _ = files.load(folder)
    is_abandoned = bool(known.heads) and quiet >= ABANDONED
    if is_abandoned or fold(known).over:
        take_off(found.address, found.id, folder, now, anyway=is_abandoned)
        return True
    return False


def take_off(
    address: Address, evening: str, folder: Path, now: Callable[[], float], *, anyway: bool = False
) -> None:
    """If the broker cannot be asked now, the next look does it. Raises OSError as `is_past`."""
    known, _ = files.load(folder)
    with suppress(OSError, kept.NotOver):
        kept.forget(address, evening, now, known, anyway=anyway)
