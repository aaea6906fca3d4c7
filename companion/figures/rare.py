"""The most interesting fact of a game: the one that is rarest, of all that can be said of it.

How rare something is follows from the games before. Of n games the newest is the longest once in n
times, if all are alike; and somebody of three wins one game in three, if all play as well.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.figures import luck
from companion.figures.names import SOMEBODY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from companion.figures.played import Played

MIN_ONCE_IN: Final = 5
"""What happens more often than once in so many games is not worth a word."""
ROUND: Final = (10, 50, *range(100, 100_000, 100))
"""Numbers of games that a table celebrates."""
LUCK: Final = {"uneven": 20, "strange": 1000}
"""Fair chance strays so far once in so many games."""
MIN_RUN: Final = 3
"""Wins in a row from which on they are told, and losses before a first win."""
MIN_LEAD_CHANGES: Final = 3
"""Changes of the lead from which on they are told."""
LATE_SHARE: Final = 0.8
"""The share of a game after which it is decided late."""


class RareFact(NamedTuple):
    """What there is to say of a game, by its name; the `facts` fill its sentences.

    It happens once in so many games.
    """

    name: str
    once_in: float
    facts: Mapping[str, Any] = {}


def rarest(game: Played, before: Sequence[Played]) -> RareFact | None:
    """The rarest fact of a game that is over, after these games, from old to new; None if none is.

    Games that are not over do not count, and of whoever is forgotten nothing is told.
    """
    over = [one for one in before if one.ended is not None]
    found = [*_measured(game, over), *_people(game, over), *_table(game, over)]
    best = max(found, key=lambda fact: fact.once_in, default=None)
    return best if best is not None and best.once_in >= MIN_ONCE_IN else None


# --- against games of the same kind ---------------------------------------------------------------


def _measured(game: Played, before: Sequence[Played]) -> Iterator[RareFact]:
    """What no game of this kind exceeds, or few do."""
    alike = [one for one in before if one.game == game.game]
    yield from _record("longest", game, alike, lambda one: one.answers, n=game.answers)
    yield from _record("shortest", game, alike, lambda one: -one.answers, n=game.answers)
    if game.leads >= MIN_LEAD_CHANGES:
        yield _rank("leads", game, alike, lambda one: one.leads, n=game.leads)
    if game.decided and game.decided >= LATE_SHARE * game.answers and game.winners[0] != SOMEBODY:
        yield _rank("late", game, alike, _decided, who=game.winners[0], n=game.decided,
                    of=game.answers)  # fmt: skip
    if len({*game.scores_of_present}) > 1:
        yield from _scored(game, [one for one in alike if len({*one.scores_of_present}) > 1])


def _scored(game: Played, alike: Sequence[Played]) -> Iterator[RareFact]:
    """The same of its points. A game that only has a winner has none worth telling."""
    best = max(game.scores_of_present)
    who = next(
        who
        for seat, (who, n) in enumerate(zip(game.players, game.scores, strict=True))
        if n == best and seat not in game.left
    )
    if max((best, *(max(one.scores_of_present) for one in alike))) <= 1:
        return
    if who != SOMEBODY:
        yield from _record(
            "highest", game, alike, lambda one: max(one.scores_of_present), who=who, n=best
        )
    if len(game.winners) == 1:
        yield _rank("close", game, alike, lambda one: -_margin(one), n=_margin(game))
        yield _rank("clear", game, alike, _margin, n=_margin(game))


def _rank(
    name: str, game: Played, alike: Sequence[Played], by: Callable[[Played], float], **facts: object
) -> RareFact:
    """A fact that is as rare as games that reach so far."""
    reached = 1 + sum(by(one) >= by(game) for one in alike)
    return RareFact(name, (len(alike) + 1) / reached, {"game": game.game, **facts})


def _record(
    name: str, game: Played, alike: Sequence[Played], by: Callable[[Played], float], **facts: object
) -> Iterator[RareFact]:
    """A fact that is true of the one game alone that reaches farthest."""
    if all(by(one) < by(game) for one in alike):
        yield _rank(name, game, alike, by, **facts)


def _decided(game: Played) -> float:
    return game.decided / max(1, game.answers)


def _margin(game: Played) -> int:
    first, second = sorted(game.scores_of_present)[:-3:-1]
    return first - second


# --- the people -----------------------------------------------------------------------------------


def _people(game: Played, before: Sequence[Played]) -> Iterator[RareFact]:
    """What is new for somebody who won."""
    for who in game.winners:
        if who == SOMEBODY:
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


def _run(own: Sequence[Played], who: str) -> list[Played]:
    """Somebody's newest games that all ended alike: all won, or none."""
    found: list[Played] = []
    for one in reversed(own):
        if found and (who in one.winners) != (who in found[-1].winners):
            break
        found.append(one)
    return found[::-1]


def _fair(game: Played) -> float:
    """The share of its games that one of the players would win, if all played as well."""
    return max(1, len(game.winners)) / len(game.players)


def _beaten(game: Played, own: Sequence[Played], who: str) -> Iterator[RareFact]:
    """Whoever was behind somebody every time, and is ahead now."""
    for other in game.players:
        if other in (who, SOMEBODY) or other in game.winners:
            continue
        met = [(who in one.winners, other in one.winners) for one in own if other in one.players]
        lost = met.count((False, True))
        if (True, False) not in met and lost >= MIN_RUN:
            yield RareFact("beaten", 2**lost, {"who": who, "last": other, "n": lost})


# --- the table ------------------------------------------------------------------------------------


def _table(game: Played, before: Sequence[Played]) -> Iterator[RareFact]:
    """A round number, a win of several, and chance that strayed far."""
    if (n := len(before) + 1) in ROUND:
        yield RareFact("round", n, {"n": n})
    if len(game.winners) > 1:
        alike = [one for one in before if one.game == game.game]
        yield _rank("tie", game, alike, lambda one: len(one.winners), n=len(game.winners))
    for name, verdict in (("dice", luck.verdict(game.faces)), ("cards", game.shuffles.verdict)):
        if verdict in LUCK:
            yield RareFact(name, LUCK[verdict], {"n": LUCK[verdict]})
