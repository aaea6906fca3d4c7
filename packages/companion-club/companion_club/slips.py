"""A result as a short text for a QR code, for tables that cannot reach the broker.

A phone scans it from the display, and any other box of the evening accepts it. Names are omitted:
they follow from the seats, and a checksum verifies them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.core.errors import ExplainedError
from companion_club import sayings, topics
from companion_club.fold import Evening

if TYPE_CHECKING:
    from companion_club.known import KnownClaims

SLIP_TEXT: Final = re.compile(
    r"E/(\d{1,4})/(\d{1,5})/([A-Z0-9-]{1,32})/(-?\d{1,10}(?:\.-?\d{1,10})*)/([0-9A-F]{10})",
    re.ASCII,
)
"""Capitals and digits only, which need half the modules in a QR code."""


class InvalidSlip(ExplainedError):
    """A text that is no result of this evening."""

    def __init__(self, reason: str, **facts: int) -> None:
        super().__init__(f"slip.{reason}", **facts)


class ResultSlip(NamedTuple):
    """A table's result in a round, as stated by `box`."""

    number: int
    table: int
    box: str
    points: Mapping[str, int]
    check: str

    @property
    def fact(self) -> dict[str, Any]:
        """Return the result as a fact that names its source."""
        return sayings.result_fact(self.points, {"slip": self.check, "box": self.box})


def format_slip(name: str, evening: Evening, number: int, table: int, box: str) -> str:
    """Return the code of a result; "" if there is none. `name` is the evening's name."""
    seated = evening.rounds[number - 1]
    result = seated.results[table - 1]
    if result is None:
        return ""
    order = seated.tables[table - 1]
    points = ".".join(str(result[who]) for who in order)
    check = _check(name, number, table, box.upper(), result)
    return f"E/{number}/{table}/{box.upper()}/{points}/{check}"


def parse_slip(text: str, name: str, evening: Evening) -> ResultSlip:
    """Return the result in a code. Raise InvalidSlip if it is not valid."""
    match = SLIP_TEXT.fullmatch(text.strip().upper())
    if match is None:
        raise InvalidSlip("no_slip")
    number, table = int(match[1]), int(match[2])
    if not 0 < number <= len(evening.rounds) or not 0 < table <= len(
        evening.rounds[number - 1].tables
    ):
        raise InvalidSlip("no_table", n=number, table=table)
    order = evening.rounds[number - 1].tables[table - 1]
    values = [int(value) for value in match[4].split(".")]
    points = dict(zip(order, values, strict=False))
    if len(values) != len(order) or _check(name, number, table, match[3], points) != match[5]:
        raise InvalidSlip("strangers", n=number, table=table)
    return ResultSlip(number, table, match[3].lower(), points, match[5])


def accept_slip(
    text: str, name: str, evening: Evening, claims: KnownClaims
) -> tuple[str, ResultSlip] | None:
    """Return topic and result of a code; None if the result is known already. Raise InvalidSlip."""
    slip = parse_slip(text, name, evening)
    topic = topics.result_topic(slip.number, slip.table)
    stands = [head.value["points"] for head in claims.heads.get(topic, ())]
    if any(points != slip.points for points in stands):
        raise InvalidSlip("other", n=slip.number, table=slip.table)
    return None if stands else (topic, slip)


def _check(name: str, number: int, table: int, box: str, points: Mapping[str, int]) -> str:
    parts = [name, number, table, box, sorted(points.items())]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:10].upper()
