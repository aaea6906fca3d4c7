"""The seating rules "swiss" (equal totals meet) and "round_robin" (all players meet)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from companion_club.seating import robin_schedules, seats
from companion_club.seating.facts import SeatedTables, SeatingFacts
from companion_club.seating.lots import make_lot_function

CANDIDATES_PER_SEAT: Final = 8
"""Number of waiting players among whom a swiss seating chooses the player for a free seat."""
MAX_PLAYERS_WITH_SWAPS: Final = 100
"""Maximum number of players with whom swaps improve a round robin seating."""
MAX_PLAYERS_WITH_SEARCH: Final = 500
"""Maximum number of players for the long search of a round robin.

With more players, the search examines at most CANDIDATES_PER_SEAT candidates for each seat.
"""
REMEMBERED_ROUNDS: Final = 50
"""Number of the newest rounds in which meetings of players are counted."""
COMPARISON_BUDGET: Final = 50_000
"""Maximum product of three numbers: players, rounds played, players examined for each seat."""
SWAP_BUDGET: Final = 20_000
"""Number of swaps that a plan may try in round 2. After n rounds, the limit is 1/n of this number.

A box computes the seatings of all rounds again, so later rounds must take less time.
"""


def count_recent_pair_meetings(facts: SeatingFacts) -> Counter[frozenset[str]]:
    """Return how often each pair of players shared a table in the last REMEMBERED_ROUNDS."""
    return Counter(
        frozenset(pair)
        for each in facts.rounds[-REMEMBERED_ROUNDS:]
        for table in each.tables
        for pair in combinations(table, 2)
    )


def swiss_seating(facts: SeatingFacts, totals: Mapping[str, int]) -> SeatedTables:
    """Return a swiss seating: the players with the highest totals sit at table 1.

    Among players with similar totals, players who have not met before sit together.
    """
    lot = make_lot_function(facts.seed, "swiss", len(facts.rounds) + 1)
    order = sorted(facts.present_players, key=lambda name: (-totals[name], lot(name)))
    return _fill_tables(facts, order, CANDIDATES_PER_SEAT)


def round_robin_seating(facts: SeatingFacts, _totals: Mapping[str, int]) -> SeatedTables:
    """Return a round robin seating, which does not depend on points.

    As long as no player joins or leaves, the schedules of the module `robin` decide the seats.
    After a player joins or leaves, up to 12 people get the seating with the fewest repeated
    meetings. If there are more than 12 people, each table gets players who have rarely met. The
    search is limited, so that many names or rounds do not delay the box. Raise SeatingError if the
    players cannot be seated.
    """
    played, people = len(facts.rounds), len(facts.present_players)
    if (
        played * people <= COMPARISON_BUDGET
        and (scheduled := robin_schedules.next_scheduled_seating(facts)) is not None
    ):
        return scheduled
    together = count_recent_pair_meetings(facts)
    often = Counter(name for pair, times in together.items() for name in pair for _ in range(times))
    lot = make_lot_function(facts.seed, "robin", len(facts.rounds) + 1)
    order = sorted(facts.present_players, key=lambda name: (-often[name], lot(name)))
    if people <= robin_schedules.MAX_OPTIMAL_PEOPLE and played <= REMEMBERED_ROUNDS:
        base = _base(facts, order)
        staying = [[name for name in table if name in facts.stay] for table in base]
        waiting = [name for name in order if name not in facts.stay]
        return robin_schedules.seating_with_fewest_rematches(
            staying, [*map(len, base)], waiting, together
        )
    near = (
        CANDIDATES_PER_SEAT
        if people > MAX_PLAYERS_WITH_SEARCH
        else max(CANDIDATES_PER_SEAT, COMPARISON_BUDGET // (people * played))
    )
    tables = _fill_tables(facts, order, near)
    return (
        _improve_tables(tables, together, facts.stay, SWAP_BUDGET // played)
        if people <= MAX_PLAYERS_WITH_SWAPS
        else tables
    )


def _base(facts: SeatingFacts, order: Sequence[str]) -> SeatedTables:
    base, _ = seats.reseat_players(
        facts, {name: (n, b"") for n, name in enumerate(order)}.__getitem__
    )
    return base


def _fill_tables(facts: SeatingFacts, order: Sequence[str], near: int) -> SeatedTables:
    """Return tables filled with the players in `order`.

    Each free seat goes to one of the next `near` players: the player who has met the players at the
    table least often. Players in `facts.stay` keep their seats.
    """
    together = count_recent_pair_meetings(facts)
    waiting = [name for name in order if name not in facts.stay]
    filled = []
    for table in _base(facts, order):
        here = [name for name in table if name in facts.stay]
        while len(here) < len(table):
            within = range(min(near, len(waiting)))
            best = min(within, key=lambda n: (_times(together, here, waiting[n]), n))
            here.append(waiting.pop(best))
        filled.append(tuple(here))
    return tuple(filled)


def _times(together: Mapping[frozenset[str], int], table: Sequence[str], name: str) -> int:
    """Return a number that is higher the more often a player has met the players at `table`.

    For each player at `table`, square the number of meetings. The result is the sum of the squares.
    """
    return sum(together.get(frozenset((name, other)), 0) ** 2 for other in table if other != name)


def _improve_tables(
    tables: SeatedTables, together: Mapping[frozenset[str], int], stay: frozenset[str], most: int
) -> SeatedTables:
    now = [list(table) for table in tables]
    seats_of = [(n, i) for n, table in enumerate(now) for i, _ in enumerate(table)]
    better = True
    while better:
        better = False
        for (n, i), (m, j) in combinations(seats_of, 2):
            first, second = now[n][i], now[m][j]
            if n == m or first in stay or second in stay:
                continue
            if most == 0:
                return tuple(map(tuple, now))
            most -= 1
            before = _times(together, now[n], first) + _times(together, now[m], second)
            now[n][i], now[m][j] = second, first
            if _times(together, now[n], second) + _times(together, now[m], first) < before:
                better = True
            else:
                now[n][i], now[m][j] = first, second
    return tuple(map(tuple, now))
