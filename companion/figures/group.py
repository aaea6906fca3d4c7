"""Statistics of the whole group: its years, its best results, and games of one year ago."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from companion.figures import played
from companion.figures.names import SOMEBODY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from companion.figures.played import Played

Day: TypeAlias = tuple[int, int, int]
"""Year, month and day in the box's time zone."""


class Year(NamedTuple):
    """The number of finished games of each kind in a year, and each player's wins."""

    games: int
    seconds: int
    by_game: Mapping[str, int]
    wins: Mapping[str, int]


class Best(NamedTuple):
    """The longest, the shortest and the highest-scoring game of a kind.

    Of equal games the first.
    """

    longest: Played
    shortest: Played
    highest: Played | None


class Group(NamedTuple):
    """The statistics of each year, by the start of a game, and the best results of each kind."""

    years: Mapping[int, Year]
    records: Mapping[str, Best]


def add(
    state: Mapping[str, Any], games: Iterable[Played], day: Callable[[int], Day]
) -> Mapping[str, Any]:
    """Return the group's statistics as JSON values, after more games, oldest first."""
    found = read(state)
    years, records = {**found.years}, {**found.records}
    for game in games:
        if game.ended is not None and not game.programs:
            if game.begun:  # otherwise the machine's clock was not set, and the date is unknown
                year = day(game.begun)[0]
                years[year] = _longer(years.get(year, Year(0, 0, {}, {})), game)
            records[game.game] = _better(records.get(game.game), game)
    return {"years": years, "records": records}


def _longer(year: Year, game: Played) -> Year:
    wins = Counter(year.wins)
    wins.update(who for who in game.winners if who != SOMEBODY)
    kinds = {**year.by_game, game.game: year.by_game.get(game.game, 0) + 1}
    return Year(year.games + 1, year.seconds + game.seconds, kinds, wins)


def _better(best: Best | None, game: Played) -> Best:
    """Return the best results of a kind after one more game."""
    if best is None:
        return Best(game, game, game if game.scores_of_present else None)
    return Best(
        game if game.answers > best.longest.answers else best.longest,
        game if game.answers < best.shortest.answers else best.shortest,
        _higher(game, best.highest),
    )


def _higher(game: Played, best: Played | None) -> Played | None:
    if best is None or not game.scores_of_present:
        return best or (game if game.scores_of_present else None)
    return game if max(game.scores_of_present) > max(best.scores_of_present) else best


def read(state: Mapping[str, Any]) -> Group:
    """Return the group's statistics from JSON values."""
    years = {int(year): Year(*of) for year, of in sorted(state.get("years", {}).items())}
    records = {
        game: Best(*(one and played.read(one) for one in best))
        for game, best in state.get("records", {}).items()
    }
    return Group(years, records)


def group(games: Iterable[Played], day: Callable[[int], Day]) -> Group:
    """Return the group's statistics of games, oldest first."""
    return read(add({}, games, day))


def a_year_before(games: Iterable[Played], today: Day, day: Callable[[int], Day]) -> list[Played]:
    """Return the games that began on this day one year ago."""
    year, *rest = today
    return [game for game in games if day(game.begun) == (year - 1, *rest)]
