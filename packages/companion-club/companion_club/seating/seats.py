"""How many sit at a table, and what becomes of the tables when people come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion_club.seating.facts import Facts, PlanError, Tables
from companion_club.seating.lots import lots

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def how_many(players: int, seats: int) -> int:
    """Return the number of tables for `players`: full, or one seat fewer, never one player alone.

    Raise PlanError.
    """
    least = 2
    if players < least:
        raise PlanError("impossible", "too_few", n=players)
    return min(-(-players // seats), players // 2)


def sizes(players: int, tables: int) -> tuple[int, ...]:
    """Every table's size, the larger ones first; they differ by one at most."""
    each, more = divmod(players, tables)
    return tuple(each + (n < more) for n in range(tables))


def first(facts: Facts) -> Tables:
    """The first seating: everybody in the order of the lots. Raises PlanError."""
    order = iter(sorted(facts.present, key=lots(facts.seed, "seat", 1)))
    count = how_many(len(facts.present), facts.seats)
    return tuple(
        tuple(next(order) for _ in range(size)) for size in sizes(len(facts.present), count)
    )


def keep_seats(
    facts: Facts, places: Callable[[str], tuple[int, bytes]]
) -> tuple[Tables, tuple[str, ...]]:
    """The last round's tables with those who play on, and who of them sits there anew.

    While as many play as before, no table is opened or closed. A new table is the last one, and
    only the last ones are closed, so that nobody's number changes; one where somebody stays is
    kept. Who must make room is the first of a table by `places`, never one who stays; they, those
    of closed tables and late comers take the free seats in the order of the lots. Raises PlanError.
    """
    here = frozenset(facts.present)
    last = facts.rounds[-1].tables
    tables = [[name for name in table if name in here] for table in last]
    count = _tables_now(facts, tables)
    tables = [*tables[:count], *([] for _ in range(count - len(tables)))]
    wanted = _table_sizes(facts, tables)
    for table, size in zip(tables, wanted, strict=True):
        walkers = sorted((name for name in table if name not in facts.stay), key=places)
        if len(table) - len(walkers) > size:
            stay = len(table) - len(walkers)
            raise PlanError("impossible", "too_many_stay", n=stay, seats=size)
        for name in walkers[: max(0, len(table) - size)]:
            table.remove(name)
    seated = {name for table in tables for name in table}
    waiting = sorted(here - seated, key=lots(facts.seed, "seat", len(facts.rounds) + 1))
    new = iter(waiting)
    filled = tuple(
        (*table, *(next(new) for _ in range(size - len(table))))
        for table, size in zip(tables, wanted, strict=True)
    )
    return filled, tuple(waiting)


def _tables_now(facts: Facts, tables: Sequence[Sequence[str]]) -> int:
    """How many tables there are next. Raises PlanError."""
    before = sum(map(len, facts.rounds[-1].tables))
    fits = all(len(table) <= facts.seats for table in facts.rounds[-1].tables)
    players = len(facts.present)
    if players == before and fits and players // len(tables) > 1:
        return len(tables)
    staying = (n for n, table in enumerate(tables, 1) if facts.stay.intersection(table))
    count = max(how_many(players, facts.seats), *staying, 0)
    if players // count < min(2, players):
        raise PlanError("impossible", "alone")
    return count


def _table_sizes(facts: Facts, tables: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Every table's size: larger where more stay than fit elsewhere, then where more sit.

    So nobody has to make room while the same people play.
    """
    all_sizes = sizes(len(facts.present), len(tables))
    crowd = [
        (len(facts.stay.intersection(table)) <= all_sizes[-1], -len(table), n)
        for n, table in enumerate(tables)
    ]
    size_of = {n: size for (_, _, n), size in zip(sorted(crowd), all_sizes, strict=True)}
    return tuple(size_of[n] for n in range(len(tables)))
