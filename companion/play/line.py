"""The values that a session is made of: what it began with, and its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import CompanionError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.chance import Chance
    from companion.core.game import Cues, Game
    from companion.record.entry import Entry


class Setup(NamedTuple):
    """What a game was begun with; the first line of its record. `chance` holds the secret seed."""

    game: Game[Any]
    players: tuple[str, ...]
    options: Mapping[str, str]
    edition: Mapping[str, Any]
    chance: Chance
    mixing: bool = True


class Step(NamedTuple):
    """One folded answer, and all before it."""

    before: Step | None
    entry: Entry
    state: Any
    cues: Cues
    n: int
    draws: int
    answers: int


class Line(NamedTuple):
    """The game as it stands: a value, so that a change that can not be written is dropped whole.

    `seen` says up to which step a player has looked at the own secrets; `redo` holds the answers
    taken back, latest last, each with the box's answers to it; `asking` that an undo waits for the
    table's yes.
    """

    last: Step
    presses: tuple[int, ...] = ()
    seen: Mapping[str, int] = {}
    redo: tuple[tuple[Entry, ...], ...] = ()
    asking: bool = False
    cues: Cues = ()


class RulesChanged(CompanionError, ValueError):  # noqa: N818 - the fact, not its handling
    """A recorded answer no longer fits the question asked: the rules have changed since.

    `answer` is its place, from 1; `recorded` and `asked` are the questions' names.
    """

    def __init__(self, answer: int, recorded: str, asked: str | None) -> None:
        super().__init__(
            f"Answer {answer} was given to {recorded!r}; now the rules ask {asked!r} there."
        )
        self.answer, self.recorded, self.asked = answer, recorded, asked
