"""Seconds since 1970 as the words of a file, and back; nothing here reads a clock."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

FORM: Final = "%Y-%m-%dT%H:%M:%SZ"
FIRST, LAST = 0, 253_402_300_799
"""The years 1970 to 9999."""


def stamp(at: int) -> str:
    """A time in UTC, such as 2026-11-21T20:15:00Z; what no calendar has is its nearest end."""
    then = datetime.fromtimestamp(min(max(at, FIRST), LAST), UTC)
    return then.strftime(FORM)


def stamp_or_none(at: int | None) -> str | None:
    """A time as `stamp` writes it; None if there is none, or if it is 0, which is unknown."""
    return stamp(at) if at else None


def day(at: int) -> str:
    """The day of a time in UTC, such as 2026-11-21; "" if it is unknown."""
    return (stamp_or_none(at) or "")[:10]


def seconds(text: str) -> int:
    """The seconds since 1970 of such a time. Raises ValueError."""
    at = int(datetime.strptime(text, FORM).replace(tzinfo=UTC).timestamp())
    if not FIRST <= at <= LAST or stamp(at) != text:
        raise ValueError(text)
    return at
