"""Tests that the cost of computing an evening is limited for many players and rounds."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from typing import Any

import pytest

from companion_club import evening_state as folding
from companion_club import table
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import compute_evening_state
from companion_club.seating import schedules
from companion_club.seating.facts import SEATING_RULES
from tests.evening.boxes import make_evening, open_facts, state_round


def calls(work: Callable[[], object]) -> int:
    """Return the number of function calls in `work`, which is equal on every machine."""
    number = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal number
        number += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return number


@pytest.mark.long
@pytest.mark.parametrize("rule", SEATING_RULES)
def test_seating_twice_as_many_people_costs_twice_as_much(rule: str) -> None:
    """Above 500 players, no seating rule compares all pairs of players."""
    some, more = (make_evening(tables, "P{:04}", rule=rule) for tables in (130, 260))
    assert calls(lambda: compute_evening_state(more)) < 2.2 * calls(
        lambda: compute_evening_state(some)
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize("people", [60, 400, 600])
def test_a_round_robin_compares_no_more_seats_than_its_limit(
    people: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0
    times = schedules._times

    def counted(*args: Any) -> int:
        nonlocal compared
        compared += 1
        return times(*args)

    monkeypatch.setattr(schedules, "_times", counted)
    known = make_evening(people // 4, "P{:04}", rule="round_robin")
    assert len(compute_evening_state(known).rounds) == 2
    assert (
        compared
        <= schedules.COMPARISON_BUDGET
        + 4 * schedules.SWAP_BUDGET
        + schedules.CANDIDATES_PER_SEAT * people
    )


def played(known: CurrentClaims, rounds: int) -> CurrentClaims:
    rng = random.Random(1)
    for _ in range(rounds):
        known = state_round(known, rng)
    return known


@pytest.mark.long
def test_a_result_is_read_as_often_in_a_long_evening_as_in_a_short_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Planning a round needs all earlier rounds, but does not parse their results again."""
    known = played(open_facts(("Ann", "Bob", "Cy", "Di", "Eve", "Flo"), games=None), 30)
    read, result = 0, folding._result

    def counted(*args: Any) -> Any:
        nonlocal read
        read += 1
        return result(*args)

    monkeypatch.setattr(folding, "_result", counted)
    assert len(compute_evening_state(known).rounds) == 31
    assert read <= 3 * 2 * 31


def test_a_page_of_rows_writes_out_no_row_that_does_not_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written, dumps = 0, json.dumps

    def counted(row: Any) -> str:
        nonlocal written
        written += 1
        return dumps(row)

    monkeypatch.setattr(json, "dumps", counted)
    rows = table._fitting([("x" * 1_000, n) for n in range(10_000)])
    assert 0 < len(rows) == written - 1
