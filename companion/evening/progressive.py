"""The progressive game of the Probe sheet (PR-17), for any number of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening import seats
from companion.evening.lots import lots

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.evening.facts import Facts, Tables

PAIR = 2


def tables(facts: Facts, totals: Mapping[str, int]) -> Tables:
    """The next seating: the first of each table to the next one, the second to the one before.

    Who stays, and who sits there anew, is passed over; the next in rank goes instead. Who leads a
    table with a seat too many has left it already. A table with nobody to send gets nobody. While a
    table has two players every table sends one. Raises PlanError.
    """
    rank = _rank(facts, totals)
    base, anew = seats.kept(facts, rank)
    fixed = facts.stay | anew
    walkers = [sorted((n for n in table if n not in fixed), key=rank) for table in base]
    ways = (1,) if min(map(len, base)) <= PAIR else (1, -1)
    last = (*facts.rounds[-1].tables, *((),) * len(base))
    gone = [len({*before}.intersection(facts.present).difference(table))
            for before, table in zip(last, base, strict=False)]  # fmt: skip
    to: dict[str, int] = {}
    for place, way in enumerate(ways):
        ring = [n for n, ranked in enumerate(walkers) if gone[n] <= place < gone[n] + len(ranked)]
        for at, n in enumerate(ring):
            to[walkers[n][place - gone[n]]] = ring[(at + way) % len(ring)]
    return _moved(base, to)


def _rank(facts: Facts, totals: Mapping[str, int]) -> Callable[[str], tuple[int, bytes]]:
    """Where a player stands: the most points first, equals by lot; newcomers last."""
    results = facts.rounds[-1].results
    game = {name: points for result in results for name, points in (result or {}).items()}
    counts = game if facts.which_total == "game" else totals
    lot = lots(facts.seed, "move", len(facts.rounds) + 1)
    return lambda name: (-counts.get(name, 0), lot(name))


def _moved(base: Sequence[Sequence[str]], to: Mapping[str, int]) -> Tables:
    """Those who keep their seats first, then those who come, in the order of their old tables."""
    come: list[list[str]] = [[] for _ in base]
    for n, table in enumerate(base):
        for name in table:
            if name in to and to[name] != n:
                come[to[name]].append(name)
    return tuple(
        (*(name for name in table if to.get(name, n) == n), *come[n])
        for n, table in enumerate(base)
    )
