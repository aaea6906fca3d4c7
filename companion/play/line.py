"""The values that a session is made of: what it began with, and its answers."""

from __future__ import annotations

from itertools import chain, islice, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import Explained, Refused

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from companion.core.chance import Chance
    from companion.core.game import Cue, Cues, Game
    from companion.core.prompts import Roll, Shuffle
    from companion.record.entry import Entry


class Program(NamedTuple):
    """How the box plays a seat: how well (`companion.seat.player.OFFERED`), in which version."""

    level: str
    version: str


class Setup(NamedTuple):
    """What a game was begun with; the first line of its record. `chance` holds the secret seed.

    `programs` are the players whose seat the box plays, and how.
    """

    game: Game[Any]
    players: tuple[str, ...]
    options: Mapping[str, str]
    edition: Mapping[str, Any]
    chance: Chance
    mixing: bool = True
    programs: Mapping[str, Program] = {}

    @property
    def people(self) -> tuple[str, ...]:
        """The players who are no programs, in seat order."""
        return tuple(who for who in self.players if who not in self.programs)


class Step(NamedTuple):
    """One folded answer, and all before it.

    `answered` is the latest step before it that a person answered; `told` says at which step each
    player was last told a secret; `draws` how often the box drew, by question and player. What is
    asked of a line is known at its last step, so a long game is played on, taken back and replayed
    as fast as a short one.
    """

    before: Step | None
    entry: Entry
    state: Any
    cues: Cues
    n: int
    answers: int
    answered: Step | None = None
    told: Mapping[str, int] = {}
    draws: Mapping[tuple[str | None, str | None], int] = {}

    @property
    def is_roll(self) -> bool:
        """Whether the box rolled: of what it answers only a shuffle has a 0."""
        return self.entry.kind == "box" and 0 not in self.entry.value

    @property
    def target(self) -> Step | None:
        """The latest step, this one included, that a person answered."""
        return self if self.entry.kind == "answer" else self.answered


class Undone(NamedTuple):
    """An answer taken back, and the box's to it, with those taken back before; `n` in all."""

    entries: tuple[Entry, ...]
    before: Undone | None
    n: int


class Line(NamedTuple):
    """The game as it stands: a value, so that a change that cannot be written is dropped whole.

    `seen` says up to which step a player has looked at the own secrets; `redo` holds the answers
    taken back, the latest first; `asking` that an undo waits for the table's yes; `cues` are told
    now, and `since` is the last step before them; `programs` are the players whose seat the box
    plays now.
    """

    last: Step
    presses: tuple[int, ...] = ()
    seen: Mapping[str, int] = {}
    redo: Undone | None = None
    asking: bool = False
    cues: Cues = ()
    since: Step | None = None
    programs: Mapping[str, Program] = {}

    def steps(self) -> Iterator[Step]:
        """All folded answers, the latest first."""
        return takewhile(lambda step: step.before is not None, self.all_steps())

    def all_steps(self) -> Iterator[Step]:
        """All folded answers, the latest first, and what was before them."""
        step: Step | None = self.last
        while step is not None:
            yield step
            step = step.before

    def rulings(self) -> Cues:
        """The last facts that clauses stand behind; before what the box rolled after them."""
        rolls = sum(1 for _ in takewhile(lambda step: step.is_roll, self.steps()))
        steps = chain(islice(self.steps(), rolls, rolls + 1), self.all_steps())
        told = (tuple(filter(_is_ruling, step.cues)) for step in steps)
        return next(filter(None, told), ())

    def folded(self, entry: Entry, state: Any, cues: Cues) -> Line:
        """One answer further."""
        last, box = self.last, entry.kind == "box"
        n = last.n + 1
        draws, told = last.draws, last.told
        if box:
            key = (entry.question, entry.who)
            draws = {**draws, key: draws.get(key, 0) + 1}
        if secrets := [cue.to for cue in cues if cue.to is not None]:
            told = {**told, **dict.fromkeys(secrets, n)}
        answers = last.answers + (not box)
        return self._replace(
            last=Step(last, entry, state, cues, n, answers, last.target, told, draws)
        )

    def draws(self, chance: Chance, prompt: Roll | Shuffle) -> int:
        """How many draws there were of the name that `prompt` has."""
        name = chance.name(prompt.name, prompt.who)
        return sum(n for drawn, n in self.last.draws.items() if chance.name(*drawn) == name)

    def target(self, seen: Collection[str]) -> Step:
        """The last answer that a person gave. Raises Refused if there is none.

        People answer the questions about what they have `seen` on their board for any seat.
        """
        target = self.last.target
        while target is not None and self._is_program(target.entry, seen):
            target = target.answered
        if target is None:
            raise Refused("nothing_to_undo")
        return target

    def _is_program(self, entry: Entry, seen: Collection[str]) -> bool:
        return entry.who in self.programs and entry.question not in seen

    def dropped(self, target: Step) -> Line:
        """Back to before `target`; what is taken back is remembered, for redo."""
        group = [step.entry for step in takewhile(lambda step: step.n >= target.n, self.steps())]
        last = target.before
        assert last is not None  # the first step is no answer
        seen = {player: min(n, last.n) for player, n in self.seen.items()}
        redo = Undone(tuple(reversed(group)), self.redo, 1 + (self.redo.n if self.redo else 0))
        return self._replace(last=last, seen=seen, redo=redo, asking=False)

    def looked(self, player: str) -> Line:
        """A player has looked at the own secrets, as they are now."""
        return self._replace(seen={**self.seen, player: self.last.n})

    def played_by(self, player: str, program: Program | None) -> Line:
        """The box plays that seat from now on, or its player does again."""
        others = {who: one for who, one in self.programs.items() if who != player}
        return self._replace(programs=others if program is None else {**others, player: program})

    def has_news(self, player: str) -> bool:
        """Whether there is a secret that the player has not looked at yet."""
        return self.seen.get(player, 0) < self.last.told.get(player, 0)

    def is_seen(self, n: int) -> bool:
        """Whether a secret of step `n` or later has been seen, or was turned over for all."""
        for step in takewhile(lambda step: step.n >= n, self.steps()):
            for cue in step.cues:
                if cue.reveals:
                    return True
                if cue.to is not None and step.n <= self.seen.get(cue.to, 0):
                    return True
        return False


def _is_ruling(cue: Cue) -> bool:
    return cue.clause is not None and cue.to is None


class RulesChanged(Explained, ValueError):
    """A recorded answer no longer fits the question asked: the rules have changed since.

    `answer` is its place, from 1; `recorded` and `asked` are the questions' names.
    """

    def __init__(self, answer: int, recorded: str, asked: str | None) -> None:
        how = "other" if asked else "no_place"
        asks = {"recorded": repr(recorded), "asked": repr(asked)}
        super().__init__(f"rules.{how}", n=answer, **asks)
        self.answer, self.recorded, self.asked = answer, recorded, asked
