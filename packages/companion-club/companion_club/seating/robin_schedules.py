"""Round robin schedules, in which all people meet with the fewest repeated meetings.

A meeting of two people is repeated if the two people shared a table in an earlier game. For 2 to 12
people, SCHEDULES have the fewest repeated meetings after every game. The test
`tests/evening/test_robin_schedules.py` proves that no schedule has fewer repeated meetings. If all
tables have two seats, the circle method repeats no meeting before all people have met.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from companion_club.seating import seats
from companion_club.seating.facts import SeatedTables, SeatingFacts

PAIR_SIZE: Final = 2
MAX_OPTIMAL_PEOPLE: Final = 12
"""Maximum number of people for whom this module finds the fewest repeated meetings."""
Seating: TypeAlias = tuple[tuple[int, ...], ...]
"""Type of a seating: tables of people, who are numbered from 0 by their seats in round 1."""
SHORT_SCHEDULE_GAMES: Final = 4
"""Number of games up to which SHORT_SCHEDULE is the best schedule for 12 people at 3 tables."""
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
"""Schedules by (number of people, number of tables); a schedule ends when all people have met.

In a schedule, spaces separate games, `|` separates tables, and each digit is one person. For every
number of games, a schedule has the fewest repeated meetings, with one exception: for 12 people at 3
tables, use the schedule only for five or more games. For fewer games, use SHORT_SCHEDULE, in which
two more pairs of people meet.
"""


def scheduled_seating_after_games(
    people: int, tables: int, games: int | None, number: int
) -> Seating | None:
    """Return the seating of the schedule for the game after `number` games.

    `games` is the number of games in the evening, or None if this number is not fixed. Return None
    if the schedule has ended, or if no schedule has these numbers of people and tables. If all
    tables have two seats, the schedule never ends, but begins again when all people have met.
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
    """Return the pairs of a game by the circle method: one person stays, all other people rotate.

    All n people meet in n - 1 games. In the first game (`turn` 0), the people with the numbers 0
    and 1 sit at one table, the people 2 and 3 at the next table, and so on.
    """
    around = [*range(2, people, 2), *reversed(range(1, people, 2))]
    ring = [0, *around[turn:], *around[:turn]]
    return tuple((ring[n], ring[-1 - n]) for n in range(people // 2))


def next_scheduled_seating(facts: SeatingFacts) -> SeatedTables | None:
    """Return the next seating of the schedule; None if earlier rounds do not follow the schedule.

    The rounds follow the schedule as long as no player joins or leaves without a substitute. Also
    return None if the schedule has ended, or if a player who must stay does not fit the schedule.
    """
    before = facts.rounds[-1].tables
    first = facts.rounds[0].tables
    order = [name for table in first for name in table]
    if {*order} != {*facts.present_players} or len(first) != seats.smallest_table_count(
        len(order), facts.seats
    ):
        return None

    def due(number: int) -> SeatedTables:
        seating = scheduled_seating_after_games(len(order), len(first), facts.games, number)
        return tuple(tuple(order[n] for n in table) for table in seating or ())

    for number, each in enumerate(facts.rounds):
        if {*map(frozenset, due(number))} != {*map(frozenset, each.tables)}:
            return None
    return _staying(due(len(facts.rounds)), facts.stay, before)


def _staying(
    tables: SeatedTables, stay: frozenset[str], before: SeatedTables
) -> SeatedTables | None:
    """Return `tables` in another order, in which each player in `stay` keeps the old table number.

    Return None if no order is possible.
    """
    was = {name: n for n, table in enumerate(before) for name in table if name in stay}
    wanted = {(was[name], table) for table in tables for name in table if name in was}
    fixed = dict(wanted)
    if not tables or not len({*fixed.values()}) == len(fixed) == len(wanted):
        return None
    free = (table for table in tables if table not in fixed.values())
    return tuple(fixed[n] if n in fixed else next(free) for n in range(len(tables)))


def seating_with_fewest_rematches(
    staying: Sequence[Sequence[str]],
    sizes: Sequence[int],
    waiting: Sequence[str],
    times: Mapping[frozenset[str], int],
) -> SeatedTables:
    """Return the seating in which the fewest pairs meet again.

    - `staying`: the players who keep their seats, by table.
    - `sizes`: the number of players at each table.
    - `waiting`: the players without a seat. Among equally good seatings, return the seating in
      which the first player in `waiting` has the lowest table number.
    - `times`: how often each pair has met. Among pairs that must meet again, prefer pairs that have
      met less often.

    The search examines up to 17,325 seatings.
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
    """Return the cost of seating each pair at one table: higher if the pair has met more often.

    All seatings have the same number of pairs at a table, so the lowest cost is subtracted from all
    costs.
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
