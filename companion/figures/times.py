"""Conversion of times between seconds since 1970 and text in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

TIME_FORMAT: Final = "%Y-%m-%dT%H:%M:%SZ"
FIRST_TIME, LAST_TIME = 0, 253_402_300_799
"""The first and the last time (s since 1970) that `format_utc_time` writes: in 1970 and in 9999."""


def format_utc_time(at: int) -> str:
    """Return a time in UTC as text, such as 2026-11-21T20:15:00Z.

    `at`: the time in seconds since 1970. A time outside the years 1970 to 9999 becomes the nearest
    time in these years.
    """
    then = datetime.fromtimestamp(min(max(at, FIRST_TIME), LAST_TIME), UTC)
    return then.strftime(TIME_FORMAT)


def format_utc_time_or_none(at: int | None) -> str | None:
    """Return a time as text in UTC; None for an unknown time (None or 0)."""
    return format_utc_time(at) if at else None


def format_utc_date(at: int) -> str:
    """Return the date in UTC of a time (s since 1970), such as 2026-11-21; "" if the time is 0."""
    return (format_utc_time_or_none(at) or "")[:10]


def parse_utc_time(text: str) -> int:
    """Return the time in seconds since 1970 that a text in the format of `format_utc_time` states.

    Raise ValueError if the text does not have this format.
    """
    at = int(datetime.strptime(text, TIME_FORMAT).replace(tzinfo=UTC).timestamp())
    if not FIRST_TIME <= at <= LAST_TIME or format_utc_time(at) != text:
        raise ValueError(text)
    return at
