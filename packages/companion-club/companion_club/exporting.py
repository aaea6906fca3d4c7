"""Export of an evening for other programs: as JSON data, and as rows for CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from companion.door.lines import Message
from companion_club import topics
from companion_club.words import english_error_text

if TYPE_CHECKING:
    from companion_club.claims import Claim
    from companion_club.current_claims import CurrentClaims
    from companion_club.evening_state import EveningConflict, EveningState

CSV_COLUMNS: Final = ("round", "table", "player", "points", "source")
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t")
"""If a cell begins with one of these characters, a spreadsheet reads the cell as a formula."""


def result_sources(claims: CurrentClaims) -> dict[tuple[int, int], str]:
    """Return the source of each result, `box`, `typed` or `code`, by round and table."""
    sources = {}
    for topic, heads in claims.heads.items():
        place = topics.round_and_table_in_topic(topic)
        if place is not None and heads:
            games = [head.parsed_fact.get("game") for head in heads]
            boxes = any(isinstance(game, dict) and "slip" not in game for game in games)
            sources[place] = "box" if boxes else "code" if any(games) else "typed"
    return sources


def conflict_data(conflict: EveningConflict) -> Message:
    """Return a contradiction as data: its cause `why`, its place, and the claim of each box.

    The place of a contradiction is a round and a table, or a person's name. The fields `round`,
    `table` and `name` are None if the contradiction is about the rules.
    """
    number, table = topics.round_and_table_in_topic(conflict.topic) or (None, None)
    claims = [{"box": c.box, "n": c.revision, "fact": claim_text(c)} for c in conflict.claims]
    return {"why": conflict.why, "round": number, "table": table,
            "name": topics.person_in_topic(conflict.topic), "claims": claims}  # fmt: skip


def claim_text(claim: Claim) -> str:
    """Return a claim as text for people: points as "Ada 12, Bob 7", other facts as JSON."""
    points = claim.parsed_fact.get("points")
    if not isinstance(points, dict):
        return claim.fact
    return ", ".join(f"{who} {score}" for who, score in points.items())


def seating_problem_text(evening: EveningState) -> str:
    """Return the English text of the error that prevents the next seating; "" without an error."""
    return english_error_text(evening.problem) if evening.problem else ""


def list_standings(evening: EveningState) -> list[tuple[int, str, int]]:
    """Return the standings as rows of place, name and total; equal totals share a place."""
    return rank_players(evening.totals)


def rank_players(totals: Mapping[str, int]) -> list[tuple[int, str, int]]:
    """Return rows of place, name and total, highest total first; equal totals share a place."""
    order = sorted(totals.items(), key=lambda item: -item[1])
    values = [total for _, total in order]
    return [(values.index(total) + 1, name, total) for name, total in order]


def result_rows_of_players(evening: EveningState, claims: CurrentClaims) -> Iterator[Message]:
    """Yield a row for each player in each round: table, points, and source of the points."""
    origin = result_sources(claims)
    for number, each in enumerate(evening.rounds, 1):
        for table, (names, points) in enumerate(zip(each.tables, each.results, strict=True), 1):
            for name in names:
                own_points = None if points is None else points[name]
                source = "" if points is None else origin.get((number, table), "box")
                yield {"round": number, "table": table, "player": name, "points": own_points,
                       "source": source}  # fmt: skip


def results_as_csv(evening: EveningState, claims: CurrentClaims) -> str:
    """Return all results of an evening as CSV text."""
    return rows_as_formula_safe_csv(result_rows_of_players(evening, claims))


def rows_as_formula_safe_csv(rows: Iterable[Mapping[str, object]]) -> str:
    """Return rows as CSV text, with a quote before names that a spreadsheet reads as formulas."""
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        name = str(row["player"])
        writer.writerow({**row, "player": f"'{name}" if name.startswith(FORMULA_STARTS) else name})
    return out.getvalue()


def evening_as_json_object(evening: EveningState, claims: CurrentClaims) -> Message:
    """Return the whole evening as a JSON object, with rules, tables, totals and results."""
    return {
        "rules": None if evening.rules is None else dict(evening.rules),
        "round": len(evening.rounds),
        "tables": [[*table] for table in evening.current_round_tables],
        "waiting": [*evening.tables_without_result],
        "totals": dict(evening.totals),
        "leaders": [*evening.leaders],
        "over": evening.over,
        "problem": seating_problem_text(evening),
        "conflicts": [conflict_data(conflict) for conflict in evening.conflicts],
        "results": [*result_rows_of_players(evening, claims)],
    }
