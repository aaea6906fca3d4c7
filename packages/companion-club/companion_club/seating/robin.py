"""Schedules in which everybody meets everybody with the fewest repeated meetings.

A meeting is repeated if both sat at one table before. With g games of m meetings each, n people
repeat g * m - p of them, if p pairs have met. For 2 to 12 people p is the maximum after every game
of SCHEDULES, as `tests/evening/test_robin.py` proves: p is g * m, or all n * (n - 1) / 2 pairs, or
a complete search finds no schedule with one pair more. An even number of people at tables of two
uses the circle method, which repeats no meeting before all have met.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from companion_club.seating import seats
from companion_club.seating.facts import SeatedTables, SeatingFacts

PAIR_SIZE: Final = 2
MAX_OPTIMAL_PEOPLE: Final = 12
"""Largest number of people for which repeats are minimal.

`SCHEDULES`, and `least_repeated_seating` for one seating.
"""
Seating: TypeAlias = tuple[tuple[int, ...], ...]
"""Tables of people, who are numbered from 0 by their first seats."""
SHORT_SCHEDULE_GAMES: Final = 4
"""For twelve people at three tables, one schedule is the best up to this number of games only."""
SHORT_SCHEDULE: Final = "0123|4567|89ab 0348|157b|269a 036b|2578|149a 0379|1568|24ab"
SCHEDULES: Final[Mapping[tuple[int, int], str]] = {
    (5, 2): "012|34 023|14 024|13",
    (6, 2): "012|345 015|234 025|134 125|034",
    (7, 2): "0123|456 2345|016 0145|236",
    (7, 3): "012|34|56 045|13|26 036|15|24 235|16|04 146|25|03",
    (8, 2): "0123|4567 2345|0167 2367|0145",
    (8, 3): "012|345|67 156|047|23 257|036|14 137|246|05",
    (9, 2): "01234|5678 01378|2456 01356|2478",
    (9, 3): "012|345|678 238|157|046 136|058|247 148|256|037",
    (9, 4): "012|34|56|78 357|04|16|28 067|23|14|58 138|26|47|05 245|36|17|08 468|27|15|03",
    (10, 2): "01234|56789 01359|24678 23459|01678 02459|13678",
    (10, 3): "0123|456|789 0267|359|148 0258|169|347 0249|157|368",
    (10, 4): "012|345|67|89 148|036|79|25 137|568|04|29 247|059|16|38 469|078|15|23 139|268|57|04",
    (11, 2): "012345|6789a 015789|2346a 234789|0156a",
    (11, 3): "0123|4567|89a 136a|0579|248 1349|257a|068 1269|3578|04a 236a|1578|049",
    (11, 4): "012|345|678|9a 269|47a|158|03 149|08a|257|36 379|16a|248|05 23a|046|589|17"
    " 56a|079|138|24",
    (11, 5): "012|34|56|78|9a 179|03|25|68|4a 467|09|35|28|1a 36a|49|27|08|15 239|14|57|06|8a"
    " 05a|24|37|16|89 138|04|7a|26|59 458|13|07|2a|69",
    (12, 2): "012345|6789ab 0458ab|123679 045679|1238ab",
    (12, 3): "0123|4567|89ab 125a|367b|0489 124b|368a|0579 1278|046a|359b 1269|034b|578a",
    (12, 4): "012|345|678|9ab 13a|47b|058|269 18b|049|56a|237 25b|036|48a|179 146|03b|28a|579"
    " 145|389|26b|07a 124|359|068|7ab",
}
"""Schedules by numbers of people and tables, until all have met.

A word is a game, a digit is a person. Each schedule is the best for every number of games, except
that of twelve people at three tables: it is the best from five games on, and two pairs short
before.
"""


def scheduled_seating(people: int, tables: int, games: int | None, number: int) -> Seating | None:
    """Return the seating after `number` of `games` (None: any number).

    None once all have met, or if there is no schedule for these numbers.
    """
    if people == PAIR_SIZE * tables:
        return _circle(people, number % (people - 1))
    few = (
        (people, tables) == (MAX_OPTIMAL_PEOPLE, 3)
        and games is not None
        and games <= SHORT_SCHEDULE_GAMES
    )
    words = (SHORT_SCHEDULE if few else SCHEDULES.get((people, tables), "")).split()
    if number >= len(words):
        return None
    return tuple(
        tuple(int(digit, MAX_OPTIMAL_PEOPLE) for digit in table)
        for table in words[number].split("|")
    )


def _circle(people: int, turn: int) -> Seating:
    """Return pairs by the circle method: one stays, the others rotate; all meet in n - 1 rounds.

    On turn 0 neighbours sit together, as at first.
    """
    around = [*range(2, people, 2), *reversed(range(1, people, 2))]
    ring = [0, *around[turn:], *around[:turn]]
    return tuple((ring[n], ring[-1 - n]) for n in range(people // 2))


def next_seating(facts: SeatingFacts) -> SeatedTables | None:
    """Return the schedule's next seating if all earlier rounds follow it; else None.

    It follows while nobody joins or leaves for good; a substitute counts as the replaced player.
    Players who keep their tables must fit the schedule.
    """
    before = facts.rounds[-1].tables
    first = facts.rounds[0].tables
    order = [name for table in first for name in table]
    if {*order} != {*facts.present_players} or len(first) != seats.count_tables(
        len(order), facts.seats
    ):
        return None

    def due(number: int) -> SeatedTables:
        seating = scheduled_seating(len(order), len(first), facts.games, number)
        return tuple(tuple(order[n] for n in table) for table in seating or ())

    for number, each in enumerate(facts.rounds):
        if {*map(frozenset, due(number))} != {*map(frozenset, each.tables)}:
            return None
    return _staying(due(len(facts.rounds)), facts.stay, before)


def _staying(
    tables: SeatedTables, stay: frozenset[str], before: SeatedTables
) -> SeatedTables | None:
    """Return the tables ordered so that players who `stay` keep theirs; None if impossible."""
    was = {name: n for n, table in enumerate(before) for name in table if name in stay}
    wanted = {(was[name], table) for table in tables for name in table if name in was}
    fixed = dict(wanted)
    if not tables or not len({*fixed.values()}) == len(fixed) == len(wanted):
        return None
    free = (table for table in tables if table not in fixed.values())
    return tuple(fixed[n] if n in fixed else next(free) for n in range(len(tables)))


def least_repeated_seating(
    staying: Sequence[Sequence[str]],
    sizes: Sequence[int],
    waiting: Sequence[str],
    times: Mapping[frozenset[str], int],
) -> SeatedTables:
    """Return the seating with the fewest repeated meetings, preferring the rarest ones.

    `staying` keep their tables, which have `sizes`; `times` counts how often two have met. Among
    equal seatings the first of `waiting` sits at the lowest table, and so on. At most 17,325
    seatings are examined, which took 0.05 s in the worst of 500 plans.
    """
    prices = _prices([*waiting, *(name for table in staying for name in table)], times)
    now = [list(table) for table in staying]
    best: list[tuple[int, SeatedTables]] = []

    def seat(at: int, cost: int) -> None:
        if best and cost >= best[-1][0]:
            return
        if at == len(waiting):
            best.append((cost, tuple(map(tuple, now))))
            return
        costs, empty = prices[waiting[at]], set()
        for table, size in zip(now, sizes, strict=True):
            if len(table) == size or (not table and size in empty):
                continue
            if not table:
                empty.add(size)
            more = sum([costs[other] for other in table])
            table.append(waiting[at])
            seat(at + 1, cost + more)
            table.pop()

    seat(0, 0)
    return best[-1][1]


def _prices(names: Sequence[str], times: Mapping[frozenset[str], int]) -> dict[str, dict[str, int]]:
    """Return the cost of each pair: a pair that met more often costs more than all rarer ones.

    The cost of the cheapest meeting is subtracted from all, since every seating has as many
    meetings.
    """
    dear = 1 + sum(n * n for n in times.values())
    cost = {
        pair: n and dear + n * n
        for pair in map(frozenset, combinations(names, 2))
        for n in [times.get(pair, 0)]
    }
    cheapest = min(cost.values(), default=0)
    return {
        name: {other: cost[frozenset((name, other))] - cheapest for other in names if other != name}
        for name in names
    }
