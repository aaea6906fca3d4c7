"""A table to play at, what is found there, and every table that a game can be played at."""

from __future__ import annotations

import traceback
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType

    from companion.core.game import Game

NAMES: Final = ("Wojehowicz", "Bartholomé", "Maximilien", "Alexandrie", "Konstantin", "Evangeline")
"""Ten letters each: as long as a name gets on the small screen."""
MOST: Final = 20
"""Combinations of players and options that are all played."""

Combination: TypeAlias = tuple[tuple[str, str], ...]
"""How many play, and a value of each option, by its name."""


class Table(NamedTuple):
    """A game with its players, in seat order, its options and what is printed on its board."""

    game: Game[Any]
    players: tuple[str, ...]
    options: Mapping[str, str]
    edition: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The table in a word: `kojak-3-virtual-real-no`."""
        return "-".join((self.game.name, str(len(self.players)), *self.options.values()))

    def begin(self) -> Any:
        """The first state."""
        return self.game.setup(self.players, self.options, self.edition)


class Finding(NamedTuple):
    """What a game does not keep: which property, at which table, in which random game, and how.

    `seed` is the number of the random game, from 0; None if the property is none of one game.
    """

    property: str
    table: str
    seed: int | None
    what: str

    def __str__(self) -> str:
        game = "" if self.seed is None else f", game {self.seed}"
        return f"{self.property}: {self.table}{game}: {self.what}"


def tables(game: Game[Any], edition: Mapping[str, Any]) -> Iterator[Table]:
    """Every number of players with every combination of options.

    Of more than MOST only so many that each two values meet, also a number of players and a value.
    """
    people = [("players", str(n)) for n in game.seats]
    values = ([(option.name, value) for value in option.values] for option in game.options)
    every = [*product(people, *values)]
    for (_, n), *options in every if len(every) <= MOST else _in_pairs(every):
        yield Table(game, NAMES[: int(n)], dict(options), edition)


def _in_pairs(every: list[Combination]) -> list[Combination]:
    """Few of the combinations, in which all the pairs of values are that are in any."""
    pairs = {one: {*combinations(one, 2)} for one in every}
    missing = {pair for those in pairs.values() for pair in those}
    chosen: list[Combination] = []
    while missing:
        best = max(every, key=lambda one: len(missing & pairs[one]))
        missing -= pairs[best]
        chosen.append(best)
    return chosen


class Net:
    """Catches whatever a game raises, so that a slip of its is a finding and no end.

    `slip` says what was raised and where; "" if nothing was.
    """

    slip: str = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        """Keep an exception as a sentence; what ends the program goes on."""
        if not isinstance(error, Exception):
            return False
        frames = traceback.extract_tb(trace)
        last = frames[-1]
        self.slip = f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})"
        return True
