"""Conversion of times from seconds since 1970 to texts and back, without a clock."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

TIME_FORMAT: Final = "%Y-%m-%dT%H:%M:%SZ"
FIRST_TIME, LAST_TIME = 0, 253_402_300_799
"""Seconds of the first and the last time that can be written (years 1970 and 9999)."""


def format_time(at: int) -> str:
    """Return a time in UTC as text, such as 2026-11-21T20:15:00Z, within the years 1970 to 9999."""
    then = datetime.fromtimestamp(min(max(at, FIRST_TIME), LAST_TIME), UTC)
    return then.strftime(TIME_FORMAT)


def format_time_or_none(at: int | None) -> str | None:
    """Return a time as the text of `format_time`; None for an unknown time (None or 0)."""
    return format_time(at) if at else None


def format_day(at: int) -> str:
    """Return the date of a time in UTC, such as 2026-11-21; "" if the time is unknown."""
    return (format_time_or_none(at) or "")[:10]


def parse_time(text: str) -> int:
    """Return the seconds since 1970 of a text that `format_time` wrote.

    Raise ValueError otherwise.
    """
    at = int(datetime.strptime(text, TIME_FORMAT).replace(tzinfo=UTC).timestamp())
    if not FIRST_TIME <= at <= LAST_TIME or format_time(at) != text:
        raise ValueError(text)
    return at
