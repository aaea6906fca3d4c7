"""The facts from which the next seating is computed, and the checks of these facts as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from checked_input import strict_json
from checked_input.checks import (
    OptionalKey,
    boolean,
    condition,
    first_mistake,
    known_word,
    list_of,
    mapping_of,
    nullable,
    number,
    pattern,
    size_between,
    table,
    text,
)
from checked_input.strict_json import InvalidJson
from companion.core.errors import TranslatedError
from companion.core.name_comparison import appearance_key, normalise_name

if TYPE_CHECKING:
    from checked_input.source import Place

SeatedTables: TypeAlias = tuple[tuple[str, ...], ...]
SEATING_RULES: Final = ("progressive", "swiss", "round_robin")
TOTAL_KINDS: Final = ("game", "carried")
MAX_FACTS_BYTES: Final = 1 << 24
"""Maximum length of facts as JSON (bytes); enough for 10,000 players in 100 rounds."""
MAX_PLAYERS, MAX_ROUNDS, MAX_POINTS, MAX_NAME_LETTERS = 10_000, 1_000, 10**9, 40
TABLE_SEATS: Final = range(2, 13)
SEED_PATTERN: Final = re.compile(r"[0-9a-fA-F]{0,256}")


class SeatingError(TranslatedError):
    """The facts are not valid, or no next seating is possible.

    `code` names the error for programs: two_seats, unknown_player, missing_result or impossible.
    """

    def __init__(self, code: str, reason: str, **facts: object) -> None:
        super().__init__(f"seating.{reason}", **facts)
        self.code = code


class RoundWithResults(NamedTuple):
    """The tables of a round with their players, and the points of each table by player's name.

    The result of a table is None as long as the result is missing. If the game at a table was not
    finished, each player at the table has 0 points.
    """

    tables: SeatedTables
    results: tuple[Mapping[str, int] | None, ...]


class SeatingFacts(NamedTuple):
    """All facts from which the next seating is computed.

    - `rule`: one of SEATING_RULES.
    - `games`: number of rounds, or None if the number is open.
    - `which_total`: one of TOTAL_KINDS, the points that decide the moves.
    - `players`: names in the order of signing up.
    - `seed`: hexadecimal seed of the lots.
    - `rounds`: all seated rounds with their results.
    - `stay`: players who must stay at their tables.
    - `left`: players who have left the evening.
    - `seats`: number of seats at a full table.
    - `bell` is True if the current round is the last round.
    """

    rule: str
    games: int | None
    which_total: str
    players: tuple[str, ...]
    seed: str
    rounds: tuple[RoundWithResults, ...] = ()
    stay: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    seats: int = 4
    bell: bool = False

    @property
    def present_players(self) -> tuple[str, ...]:
        """Return the players who have not left, in the order of signing up."""
        return tuple(name for name in self.players if name not in self.left)


def _is_one_line(name: str) -> bool:
    return bool(name.strip()) and name.isprintable()


NAME_CHECK: Final = text(
    condition(_is_one_line, "text_on_one_line"),
    condition(lambda name: len(normalise_name(name)) <= MAX_NAME_LETTERS, f"1-{MAX_NAME_LETTERS}"),
)
NAMES_CHECK: Final = list_of(NAME_CHECK, size_between(0, MAX_PLAYERS))
NAME_KEYS_CHECK: Final = condition(
    lambda found: all(_is_one_line(name) for name in found), "text_on_one_line"
)
POINTS_CHECK: Final = mapping_of(number(-MAX_POINTS, MAX_POINTS), NAME_KEYS_CHECK)
ROUND_CHECK: Final = table(
    others=True,
    tables=list_of(
        list_of(NAME_CHECK, size_between(1, TABLE_SEATS[-1])), size_between(1, MAX_PLAYERS)
    ),
    results=OptionalKey(list_of(nullable(POINTS_CHECK), size_between(0, MAX_PLAYERS))),
)
FACTS_CHECK: Final = table(
    others=True,
    rule=text(known_word("rule", SEATING_RULES)),
    games=nullable(number(1, MAX_ROUNDS)),
    which_total=OptionalKey(text(known_word("total", TOTAL_KINDS))),
    players=NAMES_CHECK,
    seed=OptionalKey(text(pattern(SEED_PATTERN))),
    rounds=OptionalKey(list_of(ROUND_CHECK, size_between(0, MAX_ROUNDS))),
    stay=OptionalKey(NAMES_CHECK),
    left=OptionalKey(NAMES_CHECK),
    substitutes=OptionalKey(mapping_of(NAME_CHECK, NAME_KEYS_CHECK)),
    seats=OptionalKey(number(TABLE_SEATS[0], TABLE_SEATS[-1])),
    bell=OptionalKey(boolean),
)
"""Schema of the facts as JSON; unknown fields are ignored."""


def parse_seating_facts(text: bytes) -> SeatingFacts:
    """Return the seating facts from JSON text; docs/evening.md describes the format.

    Raise SeatingError if a fact is not valid.
    """
    if len(text) > MAX_FACTS_BYTES:
        raise SeatingError("impossible", "long", n=MAX_FACTS_BYTES)
    try:
        data = strict_json.parse_json(text)
    except InvalidJson as error:
        why = TranslatedError(f"unfit.{error.reason}", text=error.found[:MAX_NAME_LETTERS])
        raise SeatingError("impossible", "unread", why=why) from error
    return seating_facts_from_json(data)


def seating_facts_from_json(data: Any) -> SeatingFacts:
    """Return the seating facts from a parsed JSON value.

    Raise SeatingError if a fact is not valid.
    """
    if wrong := first_mistake(FACTS_CHECK, data):
        raise SeatingError("impossible", "facts", place=_path(wrong.place), why=wrong)
    deputies = _substitutes(data.get("substitutes", {}))
    now = _final_names(deputies)
    players = tuple(map(normalise_name, data["players"]))
    if name := _twice(players):
        raise SeatingError("two_seats", "signed_up_twice", name=name)
    facts = SeatingFacts(
        rule=data["rule"],
        games=data["games"],
        which_total=data.get("which_total", "game"),
        players=tuple(dict.fromkeys(map(now, players))),
        seed=data.get("seed", "").lower(),
        rounds=tuple(_round(each, n, now) for n, each in enumerate(data.get("rounds", ()), 1)),
        stay=frozenset(map(normalise_name, data.get("stay", ()))) - deputies.keys(),
        left=frozenset(map(normalise_name, data.get("left", ()))) - deputies.keys(),
        seats=data.get("seats", 4),
        bell=data.get("bell", False),
    )
    _check_names(facts, frozenset(players), deputies)
    return facts


def _path(place: Place) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return "".join(("facts", *steps))


def _check_names(
    facts: SeatingFacts, signed_up: frozenset[str], deputies: Mapping[str, str]
) -> None:
    players = frozenset(facts.players)
    seated = chain.from_iterable(table for each in facts.rounds for table in each.tables)
    for name in chain(seated, sorted(facts.stay), sorted(facts.left)):
        if name not in players:
            raise SeatingError("unknown_player", "no_player", name=name)
    for name in deputies:
        if name not in signed_up and name not in deputies.values():
            raise SeatingError("unknown_player", "no_substitute", name=name)


def _round(data: Mapping[str, Any], n: int, now: Callable[[str], str]) -> RoundWithResults:
    tables = tuple(tuple(now(normalise_name(name)) for name in each) for each in data["tables"])
    if name := _twice(chain.from_iterable(tables)):
        raise SeatingError("two_seats", "seated_twice", name=name, n=n)
    results = data.get("results", ())
    if len(results) > len(tables):
        raise SeatingError("impossible", "more_results", n=n)
    pairs = zip_longest(tables, results)
    return RoundWithResults(
        tables,
        tuple(_result(result, seats, (n, at), now) for at, (seats, result) in enumerate(pairs, 1)),
    )


def _result(
    data: Mapping[str, int] | None,
    seats: tuple[str, ...],
    place: tuple[int, int],
    now: Callable[[str], str],
) -> Mapping[str, int] | None:
    if not data:
        return None if data is None else dict.fromkeys(seats, 0)
    names = [now(normalise_name(name)) for name in data]
    n, at = place
    if name := _twice(names):
        raise SeatingError("two_seats", "two_results", name=name, n=n, table=at)
    for name in names:
        if name not in seats:
            raise SeatingError("unknown_player", "no_seat", name=name, n=n, table=at)
    for name in seats:
        if name not in names:
            raise SeatingError("missing_result", "no_points", name=name, n=n, table=at)
    return dict(zip(names, data.values(), strict=True))


def _substitutes(data: Mapping[str, str]) -> dict[str, str]:
    deputies = {normalise_name(old): normalise_name(new) for old, new in data.items()}
    if name := _twice(deputies.values()):
        raise SeatingError("two_seats", "two_replaced", name=name)
    for start in deputies:
        name, steps = start, 0
        while name in deputies and steps <= len(deputies):
            name, steps = deputies[name], steps + 1
        if name in deputies:
            raise SeatingError("impossible", "circle", name=start)
    return deputies


def _final_names(deputies: Mapping[str, str]) -> Callable[[str], str]:
    def now(name: str) -> str:
        while name in deputies:
            name = deputies[name]
        return name

    return now


def _twice(names: Iterable[str]) -> str | None:
    keys: set[str] = set()
    for name in names:
        if appearance_key(name) in keys:
            return name
        keys.add(appearance_key(name))
    return None
