"""Statistics of each player. Players who tie for first place are all winners."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from companion.figures.game_statistics import GameStatistics
from companion.figures.names import FORGOTTEN_NAME

MIN_WIN_RATE_GAMES: Final = 3
"""The minimum number of games for which the box computes a player's share of wins."""


class PlayedAndWonCount(NamedTuple):
    """Two numbers: the games that a person has played, and the games that the person has won."""

    games: int = 0
    wins: int = 0

    @property
    def win_rate(self) -> float | None:
        """Return the share of games won (0 to 1); None for fewer than three games."""
        return self.wins / self.games if self.games >= MIN_WIN_RATE_GAMES else None


class OpponentResults(NamedTuple):
    """The results of a person in games against one opponent.

    - `games`: the number of games with both players.
    - `ahead`: the number of games that only the person won.
    - `behind`: the number of games that only the opponent won.
    """

    games: int = 0
    ahead: int = 0
    behind: int = 0


class ScoreSummary(NamedTuple):
    """The number, the sum and the maximum of a person's scores in one game, such as Probe.

    The scores of games that the person left before the end do not count.
    """

    games: int
    total: int
    best: int

    @property
    def average_score(self) -> float:
        """Return the person's average score."""
        return self.total / self.games


class PersonStatistics(NamedTuple):
    """A person's statistics over all finished games.

    All fields except `with_box` count only games without a computer player.

    - `all`: the number of games and of wins.
    - `by_game`: games and wins by name of the game.
    - `by_players`: games and wins by number of players.
    - `first_turn_count`: games and wins in which the person had the first turn.
    - `against`: results by opponent.
    - `scores`: scores by name of the game.
    - `streak`: the number of wins since the last game that the person did not win.
    - `longest`: the highest number of consecutive wins.
    - `seconds`: the total playing time (s).
    - `last`: the start of the last game (s since 1970).
    - `with_box`: games and wins in games with a computer player.
    """

    name: str
    all: PlayedAndWonCount
    by_game: Mapping[str, PlayedAndWonCount]
    by_players: Mapping[int, PlayedAndWonCount]
    first_turn_count: PlayedAndWonCount
    against: Mapping[str, OpponentResults]
    scores: Mapping[str, ScoreSummary]
    streak: int
    longest: int
    seconds: int
    last: int
    with_box: PlayedAndWonCount = PlayedAndWonCount()

    @property
    def toughest_opponent(self) -> str | None:
        """Return the opponent who has the largest lead in wins over this person.

        Only opponents with at least three common games count. Return None if no such opponent has a
        lead. Games that both players won, or that neither player won, do not count.
        """
        return self._rival(lambda games: games.behind - games.ahead)

    @property
    def easiest_opponent(self) -> str | None:
        """Return the opponent over whom this person has the largest lead in wins.

        Only opponents with at least three common games count. Return None if this person leads over
        no such opponent. Games that both players won, or that neither player won, do not count.
        """
        return self._rival(lambda games: games.ahead - games.behind)

    def _rival(self, margin: Callable[[OpponentResults], int]) -> str | None:
        rivals = [
            (margin(a), who) for who, a in self.against.items() if a.games >= MIN_WIN_RATE_GAMES
        ]
        best = max(rivals, key=lambda pair: (pair[0], pair[1]), default=(0, ""))
        return best[1] if best[0] > 0 else None


def _won(counts: dict[Any, list[int]], key: object, won: int) -> None:
    count = counts.get(key)
    if count is None:
        counts[key] = [1, won]
    else:
        count[0] += 1
        count[1] += won


class _Running:
    """The counters of one person's statistics."""

    def __init__(
        self, row: Sequence[Any] = (None, None, {}, {}, (0, 0), {}, {}, 0, 0, 0, 0, (0, 0))
    ) -> None:
        _, _, by_game, by_players, began, against, scores, *rest = row
        self.by_game: dict[str, list[int]] = {**by_game}
        self.by_players: dict[str, list[int]] = {**by_players}
        self.began = [*began]
        self.against: dict[str, list[int]] = {**against}
        self.scores: dict[str, list[int]] = {**scores}
        self.streak, self.longest, self.seconds, self.last, with_box = rest
        self.with_box = [*with_box]

    def add_game(self, game: GameStatistics, who: str, seat: int) -> None:
        won = int(who in game.winners)
        if game.programs:
            self.with_box[0] += 1
            self.with_box[1] += won
            return
        _won(self.by_game, game.game, won)
        _won(self.by_players, str(len(game.players)), won)
        if game.first == who:
            self.began[0] += 1
            self.began[1] += won
        for other in game.players:
            if other not in (who, FORGOTTEN_NAME):
                self._meet(other, won, int(other in game.winners))
        self.streak = self.streak + 1 if won else 0
        self.longest = max(self.longest, self.streak)
        self.seconds += game.seconds
        self.last = game.begun
        if game.scores and seat not in game.left:
            self._score(game.game, game.scores[seat])

    def _meet(self, other: str, won: int, lost: int) -> None:
        counts = self.against.get(other)
        if counts is None:
            counts = self.against[other] = [0, 0, 0]
        counts[0] += 1
        if won != lost:
            counts[2 - won] += 1

    def _score(self, game: str, score: int) -> None:
        counts = self.scores.get(game)
        if counts is None:
            self.scores[game] = [1, score, score]
        else:
            counts[0] += 1
            counts[1] += score
            counts[2] = max(counts[2], score)

    def as_json_list(self, name: str) -> tuple[Any, ...]:
        every = [sum(n) for n in zip(*self.by_game.values(), strict=True)]
        return (
            name, every, self.by_game, self.by_players, self.began, self.against,
            self.scores, self.streak, self.longest, self.seconds, self.last, self.with_box,
        )  # fmt: skip


def people_statistics_after_games(
    rows: Sequence[Sequence[Any]], games: Iterable[GameStatistics]
) -> list[Sequence[Any]]:
    """Return the statistics of people with `games` added, as JSON lists.

    `rows`: the statistics so far, as JSON lists.

    `games`: the games to add, oldest first.
    """
    running = defaultdict(_Running, {row[0]: _Running(row) for row in rows})
    for game in games:
        if game.ended is not None:
            for seat, who in enumerate(game.players):
                if who != FORGOTTEN_NAME and who not in game.programs:
                    running[who].add_game(game, who, seat)
    return [counted.as_json_list(name) for name, counted in running.items()]


def people_statistics_from_json(rows: Iterable[Sequence[Any]]) -> tuple[PersonStatistics, ...]:
    """Return the statistics of people, the person with most games first.

    The argument contains the JSON lists that `people_statistics_after_games` returned.
    """
    people = (
        PersonStatistics(
            name,
            PlayedAndWonCount(*every),
            {game: PlayedAndWonCount(*n) for game, n in by_game.items()},
            {int(seats): PlayedAndWonCount(*n) for seats, n in by_players.items()},
            PlayedAndWonCount(*began),
            {who: OpponentResults(*n) for who, n in against.items()},
            {game: ScoreSummary(*n) for game, n in scores.items()},
            *rest,
        )._replace(with_box=PlayedAndWonCount(*with_box))
        for name, every, by_game, by_players, began, against, scores, *rest, with_box in rows
    )
    return tuple(
        sorted(people, key=lambda person: (-person.all.games, person.name.casefold(), person.name))
    )


def people_statistics(games: Iterable[GameStatistics]) -> tuple[PersonStatistics, ...]:
    """Return the statistics of all people in `games`, the person with most games first.

    `games`: the games, oldest first.
    """
    return people_statistics_from_json(people_statistics_after_games((), games))
