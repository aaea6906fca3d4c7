"""The setup of a game, and the history of its answers: the values that a session works with."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain, islice, takewhile
from typing import Any, NamedTuple

from companion.core.chance import Chance
from companion.core.errors import Refused, TranslatedError
from companion.core.game import Cue, Cues, Edition, Game
from companion.core.prompts import Roll, Shuffle
from companion.record.entry import Entry


class ComputerPlayerProgram(NamedTuple):
    """A computer player's level (`companion.seat.player.OFFERED_LEVELS`) and program version."""

    level: str
    version: str


class GameSetup(NamedTuple):
    """The setup of a game, which the record stores in its first line.

    - `chance`: the source of all rolls and shuffles by the box, with the secret seed.
    - `mixing` is True if the times of the players' button presses are mixed into the chance.
    - `programs`: the computer players at the game's start, by the player's name.
    """

    game: Game[Any]
    players: tuple[str, ...]
    options: Mapping[str, str]
    edition: Edition
    chance: Chance
    mixing: bool = True
    programs: Mapping[str, ComputerPlayerProgram] = {}

    @property
    def human_players(self) -> tuple[str, ...]:
        """Return the people among the players, in seat order."""
        return tuple(who for who in self.players if who not in self.programs)


class AnswerStep(NamedTuple):
    """One applied answer, with the link `before` to the previous step.

    Each step stores totals, so that undo and replay stay fast in a long game. The step before all
    answers has the number 0, and its `before` is None.

    - `n`: the number of this step, from 1.
    - `answers`: the number of answers so far, without the box's rolls and shuffles.
    - `previous_player_step`: the latest earlier step that is not a roll or shuffle by the box.
    - `last_secret_steps`: for each player, the number of the step at which the player last received
      a secret.
    - `draws`: the number of the box's rolls and shuffles so far, by question and player.
    """

    before: AnswerStep | None
    entry: Entry
    state: Any
    cues: Cues
    n: int
    answers: int
    previous_player_step: AnswerStep | None = None
    last_secret_steps: Mapping[str, int] = {}
    draws: Mapping[tuple[str | None, str | None], int] = {}

    @property
    def is_roll_by_box(self) -> bool:
        """Return True if this answer is a roll by the box, and False for a shuffle by the box.

        Only the result of a shuffle contains the number 0.
        """
        return self.entry.kind == "box" and 0 not in self.entry.value

    @property
    def latest_player_step(self) -> AnswerStep | None:
        """Return the step of the latest answer by a player; None if no player has answered.

        This step counts, and later steps do not count. The player can be a computer player. Rolls
        and shuffles by the box do not count.
        """
        return self if self.entry.kind == "answer" else self.previous_player_step


class UndoneAnswerChain(NamedTuple):
    """An undone answer, and a link to the answer that was undone before.

    - `entries`: a person's answer, and the later answers of computer players and of the box. One
      undo cancelled all these answers.
    - `n`: the number of links in the chain, which is the number of times that players can redo.
    """

    entries: tuple[Entry, ...]
    before: UndoneAnswerChain | None
    n: int


class AnswerHistory(NamedTuple):
    """The history of a game's answers.

    Every change returns a new `AnswerHistory`, so a change that cannot be saved is simply
    discarded.

    - `last`: the step of the latest answer.
    - `presses`: the numbers from players' presses that are mixed into the chance.
    - `last_look_steps`: for each player, the number of the last step at which the player looked at
      secrets.
    - `redo`: the undone answers; the last undone answer comes first.
    - `is_undo_question_pending` is True while the players must agree to an undo.
    - `cues`: the events to announce now.
    - `step_before_cues`: the last step before the events in `cues`.
    - `programs`: the present computer players, by the player's name.
    """

    last: AnswerStep
    presses: tuple[int, ...] = ()
    last_look_steps: Mapping[str, int] = {}
    redo: UndoneAnswerChain | None = None
    is_undo_question_pending: bool = False
    cues: Cues = ()
    step_before_cues: AnswerStep | None = None
    programs: Mapping[str, ComputerPlayerProgram] = {}

    def steps_latest_first(self) -> Iterator[AnswerStep]:
        """Yield the steps of all answers, the latest first."""
        return takewhile(lambda step: step.before is not None, self.steps_and_start_latest_first())

    def steps_and_start_latest_first(self) -> Iterator[AnswerStep]:
        """Yield the steps of all answers, the latest first, then the step before all answers."""
        step: AnswerStep | None = self.last
        while step is not None:
            yield step
            step = step.before

    def latest_events_with_clause(self) -> Cues:
        """Find the latest answer that caused public events with a clause. Return these events.

        Return () if the game has no public event with a clause.

        If the last answers are rolls of the box, first examine the answer before these rolls.
        """
        rolls = sum(
            1 for _ in takewhile(lambda step: step.is_roll_by_box, self.steps_latest_first())
        )
        steps = chain(
            islice(self.steps_latest_first(), rolls, rolls + 1), self.steps_and_start_latest_first()
        )
        rulings = (tuple(filter(_is_ruling, step.cues)) for step in steps)
        return next(filter(None, rulings), ())

    def with_answer(self, entry: Entry, state: Any, cues: Cues) -> AnswerHistory:
        """Return the answer history with one more answer."""
        last, box = self.last, entry.kind == "box"
        n = last.n + 1
        draws, received = last.draws, last.last_secret_steps
        if box:
            key = (entry.question, entry.who)
            draws = {**draws, key: draws.get(key, 0) + 1}
        if secrets := [cue.to for cue in cues if cue.to is not None]:
            received = {**received, **dict.fromkeys(secrets, n)}
        answers = last.answers + (not box)
        return self._replace(
            last=AnswerStep(
                last, entry, state, cues, n, answers, last.latest_player_step, received, draws
            )
        )

    def count_draws_for_prompt(self, chance: Chance, prompt: Roll | Shuffle) -> int:
        """Return how often the box has already made the roll or shuffle that `prompt` asks for.

        Rolls and shuffles to which `chance` gives the same name are counted together.
        """
        name = chance.name_of_draw(prompt.name, prompt.who)
        return sum(n for drawn, n in self.last.draws.items() if chance.name_of_draw(*drawn) == name)

    def undoable_answer_step(self, seen: Collection[str]) -> AnswerStep:
        """Return the step of the last answer by a person. Raise Refused if no person has answered.

        `seen`: names of questions that only people can answer, because they must look at the
        printed board. A person also answers these questions for a computer player.
        """
        target = self.last.latest_player_step
        while target is not None and self._is_program(target.entry, seen):
            target = target.previous_player_step
        if target is None:
            raise Refused("nothing_to_undo")
        return target

    def _is_program(self, entry: Entry, seen: Collection[str]) -> bool:
        return entry.who in self.programs and entry.question not in seen

    def with_answers_undone(self, target: AnswerStep) -> AnswerHistory:
        """Return the history without `target` and without all later answers.

        Store the undone answers for a redo.
        """
        group = [
            step.entry
            for step in takewhile(lambda step: step.n >= target.n, self.steps_latest_first())
        ]
        last = target.before
        assert last is not None  # an undo target is an answer, so a step before the target exists
        seen = {player: min(n, last.n) for player, n in self.last_look_steps.items()}
        redo = UndoneAnswerChain(
            tuple(reversed(group)), self.redo, 1 + (self.redo.n if self.redo else 0)
        )
        return self._replace(
            last=last, last_look_steps=seen, redo=redo, is_undo_question_pending=False
        )

    def with_secrets_seen(self, player: str) -> AnswerHistory:
        """Return the answer history after `player` looked at the present secrets."""
        return self._replace(last_look_steps={**self.last_look_steps, player: self.last.n})

    def with_computer_player(
        self, player: str, program: ComputerPlayerProgram | None
    ) -> AnswerHistory:
        """Return the history with the computer player `program` in the player's seat.

        If `program` is None, a person plays the seat.
        """
        others = {who: other for who, other in self.programs.items() if who != player}
        return self._replace(programs=others if program is None else {**others, player: program})

    def has_unseen_secret(self, player: str) -> bool:
        """Return True if the player has received a secret and has not looked at the secret yet."""
        return self.last_look_steps.get(player, 0) < self.last.last_secret_steps.get(player, 0)

    def has_known_secret_since(self, n: int) -> bool:
        """Return True if a secret from step `n` or later is known.

        A secret is known if an event revealed the secret, or if the secret's player saw the secret.
        """
        for step in takewhile(lambda step: step.n >= n, self.steps_latest_first()):
            for cue in step.cues:
                if cue.reveals:
                    return True
                if cue.to is not None and step.n <= self.last_look_steps.get(cue.to, 0):
                    return True
        return False


def _is_ruling(cue: Cue) -> bool:
    return cue.clause is not None and cue.to is None


class RulesChangedError(TranslatedError, ValueError):
    """The error for a recorded answer that does not fit the present rules.

    `answer` is the answer's number in the game's history without undone answers, from 1. `recorded`
    is the name of the recorded question, or the entry's kind. `asked` is the name of the question
    that the rules ask, or None.
    """

    def __init__(self, answer: int, recorded: str, asked: str | None) -> None:
        how = "other" if asked else "no_place"
        asks = {"recorded": repr(recorded), "asked": repr(asked)}
        super().__init__(f"rules.{how}", n=answer, **asks)
        self.answer, self.recorded, self.asked = answer, recorded, asked
