"""The plan of the next round: seats, moves and totals, computed from facts alone.

The module uses no clock and no network. All boxes and commands call `plan_next_seating`, so their
plans agree.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from companion_club.seating import progressive, schedules, seats
from companion_club.seating.facts import (
    MAX_FACTS_BYTES,
    SeatedTables,
    SeatingError,
    SeatingFacts,
    parse_seating_facts,
)

SEATING_FUNCTIONS: Final[
    Mapping[str, Callable[[SeatingFacts, Mapping[str, int]], SeatedTables]]
] = {
    "progressive": progressive.progressive_seating,
    "swiss": schedules.swiss_seating,
    "round_robin": schedules.round_robin_seating,
}


class TableMove(NamedTuple):
    """The move of a player from table `origin` to table `to`, both numbered from 1."""

    who: str
    origin: int
    to: int


class SeatingPlan(NamedTuple):
    """The seating of round `number`, with all totals.

    After the end of the evening, `number` is the last round, and `tables` is empty.
    """

    number: int
    tables: SeatedTables
    moves: tuple[TableMove, ...]
    totals: Mapping[str, int]
    leaders: tuple[str, ...]
    over: bool

    def as_json_value(self) -> dict[str, Any]:
        """Return the plan in the JSON format that `companion evening plan` prints."""
        return {
            "round": self.number,
            "tables": [[*table] for table in self.tables],
            "moves": [{"who": move.who, "from": move.origin, "to": move.to} for move in self.moves],
            "totals": dict(self.totals),
            "leaders": [*self.leaders],
            "over": self.over,
        }


def plan_next_seating(facts: SeatingFacts) -> SeatingPlan:
    """Return the plan of the next round (PR-17).

    Raise SeatingError if a result is missing, or if no seating is possible.
    """
    _all_in(facts)
    totals = compute_total_points(facts)
    leaders = _leaders(facts, totals)
    played = len(facts.rounds)
    if facts.games is not None and played > facts.games:
        raise SeatingError("impossible", "over", n=played, games=facts.games)
    if played == facts.games or (facts.bell and played):
        return SeatingPlan(played, (), (), totals, leaders, over=True)
    if not facts.rounds:
        return SeatingPlan(1, seats.first_round_seating(facts), (), totals, leaders, over=False)
    tables = SEATING_FUNCTIONS[facts.rule](facts, totals)
    moves = list_table_moves(facts.rounds[-1].tables, tables)
    return SeatingPlan(played + 1, tables, moves, totals, leaders, over=False)


def main(english: Callable[[SeatingError], str]) -> int:
    """Read facts as JSON from standard input, and print the next seating as JSON.

    Return the exit status: 0, or 1 if an error was printed. english: function that returns the
    English text of an error.
    """
    try:
        reply = plan_next_seating(
            parse_seating_facts(sys.stdin.buffer.read(MAX_FACTS_BYTES + 1))
        ).as_json_value()
    except SeatingError as error:
        reply = {"error": error.code, "message": english(error)}
    sys.stdout.write(f"{json.dumps(reply, ensure_ascii=False)}\n")
    return 1 if "error" in reply else 0


def compute_total_points(facts: SeatingFacts) -> dict[str, int]:
    """Return the total points of all players, also of players who left, in order of signing up."""
    totals = dict.fromkeys(facts.players, 0)
    for each in facts.rounds:
        for result in each.results:
            for name, points in (result or {}).items():
                totals[name] += points
    return totals


def list_table_moves(before: SeatedTables, after: SeatedTables) -> tuple[TableMove, ...]:
    """Return the moves of all players who change tables, ordered by the new tables."""
    was = {name: n for n, table in enumerate(before, 1) for name in table}
    return tuple(
        TableMove(name, was[name], n)
        for n, table in enumerate(after, 1)
        for name in table
        if was.get(name, n) != n
    )


def _all_in(facts: SeatingFacts) -> None:
    for number, each in enumerate(facts.rounds, 1):
        for n, result in enumerate(each.results, 1):
            if result is None:
                raise SeatingError("missing_result", "missing_result", n=number, table=n)


def _leaders(facts: SeatingFacts, totals: Mapping[str, int]) -> tuple[str, ...]:
    most = max(totals.values(), default=0)
    return tuple(name for name, total in totals.items() if facts.rounds and total == most)
