"""Two other movements: swiss (equals meet) and round robin (everybody meets everybody).

No library has them for tables of three and four; known ones pair two players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from companion_club.seating import robin, seats
from companion_club.seating.facts import SeatedTables, SeatingFacts
from companion_club.seating.lots import draw_lots

SEARCHED_PLACES: Final = 8
"""How many places down the standings a swiss table searches for a player not met before."""
MAX_PLAYERS_WITH_SWAPS: Final = 100
"""Most players for which a round robin is improved by swaps; with more, few meet twice anyway."""
MAX_PLAYERS_WITH_SEARCH: Final = 500
"""Above this number of players a round robin searches no further than a swiss one."""
REMEMBERED_ROUNDS: Final = 50
"""Number of newest rounds whose meetings count; with more rounds seatings are plain."""
COMPARISON_BUDGET: Final = 50_000
"""Comparisons of players with seats in a plan, divided by the number of rounds played."""
SWAP_BUDGET: Final = 20_000
"""Swaps that a plan tries, divided by the number of rounds played.

An evening plans all its rounds again, so together they try only a few times as many.
"""


def count_meetings(facts: SeatingFacts) -> Counter[frozenset[str]]:
    """Return how often each pair has sat at one table in the newest rounds."""
    return Counter(
        frozenset(pair)
        for each in facts.rounds[-REMEMBERED_ROUNDS:]
        for table in each.tables
        for pair in combinations(table, 2)
    )


def swiss_seating(facts: SeatingFacts, totals: Mapping[str, int]) -> SeatedTables:
    """Return a swiss seating.

    The best at table 1, and so on, with players not met before if any.
    """
    lot = draw_lots(facts.seed, "swiss", len(facts.rounds) + 1)
    order = sorted(facts.present_players, key=lambda name: (-totals[name], lot(name)))
    return _fill_tables(facts, order, SEARCHED_PLACES)


def round_robin_seating(facts: SeatingFacts, _totals: Mapping[str, int]) -> SeatedTables:
    """Return a round robin seating, without regard to points. Raise PlanError.

    While the same people play, `robin` decides. Otherwise up to 12 people get the seating with the
    fewest repeats. With more, players are seated with those whom they have not met. The search is
    limited, so that no number of names or rounds delays the box.
    """
    played, people = len(facts.rounds), len(facts.present_players)
    if (
        played * people <= COMPARISON_BUDGET
        and (scheduled := robin.next_seating(facts)) is not None
    ):
        return scheduled
    together = count_meetings(facts)
    often = Counter(name for pair, times in together.items() for name in pair for _ in range(times))
    lot = draw_lots(facts.seed, "robin", len(facts.rounds) + 1)
    order = sorted(facts.present_players, key=lambda name: (-often[name], lot(name)))
    if people <= robin.MAX_OPTIMAL_PEOPLE and played <= REMEMBERED_ROUNDS:
        base = _base(facts, order)
        staying = [[name for name in table if name in facts.stay] for table in base]
        waiting = [name for name in order if name not in facts.stay]
        return robin.least_repeated_seating(staying, [*map(len, base)], waiting, together)
    near = (
        SEARCHED_PLACES
        if people > MAX_PLAYERS_WITH_SEARCH
        else max(SEARCHED_PLACES, COMPARISON_BUDGET // (people * played))
    )
    tables = _fill_tables(facts, order, near)
    return (
        _improve_tables(tables, together, facts.stay, SWAP_BUDGET // played)
        if people <= MAX_PLAYERS_WITH_SWAPS
        else tables
    )


def _base(facts: SeatingFacts, order: Sequence[str]) -> SeatedTables:
    """Return the tables of the progressive game before the moves. Raise PlanError."""
    base, _ = seats.keep_seats(facts, {name: (n, b"") for n, name in enumerate(order)}.__getitem__)
    return base


def _fill_tables(facts: SeatingFacts, order: Sequence[str], near: int) -> SeatedTables:
    """Return tables filled from `order`, looking `near` places ahead. Raise PlanError.

    Players who stay are seated already.
    """
    together = count_meetings(facts)
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
    """Return how often a player has met those of a table, squared per person."""
    return sum(together.get(frozenset((name, other)), 0) ** 2 for other in table if other != name)


def _improve_tables(
    tables: SeatedTables, together: Mapping[frozenset[str], int], stay: frozenset[str], most: int
) -> SeatedTables:
    """Return the tables after swaps that reduce repeated meetings; at most `most` swaps."""
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
