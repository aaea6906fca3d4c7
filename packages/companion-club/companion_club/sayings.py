"""Facts that people and boxes state about an evening, and the effect of a correction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from companion.core.names import appearance_key
from companion_club import topics
from companion_club.fold import Evening, fold_evening
from companion_club.seating.facts import MAX_ROUNDS
from companion_club.seating.plan import Reseating, list_moves
from companion_club.topics import Fact

if TYPE_CHECKING:
    from companion_club.known import KnownClaims


NEVER_PLAYED: Final = (MAX_ROUNDS, 1)
"""The rounds of a person who signed up and never played: they end before they begin."""


def make_rules(
    title: str,
    game: str,
    seed: str,
    rule: str = "progressive",
    games: int | None = 5,
    which_total: str = "game",
    seats: int = 4,
) -> dict[str, object]:
    """Return the rules of a new evening; `last` is the round after which the bell has rung."""
    return {
        "title": title, "game": game, "rule": rule, "games": games,
        "which_total": which_total, "seed": seed, "seats": seats, "last": None,
    }  # fmt: skip


def find_similar_name(claims: KnownClaims, name: str) -> str | None:
    """Return the signed-up name that looks like this one; None if there is none."""
    people = filter(None, map(topics.name_in, claims.heads))
    return next(
        (who for who in people if who != name and appearance_key(who) == appearance_key(name)), None
    )


def person_fact(since: int = 1, plays_for: str | None = None) -> dict[str, object]:
    """Return the fact that a person plays from a round on."""
    return {"here": [[since, None]], "stay": [], "plays_for": plays_for}


def leave_fact(fact: Fact, last: int) -> dict[str, object]:
    """Return the fact that a person leaves after round `last`.

    If the person has not played yet, the sign-up is cancelled, and a replaced player has the seat
    again.
    """
    here = _until(fact, last)
    return (
        {**fact, "here": here} if here else {**fact, "here": [[*NEVER_PLAYED]], "plays_for": None}
    )


def return_fact(fact: Fact, since: int) -> dict[str, object]:
    """Return the fact that a person who left plays again from round `since` on."""
    return {**fact, "here": [*_until(fact, since - 1), [since, None]]}


def _until(fact: Fact, last: int) -> list[list[int]]:
    """Return a person's rounds up to `last`."""
    return [[start, min(end or last, last)] for start, end in fact["here"] if start <= last]


def first_round(fact: Fact) -> int:
    """Return a person's first round."""
    return min(int(start) for start, _ in fact["here"])


def find_substitute(claims: KnownClaims, name: str) -> str | None:
    """Return the substitute of a person; None if there is none."""
    people = ((topics.name_in(topic), heads) for topic, heads in claims.heads.items())
    substitutes = (who for who, heads in people if who and heads[0].value["plays_for"] == name)
    return next(substitutes, None)


def stay_fact(fact: Fact, since: int) -> dict[str, object]:
    """Return the fact that a person keeps the table from round `since` on."""
    return {**fact, "stay": [*fact["stay"], [since, None]]}


def next_round(evening: Evening) -> int:
    """Return the first round that is not seated; round 1 until a result is in."""
    return len(evening.rounds) + 1 if has_begun(evening, 1) else 1


def has_begun(evening: Evening, number: int) -> bool:
    """Return True if a result of the round or of a later one is in."""
    return any(
        result is not None for each in evening.rounds[number - 1 :] for result in each.results
    )


def result_fact(
    points: Mapping[str, int], game: Mapping[str, Any] | None = None
) -> dict[str, object]:
    """Return the fact of a table's points; `game` is its record's proof, None if typed in."""
    return {"points": dict(points), "before": [], "game": None if game is None else dict(game)}


def correction_fact(
    claims: KnownClaims, number: int, table: int, points: Mapping[str, int], *, seats_too: bool
) -> dict[str, object]:
    """Return the fact that corrects a table's points.

    Seated rounds keep their seats unless `seats_too`; the old points are stored for them.
    """
    heads = claims.heads.get(topics.result_topic(number, table), ())
    if len({str(head.value["points"]) for head in heads}) != 1:
        return result_fact(points)  # nothing was counted, so there are no old points
    old = heads[0].value
    before, seated = old.get("before", []), len(fold_evening(claims).rounds)
    if seats_too or seated <= number:
        return {**result_fact(points), "before": before}
    old_points = {"to": seated, "points": old["points"]}
    is_kept = any(each["to"] == seated for each in before)
    return {**result_fact(points), "before": before if is_kept else [*before, old_points]}


def seat_changes(claims: KnownClaims, after: KnownClaims) -> tuple[Reseating, ...]:
    """Return the players who would change tables in the seated round if claims became `after`."""
    was, now = fold_evening(claims), fold_evening(after)
    if len(was.rounds) != len(now.rounds):
        return ()
    return list_moves(was.tables, now.tables)
