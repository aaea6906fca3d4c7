"""Result slips: a table's result as a short text for a QR code.

A box shows a result as a QR code if the box cannot reach the broker. A phone scans the QR code and
sends the text to any other box of the evening. The text contains no names: points are in the order
of the seats, and a checksum covers the names.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from companion.core.errors import TranslatedError
from companion_club import new_facts, topics
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import EveningState

SLIP_PATTERN: Final = re.compile(
    r"E/(\d{1,4})/(\d{1,5})/([A-Z0-9-]{1,32})/(-?\d{1,10}(?:\.-?\d{1,10})*)/([0-9A-F]{10})",
    re.ASCII,
)
"""Pattern of a slip's text, which has only capitals and digits to make the QR code small."""


class InvalidSlip(TranslatedError):
    """The text of a slip is not a valid result of the evening."""

    def __init__(self, reason: str, **facts: int) -> None:
        super().__init__(f"slip.{reason}", **facts)


class ResultSlip(NamedTuple):
    """The result of a table in round `number`.

    `box` is the name of the box that created the slip. `check` is the checksum of the slip.
    """

    number: int
    table: int
    box: str
    points: Mapping[str, int]
    check: str

    @property
    def result_fact(self) -> dict[str, Any]:
        """Return the result as a fact.

        The field `game` of the fact names the slip, and the box that created the slip, as the
        source.
        """
        return new_facts.result_fact(self.points, {"slip": self.check, "box": self.box})


def format_result_slip(name: str, evening: EveningState, number: int, table: int, box: str) -> str:
    """Return the text of a slip with a table's result in round `number`; "" without a result.

    `name`: the evening's name in MQTT topics.
    """
    seated = evening.rounds[number - 1]
    result = seated.results[table - 1]
    if result is None:
        return ""
    order = seated.tables[table - 1]
    points = ".".join(str(result[who]) for who in order)
    check = _check(name, number, table, box.upper(), result)
    return f"E/{number}/{table}/{box.upper()}/{points}/{check}"


def parse_result_slip(text: str, name: str, evening: EveningState) -> ResultSlip:
    """Return the result in the text of a slip. Raise InvalidSlip if the text is not valid."""
    match = SLIP_PATTERN.fullmatch(text.strip().upper())
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


def parse_new_result_from_slip(
    text: str, name: str, evening: EveningState, claims: CurrentClaims
) -> tuple[str, ResultSlip] | None:
    """Return topic and result of a slip, or None if this box knows the result already.

    Raise InvalidSlip if the text is not valid. Also raise InvalidSlip if this box knows a different
    result for the round and the table that the slip names.
    """
    slip = parse_result_slip(text, name, evening)
    topic = topics.result_topic(slip.number, slip.table)
    stands = [head.parsed_fact["points"] for head in claims.heads.get(topic, ())]
    if any(points != slip.points for points in stands):
        raise InvalidSlip("other", n=slip.number, table=slip.table)
    return None if stands else (topic, slip)


def _check(name: str, number: int, table: int, box: str, points: Mapping[str, int]) -> str:
    parts = [name, number, table, box, sorted(points.items())]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:10].upper()
