"""Wrong rules of the progressive game (PR-17)."""

from __future__ import annotations

from typing import Final

from tests.mutants import Mutant

MUTANTS: Final = (
    Mutant(
        "PR-17",
        "the second of a table goes to the next one, too",
        "ways = (1,) if min(map(len, base)) <= PAIR_SIZE else (1, -1)",
        "ways = (1,) if min(map(len, base)) <= PAIR_SIZE else (1, 1)",
    ),
    Mutant(
        "PR-17",
        "tables of two change both, so that pairs never meet others",
        "ways = (1,) if min(map(len, base)) <= PAIR_SIZE else (1, -1)",
        "ways = (1, -1)",
    ),
    Mutant(
        "PR-17",
        "the two with the fewest points move",
        "(-counts.get(name, 0), lot(name))",
        "(counts.get(name, 0), lot(name))",
    ),
    Mutant(
        "PR-17",
        "the carried total always decides who moves",
        'counts = game if facts.which_total == "game" else totals',
        "counts = totals",
    ),
    Mutant(
        "PR-17",
        "this game's points always decide who moves",
        'counts = game if facts.which_total == "game" else totals',
        "counts = game",
    ),
    Mutant(
        "PR-17",
        "of equals the one with the lower name moves, not the lower lot",
        "(-counts.get(name, 0), lot(name))",
        "(-counts.get(name, 0), name.encode())",
    ),
    Mutant(
        "PR-17",
        "who cannot walk has to move",
        "fixed = facts.stay.union(new)",
        "fixed = {*new}",
    ),
    Mutant(
        "PR-17",
        "who has just come moves on at once",
        "fixed = facts.stay.union(new)",
        "fixed = facts.stay",
    ),
    Mutant(
        "PR-17",
        "the bell ends nothing",
        "if played == facts.games or (facts.bell and played):",
        "if played == facts.games:",
    ),
    Mutant(
        "PR-17",
        "there are fewer tables than the people need",
        "return min(-(-players // seats), players // 2)",
        "return max(1, min(players // seats, players // 2))",
    ),
    Mutant(
        "PR-17",
        "one table is larger than the others by more than one",
        "tuple(each + (n < more) for n in range(tables))",
        "tuple(each + (n == 0) * more for n in range(tables))",
    ),
    Mutant(
        "PR-17",
        "a table where somebody stays grows, and draws a third player from another one",
        "len(facts.stay.intersection(table)) <= all_sizes[-1]",
        "-len(facts.stay.intersection(table))",
    ),
    Mutant(
        "PR-17",
        "the last of a table makes room, and two more leave it",
        "walkers[: max(0, len(table) - size)]",
        "walkers[len(walkers) - max(0, len(table) - size) :]",
    ),
    Mutant(
        "PR-17",
        "who is the only one to go one way keeps the seat",
        "rings = _join_rings(rings[0], rings[1], len(base))",
        "pass",
    ),
    Mutant(
        "PR-17",
        "nobody changes places with somebody newly seated",
        "goals |= _swap_walkers(alone, base, new, last)",
        "pass",
    ),
    Mutant(
        "PR-17",
        "nobody carries a total into the next game",
        "totals[name] += points",
        "totals[name] = points",
    ),
)
