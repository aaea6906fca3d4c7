"""Statistics of one recorded game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

from companion.catalog import registry
from companion.core.errors import UnknownGame, log_error
from companion.core.game import Game
from companion.core.prompts import DIE_SIDES, LEAVING_PLAYER_QUESTION, Roll, Shuffle, legal_answers
from companion.figures import recorded
from companion.figures.luck import ShuffleCounts
from companion.figures.recorded import RecordedGame
from companion.play.answer_history import AnswerHistory, RulesChangedError
from companion.play.record_header import (
    computer_players_from_record_header,
    package_from_record_header,
    setup_from_record_header,
)
from companion.record.entry import Entry

Point: TypeAlias = tuple[int, tuple[int, ...]]
"""A point of a score curve: a number of answers, and each seat's score after these answers."""
Tally: TypeAlias = "Counter[tuple[str, str]]"
"""The statistics of players: a number for each player and each name of a statistic.

The player "" stands for all players together.
"""
BREAK_SECONDS: Final = 3600
"""Seconds without an answer above which the wait counts as a break and not as playing time."""


class GameStatistics(NamedTuple):
    """The statistics of one recorded game.

    - `number`: the number of the game in the record.
    - `id`: the identifier of the game, which is the same in every record.
    - `begun`: the start of the game (s since 1970); 0 if the clock was not set.
    - `ended`: the end of the game (s since 1970); None for an unfinished game.
    - `winners`: the names of the winners; empty for an unfinished game.
    - `scores`: the final scores by seat; empty for an unfinished game, or if the present rules
      cannot replay the game.
    - `first`: the player who had the first turn.
    - `seconds`: the playing time (s) without breaks.
    - `answers`: the number of players' answers, including undone answers.
    - `undone`: how often players undid an answer.
    - `corrected`: the number of corrections.
    - `faces`: how often the box rolled each face, from 1 to 6.
    - `leads`: how often another player took the lead.
    - `decided`: the number of answers after which the winner led until the end; 0 if several
      players won or the winner did not lead.
    - `shuffles`: the counts for the fairness test of the box's shuffles.
    - `programs`: the players whose seat the box played at any time.
    - `left`: the seats of players who left the game before its end.
    - `used`: the thinking time of each player (s), by seat.
    """

    number: int
    id: str
    game: str
    players: tuple[str, ...]
    begun: int
    ended: int | None
    winners: tuple[str, ...]
    scores: tuple[int, ...]
    first: str
    seconds: int
    answers: int
    undone: int
    corrected: int
    faces: tuple[int, ...]
    leads: int
    decided: int
    shuffles: ShuffleCounts = ShuffleCounts()
    programs: tuple[str, ...] = ()
    left: tuple[int, ...] = ()
    used: tuple[int, ...] = ()

    @property
    def scores_of_remaining_players(self) -> tuple[int, ...]:
        """Return the scores of the players who did not leave the game, in seat order."""
        return tuple(score for seat, score in enumerate(self.scores) if seat not in self.left)


def game_statistics_from_json(row: Sequence[Any]) -> GameStatistics:
    """Return the statistics of a game from the JSON list of their fields."""
    statistics = GameStatistics._make(
        tuple(value) if isinstance(value, list) else value for value in row
    )
    return statistics._replace(shuffles=ShuffleCounts(*statistics.shuffles))


class ReplayStatistics(NamedTuple):
    """Statistics that need a replay: the score curve, and counts that the game's rules define."""

    curve: tuple[Point, ...] = ()
    tally: Mapping[tuple[str, str], int] = {}


def recorded_game_statistics(
    game: RecordedGame, number: int
) -> tuple[GameStatistics, ReplayStatistics]:
    """Return all statistics of a recorded game.

    `number`: the game's number in the record.
    """
    last, faces, shuffles = None, [0] * DIE_SIDES, ShuffleCounts()
    try:
        rules = setup_from_record_header(game.header).game
        for entry, before, after in recorded.replayed_lines_with_states(game):
            last = after
            if entry.kind == "box":
                match rules.ask(before.last.state):
                    case Roll(sides=sides) if sides == DIE_SIDES:
                        for face in entry.value:
                            faces[face - 1] += 1
                    case Shuffle():
                        shuffles = shuffles.with_shuffle(entry.value)
    except (RulesChangedError, UnknownGame):
        last = None
    if last is None:
        return _played(game, number, faces, shuffles), ReplayStatistics()
    curve, tally, first = _counted(last, game)
    outcome = rules.outcome(last.last.state)
    scores = tuple(outcome.scores[who] for who in game.header["players"]) if outcome else ()
    left = _left(rules, last, tuple(game.header["players"]))
    leads, decided = _lead(curve, tuple(game.header["players"]), game.winners, left)
    played = _played(game, number, faces, shuffles)._replace(
        scores=scores, first=first, leads=leads, decided=decided, left=left
    )
    return played, ReplayStatistics(curve, tally)


def _left(rules: Game[Any], last: AnswerHistory, players: tuple[str, ...]) -> tuple[int, ...]:
    leavers: set[str] = set()
    for step in last.steps_and_start_latest_first():
        asked = (
            question
            for question in rules.anytime(step.state)
            if question.name == LEAVING_PLAYER_QUESTION
        )
        if (question := next(asked, None)) is not None:
            stay = {*legal_answers(question)} - leavers
            leavers = {
                step.entry.value
                for step in last.steps_latest_first()
                if step.entry.question == LEAVING_PLAYER_QUESTION
            }
            return tuple(seat for seat, who in enumerate(players) if who in leavers - stay)
        if step.entry.question == LEAVING_PLAYER_QUESTION:
            leavers.add(step.entry.value)
    return ()


def _counted(last: AnswerHistory, game: RecordedGame) -> tuple[tuple[Point, ...], Tally, str]:
    """Return the score curve, the numbers that `figures.py` counts, and the first player.

    The first player is the player with the first turn.

    `last`: the replayed game at its end.

    If the game's `figures.py` belongs to a package and raises an exception, log the exception. Then
    return an empty curve and no numbers.
    """
    name = str(game.header["game"])
    try:
        return _told(last, registry.import_game_submodule(name, "figures"), game)
    except Exception as error:
        if package_from_record_header(game.header) is None:
            raise
        _log(name, f"{type(error).__name__}: {error}")
        return _told(last, None, game)


@cache
def _log(name: str, error: str) -> None:
    """Log an error in a game's `figures.py`, but log the same error only once."""
    log_error("games", f"{name}: figures: {error}")


def _told(
    last: AnswerHistory, counting: ModuleType | None, game: RecordedGame
) -> tuple[tuple[Point, ...], Tally, str]:
    """Return the score curve, the counted numbers, and the player with the first turn.

    `counting`: the game's module `figures.py`, which counts the numbers; None if this module is
    missing or has failed.
    """
    points: list[Point] = []
    tally: Tally = Counter()
    first = str(game.header["players"][0])
    steps = [*last.steps_latest_first()][::-1]
    count_secrets = getattr(counting, "count_secrets", None) if game.is_over else None
    if count_secrets is not None:
        for who, statistic, n in count_secrets((step.state, step.cues) for step in steps):
            tally[who, statistic] += n
    for step in steps:
        for cue in step.cues:
            if cue.name == "begins":
                first = str(cue.facts.get("who", first))
            if counting is not None:
                for who, statistic, n in counting.count(cue):
                    tally[who, statistic] += n
        if counting is not None:
            scores = _scores(counting, step.state, len(game.header["players"]))
            if not points or points[-1][1] != scores:
                points.append((step.answers, scores))
    return tuple(points), tally, first


def _scores(counting: ModuleType, state: Any, seats: int) -> tuple[int, ...]:
    scores = tuple(counting.scores(state))
    if len(scores) != seats:
        raise ValueError(f"`scores` gives {len(scores)} numbers for {seats} players")
    return scores


def _played(
    game: RecordedGame, number: int, faces: list[int], shuffles: ShuffleCounts
) -> GameStatistics:
    header, kinds = game.header, Counter(entry.kind for entry in game.entries)
    return GameStatistics(
        number=number,
        id=game.id,
        game=str(header["game"]),
        players=tuple(header["players"]),
        begun=game.begun,
        ended=game.end_time,
        winners=game.winners,
        scores=(),
        first=str(header["players"][0]),
        seconds=_seconds(game),
        answers=kinds["answer"],
        undone=kinds["undo"],
        corrected=sum(e.kind == "answer" and e.question == "correct" for e in game.entries),
        faces=tuple(faces),
        leads=0,
        decided=0,
        shuffles=shuffles,
        programs=_programs(game),
        used=_used(game),
    )


def _programs(game: RecordedGame) -> tuple[str, ...]:
    stood_in = {entry.who for entry in game.entries if entry.kind == "program"}
    played = computer_players_from_record_header(game.header).keys() | stood_in
    return tuple(who for who in game.header["players"] if who in played)


def _seconds(game: RecordedGame) -> int:
    return sum(gap for _, gap in _waits(game))


def _used(game: RecordedGame) -> tuple[int, ...]:
    """Return each player's thinking time in seconds, which includes the time for undone answers."""
    used: Counter[str | None] = Counter()
    for entry, gap in _waits(game):
        if entry.kind == "answer":
            used[entry.who] += gap
    return tuple(used[who] for who in game.header["players"])


def _waits(game: RecordedGame) -> Iterator[tuple[Entry, int]]:
    """Yield each record line, with the seconds since the previous line.

    Ignore "seen" lines. Skip lines after a break.
    """
    last = game.begun
    for entry in game.entries:
        if entry.kind != "seen":
            if 0 < entry.at - last <= BREAK_SECONDS:
                yield entry, entry.at - last
            last = entry.at


def _lead(
    curve: tuple[Point, ...],
    players: tuple[str, ...],
    winners: tuple[str, ...],
    left: tuple[int, ...],
) -> tuple[int, int]:
    """Return how often the lead changed, and after how many answers the winner led until the end.

    If there are several winners, or if the winner did not lead, the second number is 0.

    `left`: the seats of players who left the game. These players cannot lead.
    """
    leader: str | None = None
    changes = decided = 0
    for at, scores in curve:
        staying = [
            (who, n)
            for seat, (who, n) in enumerate(zip(players, scores, strict=True))
            if seat not in left
        ]
        top = max(n for _, n in staying)
        ahead = [who for who, n in staying if n == top]
        if len(ahead) == 1 and ahead[0] != leader:
            changes += leader is not None
            leader, decided = ahead[0], at
    return changes, decided if winners == (leader,) else 0
