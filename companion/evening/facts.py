"""What is known of an evening, as a value, and how it is read from JSON that anybody wrote."""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, TypeAlias

from companion.core.errors import Explained
from companion.core.names import look, usual
from handwritten import strict_json
from handwritten.strict_json import NotJson

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Tables: TypeAlias = tuple[tuple[str, ...], ...]
RULES: Final = ("progressive", "swiss", "round_robin")
TOTALS: Final = ("game", "carried")
LONGEST: Final = 1 << 24
"""Bytes of facts that are read; ten thousand players in a hundred rounds need fewer."""
MOST_PLAYERS, MOST_ROUNDS, MOST_POINTS, LONGEST_NAME = 10_000, 1_000, 10**9, 40
SEATS: Final = range(2, 13)
HEX: Final = re.compile(r"[0-9a-fA-F]{0,256}")


class PlanError(Explained):
    """There is no next seating.

    `code` is what a program is told: two_seats, unknown_player, missing_result or impossible.
    """

    def __init__(self, code: str, reason: str, **facts: object) -> None:
        super().__init__(f"seating.{reason}", **facts)
        self.code = code


class Round(NamedTuple):
    """A round that was seated: its tables, and each one's points by name; None is not in yet.

    A table that broke off without points has an empty result: everybody scores 0.
    """

    tables: Tables
    results: tuple[Mapping[str, int] | None, ...]


class Facts(NamedTuple):
    """All that the next seating follows from.

    `games`: how many rounds there will be, None until the bell; `bell`: no further round begins;
    `seats`: how many sit at a full table; `stay` keep their table; `left` are gone.
    """

    rule: str
    games: int | None
    which_total: str
    players: tuple[str, ...]
    seed: str
    rounds: tuple[Round, ...] = ()
    stay: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    seats: int = 4
    bell: bool = False

    @property
    def present(self) -> tuple[str, ...]:
        """Who plays the next round."""
        return tuple(name for name in self.players if name not in self.left)


def read(text: bytes) -> Facts:
    """The facts in a JSON object, as docs/evening.md has them. Raises PlanError."""
    if len(text) > LONGEST:
        _impossible(f"The facts are longer than {LONGEST} bytes.")
    try:
        data = strict_json.read(text)
    except NotJson as error:
        _impossible(f"The facts are not JSON that can be read: {str(error)[:100]}.")
    return of(data)


def of(data: Any) -> Facts:
    """The facts in what JSON came to. Raises PlanError."""
    found = _object(data, "The facts")
    deputies = _substitutes(found.get("substitutes", {}))
    now = _renamed(deputies)
    players = _names(_field(found, "players"), "players", MOST_PLAYERS)
    replaced = _once(players, "signed up")
    rounds = _list(found.get("rounds", []), "rounds", MOST_ROUNDS)
    facts = Facts(
        rule=_one_of(_field(found, "rule"), RULES, "rule"),
        games=_games(_field(found, "games")),
        which_total=_one_of(found.get("which_total", "game"), TOTALS, "which_total"),
        players=tuple(dict.fromkeys(map(now, players))),
        seed=_seed(found.get("seed", "")),
        rounds=tuple(_round(data, n, now) for n, data in enumerate(rounds, 1)),
        stay=frozenset(_names(found.get("stay", []), "stay", MOST_PLAYERS)) - deputies.keys(),
        left=frozenset(_names(found.get("left", []), "left", MOST_PLAYERS)) - deputies.keys(),
        seats=_whole(found.get("seats", 4), SEATS, "seats"),
        bell=_flag(found.get("bell", False), "bell"),
    )
    _known(facts, replaced, deputies)
    return facts


def _known(facts: Facts, signed_up: frozenset[str], deputies: Mapping[str, str]) -> None:
    """Raises PlanError for whoever is named and did not sign up."""
    players = frozenset(facts.players)
    seated = chain.from_iterable(table for each in facts.rounds for table in each.tables)
    for name in chain(seated, sorted(facts.stay), sorted(facts.left)):
        if name not in players:
            raise _wrong("unknown_player", f"{name} is not among the players.")
    for name in deputies:
        if name not in signed_up and name not in deputies.values():
            raise _wrong("unknown_player", f"{name}, who is replaced, is not among the players.")


def _round(data: Any, number: int, now: Callable[[str], str]) -> Round:
    """Raises PlanError."""
    where = f"Round {number}"
    found = _object(data, where)
    tables = tuple(
        tuple(map(now, _names(table, f"{where}, table {n}", SEATS[-1])))
        for n, table in enumerate(
            _list(_field(found, "tables"), f"{where}: tables", MOST_PLAYERS), 1
        )
    )
    if not tables or not all(tables):
        _impossible(f"{where} has a table without players, or none at all.")
    _once(tuple(chain.from_iterable(tables)), f"seated in round {number}")
    results = _list(found.get("results", []), f"{where}: results", MOST_PLAYERS)
    if len(results) > len(tables):
        _impossible(f"{where} has more results than tables.")
    results += [None] * (len(tables) - len(results))
    return Round(
        tables,
        tuple(
            _result(result, table, f"{where}, table {n}", now)
            for n, (result, table) in enumerate(zip(results, tables, strict=True), 1)
        ),
    )


def _result(
    data: Any, table: tuple[str, ...], where: str, now: Callable[[str], str]
) -> Mapping[str, int] | None:
    """Raises PlanError."""
    if data is None:
        return None
    points: dict[str, int] = {}
    for key, value in _object(data, f"{where}: the result").items():
        name = now(_name(key, where))
        if name in points:
            raise _wrong("two_seats", f"{where}: {name} has two results.")
        if name not in table:
            raise _wrong("unknown_player", f"{where}: {name} has points and no seat.")
        points[name] = _whole(
            value, range(-MOST_POINTS, MOST_POINTS + 1), f"{where}: the points of {name}"
        )
    if not points:
        return dict.fromkeys(table, 0)
    for name in table:
        if name not in points:
            raise _wrong("missing_result", f"{where}: the points of {name} are missing.")
    return points


def _substitutes(data: Any) -> dict[str, str]:
    """Who plays on for whom: the newcomer by the name of the one who went. Raises PlanError."""
    found = _object(data, "substitutes")
    deputies = {_name(old, "substitutes"): _name(new, "substitutes") for old, new in found.items()}
    if len(set(deputies.values())) < len(deputies):
        raise _wrong("two_seats", "Somebody is the substitute of two players.")
    for start in deputies:
        name, steps = start, 0
        while name in deputies and steps <= len(deputies):
            name, steps = deputies[name], steps + 1
        if name in deputies:
            _impossible(f"{start} is replaced in a circle.")
    return deputies


def _renamed(deputies: Mapping[str, str]) -> Callable[[str], str]:
    """A name, or the one of whoever plays on for it in the end."""

    def now(name: str) -> str:
        while name in deputies:
            name = deputies[name]
        return name

    return now


def _once(names: tuple[str, ...], what: str) -> frozenset[str]:
    """The names as a set. Raises PlanError if two are one name, or look alike."""
    found: set[str] = set()
    for name in names:
        if look(name) in found:
            raise _wrong("two_seats", f"{name} is {what} twice.")
        found.add(look(name))
    return frozenset(names)


def _names(data: Any, what: str, most: int) -> tuple[str, ...]:
    return tuple(_name(name, what) for name in _list(data, what, most))


def _name(data: Any, where: str) -> str:
    """A name as it is kept. Raises PlanError."""
    if not isinstance(data, str) or not data.strip() or not data.isprintable():
        _impossible(f"{where}: {_shown(data)} is no name.")
    name = usual(data)
    if len(name) > LONGEST_NAME:
        _impossible(f"{where}: a name has at most {LONGEST_NAME} letters.")
    return name


def _games(data: Any) -> int | None:
    return None if data is None else _whole(data, range(1, MOST_ROUNDS + 1), "games")


def _seed(data: Any) -> str:
    if not isinstance(data, str) or not HEX.fullmatch(data):
        _impossible("The seed is at most 256 hexadecimal digits.")
    return data.lower()


def _whole(data: Any, allowed: range, what: str) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or data not in allowed:
        _impossible(f"{what}: {_shown(data)} is no number from {allowed[0]} to {allowed[-1]}.")
    return data


def _flag(data: Any, what: str) -> bool:
    if not isinstance(data, bool):
        _impossible(f"{what} is true or false, not {_shown(data)}.")
    return data


def _one_of(data: Any, allowed: tuple[str, ...], what: str) -> str:
    if not isinstance(data, str) or data not in allowed:
        _impossible(f"{what} is {' or '.join(allowed)}, not {_shown(data)}.")
    return data


def _list(data: Any, what: str, most: int) -> list[Any]:
    if not isinstance(data, list) or len(data) > most:
        _impossible(f"{what}: this must be a list of at most {most}.")
    return [*data]


def _object(data: Any, what: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        _impossible(f"{what} must be an object.")
    return data


def _field(found: Mapping[str, Any], name: str) -> Any:
    if name not in found:
        _impossible(f"The field {name!r} is missing.")
    return found[name]


def _shown(data: Any) -> str:
    """What was found, short enough for a message."""
    text = json.dumps(data) if isinstance(data, str | float | bool | None) else type(data).__name__
    return text[:60]


def _impossible(what: str) -> NoReturn:
    """Raises PlanError, with the code for whatever can not be."""
    raise _wrong("impossible", what)


def _wrong(code: str, what: str) -> PlanError:
    """The error for what a program has written."""
    return PlanError(code, "facts", what=what)
