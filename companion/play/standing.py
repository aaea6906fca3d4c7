"""A game as it stands: everything that a face, a service or a program may ask about it.

A `Standing` is a value: a setup and a line of answers. It is never changed, and every question
about it is pure, so a session goes back to an earlier moment by holding the earlier `Standing`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from companion.core.errors import CompanionError, Refused
from companion.core.fold import advance, at_once
from companion.core.game import Cue
from companion.core.prompts import (
    AGREE_UNDO,
    LEAVES,
    THROW,
    Choose,
    Form,
    Number,
    Roll,
    Shuffle,
    act,
    by_box,
    by_press,
    choices,
    opened,
)
from companion.core.snapshot import Snapshot
from companion.record.entry import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.game import Cues, Said
    from companion.core.prompts import Answer, Prompt, Question
    from companion.play.line import Line, Program, Setup, Step

AGREE: Final = Choose(AGREE_UNDO, None, ("yes", "no"), weights=(1, 2))
"""Honest undo: a player has seen a secret since, so the whole table must agree."""
MIX: Final = "mix"
"""The question for a press whose time is mixed into the chance."""
PRESS: Final = (1 << 32) - 1
"""A press mixed into the chance is the low 32 bits of its time in nanoseconds."""


class Standing:
    """One moment of one game. What every face asks is found once; so is what a state asks."""

    def __init__(self, setup: Setup, line: Line) -> None:
        self.setup, self.line = setup, line

    def after(self, line: Line) -> Standing:
        """Return the game with another line."""
        standing = Standing(self.setup, line)
        if line.last.state is self.line.last.state and "asked" in vars(self):
            standing.asked = self.asked
        return standing

    # --- questions ---

    @cached_property
    def asked(self) -> Question | None:
        """What the game asks where the line ends."""
        return self.setup.game.ask(self.line.last.state)

    @cached_property
    def question(self) -> Question | None:
        """What stands now: a question of the game, of the players' presses, or of the table."""
        if self.line.asking:
            return AGREE
        prompt = self.asked
        if by_box(prompt) and self.is_mixing:
            return Number(MIX, self.setup.people[len(self.line.presses)], 0, PRESS, 0)
        if by_press(prompt):
            return act(THROW, prompt.who, facts={"roll": prompt.name}, look=prompt.look)
        return prompt

    @cached_property
    def prompt(self) -> Prompt | None:
        """What is asked now; of a form the first of its questions."""
        return opened(self.question)

    @property
    def is_mixing(self) -> bool:
        """True while presses of people are still to be mixed into the chance."""
        return self.setup.mixing and len(self.line.presses) < len(self.setup.people)

    @property
    def anytime(self) -> tuple[Question, ...]:
        """What may be answered out of turn now."""
        if self._waits:
            return ()
        return self.setup.game.anytime(self.line.last.state)

    @property
    def _waits(self) -> bool:
        return self.prompt is not None and self.prompt.name in (AGREE.name, MIX)

    @property
    def at_once(self) -> Mapping[str, Prompt]:
        """The players who are asked at the same time, in their order; empty if it is only one."""
        if not getattr(self.asked, "at_once", False) or self.question is not self.asked:
            return {}
        return at_once(self.setup.game, self.line.last.state)

    @property
    def rolling(self) -> Roll | None:
        """The roll for which a player is to press; None if no press is waited for."""
        stands = self.prompt is not None and self.prompt.name == THROW
        return self.asked if stands and by_press(self.asked) else None

    def drawn(self) -> Answer:
        """Return what the box must answer to the standing roll or shuffle, by its seed."""
        chance = self.setup.chance._replace(presses=self.line.presses)
        assert isinstance(self.asked, (Roll, Shuffle))
        return chance.answer(self.asked, self.line.draws(chance, self.asked))

    # --- what everybody may know ---

    @cached_property
    def snapshot(self) -> Snapshot:
        """The present moment, for every face."""
        line, setup = self.line, self.setup
        outcome, question = setup.game.outcome(line.last.state), self.question
        return Snapshot(
            game=setup.game.name,
            players=setup.players,
            options=setup.options,
            prompt=self.prompt,
            view=setup.game.view(line.last.state, None),
            cues=line.cues,
            position=line.last.n,
            undoable=line.last.answers,
            redoable=line.redo.n if line.redo else 0,
            outcome=outcome,
            code=setup.chance.code,
            seed=setup.chance.seed if outcome else None,
            form=question if isinstance(question, Form) else None,
        )

    @property
    def opening(self) -> Cues:
        """The public facts before the first question."""
        *_, first = self.line.all_steps()
        return tuple(cue for cue in first.cues if cue.to is None)

    @property
    def recap(self) -> Cues:
        """The public facts of the last answer that had any; empty before the first."""
        public = (tuple(cue for cue in step.cues if cue.to is None) for step in self.line.steps())
        return next(filter(None, public), ())

    @property
    def said(self) -> tuple[Said, ...]:
        """What was said in this game of the table's own board, so far."""
        return self.setup.game.said(self.line.last.state)

    def why(self, argued: Callable[[Cues], Cue] | None = None) -> Cue:
        """Explain the last fact that a clause stands behind. Raises Refused before the first.

        Of several facts of one answer, `argued` may choose another than the last.
        """
        if not (rulings := self.line.rulings()):
            raise Refused("nothing_to_explain")
        cue = argued(rulings) if argued else rulings[-1]
        return Cue("why", {"of": cue.name, "facts": cue.facts}, cue.clause)

    def public(self, prompt: Prompt, value: Answer) -> Answer:
        """Return what all may know of an answer at once; None while it is a secret."""
        waits = prompt.private and getattr(prompt, "at_once", False)
        return None if waits else self.setup.game.public(prompt.name, value)

    # --- what a player may know ---

    @property
    def secrets(self) -> Cues:
        """What each player alone may know now."""
        return tuple(self.setup.game.secrets(self.line.last.state))

    def secret(self, player: str) -> Mapping[str, Any]:
        """Return the view of `player`. The session must `look` first: it notes what was seen."""
        return self.setup.game.view(self.line.last.state, player)

    @property
    def secret_holders(self) -> tuple[str, ...]:
        """All people, in seat order, if each has something that is secret; else none."""
        if not self.secrets:
            return ()
        return tuple(who for who in self.present if who not in self.programs)

    def told(self, player: str) -> Cues:
        """Return all facts that `player` was told of the game as it stands, own secrets last."""
        *_, first = self.line.all_steps()
        steps = (first, *[*self.line.steps()][::-1])
        told = (cue for step in steps for cue in step.cues if cue.to in (None, player))
        return (*told, *(cue for cue in self.secrets if cue.to == player))

    # --- players and programs ---

    @property
    def present(self) -> tuple[str, ...]:
        """The players who are in the game, in seat order: all, if nobody can leave this game."""
        asked = (question for question in self.anytime if question.name == LEAVES)
        stays = next((choices(question) for question in asked), self.setup.players)
        return tuple(stays)

    @property
    def programs(self) -> Mapping[str, Program]:
        """The players whose seat the box plays now, and how."""
        return self.line.programs

    @property
    def thinks(self) -> str | None:
        """The player for whom the box answers the standing question; None if people answer."""
        prompt = self.prompt
        if prompt is None or prompt.name in self.setup.game.needs_eyes:
            return None
        if isinstance(prompt, Roll):  # of dice that lie on the table
            return None
        return prompt.who if prompt.who in self.programs else None

    @property
    def wishes(self) -> str | None:
        """The player for whom people answer, once the box has said what it would choose."""
        prompt = self.prompt
        if prompt is None or prompt.name not in self.setup.game.wishes:
            return None
        return prompt.who if prompt.who in self.programs else None

    @property
    def takes_stand_in(self) -> bool:
        """True if the box can take a seat now: no press and no agreement is waited for."""
        playable = self.setup.game.playable
        return self.prompt is not None and not self._waits and playable(self.setup.options)

    # --- what would be ---

    @property
    def target(self) -> Step:
        """The answer that an undo takes back. Raises Refused if there is none."""
        return self.line.target(self.setup.game.needs_eyes)

    @property
    def undo_needs_agreement(self) -> bool:
        """True if a player has seen a secret since the last answer. Raises Refused if none is."""
        return self.line.is_seen(self.target.n)

    def folded(
        self, value: Answer, now: int, question: str | None = None, kind: str = "answer"
    ) -> Standing:
        """Return the game after one more answer, which is its last step. Raises Refused."""
        line, prompt = self.line, self.asked
        state, cues = advance(self.setup.game, line.last.state, value, question)
        asked = question or (prompt.name if prompt else None)
        whose = prompt.who if prompt and prompt.name == asked else None  # out of turn: the table's
        further = line.folded(Entry(kind, asked, whose, value, now), state, cues)
        if kind == "box":
            return self.after(further._replace(cues=(*line.cues, *cues)))
        return self.after(further._replace(cues=cues, since=line.last))

    def foresee(self, value: Answer) -> Snapshot | None:
        """Return what an answer to the standing question would lead to; None if it is refused.

        The rolls and shuffles of the box after it are left open.
        """
        if self._waits or self.prompt is None or self.prompt.name == THROW:
            return None
        try:
            return self.folded(value, 0).snapshot
        except CompanionError:
            return None
