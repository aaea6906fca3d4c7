"""People in figures. Ties are wins for all who tie; games that are not over do not count."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.figures.names import SOMEBODY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from companion.figures.played import Played

ENOUGH: Final = 3
"""So many games make a rate."""


class Count(NamedTuple):
    """Games, and how many of them were won."""

    games: int = 0
    wins: int = 0

    @property
    def rate(self) -> float | None:
        """The share of games won; None below three games."""
        return self.wins / self.games if self.games >= ENOUGH else None

    def with_(self, *, won: bool) -> Count:
        """One game more."""
        return Count(self.games + 1, self.wins + won)


class Against(NamedTuple):
    """Games with somebody: how many of them I won and that other did not, and the reverse."""

    games: int = 0
    ahead: int = 0
    behind: int = 0


class Scores(NamedTuple):
    """The scores of one kind of game: their number, their sum and the best."""

    games: int
    total: int
    best: int

    @property
    def average(self) -> float:
        """The average score."""
        return self.total / self.games


class Person(NamedTuple):
    """A person in figures. `seconds` at the table; `streak` are wins in a row that go on now.

    `began` are the games in which the person had the first seat at the table's start.
    """

    name: str
    all: Count
    by_game: Mapping[str, Count]
    by_players: Mapping[int, Count]
    began: Count
    against: Mapping[str, Against]
    scores: Mapping[str, Scores]
    streak: int
    longest: int
    seconds: int
    last: int

    @property
    def nemesis(self) -> str | None:
        """Who was ahead most often, over at least three games, and more often than behind."""
        return self._rival(lambda one: one.behind - one.ahead)

    @property
    def favourite(self) -> str | None:
        """Who was behind most often, likewise."""
        return self._rival(lambda one: one.ahead - one.behind)

    def _rival(self, margin: Callable[[Against], int]) -> str | None:
        found = [(margin(a), who) for who, a in self.against.items() if a.games >= ENOUGH]
        best = max(found, key=lambda pair: (pair[0], pair[1]), default=(0, ""))
        return best[1] if best[0] > 0 else None


class _Running:
    """A person while games are being counted."""

    def __init__(self) -> None:
        self.all = self.began = Count()
        self.by_game: defaultdict[str, Count] = defaultdict(Count)
        self.by_players: defaultdict[int, Count] = defaultdict(Count)
        self.games = Counter[str]()
        self.ahead = Counter[str]()
        self.behind = Counter[str]()
        self.scores: dict[str, Scores] = {}
        self.streak = self.longest = self.seconds = self.last = 0

    def add(self, game: Played, who: str) -> None:
        won = who in game.winners
        self.all = self.all.with_(won=won)
        self.by_game[game.game] = self.by_game[game.game].with_(won=won)
        seats = len(game.players)
        self.by_players[seats] = self.by_players[seats].with_(won=won)
        if game.first == who:
            self.began = self.began.with_(won=won)
        others = [other for other in game.players if other not in (who, SOMEBODY)]
        self.games.update(others)
        winners = {*game.winners}
        if won:
            self.ahead.update(other for other in others if other not in winners)
        else:
            self.behind.update(other for other in others if other in winners)
        self.streak = self.streak + 1 if won else 0
        self.longest = max(self.longest, self.streak)
        self.seconds += game.seconds
        self.last = game.begun
        if game.scores:
            self._score(game.game, game.scores[game.players.index(who)])

    def _score(self, game: str, score: int) -> None:
        n, total, best = self.scores.get(game, (0, 0, score))
        self.scores[game] = Scores(n + 1, total + score, max(best, score))

    def person(self, name: str) -> Person:
        against = {
            who: Against(n, self.ahead[who], self.behind[who]) for who, n in self.games.items()
        }
        return Person(
            name, self.all, dict(self.by_game), dict(self.by_players), self.began, against,
            self.scores, self.streak, self.longest, self.seconds, self.last,
        )  # fmt: skip


def people(games: Iterable[Played]) -> tuple[Person, ...]:
    """Everybody who finished a game, whoever played most first; `games` from old to new."""
    running: defaultdict[str, _Running] = defaultdict(_Running)
    for game in games:
        if game.ended is not None:
            for who in game.players:
                if who != SOMEBODY:
                    running[who].add(game, who)
    found = (counted.person(name) for name, counted in running.items())
    return tuple(sorted(found, key=lambda one: (-one.all.games, one.name.casefold(), one.name)))
