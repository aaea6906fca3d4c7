"""Look-ups in the record for the box's menus: all statistics, and a game's rarest fact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.figures.game_statistics import GameStatistics
from companion.figures.group import Day, GroupStatistics
from companion.figures.people import PersonStatistics
from companion.figures.rare import RareFact, rarest_fact_about_game
from companion.figures.statistics_cache import StatisticsCache


class PeopleAndGroupStatistics(NamedTuple):
    """All statistics that the box's menus show.

    - `people`: the statistics of the players who have finished games, most games first.
    - `counted`: the numbers in the statistics that the games' rules define, by player, game and
      name of the statistic.
    - `group`: the statistics of all players together.
    - `hardest`: the secret words for which the other players asked for the most letters, each with
      the number of letters asked for.
    - `year_ago`: the games that began on today's date one year ago.
    - `dates_of_best_games`: the dates of the games with the best results, by the number of the
      game.
    """

    people: tuple[PersonStatistics, ...]
    counted: Mapping[str, Mapping[tuple[str, str], int]]
    group: GroupStatistics
    hardest: tuple[tuple[str, int], ...]
    year_ago: tuple[GameStatistics, ...]
    dates_of_best_games: Mapping[int, Day]


class RarestFactFound(NamedTuple):
    """The rarest fact about the game `number`. `fact` is None if no fact about the game is rare."""

    number: int
    fact: RareFact | None


def look_up_people_and_group(
    shelf: StatisticsCache, now: int, day: Callable[[int], Day], tell: Callable[[int], None]
) -> PeopleAndGroupStatistics:
    """Return the statistics of each player, and of all players together.

    - `now`: the present time in seconds since 1970.
    - `day`: the function that returns the local date of a time (s since 1970).
    - `tell`: the callback that receives the number of games whose statistics are not computed yet.

    Raise JournalError if the record cannot be read.
    """
    people = shelf.people_statistics(tell)
    group = shelf.group_statistics(day, tell)
    records = (game for best in group.records.values() for game in best if game is not None)
    return PeopleAndGroupStatistics(
        people,
        {person.name: shelf.game_specific_person_counts(person.name) for person in people},
        group,
        (*shelf.hardest_secret_words(),),
        (*shelf.list_games_one_year_ago(now, day),),
        {game.number: day(game.begun) for game in records},
    )


def find_rarest_fact_about_game(shelf: StatisticsCache, number: int) -> RarestFactFound:
    """Return the rarest fact about the finished game `number`, compared with the other games.

    Raise JournalError if the record cannot be read.
    """
    games = shelf.all_game_statistics()
    game = next(other for other in games if other.number == number)
    before = [other for other in games if other.number != number]
    return RarestFactFound(number, rarest_fact_about_game(game, before))
