"""The seating rule "progressive" from the printed rules of Probe (PR-17)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion_club.seating import seats
from companion_club.seating.facts import SeatedTables, SeatingFacts
from companion_club.seating.lots import make_lot_function

PAIR_SIZE = 2


class MovingPlayer(NamedTuple):
    """A player who moves to another table; `table` is the old table's number, from 0."""

    name: str
    table: int


class PlayerRotation(NamedTuple):
    """A rotation: each player moves to the table of the next player in `walkers`.

    The last player in `walkers` moves to the table of the first player.

    `direction`: 1 if players move to higher table numbers, -1 if players move to lower numbers.
    """

    direction: int
    walkers: tuple[MovingPlayer, ...]


def progressive_seating(facts: SeatingFacts, totals: Mapping[str, int]) -> SeatedTables:
    """Return the next seating: at each table, the best player moves up, the second best moves down.

    Up is the next higher table number, and from the last table, the first table. A player who must
    stay or who is newly seated does not move; the next best player moves instead. A player who
    leaves a table because the table becomes smaller counts as moved. If no player leaves a table,
    no player comes to this table. If a table has only two players, only the best player of every
    table moves. Raise SeatingError if the remaining players cannot be seated.
    """
    rank = _rank(facts, totals)
    base, new = seats.reseat_players(facts, rank)
    fixed = facts.stay.union(new)
    walkers = [sorted((n for n in table if n not in fixed), key=rank) for table in base]
    ways = (1,) if min(map(len, base)) <= PAIR_SIZE else (1, -1)
    last = (*facts.rounds[-1].tables, *((),) * len(base))
    present = frozenset(facts.present_players)
    gone = [len(present.intersection(before).difference(table))
            for before, table in zip(last, base, strict=False)]  # fmt: skip
    rings = [_ring(way, place, walkers, gone) for place, way in enumerate(ways)]
    if len(rings) > 1:
        rings = _join_rings(rings[0], rings[1], len(base))
    goals = {walker.name: goal for ring in rings for walker, goal in _goals(ring)}
    alone = [ring.walkers[0] for ring in rings if len(ring.walkers) == 1]
    goals |= _swap_walkers(alone, base, new, last)
    for walker in alone:
        ranked = walkers[walker.table]
        goals = _order_goals(goals, ranked[ranked.index(walker.name) :])
    return _move_players(base, goals)


def _ring(
    way: int, place: int, walkers: Sequence[Sequence[str]], gone: Sequence[int]
) -> PlayerRotation:
    """Return the rotation of the players with the rank `place` (from 0) at their tables.

    `gone`: for each table, the number of players who have already left the table to make room.
    """
    ring_walkers = [
        MovingPlayer(ranked[place - gone[n]], n)
        for n, ranked in enumerate(walkers)
        if gone[n] <= place < gone[n] + len(ranked)
    ]
    return PlayerRotation(way, tuple(ring_walkers[::way]))


def _goals(ring: PlayerRotation) -> list[tuple[MovingPlayer, int]]:
    following = ring.walkers[1:] + ring.walkers[:1]
    return [
        (walker, other.table)
        for walker, other in zip(ring.walkers, following, strict=True)
        if walker != other
    ]


def _join_rings(first: PlayerRotation, second: PlayerRotation, count: int) -> list[PlayerRotation]:
    """Return both rotations, or a single rotation with the players of both rotations.

    If one rotation has only one player, this player joins the other rotation if possible.

    `count`: number of tables.
    """
    for alone, other in ((first, second), (second, first)):
        if len(alone.walkers) == 1 and (ring := _with(other, alone.walkers[0], count)):
            return [ring]
    return [first, second]


def _with(ring: PlayerRotation, alone: MovingPlayer, count: int) -> PlayerRotation | None:
    """Return `ring` with the player `alone`, who moves against the direction of `ring`.

    The goal is the nearest player of `ring` at another table. The player `alone` moves to the table
    of the goal. The player of `ring` who would move to this table moves to the table of `alone`
    instead. Return None if `ring` has too few players.

    `count`: number of tables.
    """
    others = [walker for walker in ring.walkers if walker.table != alone.table]
    if len(others) < (PAIR_SIZE if len(others) < len(ring.walkers) else 1):
        return None
    goal = min(others, key=lambda walker: ring.direction * (alone.table - walker.table) % count)
    at = ring.walkers.index(goal)
    return PlayerRotation(ring.direction, (*ring.walkers[:at], alone, *ring.walkers[at:]))


def _swap_walkers(
    alone: Sequence[MovingPlayer], base: SeatedTables, new: Sequence[str], last: SeatedTables
) -> dict[str, int]:
    """Return a table from each swapping player's name to the number of the next table.

    Each player in `alone` swaps with the first player in `new` who meets two conditions. The player
    in `new` now sits at another table, and did not sit at the table of the player in `alone` in the
    last round.
    """
    seat_of = {name: n for n, table in enumerate(base) for name in table}
    goals: dict[str, int] = {}
    for walker in alone:
        for name in new:
            is_elsewhere = seat_of[name] != walker.table and name not in last[walker.table]
            if is_elsewhere and name not in goals:
                goals |= {walker.name: seat_of[name], name: walker.table}
                break
    return goals


def _order_goals(goals: Mapping[str, int], ranked: Sequence[str]) -> dict[str, int]:
    lower = next((name for name in ranked[1:] if name in goals), None)
    if ranked[0] in goals or lower is None:
        return {**goals}
    return {ranked[0] if name == lower else name: goal for name, goal in goals.items()}


def _rank(facts: SeatingFacts, totals: Mapping[str, int]) -> Callable[[str], tuple[int, bytes]]:
    results = facts.rounds[-1].results
    game = {name: points for result in results for name, points in (result or {}).items()}
    counts = game if facts.which_total == "game" else totals
    lot = make_lot_function(facts.seed, "move", len(facts.rounds) + 1)
    return lambda name: (-counts.get(name, 0), lot(name))


def _move_players(base: Sequence[Sequence[str]], to: Mapping[str, int]) -> SeatedTables:
    come: list[list[str]] = [[] for _ in base]
    for n, table in enumerate(base):
        for name in table:
            if name in to and to[name] != n:
                come[to[name]].append(name)
    return tuple(
        (*(name for name in table if to.get(name, n) == n), *come[n])
        for n, table in enumerate(base)
    )
