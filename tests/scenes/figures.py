"""Frames of statistics: people, the whole table, and rare facts of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from companion.box.events import StatisticsReported
from companion.figures import group, people
from companion.figures.game_statistics import GameStatistics
from companion.figures.lookup import PeopleAndGroupStatistics
from companion.figures.rare import RareFact
from tests.helpers import NOW_SECONDS, Drive, format_day
from tests.system.bench import pressed

DAY: Final = 86_400
EVENINGS: Final = (
    ("kojak", "Ann Bob", "2 1"), ("kojak", "Bob Ann Wojehowicz", "0 3 1"),
    ("barney-miller", "Ann Bob", "9 4"), ("probe", "Wojehowicz Ann Bob", "260 245 180"),
    ("baretta", "Ann Bob Wojehowicz", "0 1 0"), ("kojak", "Wojehowicz Bob Ann", "1 1 3"),
    ("probe", "Bob Wojehowicz Ann", "310 120 295"), ("barney-miller", "Bob Ann", "11 6"),
    ("kojak", "Ann Wojehowicz", "4 2"), ("baretta", "Wojehowicz Ann", "0 1"),
)  # fmt: skip
"""Games with their players and scores."""


def a_game(
    number: int, game: str, players: tuple[str, ...], scores: tuple[int, ...]
) -> GameStatistics:
    """Return a game of one hour, on a day of its own."""
    begun = NOW_SECONDS - (365 - 30 * number) * DAY
    won = tuple(who for who, n in zip(players, scores, strict=True) if n == max(scores))
    return GameStatistics(
        number, str(number), game, players, begun, begun + 3600, won, scores, players[0],
        3000 + 100 * number, 40 + 7 * number % 60, 0, 0, (0,) * 6, number % 4, 30,
    )  # fmt: skip


def played() -> Iterable[GameStatistics]:
    for number, (game, players, scores) in enumerate(EVENINGS):
        yield a_game(number + 1, game, (*players.split(),), (*map(int, scores.split()),))


def everybody() -> PeopleAndGroupStatistics:
    games = [*played()]
    counted = {("kojak", "rolled"): 61, ("kojak", "arrest"): 12, ("probe", "asked"): 88,
               ("probe", "lost_interrupting"): 50, ("baretta", "own_arrest"): 7}  # fmt: skip
    together = group.group_statistics(games, format_day)
    return PeopleAndGroupStatistics(
        people.people_statistics(games),
        {one.name: counted for one in people.people_statistics(games)},
        together,
        (("RHYTHM", 21), ("QUARTZ", 19), ("OXYGEN", 14)),
        (games[6],),
        {game.number: format_day(game.begun) for game in games},
    )


def opened(
    language: str, *values: Any, found: PeopleAndGroupStatistics | int | None = None
) -> Drive:
    """Return the list of people, or a page that it leads to."""
    drive = Drive(pressed.over("kojak"), language)
    answer = StatisticsReported(everybody() if found is None else found)
    drive.services.statistics._counting = lambda _, put: put(answer)
    drive.walk("people", *values)
    return drive


def turned(drive: Drive, *buttons: str) -> Drive:
    drive.press(*buttons)
    return drive


def rare(language: str, name: str, once_in: float, **facts: Any) -> Drive:
    """Return the first screen with a rare fact of the last game."""
    drive = Drive(pressed.over("kojak"), language)
    drive.services.statistics.announce_rarest_fact(RareFact(name, once_in, facts))
    return drive


SCENES: Final[dict[str, Callable[[str], Drive]]] = {
    "people": opened,
    "people_counting": lambda la: opened(la, found=1_234),
    "person": lambda la: opened(la, "of Ann"),
    "person_games": lambda la: turned(opened(la, "of Ann"), "down"),
    "person_ways": lambda la: turned(opened(la, "of Ann"), "down", "down"),
    "person_rivals": lambda la: turned(opened(la, "of Ann"), *["down"] * 3),
    "person_scores": lambda la: turned(opened(la, "of Ann"), *["down"] * 4),
    "person_counted": lambda la: turned(opened(la, "of Ann"), "up"),
    "together_a_year_ago": lambda la: opened(la, "together"),
    "together_year": lambda la: turned(opened(la, "together"), "down"),
    "together_records": lambda la: turned(opened(la, "together"), *["down"] * 4),
    "together_words": lambda la: turned(opened(la, "together"), "up"),
    "rare_beaten": lambda la: rare(la, "beaten", 16, who="Ann", last="Wojehowicz", n=4),
    "rare_highest": lambda la: rare(
        la, "highest", 23.4, game="barney-miller", who="Wojehowicz", n=14
    ),
    "rare_dice": lambda la: rare(la, "dice", 1000, n=1000),
}
