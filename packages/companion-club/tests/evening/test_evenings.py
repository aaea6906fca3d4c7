"""Tests of random evenings. The variable EVENINGS sets the number of evenings."""

from __future__ import annotations

import os
import random
from typing import Any, Final

import pytest

from companion_club.seating.facts import SEATING_RULES
from companion_club.seating.plan import SeatingPlan
from tests.evening.evenings import count_meetings, facts_as_json, parse_next, people, play_round
from tests.helpers import long_lane_params

EVENINGS: Final = int(os.environ.get("EVENINGS", "60"))
FEW: Final = 20
"""Evenings in the first case of the test. The second case plays all other evenings."""


def a_number(rng: random.Random) -> int:
    """Return a number of players: mostly up to 40, and sometimes up to 800."""
    return rng.randint(9, 800) if rng.random() < 0.03 else rng.randint(9, 40)


def checked(data: dict[str, Any], found: SeatingPlan) -> None:
    """Check the properties of every seating."""
    seated = [name for table in found.tables for name in table]
    assert len(seated) == len(set(seated)), "a player has two seats"
    assert set(seated) == {*data["players"]} - {*data["left"]}, "a player has no seat"
    sizes = [len(table) for table in found.tables]
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) >= 2
    results = [result for each in data["rounds"] for result in each["results"]]
    assert sum(found.totals.values()) == sum(sum(result.values()) for result in results)
    for name in data["stay"]:
        before = [n for n, table in enumerate(data["rounds"][-1]["tables"], 1) if name in table]
        assert before == [n for n, table in enumerate(found.tables, 1) if name in table]


def shuffled(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return the facts in another order of keys, players and results."""
    rounds = [
        {
            "results": [dict(rng.sample([*r.items()], len(r))) for r in each["results"]],
            "tables": each["tables"],
        }
        for each in data["rounds"]
    ]
    mixed = {**data, "rounds": rounds}
    for name in ("players", "left", "stay"):
        mixed[name] = rng.sample(data[name], len(data[name]))
    return dict(rng.sample([*mixed.items()], len(mixed)))


def two_out_and_two_in(data: dict[str, Any], found: SeatingPlan) -> None:
    """Check PR-17: two players leave each table and two join, or one if a table has two players."""
    pairs = any(len(table) == 2 for table in found.tables)
    for n, table in enumerate(data["rounds"][-1]["tables"], 1):
        assert len({*table} & {*found.tables[n - 1]}) == len(table) - (1 if pairs else 2)
        assert len([move for move in found.moves if move.to == n]) == (1 if pairs else 2)


def leaders_leave(data: dict[str, Any], found: SeatingPlan) -> None:
    """Check PR-17: the players with the most points leave, also if players come, go or stay.

    With two tables, not all of these players can leave.
    """
    of_two = 1 if any(len(table) == 2 for table in found.tables) else 2
    at = {name: n for n, table in enumerate(found.tables) for name in table}
    each = zip(data["rounds"][-1]["tables"], data["rounds"][-1]["results"], strict=True)
    for n, (table, points) in enumerate([*each][: len(found.tables)]):
        walkers = {name for name in table if name in at and name not in data["stay"]}
        leave = {name for name in walkers if at[name] != n}
        if len(found.tables) > 2 and of_two == 2:
            assert len(leave) >= min(of_two, len(walkers))
        least = min((points[name] for name in leave), default=0)
        assert all(points[name] <= least for name in walkers - leave) or not leave


def restless(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return the facts with random players who come, go, or stay at their table."""
    here = [name for name in data["players"] if name not in data["left"]]
    seated = {name for table in data["rounds"][-1]["tables"] for name in table} & {*here}
    left = rng.sample(here, rng.choice([0, 0, 0, 1, 2]))
    walkers = sorted(seated - {*left})
    late = [f"L{len(data['rounds'])}{n}" for n in range(rng.choice([0, 0, 1, 3]))]
    stay = rng.sample(walkers, rng.choice([0, 1, 2]))
    return {
        **data, "players": [*data["players"], *late], "left": [*data["left"], *left], "stay": stay,
    }  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(
    "evenings", [range(FEW), *long_lane_params([range(FEW, EVENINGS)])], ids=str
)
@pytest.mark.parametrize("rule", SEATING_RULES)
def test_an_evening_seats_everybody_once_and_all_alike(rule: str, evenings: range) -> None:
    for n in evenings if rule == "progressive" else evenings[::9]:
        rng = random.Random(f"{rule} {n}")
        which = rng.choice(["game", "carried"])
        data = facts_as_json(
            a_number(rng), rule=rule, which_total=which, left=[], stay=[], seed=f"{n:x}"
        )
        is_restless = n % 2 == 1
        while not (found := parse_next(data)).over:
            checked(data, found)
            assert parse_next(shuffled(data, rng)).tables == found.tables
            if data["rounds"] and rule == "progressive" and not is_restless:
                two_out_and_two_in(data, found)
            if data["rounds"] and rule == "progressive" and data["which_total"] == "game":
                leaders_leave(data, found)
            data = play_round({**data, "stay": []}, found.tables, rng)
            data = restless(data, rng) if is_restless else data


@pytest.mark.long
def test_twelve_people_meet_most_of_the_others_in_five_games() -> None:
    """PR-17: 84 %. `python -m tests.evening.meetings` prints the share for other numbers."""
    assert 0.80 < share(12, 5, 100) < 0.88


def share(players: int, games: int, evenings: int, rule: str = "progressive") -> float:
    """Return the mean share of the other players that each player met."""
    pairs = of = 0
    for n in range(evenings):
        rng, data = (
            random.Random(n),
            facts_as_json(people(players), games=games, seed=f"{n:x}", rule=rule),
        )
        while not (found := parse_next(data)).over:
            data = play_round(data, found.tables, rng, most=200)
        found_pairs = count_meetings(data)
        pairs, of = pairs + found_pairs.pairs, of + found_pairs.of
    return pairs / of
