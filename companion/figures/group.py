"""The table as a whole: its years, its records, and the evening that was today a year ago."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from companion.figures.names import SOMEBODY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from companion.figures.played import Played

Day: TypeAlias = tuple[int, int, int]
"""A year, a month and a day, where the box stands."""


class Year(NamedTuple):
    """What was played to its end in a year, and who won how often."""

    games: int
    seconds: int
    by_game: Mapping[str, int]
    wins: Mapping[str, int]


class Best(NamedTuple):
    """The games that no other of their kind exceeds; each the first that was so."""

    longest: Played
    shortest: Played
    highest: Played | None


def years(games: Iterable[Played], day: Callable[[int], Day]) -> dict[int, Year]:
    """The table of each year, by when a game was begun."""
    found: defaultdict[int, list[Played]] = defaultdict(list)
    for game in games:
        if game.ended is not None:
            found[day(game.begun)[0]].append(game)
    return {year: _year(found[year]) for year in sorted(found)}


def _year(games: list[Played]) -> Year:
    wins = Counter(who for game in games for who in game.winners if who != SOMEBODY)
    kinds = Counter(game.game for game in games)
    return Year(len(games), sum(game.seconds for game in games), kinds, wins)


def a_year_ago(games: Iterable[Played], today: Day, day: Callable[[int], Day]) -> list[Played]:
    """The games that were begun on this day of last year."""
    year, *rest = today
    return [game for game in games if day(game.begun) == (year - 1, *rest)]


def records(games: Iterable[Played]) -> dict[str, Best]:
    """The records of each kind of game, in answers and points."""
    found: dict[str, Best] = {}
    for game in games:
        if game.ended is None:
            continue
        best = found.get(game.game, Best(game, game, game if game.scores else None))
        found[game.game] = Best(
            game if game.answers > best.longest.answers else best.longest,
            game if game.answers < best.shortest.answers else best.shortest,
            _higher(game, best.highest),
        )
    return found


def _higher(game: Played, best: Played | None) -> Played | None:
    if best is None or not game.scores:
        return best or (game if game.scores else None)
    return game if max(game.scores) > max(best.scores) else best
