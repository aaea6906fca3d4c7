"""Functions that create the facts about an evening, and compute the effect of a correction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core.name_comparison import appearance_key
from companion_club import topics
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import EveningState, compute_evening_state
from companion_club.seating.facts import MAX_ROUNDS
from companion_club.seating.plan import TableMove, list_table_moves
from companion_club.topics import Fact

NEVER_PLAYED_SPAN: Final = (MAX_ROUNDS, 1)
"""First and last round of a person who signed up and left before playing: an empty range."""


def new_evening_rules(
    title: str,
    game: str,
    seed: str,
    rule: str = "progressive",
    games: int | None = 5,
    which_total: str = "game",
    seats: int = 4,
) -> dict[str, object]:
    """Return the fact with the rules of a new evening.

    In the new rules, the last round `last` is None, because the bell has not rung yet.

    - `games`: number of rounds, or None if the number is open.
    - `seats`: number of seats at a full table.
    """
    return {
        "title": title, "game": game, "rule": rule, "games": games,
        "which_total": which_total, "seed": seed, "seats": seats, "last": None,
    }  # fmt: skip


def find_similar_signed_up_name(claims: CurrentClaims, name: str) -> str | None:
    """Return a different signed-up name that looks like `name`; None if no such name exists."""
    people = filter(None, map(topics.person_in_topic, claims.heads))
    return next(
        (who for who in people if who != name and appearance_key(who) == appearance_key(name)), None
    )


def person_plays_from_round_fact(since: int = 1, plays_for: str | None = None) -> dict[str, object]:
    """Return the fact that a person plays from round `since` on.

    `plays_for`: the player whom the person replaces, or None.
    """
    return {"here": [[since, None]], "stay": [], "plays_for": plays_for}


def leave_fact(fact: Fact, last: int) -> dict[str, object]:
    """Return the fact that a person leaves after round `last`.

    If the person's first round is after `last`, the fact cancels the sign-up. If the person was a
    substitute, the replaced player gets the seat back.
    """
    here = _until(fact, last)
    return (
        {**fact, "here": here}
        if here
        else {**fact, "here": [[*NEVER_PLAYED_SPAN]], "plays_for": None}
    )


def rejoin_fact(fact: Fact, since: int) -> dict[str, object]:
    """Return the fact that a person who had left plays again from round `since` on."""
    return {**fact, "here": [*_until(fact, since - 1), [since, None]]}


def _until(fact: Fact, last: int) -> list[list[int]]:
    return [[start, min(end or last, last)] for start, end in fact["here"] if start <= last]


def person_first_round(fact: Fact) -> int:
    """Return the number of the first round that a person plays."""
    return min(int(start) for start, _ in fact["here"])


def find_stand_in(claims: CurrentClaims, name: str) -> str | None:
    """Return the name of the substitute for the person `name`; None if there is no substitute."""
    people = ((topics.person_in_topic(topic), heads) for topic, heads in claims.heads.items())
    substitutes = (
        who for who, heads in people if who and heads[0].parsed_fact["plays_for"] == name
    )
    return next(substitutes, None)


def keep_table_fact(fact: Fact, since: int) -> dict[str, object]:
    """Return the fact that a person stays at one table from round `since` on."""
    return {**fact, "stay": [*fact["stay"], [since, None]]}


def next_round_number(evening: EveningState) -> int:
    """Return the number of the next round, or 1 as long as no result of the evening is known."""
    return len(evening.rounds) + 1 if has_results_from_round_on(evening, 1) else 1


def has_results_from_round_on(evening: EveningState, number: int) -> bool:
    """Return True if a result of round `number` or of a later round is known."""
    return any(
        result is not None for each in evening.rounds[number - 1 :] for result in each.results
    )


def result_fact(
    points: Mapping[str, int], game: Mapping[str, Any] | None = None
) -> dict[str, object]:
    """Return the fact with a table's points.

    `game`: the proof of a recorded game, or None if people typed the points.
    """
    return {"points": dict(points), "before": [], "game": None if game is None else dict(game)}


def points_correction_fact(
    claims: CurrentClaims, number: int, table: int, points: Mapping[str, int], *, seats_too: bool
) -> dict[str, object]:
    """Return the fact that corrects a table's points in round `number`.

    The fact also contains the old points, from which the seats of the current round were computed.
    The players therefore keep their present seats. If `seats_too` is True, the seats of the current
    round are computed again, from the corrected points.
    """
    heads = claims.heads.get(topics.result_topic(number, table), ())
    if len({str(head.parsed_fact["points"]) for head in heads}) != 1:
        return result_fact(points)  # boxes claim different old points, so omit the old points
    old = heads[0].parsed_fact
    before, seated = old.get("before", []), len(compute_evening_state(claims).rounds)
    if seats_too or seated <= number:
        return {**result_fact(points), "before": before}
    old_points = {"to": seated, "points": old["points"]}
    is_kept = any(each["to"] == seated for each in before)
    return {**result_fact(points), "before": before if is_kept else [*before, old_points]}


def players_changing_tables(claims: CurrentClaims, after: CurrentClaims) -> tuple[TableMove, ...]:
    """Return the moves of players in the current round if the claims `after` replace `claims`."""
    was, now = compute_evening_state(claims), compute_evening_state(after)
    if len(was.rounds) != len(now.rounds):
        return ()
    return list_table_moves(was.current_round_tables, now.current_round_tables)
