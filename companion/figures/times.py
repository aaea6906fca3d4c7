"""Convert seconds since 1970 to texts and back. No clock is read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

TIME_FORMAT: Final = "%Y-%m-%dT%H:%M:%SZ"
FIRST_TIME, LAST_TIME = 0, 253_402_300_799
"""Seconds of the first and the last time that can be written (years 1970 and 9999)."""


def format_time(at: int) -> str:
    """Return a time in UTC, such as 2026-11-21T20:15:00Z, limited to the years 1970 to 9999."""
    then = datetime.fromtimestamp(min(max(at, FIRST_TIME), LAST_TIME), UTC)
    return then.strftime(TIME_FORMAT)


def format_time_or_none(at: int | None) -> str | None:
    """Return a time like `format_time`; None for None and for 0, which means unknown."""
    return format_time(at) if at else None


def format_day(at: int) -> str:
    """Return the date of a time in UTC, such as 2026-11-21; "" if unknown."""
    return (format_time_or_none(at) or "")[:10]


def parse_time(text: str) -> int:
    """Return the seconds since 1970 of a text of `format_time`. Raise ValueError if it is none."""
    at = int(datetime.strptime(text, TIME_FORMAT).replace(tzinfo=UTC).timestamp())
    if not FIRST_TIME <= at <= LAST_TIME or format_time(at) != text:
        raise ValueError(text)
    return at
