"""The values that a session is made of: what it began with, and its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import CompanionError, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.core.chance import Chance
    from companion.core.game import Cues, Game
    from companion.core.prompts import Roll, Shuffle
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

    def steps(self) -> Iterator[Step]:
        """All folded answers, the latest first."""
        step: Step | None = self.last
        while step is not None and step.before is not None:
            yield step
            step = step.before

    def folded(self, entry: Entry, state: Any, cues: Cues) -> Line:
        """One answer further."""
        last, box = self.last, entry.kind == "box"
        counts = last.n + 1, last.answers + (not box)
        return self._replace(last=Step(last, entry, state, cues, *counts))

    def draws(self, chance: Chance, prompt: Roll | Shuffle) -> int:
        """How many draws there were of the name that `prompt` has."""
        name = chance.name(prompt.name, prompt.who)
        drawn = (step.entry for step in self.steps() if step.entry.kind == "box")
        return sum(chance.name(entry.question, entry.who) == name for entry in drawn)

    def target(self) -> Step:
        """The last answer that a person gave. Raises Refused if there is none."""
        target = next((step for step in self.steps() if step.entry.kind == "answer"), None)
        if target is None:
            raise Refused("nothing_to_undo")
        return target

    def dropped(self, target: Step) -> Line:
        """Back to before `target`; what is taken back is remembered, for redo."""
        group = [step.entry for step in self.steps() if step.n >= target.n]
        last = target.before
        assert last is not None  # noqa: S101 - the first step is no answer
        seen = {player: min(n, last.n) for player, n in self.seen.items()}
        redo = (*self.redo, tuple(reversed(group)))
        return self._replace(last=last, seen=seen, redo=redo, asking=False)

    def looked(self, player: str) -> Line:
        """A player has looked at the own secrets, as they are now."""
        return self._replace(seen={**self.seen, player: self.last.n})

    def has_news(self, player: str) -> bool:
        """Whether there is a secret that the player has not looked at yet."""
        secrets = (step.n for step in self.steps() if any(cue.to == player for cue in step.cues))
        return self.seen.get(player, 0) < next(secrets, 0)

    def is_seen(self, n: int) -> bool:
        """Whether a secret of step `n` or later has been seen, or was turned over for all."""
        for step in self.steps():
            if step.n < n:
                break
            for cue in step.cues:
                if cue.reveals:
                    return True
                if cue.to is not None and step.n <= self.seen.get(cue.to, 0):
                    return True
        return False


class RulesChanged(CompanionError, ValueError):  # noqa: N818 - the fact, not its handling
    """A recorded answer no longer fits the question asked: the rules have changed since.

    `answer` is its place, from 1; `recorded` and `asked` are the questions' names.
    """

    def __init__(self, answer: int, recorded: str, asked: str | None) -> None:
        super().__init__(
            f"Answer {answer} was given to {recorded!r}; now the rules ask {asked!r} there."
        )
        self.answer, self.recorded, self.asked = answer, recorded, asked
