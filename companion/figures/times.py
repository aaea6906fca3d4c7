"""Conversion between seconds since 1970 and texts; no clock is read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

FORM: Final = "%Y-%m-%dT%H:%M:%SZ"
FIRST, LAST = 0, 253_402_300_799
"""Seconds of the first and the last time that can be written (years 1970 and 9999)."""


def stamp(at: int) -> str:
    """Return a time in UTC, such as 2026-11-21T20:15:00Z, limited to the years 1970 to 9999."""
    then = datetime.fromtimestamp(min(max(at, FIRST), LAST), UTC)
    return then.strftime(FORM)


def stamp_or_none(at: int | None) -> str | None:
    """Return a time like `stamp`; None for None and for 0, which means unknown."""
    return stamp(at) if at else None


def day(at: int) -> str:
    """Return the date of a time in UTC, such as 2026-11-21; "" if unknown."""
    return (stamp_or_none(at) or "")[:10]


def seconds(text: str) -> int:
    """Return the seconds since 1970 of a text of `stamp`. Raise ValueError if it is none."""
    at = int(datetime.strptime(text, FORM).replace(tzinfo=UTC).timestamp())
    if not FIRST <= at <= LAST or stamp(at) != text:
        raise ValueError(text)
    return at
