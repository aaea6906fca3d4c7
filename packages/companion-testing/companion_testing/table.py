"""A table for checks, its findings, and all tables at which a game can be played."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self, TypeAlias, TypeVar

from companion.core import errors
from companion.core.errors import CompanionError
from companion.core.game import Edition, Game
from companion.core.prompts import Answer

T = TypeVar("T")
CORE_FOLDER: Final = Path(errors.__file__).parent

LONG_NAMES: Final = (
    "Wojehowicz",
    "Bartholomé",
    "Maximilien",
    "Alexandrie",
    "Konstantin",
    "Evangeline",
)
"""Names of ten letters, the longest on the small display."""
NAME_PATTERN: Final = re.compile("|".join((*LONG_NAMES, r"Clementi\d\d")))
"""Matches the name of any player in the kit; there are two more than NAMES."""
SHOWN_LETTERS: Final = 60
"""Letters of an answer in a finding."""
MAX_COMBINATIONS: Final = 20
"""Combinations of players and options up to which all are played."""

Combination: TypeAlias = tuple[tuple[str, str], ...]
"""The number of players and the value of each option, as (name, value)."""


class Table(NamedTuple):
    """A game with its players in seat order, its options and its edition."""

    game: Game[Any]
    players: tuple[str, ...]
    options: Mapping[str, str]
    edition: Edition

    @property
    def id(self) -> str:
        """Return the table's identifier: `kojak-3-virtual-real-no`."""
        return "-".join((self.game.name, str(len(self.players)), *self.options.values()))

    def begin(self) -> Any:
        """Return the first state."""
        return self.game.setup(self.players, self.options, self.edition)


def format_answer(answer: Answer) -> str:
    """Return an answer as a finding shows it; a long one is cut."""
    text = repr(answer)
    return text if len(text) <= SHOWN_LETTERS else f"{text[: SHOWN_LETTERS - 1]}…"


def sample_evenly(values: Sequence[T], most: int) -> Sequence[T]:
    """Return up to `most` values, evenly sampled with the first and the last."""
    if len(values) <= most:
        return values
    return [values[n * (len(values) - 1) // (most - 1)] for n in range(most)]


class GamePlace(NamedTuple):
    """A place in the random game of `table` and `seed`.

    - `move`: the number of the answer, from 1.
    - `question`, `who`, `seat`: the question, the player who is asked, and the seat, from 1.
    - `answered`: True if `answer` was given there.
    """

    table: str
    seed: int
    move: int
    question: str
    who: str | None
    seat: int | None
    answer: Answer = None
    answered: bool = False

    def __str__(self) -> str:
        asked = (
            "asked of the table" if self.who is None else f"asked of {self.who}, seat {self.seat}"
        )
        answer = f", answered {format_answer(self.answer)}" if self.answered else ""
        return f"move {self.move} ({self.question}, {asked}{answer})"


class Fault(NamedTuple):
    """A fault that a property reports, and its place in a game, if it has one.

    `hidden` is the earlier place where twin games differ, and `instead` the other answer there.
    `slip` identifies the kind of fault; "" if no other fault is of its kind.
    """

    what: str
    at: GamePlace | None = None
    hidden: GamePlace | None = None
    instead: Answer = None
    slip: str = ""


Faults: TypeAlias = "Iterator[str | Fault]"
"""The faults that a property reports, one after another."""


def add_place(at: GamePlace | None, faults: Iterable[str | Fault]) -> Iterator[Fault]:
    """Yield faults, each with the place `at` if it has none."""
    for item in faults:
        fault = Fault(item) if isinstance(item, str) else item
        yield fault._replace(at=fault.at or at)


class Finding(NamedTuple):
    """A fault of a game: the property, the table, the random game and a description.

    - `seed`: the number of the random game, from 0; None if the property belongs to no game.
    - `at`: the place where the fault was found first.
    - `slip`: an identifier of the kind of fault, equal at each table and for each player.
    """

    property: str
    table: str
    seed: int | None
    what: str
    at: GamePlace | None = None
    slip: str = ""

    def __str__(self) -> str:
        game = "" if self.seed is None else f", game {self.seed}"
        if self.at is not None:
            met = "" if self.seed is not None else f", {self.at.table}, game {self.at.seed}"
            game = f"{game}{met}, {self.at}"
        return f"{self.property}: {self.table}{game}: {self.what}"


def all_tables(game: Game[Any], edition: Edition) -> Iterator[Table]:
    """Yield tables with every number of players and combination of options.

    Above MAX_COMBINATIONS, only as many that each pair of values occurs.
    """
    people = [("players", str(n)) for n in game.seats]
    values = ([(option.name, value) for value in option.values] for option in game.options)
    every = [*product(people, *values)]
    for (_, n), *options in every if len(every) <= MAX_COMBINATIONS else _in_pairs(tuple(every)):
        yield Table(game, make_players(int(n)), dict(options), edition)


def covering_tables(every: list[Table]) -> list[Table]:
    """Return a few tables that together have each number of players and each option's value."""
    values = [{len(table.players), *table.options.items()} for table in every]
    missing: set[Any] = set().union(*values)
    chosen: list[Table] = []
    while missing:
        best = max(range(len(every)), key=lambda n: len(missing & values[n]))
        missing -= values[best]
        chosen.append(every[best])
    return chosen


def without_names(text: str) -> str:
    """Return a fault's text without players' names."""
    return NAME_PATTERN.sub("…", text)


def make_players(n: int) -> tuple[str, ...]:
    """Return `n` players with the longest possible names."""
    return (*LONG_NAMES, *(f"Clementi{seat:02}" for seat in range(len(LONG_NAMES) + 1, n + 1)))[:n]


@cache
def _in_pairs(every: tuple[Combination, ...]) -> tuple[Combination, ...]:
    """Return a few combinations that together contain all pairs of values."""
    pairs = {combination: {*combinations(combination, 2)} for combination in every}
    missing = {pair for those in pairs.values() for pair in those}
    chosen: list[Combination] = []
    while missing:
        best = max(every, key=lambda combination: len(missing & pairs[combination]))
        missing -= pairs[best]
        chosen.append(best)
    return tuple(chosen)


class ExceptionCatcher:
    """Catches exceptions of a game, so that they become findings.

    `slip` is the exception and its place, "" if there was none. `raised` is equal for the same
    exception at one line of the game.
    """

    slip: str = ""
    raised: str = ""

    def faults(self, at: GamePlace | None = None) -> Iterator[Fault]:
        """Yield the exception as a fault; nothing if there was none."""
        if self.slip:
            yield Fault(self.slip, at, slip=self.raised)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        """Store an exception as a sentence; let those pass that end the program."""
        if not isinstance(error, Exception):
            return False
        if isinstance(error, NoHandler):
            self.slip = self.raised = str(error)
            return True
        frames = traceback.extract_tb(trace)
        last = next((frame for frame in reversed(frames) if not _is_core(frame)), frames[-1])
        kind_, where = type(error).__name__, f"{Path(last.filename).name}:{last.lineno}"
        self.slip = f"{kind_}: {error} ({where})"
        # missing sentences are different faults, although one line looks them up
        self.raised = self.slip if isinstance(error, CompanionError) else f"{kind_} {where}"
        return True


def _is_core(frame: traceback.FrameSummary) -> bool:
    """Return True if the frame is in the fold, which calls every game's rules."""
    return Path(frame.filename).parent == CORE_FOLDER


class NoHandler(CompanionError, LookupError):
    """A question whose answer the game's `on` does not handle."""

    def __init__(self, question: str) -> None:
        super().__init__(f"{question} is asked, and `on` does not know it")
