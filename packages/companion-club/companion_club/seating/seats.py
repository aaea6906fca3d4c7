"""The number and sizes of the tables, and the seats after people join or leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion_club.seating.facts import SeatedTables, SeatingError, SeatingFacts
from companion_club.seating.lots import make_lot_function


def smallest_table_count(players: int, seats: int) -> int:
    """Return the smallest number of tables for `players` with at least two players at each table.

    `seats`: number of seats at a full table. If a player would otherwise sit alone, one table gets
    one player more than `seats`. Raise SeatingError for fewer than two players.
    """
    least = 2
    if players < least:
        raise SeatingError("impossible", "too_few", n=players)
    return min(-(-players // seats), players // 2)


def player_count_of_each_table(players: int, tables: int) -> tuple[int, ...]:
    """Return the number of players at each table, larger tables first; sizes differ by up to 1."""
    each, more = divmod(players, tables)
    return tuple(each + (n < more) for n in range(tables))


def first_round_seating(facts: SeatingFacts) -> SeatedTables:
    """Return the seating of round 1: tables filled in the order of the lots.

    Raise SeatingError for fewer than two players.
    """
    order = iter(sorted(facts.present_players, key=make_lot_function(facts.seed, "seat", 1)))
    count = smallest_table_count(len(facts.present_players), facts.seats)
    return tuple(
        tuple(next(order) for _ in range(size))
        for size in player_count_of_each_table(len(facts.present_players), count)
    )


def reseat_players(
    facts: SeatingFacts, places: Callable[[str], tuple[int, bytes]]
) -> tuple[SeatedTables, tuple[str, ...]]:
    """Return the last round's tables after people joined or left, and the newly seated players.

    If the number of players is unchanged since the last round, the number of tables is unchanged. A
    new table gets the next number. The tables with the highest numbers close, unless a player in
    `facts.stay` sits at such a table. If a table has too many players, the first player in the
    order `places` leaves the table. Players in `facts.stay` do not leave their tables. Players
    without a seat get the free seats in the order of the lots. Raise SeatingError if the players
    cannot be seated.
    """
    here = frozenset(facts.present_players)
    last = facts.rounds[-1].tables
    tables = [[name for name in table if name in here] for table in last]
    count = _tables_now(facts, tables)
    tables = [*tables[:count], *([] for _ in range(count - len(tables)))]
    wanted = _table_sizes(facts, tables)
    for table, size in zip(tables, wanted, strict=True):
        walkers = sorted((name for name in table if name not in facts.stay), key=places)
        if len(table) - len(walkers) > size:
            stay = len(table) - len(walkers)
            raise SeatingError("impossible", "too_many_stay", n=stay, seats=size)
        for name in walkers[: max(0, len(table) - size)]:
            table.remove(name)
    seated = {name for table in tables for name in table}
    waiting = sorted(
        here - seated, key=make_lot_function(facts.seed, "seat", len(facts.rounds) + 1)
    )
    new = iter(waiting)
    filled = tuple(
        (*table, *(next(new) for _ in range(size - len(table))))
        for table, size in zip(tables, wanted, strict=True)
    )
    return filled, tuple(waiting)


def _tables_now(facts: SeatingFacts, tables: Sequence[Sequence[str]]) -> int:
    before = sum(map(len, facts.rounds[-1].tables))
    fits = all(len(table) <= facts.seats for table in facts.rounds[-1].tables)
    players = len(facts.present_players)
    if players == before and fits and players // len(tables) > 1:
        return len(tables)
    staying = (n for n, table in enumerate(tables, 1) if facts.stay.intersection(table))
    count = max(smallest_table_count(players, facts.seats), *staying, 0)
    if players // count < min(2, players):
        raise SeatingError("impossible", "alone")
    return count


def _table_sizes(facts: SeatingFacts, tables: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the number of players at each table in the next round.

    The larger sizes go first to tables at which more players must stay (`facts.stay`) than the
    smallest size allows, and then to the fullest tables. As long as no player joins or leaves, no
    player has to make room.
    """
    all_sizes = player_count_of_each_table(len(facts.present_players), len(tables))
    crowd = [
        (len(facts.stay.intersection(table)) <= all_sizes[-1], -len(table), n)
        for n, table in enumerate(tables)
    ]
    size_of = {n: size for (_, _, n), size in zip(sorted(crowd), all_sizes, strict=True)}
    return tuple(size_of[n] for n in range(len(tables)))
