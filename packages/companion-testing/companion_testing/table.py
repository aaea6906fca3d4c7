"""A table to play at, what is found there, and every table that a game can be played at."""

from __future__ import annotations

import re
import traceback
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeAlias, TypeVar

from companion.core import errors
from companion.core.errors import CompanionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from companion.core.game import Edition, Game
    from companion.core.prompts import Answer

T = TypeVar("T")
CORE: Final = Path(errors.__file__).parent

NAMES: Final = ("Wojehowicz", "Bartholomé", "Maximilien", "Alexandrie", "Konstantin", "Evangeline")
"""Ten letters each: as long as a name gets on the small screen."""
NAME: Final = re.compile("|".join((*NAMES, r"Clementi\d\d")))
"""The name of any player of the kit's tables: there are two more than NAMES."""
SHOWN: Final = 60
"""Letters of an answer in a finding."""
MOST: Final = 20
"""Combinations of players and options that are all played."""

Combination: TypeAlias = tuple[tuple[str, str], ...]
"""How many play, and a value of each option, by its name."""


class Table(NamedTuple):
    """A game with its players, in seat order, its options and what is printed on its board."""

    game: Game[Any]
    players: tuple[str, ...]
    options: Mapping[str, str]
    edition: Edition

    @property
    def id(self) -> str:
        """The table in a word: `kojak-3-virtual-real-no`."""
        return "-".join((self.game.name, str(len(self.players)), *self.options.values()))

    def begin(self) -> Any:
        """The first state."""
        return self.game.setup(self.players, self.options, self.edition)


def format_answer(answer: Answer) -> str:
    """An answer as a finding shows it: of a long one, such as an order of cards, how it begins."""
    text = repr(answer)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def sample_evenly(values: Sequence[T], most: int) -> Sequence[T]:
    """So many of the values, evenly among them: the first and the last, too."""
    if len(values) <= most:
        return values
    return [values[n * (len(values) - 1) // (most - 1)] for n in range(most)]


class At(NamedTuple):
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


class Told(NamedTuple):
    """What a property tells: what is wrong, and at which place of a game, if it is of one.

    `hidden` is the earlier place at which twin games part, and `instead` the other answer there.
    `slip` is the same wherever the same slip comes up, "" where there is nothing like it.
    """

    what: str
    at: At | None = None
    hidden: At | None = None
    instead: Answer = None
    slip: str = ""


Telling: TypeAlias = "Iterator[str | Told]"
"""What a property tells of a game, one thing after another."""


def add_place(at: At | None, told: Iterable[str | Told]) -> Iterator[Told]:
    """The same, each at a place, if it has none of its own."""
    for one in told:
        found = Told(one) if isinstance(one, str) else one
        yield found._replace(at=found.at or at)


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
    at: At | None = None
    slip: str = ""

    def __str__(self) -> str:
        game = "" if self.seed is None else f", game {self.seed}"
        if self.at is not None:
            met = "" if self.seed is not None else f", {self.at.table}, game {self.at.seed}"
            game = f"{game}{met}, {self.at}"
        return f"{self.property}: {self.table}{game}: {self.what}"


def tables(game: Game[Any], edition: Edition) -> Iterator[Table]:
    """Every number of players with every combination of options.

    Of more than MOST only so many that each two values meet, also a number of players and a value.
    """
    people = [("players", str(n)) for n in game.seats]
    values = ([(option.name, value) for value in option.values] for option in game.options)
    every = [*product(people, *values)]
    for (_, n), *options in every if len(every) <= MOST else _in_pairs(tuple(every)):
        yield Table(game, make_players(int(n)), dict(options), edition)


def each_value(every: list[Table]) -> list[Table]:
    """Few of the tables, at which each number of players and each value of an option is met."""
    values = [{len(one.players), *one.options.items()} for one in every]
    missing: set[Any] = set().union(*values)
    chosen: list[Table] = []
    while missing:
        best = max(range(len(every)), key=lambda n: len(missing & values[n]))
        missing -= values[best]
        chosen.append(every[best])
    return chosen


def nameless(what: str) -> str:
    """What is wrong, whoever it is that it is wrong for."""
    return NAME.sub("…", what)


def make_players(n: int) -> tuple[str, ...]:
    """So many players, each with a name that is as long as names get."""
    return (*NAMES, *(f"Clementi{seat:02}" for seat in range(len(NAMES) + 1, n + 1)))[:n]


@cache
def _in_pairs(every: tuple[Combination, ...]) -> tuple[Combination, ...]:
    """Few of the combinations, in which all the pairs of values are that are in any."""
    pairs = {one: {*combinations(one, 2)} for one in every}
    missing = {pair for those in pairs.values() for pair in those}
    chosen: list[Combination] = []
    while missing:
        best = max(every, key=lambda one: len(missing & pairs[one]))
        missing -= pairs[best]
        chosen.append(best)
    return tuple(chosen)


class Net:
    """Catches whatever a game raises, so that a slip of its is a finding and no end.

    `slip` says what was raised and where, "" if nothing was; `raised` is the same wherever the same
    line of a game raises the same.
    """

    slip: str = ""
    raised: str = ""

    def told(self, at: At | None = None) -> Iterator[Told]:
        """The slip as what a property tells; nothing if nothing was raised."""
        if self.slip:
            yield Told(self.slip, at, slip=self.raised)

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
        if isinstance(error, NoHandler):
            self.slip = self.raised = str(error)
            return True
        frames = traceback.extract_tb(trace)
        last = next((frame for frame in reversed(frames) if not _is_core(frame)), frames[-1])
        kind_, where = type(error).__name__, f"{Path(last.filename).name}:{last.lineno}"
        self.slip = f"{kind_}: {error} ({where})"
        # A sentence that is missing is another slip than the next one, though one line looks it up.
        self.raised = self.slip if isinstance(error, CompanionError) else f"{kind_} {where}"
        return True


def _is_core(frame: traceback.FrameSummary) -> bool:
    """Whether it is the fold that runs there, in which each game's slips come up."""
    return Path(frame.filename).parent == CORE


class NoHandler(CompanionError, LookupError):
    """A question is asked, and the game's `on` has nothing that takes its answer."""

    def __init__(self, question: str) -> None:
        super().__init__(f"{question} is asked, and `on` does not know it")
