"""The search for the rarest fact about a game, compared with earlier games.

The earlier games determine how rare a fact is. For example, the probability that the newest of n
similar games is the longest is 1 in n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, Final, NamedTuple

from companion.figures import luck
from companion.figures.game_statistics import GameStatistics
from companion.figures.names import FORGOTTEN_NAME

MIN_ONCE_IN: Final = 5
"""The box announces only facts that happen at most once in this number of games."""
CELEBRATED_NUMBERS: Final = (10, 50, *range(100, 100_000, 100))
"""The numbers of finished games that the box announces, such as the 100th game."""
ONCE_IN_BY_VERDICT: Final = {"uneven": 20, "strange": 1000}
"""Table from a verdict on fairness to N: fair dice or shuffles get this verdict once in N games."""
MIN_RUN: Final = 3
"""The minimum number of consecutive wins, or of losses before a win, that the box announces."""
MIN_LEAD_CHANGES: Final = 3
"""The minimum number of changes of the lead that the box announces."""
LATE_SHARE: Final = 0.8
"""If a game is decided after this share (0 to 1) of its answers, the decision is late."""


class RareFact(NamedTuple):
    """A fact about a finished game, such as a long series of wins.

    - `name`: the kind of the fact.
    - `once_in`: the rarity, a number N: this kind of fact happens once in N games.
    - `facts`: the values for the placeholders of the fact's sentence.
    """

    name: str
    once_in: float
    facts: Mapping[str, Any] = {}


def rarest_fact_about_game(
    game: GameStatistics, before: Sequence[GameStatistics]
) -> RareFact | None:
    """Return the rarest fact about a finished game; None if no fact is rare.

    `before`: the other games, oldest first, with which the game is compared. Facts about forgotten
    players do not count.
    """
    over = [other for other in before if other.ended is not None]
    facts = [*_measured(game, over), *_people(game, over), *_table(game, over)]
    best = max(facts, key=lambda fact: fact.once_in, default=None)
    return best if best is not None and best.once_in >= MIN_ONCE_IN else None


# --- compared with games of its kind --------------------------------------------------------------


def _measured(game: GameStatistics, before: Sequence[GameStatistics]) -> Iterator[RareFact]:
    alike = [other for other in before if other.game == game.game]
    yield from _record("longest", game, alike, lambda other: other.answers, n=game.answers)
    yield from _record("shortest", game, alike, lambda other: -other.answers, n=game.answers)
    if game.leads >= MIN_LEAD_CHANGES:
        yield _rank("leads", game, alike, lambda other: other.leads, n=game.leads)
    if (
        game.decided
        and game.decided >= LATE_SHARE * game.answers
        and game.winners[0] != FORGOTTEN_NAME
    ):
        yield _rank("late", game, alike, _decided, who=game.winners[0], n=game.decided,
                    of=game.answers)  # fmt: skip
    if len({*game.scores_of_remaining_players}) > 1:
        yield from _scored(
            game, [other for other in alike if len({*other.scores_of_remaining_players}) > 1]
        )


def _scored(game: GameStatistics, alike: Sequence[GameStatistics]) -> Iterator[RareFact]:
    best = max(game.scores_of_remaining_players)
    who = next(
        who
        for seat, (who, n) in enumerate(zip(game.players, game.scores, strict=True))
        if n == best and seat not in game.left
    )
    if max((best, *(max(other.scores_of_remaining_players) for other in alike))) <= 1:
        return
    if who != FORGOTTEN_NAME:
        yield from _record(
            "highest",
            game,
            alike,
            lambda other: max(other.scores_of_remaining_players),
            who=who,
            n=best,
        )
    if len(game.winners) == 1:
        yield _rank("close", game, alike, lambda other: -_margin(other), n=_margin(game))
        yield _rank("clear", game, alike, _margin, n=_margin(game))


def _rank(
    name: str,
    game: GameStatistics,
    alike: Sequence[GameStatistics],
    by: Callable[[GameStatistics], float],
    **facts: object,
) -> RareFact:
    """Return the fact that a value of the game, such as its length, is high.

    The fewer other games reach this value, the rarer is the fact.

    - `alike`: the other games with the same rules.
    - `by`: the function that returns the value of a game.
    """
    reached = 1 + sum(by(one) >= by(game) for one in alike)
    return RareFact(name, (len(alike) + 1) / reached, {"game": game.game, **facts})


def _record(
    name: str,
    game: GameStatistics,
    alike: Sequence[GameStatistics],
    by: Callable[[GameStatistics], float],
    **facts: object,
) -> Iterator[RareFact]:
    if all(by(one) < by(game) for one in alike):
        yield _rank(name, game, alike, by, **facts)


def _decided(game: GameStatistics) -> float:
    return game.decided / max(1, game.answers)


def _margin(game: GameStatistics) -> int:
    first, second = sorted(game.scores_of_remaining_players)[:-3:-1]
    return first - second


# --- people ---------------------------------------------------------------------------------------


def _people(game: GameStatistics, before: Sequence[GameStatistics]) -> Iterator[RareFact]:
    for who in game.winners:
        if who == FORGOTTEN_NAME:
            continue
        own = [one for one in before if who in one.players]
        run = _run(own, who)
        if run and who in run[-1].winners and len(run) + 1 >= MIN_RUN:
            chance = prod(_fair(one) for one in (*run, game))
            yield RareFact("streak", 1 / chance, {"who": who, "n": len(run) + 1})
        elif run and who not in run[-1].winners and len(run) >= MIN_RUN:
            name = "first_win" if len(run) == len(own) else "at_last"
            chance = prod(1 - _fair(one) for one in run)
            yield RareFact(name, 1 / chance if chance else 0, {"who": who, "n": len(run)})
        yield from _beaten(game, own, who)


def _run(own: Sequence[GameStatistics], who: str) -> list[GameStatistics]:
    found: list[GameStatistics] = []
    for one in reversed(own):
        if found and (who in one.winners) != (who in found[-1].winners):
            break
        found.append(one)
    return found[::-1]


def _fair(game: GameStatistics) -> float:
    """Return the probability that a certain player wins if all players are equally good."""
    return max(1, len(game.winners)) / len(game.players)


def _beaten(game: GameStatistics, own: Sequence[GameStatistics], who: str) -> Iterator[RareFact]:
    for other in game.players:
        if other in (who, FORGOTTEN_NAME) or other in game.winners:
            continue
        met = [(who in one.winners, other in one.winners) for one in own if other in one.players]
        lost = met.count((False, True))
        if (True, False) not in met and lost >= MIN_RUN:
            yield RareFact("beaten", 2**lost, {"who": who, "last": other, "n": lost})


# --- the group ------------------------------------------------------------------------------------


def _table(game: GameStatistics, before: Sequence[GameStatistics]) -> Iterator[RareFact]:
    if (n := len(before) + 1) in CELEBRATED_NUMBERS:
        yield RareFact("round", n, {"n": n})
    if len(game.winners) > 1:
        alike = [one for one in before if one.game == game.game]
        yield _rank("tie", game, alike, lambda one: len(one.winners), n=len(game.winners))
    for name, verdict in (
        ("dice", luck.dice_fairness_verdict(game.faces)),
        ("cards", game.shuffles.fairness_verdict),
    ):
        if verdict in ONCE_IN_BY_VERDICT:
            yield RareFact(name, ONCE_IN_BY_VERDICT[verdict], {"n": ONCE_IN_BY_VERDICT[verdict]})
