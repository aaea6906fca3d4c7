"""The single owner of a running game: it takes answers, folds, undoes, redoes and explains.

Every change is made in two halves, so that people see it before it is written and hear it after:
the call gives the new snapshot, then `commit` writes it down, with one sync. If that fails,
everything is as it was before the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.core.errors import CompanionError, Refused
from companion.core.fold import advance, at_once
from companion.core.game import Cue, Cues
from companion.core.prompts import (
    AGREE_UNDO,
    LEAVES,
    THROW,
    Answer,
    Choose,
    Form,
    Number,
    Prompt,
    Question,
    Roll,
    Shuffle,
    accepts,
    act,
    by_box,
    by_press,
    choices,
    opened,
)
from companion.core.snapshot import Snapshot
from companion.play.header import fresh_id, header_of, of_other_rules, setup_of
from companion.play.line import Line, Program, RulesChanged, Setup, Step
from companion.play.replay import refolded, replayed
from companion.record.entry import Entry, kept

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.game import Said
    from companion.record.journal import Journal

__all__ = ["AGREE", "RulesChanged", "Session", "Setup", "Snapshot", "recorded", "setup_of"]

AGREE: Final = Choose(AGREE_UNDO, None, ("yes", "no"), weights=(1, 2))
"""Honest undo: somebody has seen a secret since, so the whole table must agree."""
PRESS: Final = (1 << 32) - 1
"""A press mixed into the chance is the low 32 bits of its time in nanoseconds."""


def recorded(journal: Journal, number: int, now: int) -> tuple[Session, RulesChanged | None]:
    """A recorded game, to go on with; and where it no longer fitted the rules, if anywhere.

    Raises JournalError or UnknownGame; Outgrown if it does not fit the rules anywhere.
    """
    setup = setup_of(journal.read(number)[0])
    try:
        return Session.resume(journal, number, setup, now), None
    except RulesChanged as changed:
        return Session.salvage(journal, number, setup, now), changed


class Session:
    """A game being played. Begin one with `Session.begin`, go on with `Session.resume`."""

    def __init__(self, journal: Journal, number: int, setup: Setup) -> None:
        self.number = number
        self.setup = setup
        self._journal = journal
        self._game, self._code = setup.game, setup.chance.code
        state = setup.game.setup(setup.players, setup.options, setup.edition)
        told = setup.game.opening(state)
        first = Step(None, Entry("game"), state, told, 0, 0)
        self._line = Line(first, programs=setup.programs)
        self._written = self._line
        self._batch: list[Entry] = []
        self._taken: tuple[Line, Snapshot] | None = None
        self._asked: tuple[object, Question | None] = object(), None
        self._stands: tuple[Line | None, Question | None, Prompt | None] = None, None, None

    @classmethod
    def begin(cls, journal: Journal, setup: Setup, now: int) -> Session:
        """Write a new game down and begin it.

        Raises JournalError, or LeftOut if a package's game fails at it; nothing is written then.
        """
        session = cls(journal, 0, setup)
        session._set(cues=session._line.last.cues)
        session._settle(now)
        session._look()
        session.number = journal.begin({"id": fresh_id(), **header_of(setup)}, session._batch, now)
        session._batch, session._written = [], session._line
        return session

    @classmethod
    def resume(cls, journal: Journal, number: int, setup: Setup, now: int) -> Session:
        """Go on with a recorded game.

        Raises RulesChanged at the exact answer, Outgrown or JournalError.
        """
        with of_other_rules():
            session = cls(journal, number, setup)
        for entry in kept(journal.read(number)[1]):
            session.replay(entry)
        session._wake(now)
        return session

    @classmethod
    def salvage(cls, journal: Journal, number: int, setup: Setup, now: int) -> Session:
        """Go on with a recorded game from the last answer that still fits the rules.

        Raises Outgrown or JournalError.
        """
        with of_other_rules():
            session = cls(journal, number, setup)
        lines = kept(journal.read(number)[1])
        for n, entry in enumerate(lines):
            try:
                session.replay(entry)
            except RulesChanged:
                session._write(Entry("cut", value=n, at=now))
                break
        session._wake(now)
        return session

    def _wake(self, now: int) -> None:
        """After a replay: the box answers what is its own, and everybody gets the own secrets.

        All is looked at before anybody sits down: a package's game can fail at it, and so can any
        game whose record is older than its rules.
        """
        with of_other_rules():
            self._settle(now)
            self._tell(self.secrets)
            self._look()
        self.commit()

    def _look(self) -> None:
        """Work out what every face asks first, so that a game which fails at it fails here."""
        _ = self.snapshot, self.anytime

    # --- what stands ---

    @property
    def prompt(self) -> Prompt | None:
        """What is asked now; of a form the first of its questions."""
        return self._standing()[2]

    @property
    def question(self) -> Question | None:
        """What stands now: of the game, of the players' presses, or of the table."""
        return self._standing()[1]

    def _standing(self) -> tuple[Line | None, Question | None, Prompt | None]:
        """The question and its prompt, found once for each line."""
        if self._stands[0] is not self._line:
            question = self._found()
            self._stands = self._line, question, opened(question)
        return self._stands

    def _found(self) -> Question | None:
        if self._line.asking:
            return AGREE
        prompt = self._ask()
        if by_box(prompt) and self._mixing():
            return Number("mix", self.setup.people[len(self._line.presses)], 0, PRESS, 0)
        if by_press(prompt):
            return act(THROW, prompt.who, facts={"roll": prompt.name}, look=prompt.look)
        return prompt

    def _ask(self) -> Question | None:
        """What the game asks where the line ends: each state is asked once."""
        if self._asked[0] is not (state := self._line.last.state):
            self._asked = state, self._game.ask(state)
        return self._asked[1]

    @property
    def snapshot(self) -> Snapshot:
        """The present moment, for every face; it is taken once."""
        if self._taken is None or self._taken[0] is not self._line:
            self._taken = self._line, self._take()
        return self._taken[1]

    def _take(self) -> Snapshot:
        line, setup = self._line, self.setup
        outcome, asked = self._game.outcome(line.last.state), self.question
        return Snapshot(
            game=self._game.name,
            players=setup.players,
            options=setup.options,
            prompt=self.prompt,
            view=self._game.view(line.last.state, None),
            cues=line.cues,
            position=line.last.n,
            undoable=line.last.answers,
            redoable=line.redo.n if line.redo else 0,
            outcome=outcome,
            code=self._code,
            seed=setup.chance.seed if outcome else None,
            form=asked if isinstance(asked, Form) else None,
        )

    @property
    def at_once(self) -> Mapping[str, Prompt]:
        """Who is asked now at the same time, in their order, and what; nothing if one alone is."""
        asked = self._ask()
        if not getattr(asked, "at_once", False) or self.question is not asked:
            return {}
        return at_once(self._game, self._line.last.state)

    @property
    def secrets(self) -> Cues:
        """What each player alone may know now."""
        return tuple(self._game.secrets(self._line.last.state))

    @property
    def programs(self) -> Mapping[str, Program]:
        """The players whose seat the box plays now, and how."""
        return self._line.programs

    @property
    def thinks(self) -> str | None:
        """The player for whom the box answers the question that stands; None if people answer."""
        prompt = self.prompt
        if prompt is None or prompt.name in self._game.needs_eyes:
            return None
        if isinstance(prompt, Roll):  # of dice that lie on the table
            return None
        return prompt.who if prompt.who in self.programs else None

    @property
    def wishes(self) -> str | None:
        """The player for whom people answer, once the box has said what it would like."""
        prompt = self.prompt
        if prompt is None or prompt.name not in self._game.wishes:
            return None
        return prompt.who if prompt.who in self.programs else None

    @property
    def takes_stand_in(self) -> bool:
        """Whether the box can play on for somebody now: no press or agreement is waited for."""
        prompt = self.prompt
        if prompt is None or prompt.name in (AGREE.name, "mix"):
            return False
        return self._game.playable(self.setup.options)

    @property
    def present(self) -> tuple[str, ...]:
        """The players who are in the game, in seat order: all, if nobody can leave this game."""
        asked = (question for question in self.anytime if question.name == LEAVES)
        stays = next((choices(question) for question in asked), self.setup.players)
        return tuple(stays)

    @property
    def secret_holders(self) -> tuple[str, ...]:
        """All people, in seat order, if there is something that each alone may know; else none."""
        if not self.secrets:
            return ()
        return tuple(who for who in self.present if who not in self.programs)

    def told(self, player: str) -> Cues:
        """All that a player has been told of the game as it stands, and the own secrets last."""
        *_, first = self._line.all_steps()
        steps = (first, *[*self._line.steps()][::-1])
        told = (cue for step in steps for cue in step.cues if cue.to in (None, player))
        return (*told, *(cue for cue in self.secrets if cue.to == player))

    def has_news(self, player: str) -> bool:
        """Whether there is a secret that the player has not looked at yet."""
        return self._line.has_news(player)

    @property
    def anytime(self) -> tuple[Question, ...]:
        """What may be answered out of turn now."""
        if self.prompt is not None and self.prompt.name in (AGREE.name, "mix"):
            return ()
        return self._game.anytime(self._line.last.state)

    @property
    def opening(self) -> Cues:
        """What all are told before the first question."""
        *_, first = self._line.all_steps()
        return tuple(cue for cue in first.cues if cue.to is None)

    @property
    def said(self) -> tuple[Said, ...]:
        """What was said in this game of the table's own board, so far."""
        return self._game.said(self._line.last.state)

    @property
    def rolling(self) -> Roll | None:
        """The roll for which somebody is to press; None if no press is waited for."""
        prompt, roll = self.prompt, self._ask()
        stands = prompt is not None and prompt.name == THROW
        return roll if stands and by_press(roll) else None

    def drawn(self) -> Answer:
        """What the box must answer to the standing roll or shuffle, by its seed."""
        prompt = self._ask()
        chance = self.setup.chance._replace(presses=self._line.presses)
        assert isinstance(prompt, (Roll, Shuffle))
        return chance.answer(prompt, self._line.draws(chance, prompt))

    def public(self, prompt: Prompt, value: Answer) -> Answer:
        """What all may know of an answer at once; None while it is a secret."""
        waits = prompt.private and getattr(prompt, "at_once", False)
        return None if waits else self._game.public(prompt.name, value)

    @property
    def undo_needs_agreement(self) -> bool:
        """Whether somebody has seen a secret since the last answer. Raises Refused if none is."""
        return self._line.is_seen(self._target().n)

    def secret(self, player: str) -> Mapping[str, Any]:
        """What only `player` may see; call `look` first, so that it is known to have been seen."""
        return self._game.view(self._line.last.state, player)

    @property
    def rulings(self) -> Cues:
        """The last facts that clauses stand behind, in their order; none before the first."""
        return self._line.rulings()

    def why(self, argued: Callable[[Cues], Cue] | None = None) -> Cue:
        """Explain the last fact that a clause stands behind. Raises Refused before the first.

        Of several of one answer, `argued` may choose another than the last.
        """
        if not self.rulings:
            raise Refused("nothing_to_explain")
        cue = argued(self.rulings) if argued else self.rulings[-1]
        return Cue("why", {"of": cue.name, "facts": cue.facts}, cue.clause)

    @property
    def last(self) -> Step:
        """The last answer, and all before it."""
        return self._line.last

    @property
    def since(self) -> Step | None:
        """The last step before the facts of the snapshot; None before the first question."""
        return self._line.since

    # --- changes ---

    def answer(self, value: Answer, now: int, question: str | None = None) -> Snapshot:
        """Take an answer to the standing question, or out of turn to the one named.

        `now` is in seconds since 1970. Raises Refused, or LeftOut if a package's game fails at it;
        nothing has changed then, whatever is raised.
        """
        line, written = self._line, len(self._batch)
        try:
            return self._answer(value, now, question)
        except BaseException:
            self._line = line
            del self._batch[written:]
            raise

    def _answer(self, value: Answer, now: int, question: str | None) -> Snapshot:
        prompt = self.question
        asked = prompt.name if prompt is not None else None
        if asked in (AGREE.name, "mix") and question not in (None, asked):
            raise Refused("not_asked", question=question)
        if self._line.asking:
            return self._agree(value, now)
        if prompt is not None and prompt.name == "mix":
            if not accepts(prompt, value):
                raise Refused("not_offered", question="mix")
            self._write(Entry("press", "mix", prompt.who, value, now))
            self._tell(presses=(*self._line.presses, value))
        elif asked == THROW and question in (None, THROW):
            self._throw(value, now)
        else:
            self._fold(value, now, question)
            self._set(redo=None)
        self._settle(now)
        return self.snapshot

    def _throw(self, value: Answer, now: int) -> None:
        """The box rolls, since somebody has pressed; the press itself is nothing to write down."""
        if value != THROW:
            raise Refused("not_offered", question=THROW)
        self._tell(redo=None)
        self._fold(self.drawn(), now, kind="box")

    def foresee(self, value: Answer) -> Snapshot | None:
        """What an answer to the standing question would come to; nothing has changed by it.

        None if it would be refused. What the box itself would roll or shuffle then is left open.
        """
        if self._line.asking or self.prompt is None or self.prompt.name in ("mix", THROW):
            return None
        line, written, taken = self._line, len(self._batch), self._taken
        try:
            self._fold(value, 0)
            return self._take()
        except CompanionError:
            return None
        finally:
            self._line, self._taken = line, taken
            del self._batch[written:]

    def undo(self, now: int) -> Snapshot:
        """Take the last answer back, or ask the table whether it may be. Raises Refused."""
        if self._line.asking:
            return self._agree("no", now)
        if self.undo_needs_agreement:
            self._tell(asking=True)
            return self.snapshot
        return self._take_back(now, agreed=False)

    def redo(self, now: int) -> Snapshot:
        """Give the last answer taken back again. Raises Refused if there is none."""
        undone = self._line.redo
        if undone is None or self._line.asking:
            raise Refused("nothing_to_redo")
        self._write(Entry("redo", at=now))
        line, cues = refolded(self._game, self._line, undone.entries)
        redone = Cue("redone", self._told(undone.entries[0]))
        since = self._line.last
        self._line = line._replace(redo=undone.before, cues=(redone, *cues), since=since)
        self._settle(now)
        return self.snapshot

    def look(self, player: str, now: int) -> Snapshot:
        """Note, before it is shown, that `player` looks at the own secrets."""
        if self._line.has_news(player):
            self._write(Entry("seen", None, player, None, now))
            self._line = self._line.looked(player)
        return self.snapshot

    def tell_secrets(self, now: int) -> None:
        """Note that every private cue of the last call was shown at once (a text protocol does)."""
        for player in sorted({cue.to for cue in self._line.cues if cue.to is not None}):
            self.look(player, now)

    def play(self, player: str, program: Program | None, now: int) -> None:
        """Have the box play a seat from now on, as a stand-in; or, with None, its player again."""
        self._write(Entry("program", None, player, program and [*program], now))
        self._line = self._line.played_by(player, program)

    def commit(self) -> None:
        """Write down what has changed, with one sync. Raises JournalError: nothing has changed."""
        batch, self._batch = self._batch, []
        try:
            self._journal.append(self.number, batch)
        except CompanionError:
            self.drop()
            raise
        self._written = self._line

    def drop(self) -> None:
        """Go back to how the game was last written down."""
        self._line, self._batch = self._written, []

    # --- the line ---

    def _set(self, **changes: Any) -> None:
        self._line = self._line._replace(**changes)

    def _tell(self, cues: Cues = (), **changes: Any) -> None:
        """Facts about the game as it stands are told now, in place of older ones."""
        self._set(cues=cues, since=self._line.last, **changes)

    def _write(self, entry: Entry) -> None:
        self._batch.append(entry)

    def _mixing(self) -> bool:
        return self.setup.mixing and len(self._line.presses) < len(self.setup.people)

    def _fold(
        self, value: Answer, now: int, question: str | None = None, kind: str = "answer"
    ) -> None:
        """Fold one answer and write it down. Raises Refused."""
        last = self._line.last
        prompt = self._ask()
        state, cues = advance(self._game, last.state, value, question)
        asked = question or (prompt.name if prompt else None)
        whose = prompt.who if prompt and prompt.name == asked else None  # out of turn: the table's
        entry = Entry(kind, asked, whose, value, now)
        self._line = self._line.folded(entry, state, cues)
        self._write(entry)
        if kind == "box":
            self._set(cues=(*self._line.cues, *cues))
        else:
            self._set(cues=cues, since=last)

    def _settle(self, now: int) -> None:
        """Let the box answer whatever is its own to answer; close the record when it is over."""
        while by_box(asked := self._ask()) and not self._mixing():
            if by_press(asked):
                break
            self._fold(self.drawn(), now, kind="box")
        outcome = self._game.outcome(self._line.last.state)
        if outcome is not None and self._batch:
            self._write(Entry("over", value=list(outcome.winners), at=now))

    # --- taking back ---

    def _target(self) -> Step:
        return self._line.target(self._game.needs_eyes)

    def _take_back(self, now: int, *, agreed: bool) -> Snapshot:
        target = self._target()
        self._write(Entry("undo", value=agreed, at=now))
        self._line = self._line.dropped(target)
        facts = self._told(target.entry)
        left = self._line.last.answers
        self._tell((Cue("undone", {**facts, "agreed": agreed, "left": left}),))
        return self.snapshot

    def _told(self, answer: Entry) -> dict[str, Any]:
        """What all may know of an answer that is taken back, or given again."""
        value = self._game.public(answer.question, answer.value)
        return {"who": answer.who, "question": answer.question, "value": value}

    def _agree(self, value: Answer, now: int) -> Snapshot:
        if value not in AGREE.options:
            raise Refused("not_offered", question=AGREE.name)
        if value == "yes":
            return self._take_back(now, agreed=True)
        self._tell(asking=False)
        return self.snapshot

    # --- replaying a record ---

    def replay(self, entry: Entry) -> None:
        """Do what a line of the record says, without writing it.

        Raises RulesChanged, or LeftOut if a package's game fails at it; nothing has changed then.
        """
        self._line = replayed(self._game, self._line, entry)
