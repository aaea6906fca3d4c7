"""Conversion between seconds since 1970 and texts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

TIME_FORMAT: Final = "%Y-%m-%dT%H:%M:%SZ"
FIRST_TIME, LAST_TIME = 0, 253_402_300_799
"""The first and the last time that can be written, in seconds since 1970 (years 1970 and 9999)."""


def format_time(at: int) -> str:
    """Return a time in UTC as text, such as 2026-11-21T20:15:00Z.

    A time outside the years 1970 to 9999 becomes the first or last time of these years.
    """
    then = datetime.fromtimestamp(min(max(at, FIRST_TIME), LAST_TIME), UTC)
    return then.strftime(TIME_FORMAT)


def format_time_or_none(at: int | None) -> str | None:
    """Return a time as `format_time` writes times; None for an unknown time (None or 0)."""
    return format_time(at) if at else None


def format_day(at: int) -> str:
    """Return the date of a time in UTC, such as 2026-11-21; "" for an unknown time (0)."""
    return (format_time_or_none(at) or "")[:10]


def parse_time(text: str) -> int:
    """Return the seconds since 1970 of a text that `format_time` wrote.

    Raise ValueError if the text has another format.
    """
    at = int(datetime.strptime(text, TIME_FORMAT).replace(tzinfo=UTC).timestamp())
    if not FIRST_TIME <= at <= LAST_TIME or format_time(at) != text:
        raise ValueError(text)
    return at
