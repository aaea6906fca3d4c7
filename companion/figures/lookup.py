"""Look-ups for the box's statistics pages: all statistics, and the rarest fact about a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.figures.group import Day, GroupStatistics
from companion.figures.people import PersonStatistics
from companion.figures.played import GameStatistics
from companion.figures.rare import RareFact, rarest_fact
from companion.figures.statistics_cache import StatisticsCache


class PeopleReport(NamedTuple):
    """All statistics for the box's statistics pages.

    - `people`: players who have finished a game, most games first.
    - `counted`: the games' own statistics: a number by player, game and statistic.
    - `group`: statistics of the group.
    - `hardest`: secret words with the number of letters that players asked for.
    - `year_ago`: games that began one year ago.
    - `days`: dates of the group's best results, by the number of the played game.
    """

    people: tuple[PersonStatistics, ...]
    counted: Mapping[str, Mapping[tuple[str, str], int]]
    group: GroupStatistics
    hardest: tuple[tuple[str, int], ...]
    year_ago: tuple[GameStatistics, ...]
    days: Mapping[int, Day]


class RarestFactFound(NamedTuple):
    """The rarest fact about the game with number `number`; `fact` is None if no fact is rare."""

    number: int
    fact: RareFact | None


def look_up_people(
    shelf: StatisticsCache, now: int, day: Callable[[int], Day], tell: Callable[[int], None]
) -> PeopleReport:
    """Return the statistics of all players and of the group.

    - `now`: seconds since 1970.
    - `day`: returns the date of a time (s since 1970).
    - `tell`: receives the number of games whose statistics are still to be computed.

    Raise JournalError if the record cannot be read.
    """
    people = shelf.people_statistics(tell)
    group = shelf.group_statistics(day, tell)
    records = (game for best in group.records.values() for game in best if game is not None)
    return PeopleReport(
        people,
        {person.name: shelf.person_counts(person.name) for person in people},
        group,
        (*shelf.hardest_words(),),
        (*shelf.list_games_one_year_ago(now, day),),
        {game.number: day(game.begun) for game in records},
    )


def look_up_rarest_fact(shelf: StatisticsCache, number: int) -> RarestFactFound:
    """Return the rarest fact about a finished game, given the game's number.

    Raise JournalError if the record cannot be read.
    """
    games = shelf.all_game_statistics()
    game = next(other for other in games if other.number == number)
    before = [other for other in games if other.number != number]
    return RarestFactFound(number, rarest_fact(game, before))
