"""Two other movements: equals against equals (swiss), and everybody with everybody (round robin).

No library has these for tables of three and four: the known ones pair two by two.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Final

from companion_club.seating import robin, seats
from companion_club.seating.lots import lots

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion_club.seating.facts import Facts, Tables

NEAR: Final = 8
"""How far down the standings a swiss table looks for somebody whom its players have not met."""
SMALL: Final = 100
"""Players up to whom a round robin is improved by swapping; with more, few meet twice anyway."""
PLAIN: Final = 500
"""Players above whom a round robin looks no further than a swiss one: strangers add names."""
REMEMBERED: Final = 50
"""Rounds whose meetings count, the newest ones; after as many, each seating is a plain one."""
LOOKS: Final = 50_000
"""Players and free seats that a plan compares, divided by the number of rounds that were played."""
SWAPS: Final = 20_000
"""Swaps that a plan tries, divided by the number of rounds that were played.

An evening plans all its rounds again, and so all of them together try a few times as many.
"""


def count_meetings(facts: Facts) -> Counter[frozenset[str]]:
    """Return how often each pair has sat at one table in the newest rounds."""
    return Counter(
        frozenset(pair)
        for each in facts.rounds[-REMEMBERED:]
        for table in each.tables
        for pair in combinations(table, 2)
    )


def swiss(facts: Facts, totals: Mapping[str, int]) -> Tables:
    """The best of the standings at table 1, and so on; with people they have not met, if any."""
    lot = lots(facts.seed, "swiss", len(facts.rounds) + 1)
    order = sorted(facts.present, key=lambda name: (-totals[name], lot(name)))
    return _fill_tables(facts, order, NEAR)


def round_robin(facts: Facts, _totals: Mapping[str, int]) -> Tables:
    """Everybody meets everybody; points do not count. Raises PlanError.

    As `robin` has it while the same people play; else, of up to 12, the seating that repeats the
    fewest meetings; of more, whoever has met the fewest sits with whom they have not met. What is
    looked at has a limit, so that no number of names or rounds keeps a box from its table.
    """
    played, people = len(facts.rounds), len(facts.present)
    if played * people <= LOOKS and (found := robin.next_seating(facts)) is not None:
        return found
    together = count_meetings(facts)
    often = Counter(name for pair, times in together.items() for name in pair for _ in range(times))
    lot = lots(facts.seed, "robin", len(facts.rounds) + 1)
    order = sorted(facts.present, key=lambda name: (-often[name], lot(name)))
    if people <= robin.MOST and played <= REMEMBERED:
        base = _base(facts, order)
        staying = [[name for name in table if name in facts.stay] for table in base]
        waiting = [name for name in order if name not in facts.stay]
        return robin.least(staying, [*map(len, base)], waiting, together)
    near = NEAR if people > PLAIN else max(NEAR, LOOKS // (people * played))
    tables = _fill_tables(facts, order, near)
    return (
        _improve_tables(tables, together, facts.stay, SWAPS // played)
        if people <= SMALL
        else tables
    )


def _base(facts: Facts, order: Sequence[str]) -> Tables:
    """The tables of the progressive game before anybody moves. Raises PlanError."""
    base, _ = seats.keep_seats(facts, {name: (n, b"") for n, name in enumerate(order)}.__getitem__)
    return base


def _fill_tables(facts: Facts, order: Sequence[str], near: int) -> Tables:
    """Tables filled one after another from `order`, looking `near` places ahead. Raises PlanError.

    Those who stay sit already.
    """
    together = count_meetings(facts)
    waiting = [name for name in order if name not in facts.stay]
    found = []
    for table in _base(facts, order):
        here = [name for name in table if name in facts.stay]
        while len(here) < len(table):
            within = range(min(near, len(waiting)))
            best = min(within, key=lambda n: (_times(together, here, waiting[n]), n))
            here.append(waiting.pop(best))
        found.append(tuple(here))
    return tuple(found)


def _times(together: Mapping[frozenset[str], int], table: Sequence[str], name: str) -> int:
    """How often somebody has met those of a table; twice the same weighs more than two others."""
    return sum(together.get(frozenset((name, other)), 0) ** 2 for other in table if other != name)


def _improve_tables(
    tables: Tables, together: Mapping[frozenset[str], int], stay: frozenset[str], most: int
) -> Tables:
    """Two players change places for as long as fewer meet again so; `most` swaps are tried."""
    now = [list(table) for table in tables]
    seats_of = [(n, i) for n, table in enumerate(now) for i, _ in enumerate(table)]
    better = True
    while better:
        better = False
        for (n, i), (m, j) in combinations(seats_of, 2):
            one, other = now[n][i], now[m][j]
            if n == m or one in stay or other in stay:
                continue
            if most == 0:
                return tuple(map(tuple, now))
            most -= 1
            before = _times(together, now[n], one) + _times(together, now[m], other)
            now[n][i], now[m][j] = other, one
            if _times(together, now[n], other) + _times(together, now[m], one) < before:
                better = True
            else:
                now[n][i], now[m][j] = one, other
    return tuple(map(tuple, now))
