"""Helpers for tests of seating: people, facts, random results, and counts of meetings."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any, Final, NamedTuple

import pytest

from companion_club.seating import facts, plan
from tests.english import english_error

PLAYER_NAMES: Final = (
    "Ann",
    "Bob",
    "Cy",
    "Di",
    "Eve",
    "Flo",
    "Gus",
    "Hal",
    "Ida",
    "Jo",
    "Kai",
    "Leo",
)


def people(n: int) -> list[str]:
    return [f"P{number:03}" for number in range(n)]


def facts_as_json(players: int | list[str] = 12, **more: Any) -> dict[str, Any]:
    """Return an evening's facts as JSON values, before the first round."""
    names = people(players) if isinstance(players, int) else players
    start = {"rule": "progressive", "games": 5, "players": names, "seed": "c0ffee", "rounds": []}
    return {**start, **more}


def parse_next(data: dict[str, Any]) -> plan.SeatingPlan:
    return plan.plan_next_seating(facts.seating_facts_from_json(data))


def parse_error(data: Any) -> str:
    """Return the code of the error with which the seating refuses the facts."""
    with pytest.raises(facts.SeatingError) as refused:
        parse_next(data)
    assert english_error(refused.value).endswith(".")
    return refused.value.code


def play_round(
    data: dict[str, Any], tables: Any, rng: random.Random, most: int = 9
) -> dict[str, Any]:
    """Return the facts with one more round; few different points make ties likely."""
    results = [{name: rng.randint(-most, most) for name in table} for table in tables]
    each = {"tables": [[*table] for table in tables], "results": results}
    return {**data, "rounds": [*data["rounds"], each]}


class Meetings(NamedTuple):
    """The number of different pairs that met in an evening, and of all pairs."""

    pairs: int
    of: int


def count_meetings(data: dict[str, Any]) -> Meetings:
    tables = [table for each in data["rounds"] for table in each["tables"]]
    pairs = {frozenset(pair) for table in tables for pair in combinations(table, 2)}
    names = {name for table in tables for name in table}
    return Meetings(len(pairs), len(names) * (len(names) - 1) // 2)
