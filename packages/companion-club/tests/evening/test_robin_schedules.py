"""Tests of the round robin: for up to twelve people, no seating lets more pairs meet."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, permutations
from math import comb
from typing import Any, Final, NamedTuple

import pytest

from companion_club.seating import seats
from tests.evening.evenings import count_meetings, facts_as_json, parse_next, people, play_round
from tests.helpers import long_lane_params

EVENINGS: Final = {
    (n, seats.smallest_table_count(n, full)) for n in range(4, 13) for full in range(2, 13)
}
"""Pairs of a number of people and a possible number of tables."""
QUICK: Final = {(5, 2), (8, 3), (12, 3)}


class Best(NamedTuple):
    """The largest number of pairs that can have met after `games` games."""

    people: int
    tables: int
    games: int
    pairs: int


PROVEN: Final = tuple(map(Best._make, (
    (5, 2, 2, 7),
    (6, 2, 2, 10), (6, 2, 3, 13),
    (7, 2, 2, 15), (7, 3, 4, 19),
    (8, 2, 2, 20),
    (9, 2, 2, 26),
    (10, 2, 2, 32), (10, 2, 3, 42), (10, 3, 2, 23), (10, 3, 3, 34),
    (11, 2, 2, 40), (11, 3, 2, 28), (11, 3, 3, 41), (11, 3, 4, 52), (11, 4, 5, 49),
    (12, 2, 2, 48), (12, 3, 2, 33), (12, 3, 3, 48), (12, 3, 4, 59), (12, 4, 5, 57),
    (12, 4, 6, 65),
)))  # fmt: skip
"""The cases below two simple limits: the number of all pairs, and the pairs of all games."""


def most(n: int, tables: int, games: int) -> int:
    """Return the largest number of pairs that can have met."""
    known = {best[:3]: best.pairs for best in PROVEN}
    each = sum(comb(size, 2) for size in seats.player_count_of_each_table(n, tables))
    return known.get((n, tables, games), min(games * each, comb(n, 2)))


# --- the proof ------------------------------------------------------------------------------------

Parts = tuple[tuple[int, ...], ...]


def partitions(who: tuple[int, ...], sizes: Sequence[int]) -> Iterator[Parts]:
    """Yield every way to seat people at tables of these sizes, the largest size first."""
    if not sizes:
        yield ()
        return
    size = sizes[0]
    for table in combinations(who, size):
        left = tuple(name for name in who if name not in table)
        for rest in partitions(left, sizes[1:]):
            if not rest or len(rest[0]) < size or rest[0] > table:  # in one order only
                yield (table, *rest)


def pairs_of(n: int, parts: Parts) -> int:
    """Return the pairs that meet, with a bit for each pair."""
    return sum(1 << (a * n + b) for table in parts for a, b in combinations(table, 2))


def likeness(first: Parts, parts: Parts) -> tuple[Any, ...]:
    """Return a key that is equal for seatings that differ only by a renaming that keeps `first`."""
    sizes = [len(table) for table in first]
    orders = (p for p in permutations(range(len(first))) if [sizes[i] for i in p] == sizes)
    shared = [tuple(len({*table} & {*other}) for other in first) for table in parts]
    return min(
        tuple(sorted((sum(row), *(row[i] for i in order)) for row in shared)) for order in orders
    )


class Search:
    """A search for an evening in which `wanted` pairs meet.

    The order of games does not matter. So the search only tries orders in which each game adds at
    least as many new pairs as each later game would add in its place. Then the gain of a game (the
    pairs that it adds) never grows, and each game must add its share of the missing pairs.
    """

    def __init__(self, n: int, tables: int, wanted: int) -> None:
        self.n, self.wanted = n, wanted
        sizes = seats.player_count_of_each_table(n, tables)
        self.most_others = sizes[0] - 1
        self.all = [*partitions(tuple(range(n)), sizes)]
        self.bits = [pairs_of(n, parts) for parts in self.all]
        self.own = [pairs_of(n, tuple((min(a, b), max(a, b)) for b in range(n) if b != a))
                    for a in range(n)]  # fmt: skip
        self.strangers = 2 * (comb(n, 2) - wanted)

    def succeeds(self, games: int) -> bool:
        """Return True if `games` games suffice: with one first game, each kind of second game."""
        first, tried = self.bits[0], set[Any]()
        ranked = self._ranked(first, self.bits, games - 2)
        parts_of = dict(zip(self.bits, self.all, strict=True))
        for gain, bits in ranked:
            if gain * (games - 1) < self.wanted - first.bit_count():
                break
            kind = likeness(self.all[0], parts_of[bits])
            if kind not in tried:
                tried.add(kind)
                later = [other for less, other in ranked if less <= gain]
                if self._goes_on(first | bits, games - 2, later):
                    return True
        return False

    def _goes_on(self, have: int, games: int, left: list[int]) -> bool:
        need = self.wanted - have.bit_count()
        if need <= 0:
            return True
        if games == 0:
            return False
        if games == 1:
            return any((have | bits).bit_count() >= self.wanted for bits in left)
        ranked = self._ranked(have, left, games - 1)
        later = [bits for _, bits in ranked]
        return any(
            self._goes_on(have | bits, games - 1, later[at:])
            for at, (gain, bits) in enumerate(ranked, 1)
            if gain * games >= need
        )

    def _ranked(self, have: int, left: list[int], games: int) -> list[tuple[int, int]]:
        """Return useful seatings and their gains, largest gain first, if `games` games follow."""
        had = have.bit_count()
        gains = sorted(((have | bits).bit_count() - had, bits) for bits in left)[::-1]
        least = self.wanted - had - games * gains[0][0] if gains else 0
        return [
            (gain, bits)
            for gain, bits in gains
            if gain >= least and self._is_fair(have | bits, games)
        ]

    def _is_fair(self, have: int, games: int) -> bool:
        """Return True if each player can still meet enough others."""
        enough, left = self.n - 1 - games * self.most_others, self.strangers
        for own in self.own:
            lacking = enough - (have & own).bit_count()
            if lacking > 0:
                left -= lacking
                if left < 0:
                    return False
        return True


@pytest.mark.parametrize(
    "best",
    [pytest.param(best, marks=() if best.tables == 2 else pytest.mark.long) for best in PROVEN],
    ids=str,
)
def test_pr17_no_schedule_brings_one_pair_more_together(best: Best) -> None:
    assert not Search(best.people, best.tables, best.pairs + 1).succeeds(best.games)


@pytest.mark.long
def test_the_search_finds_what_there_is() -> None:
    assert Search(7, 3, 19).succeeds(4)
    assert Search(12, 3, 59).succeeds(4)


# --- the schedules --------------------------------------------------------------------------------


def evening(n: int, **more: Any) -> Iterator[int]:
    """Yield the number of pairs that have met after each game."""
    data, rng = facts_as_json(n, rule="round_robin", **more), random.Random(1)
    while not (found := parse_next(data)).over:
        assert sorted(chain(*found.tables)) == data["players"]
        data = play_round(data, found.tables, rng)
        yield count_meetings(data).pairs


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("n", "tables"), [*sorted(QUICK), *long_lane_params(sorted(EVENINGS - QUICK))]
)
def test_pr17_after_every_game_as_many_pairs_have_met_as_can_have(n: int, tables: int) -> None:
    """Twelve people at three tables have different schedules for 4 and for 12 games."""
    full = next(full for full in range(2, 13) if seats.smallest_table_count(n, full) == tables)
    best = [most(n, tables, games) for games in range(1, 13)]
    for games in (4, 12):
        assert [*evening(n, games=games, seats=full)] == (
            best[:games] if (n, tables, games) != (12, 3, 12) else [18, 33, 46, 57, *best[4:]]
        )


def test_pr17_five_all_meet_in_three_games_and_eleven_at_three_tables_in_five() -> None:
    assert [*evening(5, games=3)][-1] == 10
    assert [*evening(11, games=6)] == [15, 28, 41, 52, 55, 55]


def test_pr17_a_schedule_goes_on_with_a_substitute() -> None:
    data, rng = facts_as_json(11, rule="round_robin"), random.Random(1)
    for _ in range(2):
        data = play_round(data, parse_next(data).tables, rng)
    was = parse_next(data).tables
    now = parse_next({**data, "substitutes": {"P003": "Zoé"}}).tables
    assert now == tuple(tuple("Zoé" if n == "P003" else n for n in table) for table in was)


def test_pr17_who_stays_keeps_the_table_and_the_schedule_goes_on() -> None:
    data, rng = facts_as_json(11, rule="round_robin", stay=["P003"]), random.Random(1)
    while not (found := parse_next(data)).over:
        data = play_round(data, found.tables, rng)
    sat = {
        n for each in data["rounds"] for n, table in enumerate(each["tables"]) if "P003" in table
    }
    assert len(sat) == 1
    assert count_meetings(data).pairs == 55


@pytest.mark.long
def test_pr17_when_all_have_met_nobody_meets_the_same_again_and_again() -> None:
    data, rng = facts_as_json(8, rule="round_robin", games=30), random.Random(1)
    while not (found := parse_next(data)).over:
        data = play_round(data, found.tables, rng)
    often = [0] * 28
    for n, pair in enumerate(combinations(people(8), 2)):
        often[n] = sum({*pair} <= {*t} for each in data["rounds"] for t in each["tables"])
    assert max(often) - min(often) <= 2


@pytest.mark.long
@pytest.mark.parametrize("change", ["left", "late", "stay"])
@pytest.mark.parametrize("full", [2, 3, 4])
def test_pr17_of_people_who_come_go_or_stay_the_next_game_repeats_the_fewest_meetings(
    full: int, change: str
) -> None:
    data, rng = facts_as_json(9, rule="round_robin", seats=full, games=6), random.Random(full)
    for _ in range(3):
        data = play_round(data, parse_next(data).tables, rng)
    if change == "left":
        data |= {"left": ["P004"]}
    elif change == "late":
        data |= {"players": people(10)}
    else:
        data |= {"stay": ["P000", "P001", "P002"]}
    found = parse_next(data).tables
    before = {frozenset(p) for e in data["rounds"] for t in e["tables"] for p in combinations(t, 2)}

    def again(tables: Any) -> int:
        return sum(frozenset(p) in before for t in tables for p in combinations(t, 2))

    here = [name for name in data["players"] if name not in data.get("left", ())]
    fixed = {name: n for n, table in enumerate(data["rounds"][-1]["tables"]) for name in table
             if name in data.get("stay", ())}  # fmt: skip
    sizes = sorted(map(len, found), reverse=True)
    every = (
        tuple(tuple(here[n] for n in table) for table in parts)
        for parts in partitions(tuple(range(len(here))), sizes)
    )
    apart = [set(ps) for n in {*fixed.values()} if (ps := [x for x in fixed if fixed[x] == n])]
    can = (
        tables
        for tables in every
        if all(any(ps <= {*t} and not ({*fixed} - ps) & {*t} for t in tables) for ps in apart)
    )
    assert again(found) == min(map(again, can))
