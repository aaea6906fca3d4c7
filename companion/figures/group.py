"""Statistics of all players together: years, best results, and games of one year ago."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from companion.figures import game_statistics
from companion.figures.game_statistics import GameStatistics
from companion.figures.names import FORGOTTEN_NAME

Day: TypeAlias = tuple[int, int, int]
"""A date in the box's time zone: year, month and day."""


class YearStatistics(NamedTuple):
    """The statistics of all players together for one year.

    Games with a computer player do not count.

    - `games`: the number of finished games.
    - `seconds`: the total playing time (s).
    - `by_game`: the number of finished games, by name of the game.
    - `wins`: the number of wins by player.
    """

    games: int
    seconds: int
    by_game: Mapping[str, int]
    wins: Mapping[str, int]


class ExtremeGames(NamedTuple):
    """The longest, shortest and highest-scoring finished game (all with the same rules).

    Games with a computer player do not count.

    The length of a game is its number of answers. If several games have the same length or the same
    highest score, the earliest of these games is stored.
    """

    longest: GameStatistics
    shortest: GameStatistics
    highest: GameStatistics | None


class GroupStatistics(NamedTuple):
    """The statistics of all players together by year, and the best results by name of the game."""

    years: Mapping[int, YearStatistics]
    records: Mapping[str, ExtremeGames]


def group_statistics_after_games(
    state: Mapping[str, Any], games: Iterable[GameStatistics], day: Callable[[int], Day]
) -> Mapping[str, Any]:
    """Return the group's statistics with `games` added, as JSON values.

    - `state`: the statistics so far, as JSON values.
    - `games`: the games to add, oldest first.
    - `day`: the function that returns the local date of a time (s since 1970).
    """
    group = group_statistics_from_json(state)
    years, records = {**group.years}, {**group.records}
    for game in games:
        if game.ended is not None and not game.programs:
            if game.begun:  # 0 means that the machine's clock was not set
                year = day(game.begun)[0]
                years[year] = _longer(years.get(year, YearStatistics(0, 0, {}, {})), game)
            records[game.game] = _better(records.get(game.game), game)
    return {"years": years, "records": records}


def _longer(year: YearStatistics, game: GameStatistics) -> YearStatistics:
    wins = Counter(year.wins)
    wins.update(who for who in game.winners if who != FORGOTTEN_NAME)
    kinds = {**year.by_game, game.game: year.by_game.get(game.game, 0) + 1}
    return YearStatistics(year.games + 1, year.seconds + game.seconds, kinds, wins)


def _better(best: ExtremeGames | None, game: GameStatistics) -> ExtremeGames:
    if best is None:
        return ExtremeGames(game, game, game if game.scores_of_remaining_players else None)
    return ExtremeGames(
        game if game.answers > best.longest.answers else best.longest,
        game if game.answers < best.shortest.answers else best.shortest,
        _higher(game, best.highest),
    )


def _higher(game: GameStatistics, best: GameStatistics | None) -> GameStatistics | None:
    if best is None or not game.scores_of_remaining_players:
        return best or (game if game.scores_of_remaining_players else None)
    return (
        game
        if max(game.scores_of_remaining_players) > max(best.scores_of_remaining_players)
        else best
    )


def group_statistics_from_json(state: Mapping[str, Any]) -> GroupStatistics:
    """Return the group's statistics from the JSON values of `group_statistics_after_games`."""
    years = {int(year): YearStatistics(*of) for year, of in sorted(state.get("years", {}).items())}
    records = {
        game: ExtremeGames(
            *(result and game_statistics.game_statistics_from_json(result) for result in best)
        )
        for game, best in state.get("records", {}).items()
    }
    return GroupStatistics(years, records)


def group_statistics(games: Iterable[GameStatistics], day: Callable[[int], Day]) -> GroupStatistics:
    """Return the group's statistics for `games`.

    - `games`: the games, oldest first.
    - `day`: the function that returns the local date of a time (s since 1970).
    """
    return group_statistics_from_json(group_statistics_after_games({}, games, day))


def games_one_year_ago(
    games: Iterable[GameStatistics], today: Day, day: Callable[[int], Day]
) -> list[GameStatistics]:
    """Return the games that began on the same date as `today`, one year earlier."""
    year, *rest = today
    return [game for game in games if day(game.begun) == (year - 1, *rest)]
