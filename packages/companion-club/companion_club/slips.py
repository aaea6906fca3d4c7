"""A result as a short text for a QR code: what a table says that reaches no broker.

A phone reads it off the display, and any other box of the evening takes it in. The names are not in
it: they are those of the seats, and a check over all of it says whether they are.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.core.errors import Explained
from companion_club import sayings, topics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion_club.fold import Evening
    from companion_club.known import Known

TEXT: Final = re.compile(
    r"E/(\d{1,4})/(\d{1,5})/([A-Z0-9-]{1,32})/(-?\d{1,10}(?:\.-?\d{1,10})*)/([0-9A-F]{10})",
    re.ASCII,
)
"""Capitals and digits alone: such a code takes half the modules."""


class NotASlip(Explained):
    """A text that is no result of this evening."""

    def __init__(self, reason: str, **facts: int) -> None:
        super().__init__(f"slip.{reason}", **facts)


class ResultSlip(NamedTuple):
    """What `box` says that a table has scored in a round."""

    number: int
    table: int
    box: str
    points: Mapping[str, int]
    check: str

    @property
    def fact(self) -> dict[str, Any]:
        """As a fact: where it comes from stands in it."""
        return sayings.result(self.points, {"slip": self.check, "box": self.box})


def format_slip(name: str, evening: Evening, number: int, table: int, box: str) -> str:
    """The slip of a result that stands; "" if there is none. `name` is the evening's."""
    seated = evening.rounds[number - 1]
    result = seated.results[table - 1]
    if result is None:
        return ""
    order = seated.tables[table - 1]
    points = ".".join(str(result[who]) for who in order)
    check = _check(name, number, table, box.upper(), result)
    return f"E/{number}/{table}/{box.upper()}/{points}/{check}"


def parse_slip(text: str, name: str, evening: Evening) -> ResultSlip:
    """What a slip says. Raises NotASlip."""
    found = TEXT.fullmatch(text.strip().upper())
    if found is None:
        raise NotASlip("no_slip")
    number, table = int(found[1]), int(found[2])
    if not 0 < number <= len(evening.rounds) or not 0 < table <= len(
        evening.rounds[number - 1].tables
    ):
        raise NotASlip("no_table", n=number, table=table)
    order = evening.rounds[number - 1].tables[table - 1]
    values = [int(value) for value in found[4].split(".")]
    points = dict(zip(order, values, strict=False))
    if len(values) != len(order) or _check(name, number, table, found[3], points) != found[5]:
        raise NotASlip("strangers", n=number, table=table)
    return ResultSlip(number, table, found[3].lower(), points, found[5])


def accept_slip(
    text: str, name: str, evening: Evening, known: Known
) -> tuple[str, ResultSlip] | None:
    """The topic and the slip to be said; None if the same is known already. Raises NotASlip."""
    slip = parse_slip(text, name, evening)
    topic = topics.result(slip.number, slip.table)
    stands = [head.value["points"] for head in known.heads.get(topic, ())]
    if any(points != slip.points for points in stands):
        raise NotASlip("other", n=slip.number, table=slip.table)
    return None if stands else (topic, slip)


def _check(name: str, number: int, table: int, box: str, points: Mapping[str, int]) -> str:
    parts = [name, number, table, box, sorted(points.items())]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:10].upper()
