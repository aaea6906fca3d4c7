"""The facts that people and boxes say of an evening, and what a correction would change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.core.names import appearance_key
from companion_club import topics
from companion_club.fold import fold
from companion_club.seating.facts import MOST_ROUNDS
from companion_club.seating.plan import list_moves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion_club.fold import Evening
    from companion_club.known import Known
    from companion_club.seating.plan import Reseating
    from companion_club.topics import Fact


NEVER: Final = (MOST_ROUNDS, 1)
"""The rounds of whoever signed up and never played: they end before they begin."""


def rules(
    title: str,
    game: str,
    seed: str,
    rule: str = "progressive",
    games: int | None = 5,
    which_total: str = "game",
    seats: int = 4,
) -> dict[str, object]:
    """What whoever opens the evening says; `last` is the round after which the bell has rung."""
    return {
        "title": title, "game": game, "rule": rule, "games": games,
        "which_total": which_total, "seed": seed, "seats": seats, "last": None,
    }  # fmt: skip


def like(known: Known, name: str) -> str | None:
    """Who signed up already with another name that looks like this one; None if nobody did."""
    people = filter(None, map(topics.name_in, known.heads))
    return next(
        (who for who in people if who != name and appearance_key(who) == appearance_key(name)), None
    )


def person(since: int = 1, plays_for: str | None = None) -> dict[str, object]:
    """Somebody signs up, for a round and all after it."""
    return {"here": [[since, None]], "stay": [], "plays_for": plays_for}


def end_stay(fact: Fact, last: int) -> dict[str, object]:
    """Somebody goes home after round `last`; who was to come later is as if never signed up.

    Then the one who was to be replaced has the seat again.
    """
    here = _until(fact, last)
    return {**fact, "here": here} if here else {**fact, "here": [[*NEVER]], "plays_for": None}


def back(fact: Fact, since: int) -> dict[str, object]:
    """Somebody who went comes back for round `since` and all after it."""
    return {**fact, "here": [*_until(fact, since - 1), [since, None]]}


def _until(fact: Fact, last: int) -> list[list[int]]:
    """Somebody's rounds up to that one."""
    return [[start, min(end or last, last)] for start, end in fact["here"] if start <= last]


def since(fact: Fact) -> int:
    """Somebody's first round."""
    return min(int(start) for start, _ in fact["here"])


def deputy(known: Known, name: str) -> str | None:
    """Who plays on for somebody; None if nobody does."""
    people = ((topics.name_in(topic), heads) for topic, heads in known.heads.items())
    found = (who for who, heads in people if who and heads[0].value["plays_for"] == name)
    return next(found, None)


def staying(fact: Fact, since: int) -> dict[str, object]:
    """Somebody keeps the table from round `since` on."""
    return {**fact, "stay": [*fact["stay"], [since, None]]}


def next_round(evening: Evening) -> int:
    """The first round whose seats nobody has taken: the first one until a result is in."""
    return len(evening.rounds) + 1 if has_begun(evening, 1) else 1


def has_begun(evening: Evening, number: int) -> bool:
    """Whether a result of a round is in, or of a later one."""
    return any(
        result is not None for each in evening.rounds[number - 1 :] for result in each.results
    )


def result(points: Mapping[str, int], game: Mapping[str, Any] | None = None) -> dict[str, object]:
    """A table's points; `game` is what the box's record has of it, None if it was typed in."""
    return {"points": dict(points), "before": [], "game": None if game is None else dict(game)}


def correction(
    known: Known, number: int, table: int, points: Mapping[str, int], *, seats_too: bool
) -> dict[str, object]:
    """Other points for a table. The seats of a round that was seated stay, unless `seats_too`.

    What stood before is kept for them.
    """
    heads = known.heads.get(topics.result(number, table), ())
    if len({str(head.value["points"]) for head in heads}) != 1:
        return result(points)  # nothing was counted: there is nothing to keep
    old = heads[0].value
    before, seated = old.get("before", []), len(fold(known).rounds)
    if seats_too or seated <= number:
        return {**result(points), "before": before}
    kept = {"to": seated, "points": old["points"]}
    is_kept = any(each["to"] == seated for each in before)
    return {**result(points), "before": before if is_kept else [*before, kept]}


def seat_changes(known: Known, after: Known) -> tuple[Reseating, ...]:
    """Who would sit elsewhere in the round that is seated now: shown before it is said."""
    was, now = fold(known), fold(after)
    if len(was.rounds) != len(now.rounds):
        return ()
    return list_moves(was.tables, now.tables)
