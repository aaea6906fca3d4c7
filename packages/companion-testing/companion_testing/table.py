"""Tables (players and options) at which a game can be played, and faults that checks find."""

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
from companion.core.errors import CompanionError, ExcludedGame
from companion.core.game import Edition, Game
from companion.core.prompts import Answer
from companion.say.errors import error_text
from companion.say.sentences import MissingSentenceError
from companion.say.words import Words

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
"""Names of ten letters, the longest names that fit on the small display."""
TEST_PLAYER_NAME_PATTERN: Final = re.compile("|".join((*LONG_NAMES, r"Clementi\d\d")))
"""Pattern of any player's name in a random game, including players after LONG_NAMES."""
SHOWN_LETTERS: Final = 60
"""Maximum number of letters in an answer that a finding shows."""
MAX_COMBINATIONS: Final = 20
"""Maximum number of combinations that the kit plays in full.

If a game has more combinations of players and options, the kit plays only some combinations.
"""

Combination: TypeAlias = tuple[tuple[str, str], ...]
"""Type of a combination: pairs of a name and a value, for the players and each option."""


class GameTable(NamedTuple):
    """A game with its players in seat order, its options and its edition."""

    game: Game[Any]
    players: tuple[str, ...]
    options: Mapping[str, str]
    edition: Edition

    @property
    def id(self) -> str:
        """Return the table's identifier, such as `kojak-3-virtual-real-no`."""
        return "-".join((self.game.name, str(len(self.players)), *self.options.values()))

    def first_state(self) -> Any:
        """Return the first state of the game."""
        return self.game.setup(self.players, self.options, self.edition)


def format_answer_for_finding(answer: Answer) -> str:
    """Return an answer as text for a finding, cut to SHOWN_LETTERS letters."""
    text = repr(answer)
    return text if len(text) <= SHOWN_LETTERS else f"{text[: SHOWN_LETTERS - 1]}…"


def sample_evenly(values: Sequence[T], most: int) -> Sequence[T]:
    """Return up to `most` values, evenly sampled and including the first and last value."""
    if len(values) <= most:
        return values
    return [values[n * (len(values) - 1) // (most - 1)] for n in range(most)]


class GamePlace(NamedTuple):
    """A position in the random game that `table` and `seed` identify.

    - `move`: the number of the answer, from 1.
    - `question`: the name of the question.
    - `who`: the player who is asked, or None for all players.
    - `seat`: the number of this player's seat, from 1.
    - `answered`: if True, `answer` is the answer at this place.
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
        answer = f", answered {format_answer_for_finding(self.answer)}" if self.answered else ""
        return f"move {self.move} ({self.question}, {asked}{answer})"


class GameFault(NamedTuple):
    """A fault that a check found, with its place in a game if known.

    - `hidden`: the place at which two games with different secrets began to differ, or None.
    - `instead`: the answer at this place in the second game.
    - `kind`: an identifier for faults of this kind, or "" to use the text of the fault.
    - `check`: the name of the check that the fault belongs to, or "" for the running check.
    """

    what: str
    at: GamePlace | None = None
    hidden: GamePlace | None = None
    instead: Answer = None
    kind: str = ""
    check: str = ""


Faults: TypeAlias = "Iterator[str | GameFault]"
"""Type of the faults that a check yields: texts or Fault objects."""


def faults_with_place(
    at: GamePlace | None, faults: Iterable[str | GameFault]
) -> Iterator[GameFault]:
    """Yield each fault with the place `at`, unless the fault already has a place."""
    for item in faults:
        fault = GameFault(item) if isinstance(item, str) else item
        yield fault._replace(at=fault.at or at)


class CheckFinding(NamedTuple):
    """A fault of a game, with the name of its property and the table.

    - `seed`: the number of the random game, from 0, or None for a fault in sentences or frames.
    - `at`: the place at which the fault occurred first, or None.
    - `kind`: an identifier for this kind of fault, the same at each table and for each player.
    """

    property: str
    table: str
    seed: int | None
    what: str
    at: GamePlace | None = None
    kind: str = ""

    def __str__(self) -> str:
        game = "" if self.seed is None else f", game {self.seed}"
        if self.at is not None:
            met = "" if self.seed is not None else f", {self.at.table}, game {self.at.seed}"
            game = f"{game}{met}, {self.at}"
        return f"{self.property}: {self.table}{game}: {self.what}"


def tables_of_all_option_combinations(game: Game[Any], edition: Edition) -> Iterator[GameTable]:
    """Yield a table for every number of players with every combination of options.

    If there are more than MAX_COMBINATIONS, yield only enough tables to contain each pair of values
    of two options.
    """
    people = [("players", str(n)) for n in game.seats]
    values = ([(option.name, value) for value in option.values] for option in game.options)
    every = [*product(people, *values)]
    for (_, n), *options in every if len(every) <= MAX_COMBINATIONS else _in_pairs(tuple(every)):
        yield GameTable(game, longest_player_names(int(n)), dict(options), edition)


def tables_covering_options(every: list[GameTable]) -> list[GameTable]:
    """Return a few tables that contain each number of players and each value of each option."""
    values = [{len(table.players), *table.options.items()} for table in every]
    missing: set[Any] = set().union(*values)
    chosen: list[GameTable] = []
    while missing:
        best = max(range(len(every)), key=lambda n: len(missing & values[n]))
        missing -= values[best]
        chosen.append(every[best])
    return chosen


def fault_text_without_names(text: str) -> str:
    """Return a fault's text with each player's name replaced by "…"."""
    return TEST_PLAYER_NAME_PATTERN.sub("…", text)


def longest_player_names(n: int) -> tuple[str, ...]:
    """Return `n` player names of ten letters, the longest names that fit on the display."""
    return (*LONG_NAMES, *(f"Clementi{seat:02}" for seat in range(len(LONG_NAMES) + 1, n + 1)))[:n]


@cache
def _in_pairs(every: tuple[Combination, ...]) -> tuple[Combination, ...]:
    """Return a few combinations that together contain all pairs of values of two options."""
    pairs = {combination: {*combinations(combination, 2)} for combination in every}
    missing = {pair for those in pairs.values() for pair in those}
    chosen: list[Combination] = []
    while missing:
        best = max(every, key=lambda combination: len(missing & pairs[combination]))
        missing -= pairs[best]
        chosen.append(best)
    return tuple(chosen)


class ExceptionCatcher:
    """Context manager that turns an exception of a game into a fault.

    - `text`: the exception with its file and line, or "" if there was no exception.
    - `kind`: an identifier, the same for exceptions of one type at one line.
    - `check`: "keys" if a catalogue lacks a sentence, else "".
    """

    text: str = ""
    kind: str = ""
    check: str = ""

    def caught_exception_as_fault(self, at: GamePlace | None = None) -> Iterator[GameFault]:
        """Yield the exception as a fault, or yield nothing if there was no exception."""
        if self.text:
            yield GameFault(self.text, at, kind=self.kind, check=self.check)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        """Store an exception as text. Do not catch exceptions that end the program."""
        if not isinstance(error, Exception):
            return False
        if isinstance(error, MissingAnswerHandlerError):
            self.text = self.kind = str(error)
            return True
        if isinstance(error, ExcludedGame):
            self.text = error_text(error.why, Words("en"))
            self.kind = fault_text_without_names(self.text)
            return True
        if isinstance(error, MissingSentenceError):
            self.text, self.kind, self.check = str(error), f"missing sentence: {error}", "keys"
            return True
        frames = traceback.extract_tb(trace)
        last = next((frame for frame in reversed(frames) if not _is_core(frame)), frames[-1])
        type_name, where = type(error).__name__, f"{Path(last.filename).name}:{last.lineno}"
        self.text = f"{type_name}: {error} ({where})"
        # a CompanionError from one line of code can mean different faults, so keep the text
        self.kind = self.text if isinstance(error, CompanionError) else f"{type_name} {where}"
        return True


def _is_core(frame: traceback.FrameSummary) -> bool:
    """Return True if the stack frame belongs to `companion.core`, which calls a game's rules."""
    return Path(frame.filename).parent == CORE_FOLDER


class MissingAnswerHandlerError(CompanionError, LookupError):
    """The error for a question whose answer has no handler in the game's `on`."""

    def __init__(self, question: str) -> None:
        super().__init__(f"{question} is asked, and `on` does not know it")
