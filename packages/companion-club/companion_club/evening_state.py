"""The state of an evening, computed from the newest claims.

Boxes with the same claims compute the same state. The computation does not depend on a leading box
or on a clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from companion_club import topics
from companion_club.claims import Claim, ClaimHeads
from companion_club.current_claims import CurrentClaims
from companion_club.seating.facts import RoundWithResults, SeatedTables, SeatingError, SeatingFacts
from companion_club.seating.plan import compute_total_points, plan_next_seating
from companion_club.topics import Fact


class EveningConflict(NamedTuple):
    """A contradiction that people must resolve.

    `why` is one of these words:
    - "claims": boxes claim different facts.
    - "strangers": a result names players who did not sit at the result's table.
    - "no_table": the table of a result does not exist.
    """

    topic: str
    why: str
    claims: ClaimHeads


class EveningState(NamedTuple):
    """The state of an evening, computed from claims.

    - `rules`: the fact about the rules, or None before the evening is open.
    - `rounds`: all rounds that have seats; the last round can still be in play.
    - `totals`: each player's points in all rounds.
    - `leaders`: the players with the highest total.
    - `tables_without_result`: numbers (from 1) of the last round's tables without a result.
    - `conflicts`: contradictions that people must resolve.
    - `over` is True if all rounds have been played.
    - `problem`: the error that prevents the next seating, or None.
    """

    rules: Fact | None = None
    rounds: tuple[RoundWithResults, ...] = ()
    totals: Mapping[str, int] = {}
    leaders: tuple[str, ...] = ()
    tables_without_result: tuple[int, ...] = ()
    conflicts: tuple[EveningConflict, ...] = ()
    over: bool = False
    problem: SeatingError | None = None

    @property
    def current_round_tables(self) -> SeatedTables:
        """Return the tables of the current round, each with its players.

        Return () before the first round and after the end of the evening.
        """
        return self.rounds[-1].tables if self.rounds and not self.over else ()


class _Person(NamedTuple):
    name: str
    here: tuple[tuple[int, int | None], ...]
    stay: tuple[tuple[int, int | None], ...]
    plays_for: str | None

    @property
    def first_round(self) -> int:
        return min(start for start, _ in self.here)

    def plays_in_round(self, number: int) -> bool:
        return _within(self.here, number)

    def stays_in_round(self, number: int) -> bool:
        return _within(self.stay, number)


class CachedUncorrectedRound(NamedTuple):
    """A cached round without corrections.

    `deputies`: table from each replaced player to the substitute in the cached round. If a
    substitute has changed, the cached round is not valid.
    """

    deputies: Mapping[str, str]
    round: RoundWithResults


def compute_evening_state(claims: CurrentClaims) -> EveningState:
    """Return the state of the evening as computed from all known claims."""
    conflicts = [
        EveningConflict(topic, "claims", heads)
        for topic, heads in sorted(claims.heads.items())
        if not topics.round_and_table_in_topic(topic) and len({head.fact for head in heads}) > 1
    ]
    opened = claims.heads.get("rules", ())
    if not opened or conflicts:
        return EveningState(conflicts=tuple(conflicts))
    rules = topics.rules_with_short_titles(opened[0].parsed_fact)
    people = tuple(
        _person(name, heads[0])
        for topic, heads in sorted(claims.heads.items())
        if (name := topics.person_in_topic(topic)) is not None
    )
    if (problem := _substitutes(people)) is not None:
        return EveningState(rules, problem=problem)
    return _play_rounds(rules, people, claims)


def _substitutes(people: tuple[_Person, ...]) -> SeatingError | None:
    names = {person.name for person in people}
    replaced = Counter(person.plays_for for person in people if person.plays_for is not None)
    for name, times in sorted(replaced.items()):
        if times > 1:
            return SeatingError("two_seats", "two_substitutes", n=times, name=name)
        if name not in names:
            return SeatingError("unknown_player", "no_substitute", name=name)
    return None


def _play_rounds(rules: Fact, people: tuple[_Person, ...], claims: CurrentClaims) -> EveningState:
    seated: list[SeatedTables] = []
    conflicts: list[EveningConflict] = []
    waiting: tuple[int, ...] = ()
    settled: dict[int, CachedUncorrectedRound] = {}
    while not waiting:
        number = len(seated) + 1
        facts = _facts(rules, people, claims, seated, number, settled)
        try:
            seating = plan_next_seating(facts)
        except SeatingError as error:
            return _with_results(rules, people, claims, seated, conflicts=tuple(conflicts),
                         problem=error)  # fmt: skip
        if seating.over:
            break
        seated.append(seating.tables)
        for n, table in enumerate(seating.tables, 1):
            heads = claims.heads.get(topics.result_topic(number, n), ())
            if (conflict := _conflict(topics.result_topic(number, n), heads, table)) is not None:
                conflicts.append(conflict)
        results = [
            _result(claims, number, n, table, None) for n, table in enumerate(seating.tables, 1)
        ]
        waiting = tuple(n for n, result in enumerate(results, 1) if result is None)
    conflicts += _of_no_table(claims, seated)
    return _with_results(
        rules, people, claims, seated,
        tables_without_result=waiting, conflicts=tuple(conflicts), over=not waiting,
    )  # fmt: skip


def _with_results(
    rules: Fact,
    people: tuple[_Person, ...],
    claims: CurrentClaims,
    seated: list[SeatedTables],
    **more: Any,
) -> EveningState:
    facts = _facts(rules, people, claims, seated, None)
    totals = compute_total_points(facts)
    most = max(totals.values(), default=0)
    any_in = any(result is not None for each in facts.rounds for result in each.results)
    leaders = tuple(name for name, total in totals.items() if any_in and total == most)
    return EveningState(rules, facts.rounds, totals, leaders, **more)


def _facts(
    rules: Fact,
    people: tuple[_Person, ...],
    claims: CurrentClaims,
    seated: list[SeatedTables],
    number: int | None,
    settled: dict[int, CachedUncorrectedRound] | None = None,
) -> SeatingFacts:
    """Return the facts from which the seats of round `number` were computed.

    If `number` is None, return the present facts. Otherwise, the facts contain only results that
    were known when round `number` was seated. In all rounds, a substitute's name replaces the name
    of the replaced player. `settled` caches rounds without corrections, by round number.
    """
    last = len(seated) if number is None else number
    deputies = {
        person.plays_for: person.name
        for person in people
        if person.plays_for is not None and person.first_round <= last
    }
    there = tuple(
        person for person in people if person.first_round <= last and person.name not in deputies
    )
    rounds = tuple(
        _round(claims, n, tables, deputies, number, {} if settled is None else settled)
        for n, tables in enumerate(seated, 1)
    )
    return SeatingFacts(
        rule=rules["rule"],
        games=rules["games"],
        which_total=rules["which_total"],
        players=tuple(person.name for person in there),
        seed=rules["seed"],
        rounds=rounds,
        stay=frozenset(person.name for person in there if person.stays_in_round(last)),
        left=frozenset(person.name for person in there if not person.plays_in_round(last)),
        seats=rules["seats"],
        bell=rules["last"] is not None and len(seated) >= rules["last"],
    )


def _round(
    claims: CurrentClaims,
    n: int,
    tables: SeatedTables,
    deputies: Mapping[str, str],
    seen_from: int | None,
    settled: dict[int, CachedUncorrectedRound],
) -> RoundWithResults:
    before = settled.get(n)
    if before is not None and before.deputies == deputies:
        return before.round
    results = [_result(claims, n, t, table, seen_from) for t, table in enumerate(tables, 1)]
    seated_round = _rename_deputies(tables, deputies, results)
    heads = (claims.heads.get(topics.result_topic(n, t), ()) for t in range(1, len(tables) + 1))
    if not any(head.parsed_fact.get("before") for claimed in heads for head in claimed):
        settled[n] = CachedUncorrectedRound(deputies, seated_round)
    return seated_round


def _rename_deputies(
    tables: SeatedTables, deputies: Mapping[str, str], results: list[Any]
) -> RoundWithResults:
    def now(name: str) -> str:
        for _ in deputies:
            name = deputies.get(name, name)
        return name

    renamed = tuple(tuple(map(now, table)) for table in tables)
    points = [
        None if result is None else {now(name): value for name, value in result.items()}
        for result in results
    ]
    return RoundWithResults(renamed, tuple(points))


def _result(
    claims: CurrentClaims, number: int, table: int, players: tuple[str, ...], seen_from: int | None
) -> Mapping[str, int] | None:
    """Return a table's points that were known when the players of round `seen_from` were seated.

    If `seen_from` is None, return the present points. Return None if no points were known.
    """
    points = {
        tuple(sorted(_points(head, seen_from).items()))
        for head in claims.heads.get(topics.result_topic(number, table), ())
        if _fits(head, players)
    }
    if len(points) != 1:
        return None
    only_result = dict(points.pop())
    return only_result or dict.fromkeys(players, 0)


def _points(head: Claim, seen_from: int | None) -> Mapping[str, int]:
    """Return a claim's points that were known when the players of round `seen_from` were seated.

    If `seen_from` is None, return the present points. The field `before` of a claim contains the
    points before each correction. Each entry of `before` also contains the last round (`to`) whose
    seats were computed from these points.
    """
    value = head.parsed_fact
    older = [each for each in value.get("before", []) if seen_from and seen_from <= each["to"]]
    return dict(min(older, key=lambda each: each["to"])["points"] if older else value["points"])


def _fits(head: Claim, players: tuple[str, ...]) -> bool:
    """Return True if a result has points for exactly the players at the table.

    Also return True for a result without points, which means that the game was not finished.
    """
    points = head.parsed_fact["points"]
    return not points or points.keys() == {*players}


def _conflict(topic: str, heads: ClaimHeads, players: tuple[str, ...]) -> EveningConflict | None:
    fitting = tuple(head for head in heads if _fits(head, players))
    if len({tuple(sorted(head.parsed_fact["points"].items())) for head in fitting}) > 1:
        return EveningConflict(topic, "claims", heads)
    return EveningConflict(topic, "strangers", heads) if len(fitting) < len(heads) else None


def _of_no_table(claims: CurrentClaims, seated: list[SeatedTables]) -> list[EveningConflict]:
    there = Counter({n: len(tables) for n, tables in enumerate(seated, 1)})
    return [
        EveningConflict(topic, "no_table", heads)
        for topic, heads in sorted(claims.heads.items())
        if (place := topics.round_and_table_in_topic(topic)) is not None
        and place[1] > there[place[0]]
    ]


def _person(name: str, head: Claim) -> _Person:
    value = head.parsed_fact
    here, stay = (tuple((start, end) for start, end in value[key]) for key in ("here", "stay"))
    return _Person(name, here, stay, value["plays_for"])


def _within(spans: tuple[tuple[int, int | None], ...], number: int) -> bool:
    return any(start <= number and (end is None or number <= end) for start, end in spans)
